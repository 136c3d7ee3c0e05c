//! Races to the exits that nobody can interfere with, decided by counting steps. The attacker's home is at the bottom.

use crate::bitboard::around;
use crate::square::Bitboard;

/// Whether a blue of the attacker, to move, is near enough to an exit to leave within `depth` plies:
/// at distance d it leaves with the d + 1st move.
#[inline]
pub(super) fn can_escape(blues: Bitboard, depth: u32) -> bool {
    let steps = depth.div_ceil(2).saturating_sub(1) as usize;
    blues & either(&NEAR_OWN, steps) != 0
}

/// Whether the attacker, to move, has a blue that reaches an exit within `depth` plies before anybody
/// can stop it or escape. At distance d it leaves with the d + 1st move; a defender farther than d from
/// the exit can neither capture it on its way nor stand in it, and one farther than d − 1 from its own
/// exit is too late.
#[inline]
pub(super) fn runs_free(blues: Bitboard, reds: Bitboard, enemies: Bitboard, depth: u32) -> bool {
    NEAR_OWN.iter().any(|near| {
        for d in 1..=FARTHEST.min((depth as usize - 1) / 2) {
            if enemies & near[d] != 0 || reds & near[d - 1] != 0 {
                return false;
            }
            if blues & near[d] != 0 {
                return enemies & either(&NEAR_ENEMY, d - 1) == 0;
            }
        }
        false
    })
}

/// Whether an enemy reaches an exit before the attacker, who has `own` pieces and is `ahead` moves ahead (1 if to
/// move, 0 otherwise), can stop it or escape: by the same count of steps.
#[inline]
pub(super) fn outruns(blues: Bitboard, own: Bitboard, enemies: Bitboard, ahead: usize) -> bool {
    NEAR_ENEMY.iter().any(|near| {
        for d in 0..FARTHEST {
            if own & near[d + ahead] != 0 {
                return false;
            }
            if enemies & near[d] != 0 {
                let late = d + ahead;
                return late == 0 || blues & either(&NEAR_OWN, late - 1) == 0;
            }
        }
        false
    })
}

/// The longest way to an exit.
const FARTHEST: usize = 10;

/// The squares within so many steps of one square.
type Near = [Bitboard; FARTHEST + 1];

/// Those of the attacker's exits and of the defender's.
static NEAR_OWN: [Near; 2] = [near(1), near(1 << 5)];
static NEAR_ENEMY: [Near; 2] = [near(1 << 30), near(1 << 35)];

const fn near(exit: Bitboard) -> Near {
    let mut table = [exit; FARTHEST + 1];
    let mut distance = 1;
    while distance <= FARTHEST {
        table[distance] = table[distance - 1] | around(table[distance - 1]);
        distance += 1;
    }
    table
}

/// The squares within so many steps of either exit.
#[inline]
fn either(near: &[Near; 2], steps: usize) -> Bitboard {
    let steps = steps.min(FARTHEST);
    near[0][steps] | near[1][steps]
}
