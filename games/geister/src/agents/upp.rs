//! UPP: beliefs about whole colourings from the playouts of the last decision, and weighted Monte
//! Carlo (Mishio and Kotani 2014, as described by Ishikawa and Fujita 2018, 4.5.1).

use super::PlacementChoice;
use crate::Geister;
use crate::action::{Action, Event};
use crate::piece::Piece;
use crate::scene::colours_believed;
use crate::view::View;
use oboro_core::{
    ActionValue, Agent, AgentEntry, Analysis, Belief, GameWorld, Rng, Seat, SeatView, check_range,
    fresh, params,
};
use oboro_search::Budget;

params! {
    /// The parameters of `upp`.
    struct UppParams {
        /// Playouts per decision.
        playouts: u32 = 10_000 => {"minimum": 1, "maximum": 50000},
        /// Seconds after which a decision ends, for tournaments. Such games cannot be replayed bit for bit.
        seconds: Option<f64> = None,
        /// Factor c by which a matching playout changes the weight of its colouring.
        c: f64 = 3.0 => {"minimum": 0, "maximum": 1000},
        /// Factor of the exploration term √(2 ln N / n) among the own moves.
        explore: f64 = 0.5 => {"minimum": 0, "maximum": 1000},
        /// Its red pieces, as in CEFG, or `random`.
        #[schemars(with = "String")]
        placement: PlacementChoice = PlacementChoice::Random => {"maxLength": 6},
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "upp",
        "Ishikawa and Fujita 2018, 4.5.1",
        "Weighs colourings by how well the enemy's last move did in them, and plays them out",
        |_, params: &UppParams| {
            let budget = Budget::new("playouts", params.playouts, params.seconds)?;
            check_range("c", params.c, 0.0..=1e6)?;
            check_range("explore", params.explore, 0.0..=1e6)?;
            Ok(fresh(Upp::new(params, budget)))
        },
    )
    .positional(&["playouts"])
    .public(1_100, 1_100)
}

/// Sums of the enemy's payoff, and how many playouts they rest on.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    sum: f32,
    count: u32,
}

/// Slots of an enemy reply, piece and direction.
const REPLIES: usize = 32;
/// Colourings are told apart by their set of reds.
const SETS: usize = 256;

#[derive(Clone, Debug)]
struct Upp {
    params: UppParams,
    budget: Budget,
    seat: Option<Seat>,
    /// The t of each colouring: what its playouts scored for the enemy above the average.
    t: Vec<f64>,
    /// The last decision's playouts: by own move, then reply and colouring.
    actions: Vec<Action>,
    cells: Vec<Cell>,
    played: Option<usize>,
}

impl Upp {
    fn new(params: &UppParams, budget: Budget) -> Upp {
        Upp {
            params: *params,
            budget,
            seat: None,
            t: vec![0.0; SETS],
            actions: Vec::new(),
            cells: Vec::new(),
            played: None,
        }
    }

    /// Steps 1 to 3: the playouts that began with what was really played vote for the colourings
    /// in which they did well for the enemy.
    fn learn(&mut self, reply: usize) {
        let Some(own) = self.played.take() else {
            return;
        };
        let start = (own * REPLIES + reply) * SETS;
        let Some(cells) = self.cells.get(start..start + SETS) else {
            return;
        };
        let mean = |cell: &Cell| f64::from(cell.sum) / f64::from(cell.count.max(1));
        let tried = cells.iter().filter(|cell| cell.count > 0);
        let (total, count) = tried.fold((0.0, 0.0), |(t, n), cell| (t + mean(cell), n + 1.0));
        if count < 1.0 {
            return;
        }
        for (t, cell) in self.t.iter_mut().zip(cells) {
            if cell.count > 0 {
                *t += mean(cell) - total / count;
            }
        }
    }

