//! The agents that follow what another agent says actions are worth: the hint of a browser, and opponents that make mistakes.

use oboro_core::{
    Agent, AgentEntry, Analysis, Belief, Estimate, Factory, Footprint, NoParams, Player, Rng,
    SeatView as _, Spec, SpecError, check_range, draw_action,
};
use oboro_player::Playable;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const NOVICE: &str = "novice";

/// The parameters of `novice`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct NoviceParams {
    /// The agent that says what actions are worth; empty for the game's best one. One that does not say plays as it is.
    #[schemars(extend("x-public" = {"maxLength": 100}))]
    agent: String,
    /// How much a mistake may cost, 0 to 10: one that costs this share of the range of payoffs is e times less likely than
    /// the best action. 0 makes none.
    #[schemars(extend("x-public" = {"minimum": 0, "maximum": 10}))]
    temperature: f64,
}

impl Default for NoviceParams {
    fn default() -> NoviceParams {
        NoviceParams { agent: String::new(), temperature: 0.1 }
    }
}

/// Draws actions by the payoffs that an agent expects of them: a logit response, as in models of quantal response.
struct Novice<G: Playable> {
    agent: Box<dyn Agent<G>>,
    /// In payoffs; without errors the best action is played.
    temperature: f64,
}

impl<G: Playable> Novice<G> {
    /// The probability of each action; nothing if the agent does not know what they are worth.
    fn response(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        let estimates = self.agent.estimate(view, rng)?;
        let best = &estimates[0];
        if self.temperature == 0.0 {
            return Some(vec![(best.action, 1.0)]);
        }
        let weigh = |one: &Estimate<_>| libm::exp((one.mean - best.mean) / self.temperature);
        let total: f64 = estimates.iter().map(weigh).sum();
        Some(estimates.iter().map(|one| (one.action, weigh(one) / total)).collect())
    }
}

impl<G: Playable> Agent<G> for Novice<G> {
    fn seed(&mut self, seed: u64) {
        self.agent.seed(seed);
    }

    fn begin(&mut self, view: &G::View) {
        self.agent.begin(view);
    }

    fn observe(&mut self, event: &G::Event) {
        self.agent.observe(event);
    }

    fn observe_from(&mut self, before: &dyn Fn() -> G::View, event: &G::Event) {
        self.agent.observe_from(before, event);
    }

    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        // Nothing is to be compared where nothing is to be chosen.
        if view.legal_actions().len() == 1 {
            return self.agent.act(view, rng);
        }
        match self.response(view, rng).as_deref() {
            None => self.agent.act(view, rng),
            Some([(only, _)]) => *only,
            Some(policy) => draw_action(policy, rng),
        }
    }

    fn policy(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        if let [only] = view.legal_actions()[..] {
            return Some(vec![(only, 1.0)]);
        }
        match self.response(view, rng) {
            None => self.agent.policy(view, rng),
            policy => policy,
        }
    }

    fn estimate(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<Estimate<G::Action>>> {
        self.agent.estimate(view, rng)
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        match self.response(view, rng) {
            None => self.agent.analyse(view, rng),
            Some(policy) => Analysis::of_policy(draw_action(&policy, rng), policy),
        }
    }

    fn beliefs(&mut self, view: &G::View, rng: &mut Rng) -> Vec<Belief> {
        self.agent.beliefs(view, rng)
    }
}

/// The agents `hint` and `novice` of a game with these agents, the best of which is named.
pub(crate) fn entries<G: Playable>(
    agents: fn() -> Vec<AgentEntry<G>>,
    champion: &'static str,
) -> [AgentEntry<G>; 2] {
    let about = "Plays what a hint in the browser says: the action of the highest expected payoff";
    let hint = AgentEntry::new("hint", "Oboro", about, move |game: &G, _: &NoParams| {
        novice(agents, game, champion, 0.0)
    });
    let about = "Makes mistakes like a person who learns: the less an action costs, the more often it is played";
    let build = move |game: &G, params: &NoviceParams| {
        check_range("temperature", params.temperature, 0.0..=10.0)?;
        let agent = if params.agent.is_empty() { champion } else { &params.agent };
        novice(agents, game, agent, params.temperature)
    };
    let novice = AgentEntry::new(NOVICE, "Oboro", about, build).positional(&["temperature"]);
    let inner = agents().into_iter().find(|entry| entry.name == champion);
    match inner.and_then(|entry| entry.footprint()) {
        Some(Footprint { held, thinking }) => [hint, novice.public(held, thinking)],
        None => [hint, novice],
    }
}

/// Reads what a stranger asks of a novice: the agent that it follows is read as strictly, and follows nobody itself.
///
/// # Errors
/// If that agent is not for strangers.
pub(crate) fn read_public<G: Playable>(
    entries: &[AgentEntry<G>],
    text: &str,
) -> Result<(Spec, Footprint), SpecError> {
    let (mut spec, footprint) = AgentEntry::read_public(entries, text)?;
    let followed = spec.args.iter_mut().find(|(key, _)| key.as_deref() == Some("agent"));
    let Some((_, followed)) = followed.filter(|_| spec.name == NOVICE) else {
        return Ok((spec, footprint));
    };
    let (inner, footprint) = AgentEntry::read_public(entries, followed)?;
    if inner.name == NOVICE {
        return Err(SpecError(format!("{NOVICE}: agent={inner}: it follows another one itself")));
    }
    *followed = inner.to_string();
    Ok((spec, footprint))
}

/// An agent that chooses by the values of another; `temperature` is a share of the range of payoffs.
fn novice<G: Playable>(
    agents: fn() -> Vec<AgentEntry<G>>,
    game: &G,
    spec: &str,
    temperature: f64,
) -> Result<Factory<G>, SpecError> {
    let parsed: Spec =
        spec.parse().map_err(|error| SpecError(format!("agent `{spec}`: {error}")))?;
    let (_, factory) = AgentEntry::resolve(&agents(), game, &parsed)?;
    if factory().is_oracle() {
        return Err(SpecError(format!("{spec} sees hidden information")));
    }
    let temperature = temperature * game.payoff_range();
    Ok(Arc::new(move || match factory() {
        Player::Agent(agent) => Player::Agent(Box::new(Novice { agent, temperature })),
        oracle @ Player::Oracle(_) => oracle,
    }))
}
