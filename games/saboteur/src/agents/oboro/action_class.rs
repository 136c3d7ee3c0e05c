//! Actions sorted into a few classes, whose frequencies differ by role and policy.

use super::frequencies::FREQUENCIES;
use crate::agents::foreman::prospect::{DrawOdds, Prospect, progress};
use crate::{Action, Goal, Goals, Maps, Public, Seats};
use oboro_core::Seat;

/// The number of policies whose frequencies are known.
pub const POLICIES: usize = 4;

/// The policy of `path`.
pub(super) const PATH: usize = 0;

/// The random policy.
pub(super) const RANDOM: usize = POLICIES - 1;

/// The number of classes.
pub const CLASSES: usize = 25;

/// The names of the classes.
pub const CLASS_NAMES: [&str; CLASSES] = [
    "path, ≤ -1",
    "path, ≤ -0.3",
    "path, < -0.02",
    "path, ≈ 0",
    "path, ≤ 0.3",
    "path, ≤ 0.8",
    "path, > 0.8",
    "blocked, ≤ -0.3",
    "blocked, < -0.02",
    "blocked, ≥ -0.02",
    "rocks that harm",
    "rocks of no effect",
    "rocks that help",
    "map, gold unknown",
    "map, gold known",
    "break a digger",
    "break a suspected digger",
    "break a saboteur",
    "break a suspected saboteur",
    "mend the own tool",
    "mend a digger's",
    "mend a suspected digger's",
    "mend a saboteur's",
    "mend a suspected saboteur's",
    "discard",
];

const ROCKS: u8 = 10;
const LOOK: u8 = 13;
const BREAK: u8 = 15;
const MEND_OWN: u8 = 19;
const MEND: u8 = 20;
const DISCARD: u8 = 24;

/// The class of an action under every hypothesis of roles and goals.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionClass {
    actor: Seat,
    /// Whether a broken tool kept the actor from digging.
    stopped: bool,
    /// By goal, the class if the gold is there; for an action on another seat's tools, if that seat is a digger.
    classes: [u8; 3],
    /// Whose tool was broken or mended.
    target: Option<Seat>,
}

impl ActionClass {
    /// The class of an action of `seat`; `None` is a discard. `suspected` says whether a spectator takes a seat for a
    /// saboteur.
    pub(super) fn new(
        public: &Public,
        odds: &DrawOdds,
        suspected: impl Fn(Seat) -> bool,
        seat: Seat,
        action: Option<Action>,
    ) -> ActionClass {
        let mut class = ActionClass {
            actor: seat,
            stopped: !public.broken(seat).is_empty(),
            classes: [DISCARD; 3],
            target: None,
        };
        match action {
            None | Some(Action::Discard { .. }) => {}
            Some(action @ (Action::Dig { .. } | Action::RockFall { .. })) => {
                class.classes = dug(public, odds, seat, action);
            }
            Some(Action::Look { .. }) => {
                class.classes = Goal::ALL
                    .map(|gold| LOOK + u8::from(candidates(public, seat, gold).len() == 1));
            }
            Some(Action::Break { seat: other, .. }) => {
                class.classes = [BREAK + u8::from(suspected(other)); 3];
                class.target = Some(other);
            }
            Some(Action::Mend { seat: other, .. }) if other == seat => {
                class.classes = [MEND_OWN; 3];
            }
            Some(Action::Mend { seat: other, .. }) => {
                class.classes = [MEND + u8::from(suspected(other)); 3];
                class.target = Some(other);
            }
        }
        class
    }

    /// The seat that acted.
    pub fn actor(self) -> Seat {
        self.actor
    }

    /// Whether a broken tool kept the actor from digging.
    pub fn was_stopped(self) -> bool {
        self.stopped
    }

    /// The class if these are the saboteurs and the gold is there.
    pub fn class(self, saboteurs: Seats, gold: Goal) -> usize {
        let class = usize::from(self.classes[gold.index()]);
        match self.target {
            Some(target) if saboteurs.contains(target) => class + 2,
            _ => class,
        }
    }

