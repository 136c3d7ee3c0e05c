//! The last five plies, decided by a few tests on bitboards.
//!
//! With three moves left the attacker's second must bring a blue onto an exit where nobody can capture it: a *safe entry*.
//! If there is none after its first move, any quiet step of the defender far from the exits holds, so only first moves
//! that threaten one count, and only answers next to the threatened exit. This is exact where the defender has quiet steps
//! to spare, which [`is_ample`] makes sure of.

use crate::agents::search::has_one;
use crate::agents::search::position::Position;
use crate::bitboard::{ENEMY_EXITS, OWN_EXITS, around, movable, unshifted};
use crate::square::Bitboard;

/// The two squares next to either exit of the attacker.
const PORCHES: Bitboard = around(OWN_EXITS);

/// The other porch of the same exit, for each of a set of porches.
#[inline]
const fn across(porches: Bitboard) -> Bitboard {
    (porches & 1 << 1) << 5
        | (porches & 1 << 6) >> 5
        | (porches & 1 << 4) << 7
        | (porches & 1 << 11) >> 7
}

/// Enemies that have at least three steps.
#[inline]
fn nimble(here: &Position) -> Bitboard {
    let [a, b, c, d] = movable(here.enemies);
    a & b & (c | d) | c & d & (a | b)
}

/// Whether the defender has a step that does not capture the attacker's last red, whatever the attacker moves now: one of
/// two nimble pieces is left, and a red is in one of its ways at most.
#[inline]
pub(super) fn is_free(here: &Position) -> bool {
    !has_one(here.reds) || !has_one(nimble(here))
}

/// Whether the defender, to move, has a step that does not capture a red.
#[inline]
pub(super) fn has_quiet_step(here: &Position) -> bool {
    let steps = movable(here.enemies);
    (0..4).any(|d| steps[d] & !unshifted(here.reds, d) != 0)
}

/// Whether [`wins_in_five`] is exact: whatever the attacker does, the defender can always step with a piece away from the
/// exits without losing by it. Two such pieces are enough (one may be captured, and the other cannot be shut in by
/// pieces near the exits) while the attacker has too many reds to lose them all; otherwise four that have three steps
/// each: of those two may be captured, one moves, and the last is left with a step even if the moved one
/// stands in its way and a red in another.
#[inline]
pub(super) fn is_ample(here: &Position) -> bool {
    const CORNERS: Bitboard = PORCHES | OWN_EXITS;
    if here.enemy_leaves() {
        return false;
    }
    if here.reds.count_ones() > 2 {
        !has_one(here.enemies & !CORNERS)
    } else {
        (nimble(here) & !CORNERS).count_ones() >= 4
    }
}

/// Whether the attacker, to move, wins within five plies. No blue stands on an exit yet.
pub(super) fn wins_in_five(here: &Position) -> bool {
    if here.safe_entries() != 0 {
        return true;
    }
    // A threat arises when a blue steps onto a porch or an exit, the guard of an exit is captured for a blue across, or a
    // red makes room.
    let guards = here.enemies & across(here.blues & PORCHES);
    let steps = movable(here.own());
    (0..4).any(|direction| {
        let entering = here.blues & unshifted(PORCHES | OWN_EXITS, direction);
        let capturing = unshifted(guards, direction);
        let mut rest = steps[direction] & (entering | capturing | here.reds & OWN_EXITS);
        while rest != 0 {
            let from = rest & rest.wrapping_neg();
            rest ^= from;
            if let Some(next) = here.attacker_step(from, direction)
                && threatens(&next)
            {
                return true;
            }
        }
        false
    })
}

/// Whether the attacker wins within four plies, the defender to move.
fn threatens(here: &Position) -> bool {
    if here.enemy_leaves() {
        return false;
    }
    let leaving = here.blues & OWN_EXITS;
    if leaving != 0 {
        return leaving & !around(here.enemies) != 0
            || leaving == OWN_EXITS
            || !can_parry(here, leaving);
    }
    let entries = here.safe_entries();
    if entries == 0 {
        return false;
    }
    let last_red = if has_one(here.reds) { here.reds } else { 0 };
    let goals = ENEMY_EXITS & !here.enemies & !last_red;
    around(goals) & here.enemies == 0 && !can_parry(here, entries | around(entries))
}

/// Whether the defender has a step into `zone` after which there is no safe entry.
fn can_parry(here: &Position, zone: Bitboard) -> bool {
    let steps = movable(here.enemies);
    (0..4).any(|direction| {
        let mut rest = steps[direction] & unshifted(zone, direction);
        while rest != 0 {
            let from = rest & rest.wrapping_neg();
            rest ^= from;
            let next = here.defender_step(from, direction);
            if next.blues == 0 || next.reds != 0 && next.safe_entries() == 0 {
                return true;
            }
        }
        false
    })
}
