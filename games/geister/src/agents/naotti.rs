//! A fixed-depth worst-case search: our reconstruction of the program that the genetic programming
//! paper takes as its teacher.

use super::{PlacementChoice, check_range};
use crate::Geister;
use crate::action::Action;
use crate::feared::{self, Feared};
pub use crate::feared::{Lingered, Order, WIN};
use crate::view::View;
use crate::world::World;
use oboro_core::{
    ActionValue, Agent, AgentEntry, Analysis, GameWorld, Oracle, Player, Rng, SeatView, fresh,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What the program may see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Information {
    /// The own colours only; enemy pieces are purple.
    #[default]
    Imperfect,
    /// All colours: an oracle, not a fair opponent.
    Perfect,
}

/// The parameters of `naotti`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NaottiParams {
    /// How many plies it looks ahead.
    pub depth: u32,
    /// What it sees; `perfect` makes it an oracle.
    pub information: Information,
    /// In which order it tries its moves; of equals it plays the first.
    pub order: Order,
    /// How many of the enemy pieces that stayed on an exit it takes for red.
    pub lingered: Lingered,
    /// Its red pieces, as in CEFG, or `random`.
    #[schemars(with = "String")]
    pub placement: PlacementChoice,
}

impl Default for NaottiParams {
    fn default() -> NaottiParams {
        NaottiParams {
            depth: 6,
            information: Information::Imperfect,
            order: Order::SquareFirst,
            lingered: Lingered::One,
            placement: PlacementChoice::Random,
        }
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "naotti",
        "Tochikawa 2022, 5.1.1 (the teacher program)",
        "Searches the worst case six plies deep, every enemy piece purple (reconstruction)",
        |_, params: &NaottiParams| {
            check_range("depth", params.depth, 1..=20)?;
            let NaottiParams { depth, order, lingered, placement, .. } = *params;
            let naotti = Naotti { search: Search { depth, order, lingered }, placement };
            Ok(match params.information {
                Information::Imperfect => fresh(naotti),
                Information::Perfect => Arc::new(move || Player::Oracle(Box::new(naotti.clone()))),
            })
        },
    )
}

#[derive(Clone, Debug)]
struct Naotti {
    search: Search,
    placement: PlacementChoice,
}

impl Agent<Geister> for Naotti {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.placement.placing(view, rng).unwrap_or_else(|| self.search.best_move(view))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let choice = Agent::act(self, view, rng);
        let values = if view.public().has_placed(view.seat()) {
            self.search.values(view)
        } else {
            Vec::new()
        };
        Analysis {
            choice,
            measure: "worst case",
            values: values
                .into_iter()
                .map(|(action, value)| ActionValue::new(action, value.into()))
                .collect(),
            drawing: None,
        }
    }
}

impl Oracle<Geister> for Naotti {
    fn act(&mut self, world: &World, rng: &mut Rng) -> Action {
        let seat = world.to_act().expect("somebody moves");
        self.placement
            .placing(&world.view(seat), rng)
            .unwrap_or_else(|| self.search.best_move_perfect(world))
    }
}

/// How the program searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// How many plies it looks ahead.
    pub depth: u32,
    /// In which order it tries its moves.
    pub order: Order,
    /// How many pieces that stayed on an exit are red; all colours being seen, this means nothing.
    pub lingered: Lingered,
}

impl Search {
    /// As the public program searches, to this depth.
    pub fn new(depth: u32) -> Search {
        Search { depth, order: Order::SquareFirst, lingered: Lingered::One }
    }

    /// As this program searched before the order of the public one was known. The lessons and squads
    /// that come with the game rest on it.
    pub fn direction_first(depth: u32) -> Search {
        Search { depth, order: Order::DirectionFirst, lingered: Lingered::All }
    }

    /// The move for the view's owner, whose turn it is, who sees the own colours only.
    pub fn best_move(self, view: &View) -> Action {
        let here = Feared::of_view(view, self.lingered);
        let (step, _) = feared::best(&here, self.order, self.depth, &mut 0);
        step.action(view.public(), view.seat())
    }

    /// The value of every legal move of the view's owner, in the order in which they are tried. More
    /// is better; a certain win is near [`WIN`].
    pub fn values(self, view: &View) -> Vec<(Action, i32)> {
        feared::valued(&Feared::of_view(view, self.lingered), self.order, self.depth)
            .into_iter()
            .map(|(step, value)| (step.action(view.public(), view.seat()), value))
            .collect()
    }

    /// The move in a world, all colours seen.
    pub fn best_move_perfect(self, world: &World) -> Action {
        let seat = world.to_act().expect("somebody moves");
        let (step, _) = feared::best(&Feared::of_world(world), self.order, self.depth, &mut 0);
        step.action(world.public(), seat)
    }

    /// The value of every legal move in a world, all colours seen.
    pub fn values_perfect(self, world: &World) -> Vec<(Action, i32)> {
        let seat = world.to_act().expect("somebody moves");
        feared::valued(&Feared::of_world(world), self.order, self.depth)
            .into_iter()
            .map(|(step, value)| (step.action(world.public(), seat), value))
            .collect()
    }

