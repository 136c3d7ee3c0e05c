//! Agents for every game, made of the searches: `random`, `mc`, `uct`, `ismcts`, `pimc` and `oos`.
//!
//! A game gets them with two lines: `impl Searchable for MyGame {}`, and [`with_standard_agents`]
//! around the list of its own agents. Whatever else a game may say has a default: playout policies by
//! name, the range of its payoffs, what an unfinished game is worth.

mod params;
mod policies;
mod searcher;
mod short_game;

pub use policies::{ByView, PlayoutPolicy};

use oboro_core::{AgentEntry, Game, NoParams, RandomAgent, Rng, Seat, SeatView, fresh};
use params::{
    IsmctsParams, McParams, MethodParams, OOS_MEGABYTES, OosParams, PimcParams, SearchParams,
    UctParams,
};

/// What the standard agents need to know of a game. Every item has a default.
pub trait Searchable: Game {
    /// The defaults of their parameters.
    const DEFAULTS: Defaults = Defaults::GENERAL;

    /// An estimate of an unfinished game's payoff to a seat, for truncated playouts (`depth`). Without it playouts go to
    /// the end.
    const ESTIMATE: Option<fn(&Self::World, Seat) -> f64> = None;

    /// The ways to play playouts, by name; the first is the default. Where worlds are [revised](Searchable::REVISE) they are also
    /// how the others may play, and the last is how the player itself plays on in its rollouts.
    fn policies() -> Vec<PlayoutPolicy<Self>> {
        vec![PlayoutPolicy::random()]
    }

    /// The difference between the best and the worst payoff of a decision. Exploration is scaled with it.
    fn payoff_range(&self) -> f64 {
        1.0
    }

    /// Draws the world of a playout. A game may let it end early where later parts, such as the next round, do not depend
    /// on the decision.
    fn imagine(view: &Self::View, rng: &mut Rng) -> Self::World {
        view.imagine(rng)
    }

    /// All worlds that agree with a view, where they are few. By the rules alone they are equally likely.
    fn worlds(view: &Self::View) -> Option<Vec<Self::World>> {
        let _ = view;
        None
    }

    /// Changes what a seat never saw in the first world of a game, so that the world agrees with all that the seat's view shows
    /// by now. What contradicts it is put right by as few changes as possible. If nothing does, two hidden things are exchanged:
    /// a random choice for which the way back is as likely.
    #[allow(clippy::type_complexity, reason = "a function of three arguments")]
    const REVISE: Option<fn(&mut Self::World, &Self::View, &mut Rng)> = None;

    /// A search for wins that do not depend on what is hidden.
    fn prover() -> Option<Box<dyn Prover<Self>>> {
        None
    }
}

/// Looks for wins that do not depend on what is hidden.
pub trait Prover<G: Game>: Send {
    /// An action by which the seat to move wins for certain, if one is found.
    fn winning_action(&mut self, view: &G::View) -> Option<G::Action>;
}

/// The defaults of the parameters of the standard agents in a game. A decision should take less than
/// a tenth of a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Defaults {
    /// Playouts per decision.
    pub playouts: u32,
    /// The worlds among which `pimc` shares them.
    pub worlds: u32,
    /// The factor C of the exploration term, for payoffs between 0 and 1.
    pub c: f64,
    /// Plies after which playouts are truncated; 0 for never.
    pub depth: u32,
}

impl Defaults {
    /// Those of a game that says nothing else.
    pub const GENERAL: Defaults = Defaults { playouts: 2000, worlds: 20, c: 1.0, depth: 0 };
}

/// A game's own agents, and those of the standard ones whose names are still free.
pub fn with_standard_agents<G: Searchable>(own: Vec<AgentEntry<G>>) -> Vec<AgentEntry<G>> {
    let mut agents = own;
    let taken: Vec<&str> = agents.iter().map(|entry| entry.name).collect();
    agents.extend(standard_agents().into_iter().filter(|entry| !taken.contains(&entry.name)));
    agents
}

/// The agents that every game can have: `random`, `mc`, `uct`, `ismcts`, `pimc` and `oos`.
pub fn standard_agents<G: Searchable>() -> Vec<AgentEntry<G>> {
    vec![
        AgentEntry::new(
            "random",
            "Oboro",
            "Plays every legal action with the same probability",
            |_, _: &NoParams| Ok(fresh(RandomAgent)),
        )
        .public(1, 1),
        searching::<G, McParams<G>>(
            "mc",
            "Oboro",
            "Flat Monte Carlo: every action gets an equal share of playouts in imagined worlds",
        ),
        searching::<G, UctParams<G>>(
            "uct",
            "Kocsis and Szepesvári 2006",
            "Monte Carlo tree search: one tree of actions, a fresh imagined world every playout",
        ),
        searching::<G, IsmctsParams<G>>(
            "ismcts",
            "Cowling, Powley and Whitehouse 2012",
            "Information-set Monte Carlo tree search: a tree of what the seats can see",
        ),
        searching::<G, PimcParams<G>>(
            "pimc",
            "Ginsberg 2001",
            "Perfect-information Monte Carlo: one tree per imagined world, and the trees vote",
        ),
        searching::<G, OosParams<G>>(
            "oos",
            "Lisý, Lanctot and Bowling 2015",
            "Online outcome sampling: minimises regrets from the start of the game and plays a mixed policy",
        )
        // Its table, and a copy of it that grows.
        .public(3 * 512 * OOS_MEGABYTES, 2 * 1024 * OOS_MEGABYTES),
    ]
}

fn searching<G: Searchable, M: MethodParams<G>>(
    name: &'static str,
    source: &'static str,
    about: &'static str,
) -> AgentEntry<G> {
    let build = |game: &G, params: &SearchParams<G, M>| params.factory(game);
    AgentEntry::new(name, source, about, build).positional(&["playouts"]).public(64, 16_384)
}
