use super::mc::analysis;
use super::reading::{Deal, ErringEval, Reading};
use super::{Eval, PlaysBy};
use crate::scene::holders_drawn;
use crate::{Action, Sevens, View};
use oboro_core::{Agent, Analysis, Belief, Factory, GameWorld, Rng, SeatView, SpecError, fresh};
use oboro_search::{Budget, Tally, best_tally, playout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of our own player, which reads hands from what was played and from every pass.
///
/// Whoever passes probably holds nothing playable, or only cards it would rather keep; whoever lays a card
/// probably had no better one. The player takes the others for `eval` players who err now and then, and
/// draws worlds in proportion to how well they explain the whole history. Each world is played out
/// once for every action, so that actions are compared on the same deals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reader {
    /// Worlds drawn a decision; each is played out once for every action.
    pub worlds: u32,
    /// Seconds after which a decision ends, worlds left or not; for tournaments: such games cannot be
    /// played again bit for bit.
    pub seconds: Option<f64>,
    /// Exchanges of two cards tried between one world and the next.
    pub exchanges: u32,
    /// How often the others are taken to play at random, 0 to 1; 1 learns nothing from play.
    pub error: f64,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader { worlds: 500, seconds: None, exchanges: 20, error: 0.1 }
    }
}

impl Reader {
    pub(super) fn factory(self) -> Result<Factory<Sevens>, SpecError> {
        let budget = Budget::new("worlds", self.worlds, self.seconds)?;
        // An error of 0 would rule out whatever an `eval` player never does, the truth included.
        if !(0.001..=1.0).contains(&self.error) {
            return Err(SpecError(format!("error={}: from 0.001 to 1", self.error)));
        }
        Ok(fresh(ReaderAgent { params: self, budget }))
    }
}

#[derive(Clone, Copy, Debug)]
struct ReaderAgent {
    params: Reader,
    budget: Budget,
}

/// Exchanges tried before the first world, in multiples of those between worlds.
const WARM_UP: u32 = 10;

impl ReaderAgent {
    /// What the others did, and a first deal that may explain it.
    fn read<'a>(self, view: &'a View, rng: &mut Rng) -> (Reading<'a, ErringEval>, Deal<f64>) {
        let reading = Reading::new(view, ErringEval { error: self.params.error });
        let mut deal = reading.deal(view.imagine(rng).hands);
        reading.exchange(&mut deal, self.params.exchanges * WARM_UP, rng);
        (reading, deal)
    }

    fn search(self, view: &View, rng: &mut Rng) -> Vec<Tally<Action>> {
        let mut tallies: Vec<_> = view.legal_actions().into_iter().map(Tally::new).collect();
        let mut policy = PlaysBy(Eval::default());
        let (reading, mut deal) = self.read(view, rng);
        for _ in self.budget.playouts() {
            reading.exchange(&mut deal, self.params.exchanges, rng);
            for tally in &mut tallies {
                let mut world = reading.world(&deal);
                world.apply(tally.action);
                playout(&mut world, &mut policy, rng);
                tally.add(world.payoff(view.seat()));
            }
        }
        tallies
    }
}

impl Agent<Sevens> for ReaderAgent {
    fn beliefs(&mut self, view: &View, rng: &mut Rng) -> Vec<Belief> {
        let (reading, mut deal) = self.read(view, rng);
        holders_drawn(view, || {
            reading.exchange(&mut deal, self.params.exchanges, rng);
            reading.world(&deal)
        })
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let [only] = view.legal_actions()[..] {
            return only;
        }
        let tallies = self.search(view, rng);
        best_tally(&tallies, rng)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let tallies = self.search(view, rng);
        analysis(tallies, rng)
    }
}
