use super::Eval;
use super::inference::{HandInference, NoisyEval, Particle};
use super::mc::analysis;
use crate::policy::HandPlayer;
use crate::scene::holders_drawn;
use crate::{Action, Sevens, View};
use oboro_core::{
    Agent, Analysis, Belief, Factory, GameWorld, Rng, SeatView, SpecError, check_range, fresh,
    params,
};
use oboro_search::{Budget, Tally, best_tally, playout};

params! {
    /// The parameters of `reader`, which infers hands from the cards that were laid and from every pass.
    ///
    /// The opponent model is a noisy `eval`. Worlds are sampled by a Metropolis walk in proportion to the likelihood of
    /// the whole history. Each world is played out once for every action, so that actions are compared on the same deals.
    pub(super) struct Reader {
        /// Sampled worlds per decision; each is played out once for every action.
        #[schemars(extend("x-public" = {"minimum": 1, "maximum": 5000}))]
        worlds: u32 = 500,
        /// Seconds after which a decision ends, worlds left or not. For tournaments: such games cannot be
        /// repeated bit for bit.
        seconds: Option<f64> = None,
        /// Metropolis steps (exchanges of two cards) between one world and the next.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 100}))]
        exchanges: u32 = 20,
        /// Probability that an opponent plays a random legal action instead, 0.001 to 1; with 1 nothing is inferred.
        #[schemars(extend("x-public" = {"minimum": 0.001, "maximum": 1}))]
        error: f64 = 0.1,
    }
}

impl Reader {
    pub(super) fn factory(self) -> Result<Factory<Sevens>, SpecError> {
        let budget = Budget::new("worlds", self.worlds, self.seconds)?;
        // An error of 0 would rule out worlds in which a player deviated from `eval`, the truth included.
        check_range("error", self.error, 0.001..=1.0)?;
        Ok(fresh(ReaderAgent { params: self, budget }))
    }
}

#[derive(Clone, Copy, Debug)]
struct ReaderAgent {
    params: Reader,
    budget: Budget,
}

/// Metropolis steps before the first world, in multiples of those between worlds.
const WARM_UP: u32 = 10;

impl ReaderAgent {
    /// The inference and its first sample.
    fn infer<'a>(
        self,
        view: &'a View,
        rng: &mut Rng,
    ) -> (HandInference<'a, NoisyEval>, Particle<f64>) {
        let inference = HandInference::new(view, NoisyEval { error: self.params.error });
        let mut particle = inference.particle(view.imagine(rng).hands);
        inference.exchange(&mut particle, self.params.exchanges * WARM_UP, rng);
        (inference, particle)
    }

    fn search(self, view: &View, rng: &mut Rng) -> Vec<Tally<Action>> {
        let mut tallies: Vec<_> = view.legal_actions().into_iter().map(Tally::new).collect();
        let mut policy = HandPlayer(Eval::default());
        let (inference, mut particle) = self.infer(view, rng);
        for _ in self.budget.playouts() {
            inference.exchange(&mut particle, self.params.exchanges, rng);
            for tally in &mut tallies {
                let mut world = inference.world(&particle);
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
        let (inference, mut particle) = self.infer(view, rng);
        holders_drawn(view, || {
            inference.exchange(&mut particle, self.params.exchanges, rng);
            inference.world(&particle)
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