    /// Steps 4 and 5: colourings that agree with what was shown are drawn by weight, and played out.
    fn search(&mut self, view: &View, rng: &mut Rng) -> Vec<(u32, f64)> {
        let seat = view.seat();
        let colourings: Vec<u8> = view.colourings().collect();
        let mut cumulated = Vec::with_capacity(colourings.len());
        let mut total = 0.0;
        for &reds in &colourings {
            total += self.weight(view, reds);
            cumulated.push(total);
        }
        self.actions = view.legal_actions();
        self.cells.clear();
        self.cells.resize(self.actions.len() * REPLIES * SETS, Cell::default());
        let mut stats = vec![(0u32, 0.0f64); self.actions.len()];
        for playout in self.budget.playouts() {
            let point = rng.unit() * total;
            let drawn = cumulated.partition_point(|&sum| sum <= point);
            let reds = colourings[drawn.min(colourings.len() - 1)];
            let own = self.pick(&stats, playout);
            let mut world = view.with_reds(reds);
            world.apply(self.actions[own]);
            let mut reply = None;
            if world.to_act().is_some() {
                let action = world.random_action(rng);
                if let Action::Move(piece, direction) = action {
                    reply = Some(slot(piece, direction as usize));
                }
                world.apply(action);
            }
            world.play_out_randomly(rng);
            let payoff = world.payoff(seat);
            stats[own].0 += 1;
            stats[own].1 += payoff;
            if let Some(reply) = reply {
                let cell = &mut self.cells[(own * REPLIES + reply) * SETS + usize::from(reds)];
                cell.sum += (1.0 - payoff) as f32;
                cell.count += 1;
            }
        }
        stats
    }

    /// Equation 4-2 for a whole colouring: W = 1 + t·c. The reds already shown belong to its name.
    fn weight(&self, view: &View, hidden_reds: u8) -> f64 {
        let reds = usize::from(view.with_reds(hidden_reds).reds(view.enemy()));
        (1.0 + self.params.c * self.t[reds]).max(0.01)
    }

    /// UCB1 among the own moves.
    fn pick(&self, stats: &[(u32, f64)], playouts: u32) -> usize {
        let log = 2.0 * libm::log(f64::from(playouts.max(1)));
        let bound = |&(count, sum): &(u32, f64)| {
            if count == 0 {
                return f64::INFINITY;
            }
            let count = f64::from(count);
            sum / count + self.params.explore * (log / count).sqrt()
        };
        let mut best = (0, f64::NEG_INFINITY);
        for (i, stat) in stats.iter().enumerate() {
            let bound = bound(stat);
            if bound > best.1 {
                best = (i, bound);
            }
        }
        best.0
    }

    /// The move tried most, the first of equals.
    fn most_tried(stats: &[(u32, f64)]) -> usize {
        let most = stats.iter().map(|s| s.0).max();
        stats.iter().position(|s| Some(s.0) == most).expect("there is a move")
    }
}

fn slot(piece: Piece, direction: usize) -> usize {
    piece.index() * 4 + direction
}

impl Agent<Geister> for Upp {
    fn begin(&mut self, view: &View) {
        self.seat = Some(view.seat());
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        let weighed: Vec<(u8, f64)> =
            view.colourings().map(|reds| (reds, self.weight(view, reds))).collect();
        let total: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        colours_believed(view, |piece| {
            let red = weighed.iter().filter(|(reds, _)| piece.is_in(*reds));
            red.map(|(_, weight)| weight).sum::<f64>() / total
        })
    }

    fn observe(&mut self, event: &Event) {
        if let &Event::Moved { seat, piece, direction, .. } = event
            && self.seat.is_some_and(|own| own != seat)
        {
            self.learn(slot(piece, direction as usize));
        }
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(placement) = self.params.placement.placing(view, rng) {
            return placement;
        }
        self.seat = Some(view.seat());
        let stats = self.search(view, rng);
        let chosen = Upp::most_tried(&stats);
        self.played = Some(chosen);
        self.actions[chosen]
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        if let Some(placement) = self.params.placement.placing(view, rng) {
            return Analysis::of_choice(placement);
        }
        let stats = self.search(view, rng);
        Analysis {
            choice: self.actions[Upp::most_tried(&stats)],
            measure: "win rate",
            values: stats
                .iter()
                .zip(&self.actions)
                .map(|(&(count, sum), &action)| ActionValue {
                    visits: Some(count.into()),
                    ..ActionValue::new(action, sum / f64::from(count.max(1)))
                })
                .collect(),
            drawing: None,
        }
    }
}
