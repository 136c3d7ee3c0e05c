use crate::belief_score::Scorecard;
use crate::rules::Rules;
use oboro_core::{
    Factory, GameScenes, GameSeeds, GameWorld, Live, LiveError, Outcome, Record, Seat, SpecError,
};
use oboro_player::Playable;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Agents by their specs.
pub trait AnyLineups {
    /// The agents of these specs, one per seat.
    ///
    /// # Errors
    /// If there are too many or too few, or one cannot be built.
    fn lineup(&self, specs: &[&str]) -> Result<Box<dyn Lineup>, SpecError>;
    /// The canonical form of an agent's spec, after checking it.
    ///
    /// # Errors
    /// If it cannot be built.
    fn canonical(&self, spec: &str) -> Result<String, SpecError>;
}

impl<G: Playable> AnyLineups for Arc<Rules<G>> {
    fn lineup(&self, specs: &[&str]) -> Result<Box<dyn Lineup>, SpecError> {
        self.check_count(specs.len())?;
        let built = specs.iter().map(|spec| self.build(spec)).collect::<Result<Vec<_>, _>>()?;
        let (specs, factories) = built.into_iter().unzip();
        Ok(Box::new(Seated { rules: Arc::clone(self), specs, factories }))
    }

    fn canonical(&self, spec: &str) -> Result<String, SpecError> {
        self.build(spec).map(|(canonical, _)| canonical)
    }
}

/// Agents ready to play.
///
/// ```
/// use oboro_catalog::{Keep, rules};
/// use oboro_core::Seed;
///
/// let lineup = rules("sevens", &[], None)?.lineup(&["eval", "rule", "rule", "rule"])?;
/// // The second agent begins, and the first is last.
/// let played = lineup.play(&[1, 2, 3, 0], 0, &Seed::from_u64(1).game(0, 0), Keep::default()).unwrap();
/// assert_eq!(played.outcome.payoffs.len(), 4);
/// # Ok::<(), oboro_core::SpecError>(())
/// ```
pub trait Lineup: Send + Sync {
    /// Their canonical specs, in the order given.
    fn specs(&self) -> &[String];
    /// Which of them see hidden information.
    fn oracles(&self) -> Vec<String>;
    /// Plays one game. `seating[s]` is the agent at seat `s`; `deal` numbers the deal.
    ///
    /// # Errors
    /// If an agent plays against the rules.
    fn play(
        &self,
        seating: &[usize],
        deal: u64,
        seeds: &GameSeeds,
        keep: Keep,
    ) -> Result<Played, PlayError>;
}

/// What is kept of a game besides its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// The game written down.
    pub record: bool,
    /// How good the agents' beliefs were, as facts of the outcome.
    pub beliefs: bool,
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// The game written down, if that was asked for; the seed is left to the caller.
    pub record: Option<Record>,
    /// Who gave the game up, and why, if somebody did.
    pub forfeit: Option<(Seat, String)>,
    /// Decisions made and time taken by each agent, in lineup order.
    pub thinking: Vec<(u64, Duration)>,
}

/// An agent that broke the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{agent} at {error}")]
pub struct PlayError {
    agent: String,
    error: LiveError,
}

struct Seated<G: Playable> {
    rules: Arc<Rules<G>>,
    specs: Vec<String>,
    factories: Vec<Factory<G>>,
}

impl<G: Playable> Lineup for Seated<G> {
    fn specs(&self) -> &[String] {
        &self.specs
    }

    fn oracles(&self) -> Vec<String> {
        self.specs
            .iter()
            .zip(&self.factories)
            .filter(|(_, factory)| factory().is_oracle())
            .map(|(spec, _)| spec.clone())
            .collect()
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "thinking time is shown, never stored with results"
    )]
    fn play(
        &self,
        seating: &[usize],
        deal: u64,
        seeds: &GameSeeds,
        keep: Keep,
    ) -> Result<Played, PlayError> {
        let game = &self.rules.game;
        let world = game.deal_numbered(deal, &mut seeds.deal());
        let agents =
            seating.iter().map(|&agent| Some(Arc::clone(&self.factories[agent]))).collect();
        let mut live = Live::new(game.clone(), world, agents, seeds);
        let mut thinking = vec![(0, Duration::ZERO); self.specs.len()];
        let mut scores = keep.beliefs.then(|| vec![Scorecard::default(); live.seats()]);
        while let Some(seat) = live.to_act() {
            if let Some(scores) = &mut scores {
                score(&mut live, seat, seeds, &mut scores[seat.index()]);
            }
            let began = Instant::now();
            match live.step() {
                // A player from outside that fails has lost this game; the next one is another game.
                Ok(_) | Err(LiveError::GaveUp(..)) => {}
                Err(error) => {
                    let agent = self.specs[seating[seat.index()]].clone();
                    return Err(PlayError { agent, error });
                }
            }
            let (decisions, time) = &mut thinking[seating[seat.index()]];
            *decisions += 1;
            *time += began.elapsed();
        }
        let mut outcome = live.outcome().expect("nobody is to move: it is over");
        if let Some(scores) = &scores {
            outcome.facts.extend(Scorecard::facts(scores));
        }
        let record = keep.record.then(|| Record {
            rules: self.rules.changed(),
            agents: seating.iter().map(|&agent| self.specs[agent].clone()).collect(),
            ..live.record()
        });
        let forfeit = live.forfeited().cloned();
        Ok(Played { outcome, record, forfeit, thinking })
    }
}

/// Scores what the agent about to move believes.
fn score<G: GameScenes>(live: &mut Live<G>, seat: Seat, seeds: &GameSeeds, card: &mut Scorecard) {
    // A stream of its own for every decision, so that asking changes nothing else.
    let mut rng = seeds.aside(live.plies() as u64);
    let beliefs = live.beliefs(seat, &mut rng);
    if beliefs.is_empty() {
        return;
    }
    let view = live.world().view(seat);
    let secrets = live.game().secrets(&view);
    for (secret, truth) in secrets.iter().zip(live.game().answers(live.world(), &view)) {
        if let Some(belief) = beliefs.iter().find(|belief| belief.subject == secret.subject) {
            card.add(belief, secret, &truth);
        }
    }
}
