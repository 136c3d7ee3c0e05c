//! A policy made by genetic programming as a player of its own.

use super::{Drawn, Policies, Strategy, StrategySource};
use crate::Geister;
use crate::action::Action;
use crate::agents::PlacementChoice;
use crate::view::View;
use oboro_core::{ActionValue, Agent, AgentEntry, Analysis, Policy, Rng, SeatView, fresh, params};

params! {
    /// The parameters of `gp`.
    struct GpParams: Clone {
        /// File of the policy, or the name of one that comes with the game.
        file: String = "algorithm-1".to_owned() => {"enum": StrategySource::names()},
        /// Its red pieces, as in CEFG, or `random`.
        #[schemars(with = "String")]
        placement: PlacementChoice = PlacementChoice::Random => {"maxLength": 6},
    }
}

pub(crate) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "gp",
        "Tochikawa 2022, 4",
        "Follows a policy made by genetic programming, the enemy's colours imagined",
        |_, params: &GpParams| {
            let policies = StrategySource::Named(params.file.clone()).load()?;
            Ok(fresh(GpAgent { policies, drawn: None, placement: params.placement }))
        },
    )
    .positional(&["file"])
    .public(64, 64)
}

#[derive(Clone, Debug)]
struct GpAgent {
    policies: Policies,
    /// The policy of this game.
    drawn: Option<Drawn>,
    placement: PlacementChoice,
}

impl GpAgent {
    fn strategy(&mut self, rng: &mut Rng) -> &Strategy {
        &self.drawn.get_or_insert_with(|| self.policies.draw(rng)).strategy
    }
}

impl Agent<Geister> for GpAgent {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let Some(placement) = self.placement.placing(view, rng) {
            return placement;
        }
        let mut playouts = self.strategy(rng).playouts();
        playouts.choose(&view.imagine(rng), rng)
    }

    /// Shows the probabilities in one imagined world, and a move drawn from them.
    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        if let Some(placement) = self.placement.placing(view, rng) {
            return Analysis::of_choice(placement);
        }
        let strategy = self.strategy(rng);
        let world = view.imagine(rng);
        let probabilities = strategy.probabilities(&world);
        Analysis {
            choice: strategy.playouts().choose(&world, rng),
            measure: "probability",
            values: probabilities
                .into_iter()
                .map(|(action, probability)| ActionValue::new(action, probability))
                .collect(),
            drawing: Some(strategy.to_string()),
        }
    }

    fn variant(&self) -> Option<u32> {
        self.drawn.as_ref()?.variant
    }
}