    /// The likelihood ratio of a policy to the random policy, if these are the saboteurs and the gold is there.
    ///
    /// The random frequency of a class stands for the number of such actions to choose from. So the random policy has
    /// the same likelihood under every hypothesis.
    pub(super) fn likelihood(self, policy: usize, saboteurs: Seats, gold: Goal) -> f64 {
        if policy == RANDOM {
            return 1.0;
        }
        let role = usize::from(saboteurs.contains(self.actor));
        let (stopped, class) = (usize::from(self.stopped), self.class(saboteurs, gold));
        let [as_digger, as_saboteur] = [0, 1].map(|role| FREQUENCIES[RANDOM][role][stopped][class]);
        FREQUENCIES[policy][role][stopped][class] / (0.5 * (as_digger + as_saboteur))
    }
}

/// The goals that a seat must take for the gold, if the gold is there.
fn candidates(public: &Public, seat: Seat, gold: Goal) -> Goals {
    let looks = if public.rules().maps == Maps::Public {
        public.seats().fold(Goals::EMPTY, |all, other| all.or(public.looks(other)))
    } else {
        public.looks(seat)
    };
    if looks.contains(gold) {
        [gold].into_iter().collect()
    } else {
        looks.or(public.face_down().complement()).complement()
    }
}

/// By goal, the class of a path card or a rock fall: by the progress of the diggers towards the goals that the player
/// takes for the gold.
fn dug(public: &Public, odds: &DrawOdds, seat: Seat, action: Action) -> [u8; 3] {
    let mut known: [Option<(Goals, u8)>; 3] = [None; 3];
    for gold in Goal::ALL {
        let candidates = candidates(public, seat, gold);
        let before = known.iter().flatten().find(|(goals, _)| *goals == candidates);
        let class = before.map_or_else(
            || {
                let share = 1.0 / candidates.len().max(1) as f64;
                let prospect = Prospect {
                    rules: public.rules(),
                    gold: Goal::ALL.map(|goal| if candidates.contains(goal) { share } else { 0.0 }),
                    odds,
                };
                class_of(action, progress(&prospect, public.board(), action))
            },
            |(_, class)| *class,
        );
        known[gold.index()] = Some((candidates, class));
    }
    known.map(|of_goal| of_goal.map_or(DISCARD, |(_, class)| class))
}

/// The class of a change to the mine by its progress in cards.
fn class_of(action: Action, progress: f64) -> u8 {
    let above = |bounds: &[f64]| bounds.iter().filter(|&&bound| progress > bound).count() as u8;
    match action {
        Action::RockFall { .. } => ROCKS + above(&[-0.1, 0.1]),
        Action::Dig { tile, .. } if !tile.is_passable() => 7 + above(&[-0.3, -0.02]),
        _ => above(&[-1.0, -0.3, -0.02, 0.02, 0.3, 0.8]),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_positive_and_sum_to_one() {
        for row in FREQUENCIES.iter().flatten().flatten() {
            assert!(row.iter().all(|&frequency| frequency > 0.0), "{row:?}");
            let sum: f64 = row.iter().sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        }
    }

    #[test]
    fn classes_follow_the_progress_of_a_card() {
        let dig = |text: &str, progress| class_of(text.parse().unwrap(), progress);
        let names = |class: u8| CLASS_NAMES[usize::from(class)];
        assert_eq!(names(dig("LR@1,0", -2.0)), "path, ≤ -1");
        assert_eq!(names(dig("LR@1,0", 0.0)), "path, ≈ 0");
        assert_eq!(names(dig("LR@1,0", 1.0)), "path, > 0.8");
        assert_eq!(names(dig("xLR@1,0", -2.0)), "blocked, ≤ -0.3");
        assert_eq!(names(dig("xLR@1,0", 0.0)), "blocked, ≥ -0.02");
        assert_eq!(names(dig("rock@1,0", -1.0)), "rocks that harm");
        assert_eq!(names(dig("rock@1,0", 1.0)), "rocks that help");
        assert_eq!(names(LOOK + 1), "map, gold known");
        assert_eq!(names(BREAK + 3), "break a suspected saboteur");
        assert_eq!(names(MEND + 3), "mend a suspected saboteur's");
        assert_eq!(names(MEND_OWN), "mend the own tool");
        assert_eq!(names(DISCARD), "discard");
    }
}
