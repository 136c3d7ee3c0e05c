//! The program of the paper: paths by a formula, maps, and nothing else.

mod cards;
mod formula;
mod params;

pub use formula::{Aim, Formula, Points};
pub use params::{PathParams, Weights};

use crate::{Action, Card, Cell, Goal, Saboteur, Tiles, View};
use oboro_core::{ActionValue, Agent, Analysis, Rng, SeatView as _};
use params::{AdjacentGoals, Discarded, MapUse, OuterGoals, Ties, UnknownGoals};

/// Uses maps until the gold is found, lays the path card of the highest value if that is positive, and otherwise
/// discards. It never plays rock falls and tools.
#[derive(Clone, Debug, Default)]
pub struct Path {
    params: PathParams,
    /// The goal drawn for a round, with the number of the round.
    drawn: Option<(usize, Goal)>,
}

/// The best and the worst placement.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    best: (Points, Action),
    worst: (Points, Action),
}

impl Path {
    /// The program with these parameters.
    pub fn new(params: PathParams) -> Path {
        Path { params, drawn: None }
    }

    /// Sets the provisional goal by what is known.
    fn aim(&mut self, view: &View, rng: &mut Rng) -> Aim {
        let round = view.public().past().len();
        let drawn = match self.drawn {
            Some((known, goal)) if known == round => goal,
            _ => {
                let goal = Goal::ALL[rng.below(3)];
                self.drawn = Some((round, goal));
                goal
            }
        };
        let candidates = view.candidates();
        if candidates.len() == 3 {
            return match self.params.unknown_goals {
                UnknownGoals::Drawn => Aim::At(drawn),
                UnknownGoals::Upper => Aim::At(Goal::Upper),
                UnknownGoals::Middle => Aim::At(Goal::Middle),
                UnknownGoals::Between => Aim::Between(Goal::Upper, Goal::Middle),
            };
        }
        let mut goals = candidates.iter();
        let first = goals.next().expect("the gold is somewhere");
        let Some(second) = goals.next() else {
            return Aim::At(first);
        };
        if candidates.contains(Goal::Middle) {
            match self.params.adjacent_goals {
                AdjacentGoals::Between => Aim::Between(first, second),
                AdjacentGoals::Middle => Aim::At(Goal::Middle),
            }
        } else {
            match self.params.outer_goals {
                OuterGoals::Redrawn => Aim::At([first, second][rng.below(2)]),
                OuterGoals::Upper => Aim::At(Goal::Upper),
                OuterGoals::Between => Aim::Between(first, second),
            }
        }
    }

    /// The goal to look at.
    fn look(&self, view: &View, rng: &mut Rng) -> Action {
        let candidates = view.candidates();
        let goal = if self.params.maps == MapUse::MiddleFirst && candidates.contains(Goal::Middle) {
            Goal::Middle
        } else {
            let wanted = rng.below(candidates.len());
            candidates.iter().nth(wanted).expect("counted")
        };
        Action::Look { goal }
    }

    /// The best and the worst way to lay a card; `None` if there is none.
    fn extremes(&self, view: &View, formula: &Formula, rng: &mut Rng) -> Option<Extremes> {
        let mut extremes: Option<Extremes> = None;
        let mut equals = 1;
        for_each_placement(view, |action, tile, at| {
            let value = formula.value(tile, at);
            let Some(so_far) = &mut extremes else {
                extremes = Some(Extremes { best: (value, action), worst: (value, action) });
                return;
            };
            if value < so_far.worst.0 {
                so_far.worst = (value, action);
            }
            if value > so_far.best.0 {
                so_far.best = (value, action);
                equals = 1;
            } else if value == so_far.best.0 && self.params.ties == Ties::Random {
                equals += 1;
                if rng.below(equals) == 0 {
                    so_far.best = (value, action);
                }
            }
        });
        extremes
    }

    fn discard(&self, view: &View, extremes: Option<Extremes>, rng: &mut Rng) -> Action {
        let hand = view.hand();
        let actions = hand.iter().filter(|card| !card.is_path());
        let action = |rng: &mut Rng| match actions.clone().count() {
            0 => None,
            count => actions.clone().nth(rng.below(count)).copied(),
        };
        let card = match (self.params.discard, extremes) {
            (Discarded::Best, Some(extremes)) => Some(extremes.best.1.card()),
            (Discarded::Worst, Some(extremes)) => Some(extremes.worst.1.card()),
            (Discarded::First, Some(_)) => first_placeable(view),
            (Discarded::ActionFirst, Some(extremes)) => {
                action(rng).or_else(|| Some(extremes.best.1.card()))
            }
            (Discarded::Random, _) => None,
            (_, None) => action(rng),
        };
        let card = card.unwrap_or_else(|| hand[rng.below(hand.len())]);
        Action::Discard { card }
    }
}

/// The first card of the hand that can be laid.
fn first_placeable(view: &View) -> Option<Card> {
    let mut placeable = Tiles::EMPTY;
    for_each_placement(view, |_, tile, _| placeable = placeable.or(Tiles::of_card(tile.card())));
    view.hand().iter().find(|card| !Tiles::of_card(**card).and(placeable).is_empty()).copied()
}

/// Calls `visit` for every way to lay a card of the hand, in the order in which the program scans.
fn for_each_placement(view: &View, mut visit: impl FnMut(Action, crate::Tile, Cell)) {
    let public = view.public();
    if !public.broken(view.seat()).is_empty() {
        return;
    }
    let mut seen = Tiles::EMPTY;
    let ways = view.hand().map_each(|card| {
        let tiles = Tiles::of_card(card);
        let is_new = tiles.and(seen).is_empty();
        seen = seen.or(tiles);
        if is_new { tiles } else { Tiles::EMPTY }
    });
    for at in public.board().open_ends().iter() {
        let fitting = public.board().fitting(at);
        if fitting.and(seen).is_empty() {
            continue;
        }
        for tiles in ways {
            for tile in tiles.and(fitting) {
                visit(Action::Dig { tile, at }, tile, at);
            }
        }
    }
}

impl Agent<Saboteur> for Path {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let aim = self.aim(view, rng);
        if view.candidates().len() > 1 && view.hand().contains(&Card::MAP) {
            return self.look(view, rng);
        }
        let formula = Formula::new(&self.params, view, aim);
        let extremes = self.extremes(view, &formula, rng);
        match extremes {
            Some(Extremes { best: (value, action), .. })
                if value > Points::default()
                    || value == Points::default() && self.params.play_zero =>
            {
                action
            }
            _ => self.discard(view, extremes, rng),
        }
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        // The same draws as in `act`.
        let aim = self.clone().aim(view, &mut rng.clone());
        let choice = self.act(view, rng);
        let formula = Formula::new(&self.params, view, aim);
        let mut values = Vec::new();
        for_each_placement(view, |action, tile, at| {
            let value = formula.value(tile, at).to_f64();
            values.push(ActionValue::new(action, value));
        });
        Analysis { choice, measure: "points", values, drawing: None }
    }
}