    /// How many nodes the search of a view's best move visits, with that move's value: its cost.
    pub fn cost(self, view: &View) -> (u64, i32) {
        let mut nodes = 0;
        let here = Feared::of_view(view, self.lingered);
        let (_, value) = feared::best(&here, self.order, self.depth, &mut nodes);
        (nodes, value)
    }
}

/// [`Search::direction_first`] and its [`Search::values`].
pub fn values(view: &View, depth: u32) -> Vec<(Action, i32)> {
    Search::direction_first(depth).values(view)
}

/// [`Search::direction_first`] and its [`Search::values_perfect`].
pub fn values_perfect(world: &World, depth: u32) -> Vec<(Action, i32)> {
    Search::direction_first(depth).values_perfect(world)
}

/// [`Search::direction_first`] and its [`Search::best_move`].
pub fn best_move(view: &View, depth: u32) -> Action {
    Search::direction_first(depth).best_move(view)
}

/// [`Search::direction_first`] and its [`Search::best_move_perfect`].
pub fn best_move_perfect(world: &World, depth: u32) -> Action {
    Search::direction_first(depth).best_move_perfect(world)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Piece;
    use oboro_core::{Game, Seat};

    const BLUE: i32 = 1000;

    fn view(text: &str) -> View {
        let world = Geister::default().parse_position(text).unwrap();
        world.view(world.to_act().unwrap())
    }

    #[test]
    fn an_escape_is_played_at_once() {
        let leaving = view("20 00R50B34R44R15B25B35B45R 41B31B21B11B40R30R20R10R");
        let mut naotti = Naotti { search: Search::new(2), placement: PlacementChoice::Random };
        let mut rng = Rng::from_u64(0);
        assert_eq!(Agent::act(&mut naotti, &leaving, &mut rng).to_string(), "B!");
    }

    /// Alpha-beta gives the same values as plain minimax, here written with the game's own moves.
    #[test]
    fn values_are_those_of_plain_minimax_with_all_colours_known() {
        fn minimax(world: &World, us: Seat, depth: u32, ply: i32) -> i32 {
            if let Some(ending) = world.public().ending() {
                let sign = if ending.winner() == Some(us) { 1 } else { -1 };
                // The search ends a ply before the piece leaves.
                let left = matches!(ending, crate::Ending::Escape(_));
                return sign * (WIN - ply + i32::from(left));
            }
            let mover = world.to_act().unwrap();
            let leaver = Piece::of_set(world.public().alive(mover) & !world.reds(mover))
                .find(|&p| world.public().is_on_exit(mover, p));
            if depth == 0 && leaver.is_none() {
                return score(world, us);
            }
            let mut values = Vec::new();
            world.for_each_legal(|action| {
                if leaver.is_none() || matches!(action, Action::Escape(_)) {
                    let mut next = *world;
                    next.apply(action);
                    values.push(minimax(&next, us, depth.saturating_sub(1), ply + 1));
                }
            });
            let best =
                if mover == us { values.into_iter().max() } else { values.into_iter().min() };
            best.unwrap()
        }
        fn score(world: &World, us: Seat) -> i32 {
            let them = us.next(2);
            let side = |seat| {
                let way: i32 = Piece::of_set(world.public().alive(seat))
                    .filter_map(|p| world.public().square(seat, p))
                    .map(|s| i32::from(s.distance_to_exit(seat)))
                    .sum();
                let blues = (world.public().alive(seat) & !world.reds(seat)).count_ones();
                BLUE * blues as i32 - way
            };
            side(us) - side(them)
        }
        let mut rng = Rng::from_u64(7);
        let rules = Geister { placements: crate::Placements::Random, ..Geister::default() };
        for _ in 0..30 {
            let mut world = rules.deal(&mut rng);
            for _ in 0..20 + rng.below(60) {
                let mut next = world;
                next.apply(next.random_action(&mut rng));
                if next.to_act().is_some() {
                    world = next;
                }
            }
            let us = world.to_act().unwrap();
            for (action, value) in Search::new(3).values_perfect(&world) {
                let mut next = world;
                next.apply(action);
                if matches!(action, Action::Escape(_)) {
                    assert_eq!(value, WIN);
                } else {
                    assert_eq!(value, minimax(&next, us, 2, 1), "{action} in\n{world}");
                }
            }
        }
    }

    #[test]
    fn a_piece_that_stayed_on_an_exit_is_known_red() {
        // Seat 1's A stood on its exit (0,5) and did not leave.
        let known = view("40 14R24R34R44R15B25B99B99B 05R*31B21B11B40R30R20R10B");
        let value_of = |wanted: &str| {
            let all = Search::new(3).values(&known);
            let found = all.iter().find(|(a, _)| a.to_string() == wanted);
            found.unwrap().1
        };
        // Capturing the only known red loses.
        assert_eq!(value_of("EW"), 1 - WIN);
    }
}
