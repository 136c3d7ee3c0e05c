use crate::{Belief, Game, GameWorld, Rng, Seat, SeatView};
use std::fmt;

/// Chooses actions from what one seat knows.
///
/// An agent lives for one game: it is built fresh, told where it sits and what its seat sees, and asked to
/// act. It is given no world, and there is no way from a view to the true one, only to imagined ones.
pub trait Agent<G: Game>: Send {
    /// Hands a seed of its own, for this game, to an agent whose chance cannot come from the streams given to
    /// [`act`](Agent::act): one that lives in another process. Called before all else.
    fn seed(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Tells the agent where it sits, with what its seat knows at the start; called once.
    fn begin(&mut self, view: &G::View) {
        let _ = view;
    }

    /// Tells the agent what its seat saw of an action, its own included, in order of play.
    fn observe(&mut self, event: &G::Event) {
        let _ = event;
    }

    /// As [`observe`](Agent::observe), with what the seat knew before: for whoever tells events to others. This is
    /// what live games call.
    fn observe_from(&mut self, before: &dyn Fn() -> G::View, event: &G::Event) {
        let _ = before;
        self.observe(event);
    }

    /// Chooses one of the legal actions of `view`, whose seat is to move.
    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action;

    /// The probability of each legal action, for an agent that knows it; [`act`](Agent::act) then draws from these
    /// probabilities. A search that thinks at random gives those that this thinking led to. Asking does not change
    /// how the agent plays.
    fn policy(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        let _ = (view, rng);
        None
    }

    /// As [`act`](Agent::act), for an agent that can fail: one that lives in another process may be gone. Whoever
    /// fails forfeits the game, for the reason given. This is what live games call.
    ///
    /// # Errors
    /// Why there is no action, in one line.
    fn try_act(&mut self, view: &G::View, rng: &mut Rng) -> Result<G::Action, String> {
        Ok(self.act(view, rng))
    }

    /// Tells the agent how the game ended: what it was worth to each seat, and who gave it up and why, if somebody did.
    fn end(&mut self, payoffs: &[f64], forfeit: Option<&(Seat, String)>) {
        let _ = (payoffs, forfeit);
    }

    /// Says what the agent thinks of each action. Agents that only pick may leave the default.
    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        Analysis::of_choice(self.act(view, rng))
    }

    /// What each action is expected to be worth to the seat that `view` belongs to, in payoffs; the action that the agent
    /// advises comes first, and no other is worth more. With the same random stream the answer is the same. Nothing for an
    /// agent that does not know.
    fn estimate(&mut self, view: &G::View, rng: &mut Rng) -> Option<Vec<Estimate<G::Action>>> {
        let _ = (view, rng);
        None
    }

    /// What the agent thinks of hidden things, in the words of
    /// [`GameScenes::secrets`](crate::GameScenes::secrets), by all it was shown. Asking does not change how it
    /// plays. Agents that hold no beliefs say nothing.
    fn beliefs(&mut self, view: &G::View, rng: &mut Rng) -> Vec<Belief> {
        let _ = (view, rng);
        Vec::new()
    }

    /// For an agent that draws one of several ways to play for every game: the number, from 1, of
    /// the one it plays by. Results keep it as the fact `variant`.
    fn variant(&self) -> Option<u32> {
        None
    }
}

/// Chooses with the truth in hand: a yardstick, never a fair opponent.
///
/// Matches refuse oracles unless they are allowed by name.
pub trait Oracle<G: Game>: Send {
    /// Chooses one of the legal actions of the seat to move.
    fn act(&mut self, world: &G::World, rng: &mut Rng) -> G::Action;
}

/// Whoever sits at a table: an agent, or an oracle where one is allowed.
pub enum Player<G: Game> {
    /// Sees only its view.
    Agent(Box<dyn Agent<G>>),
    /// Sees the world.
    Oracle(Box<dyn Oracle<G>>),
}

impl<G: Game> fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Agent(_) => "Player::Agent",
            Player::Oracle(_) => "Player::Oracle",
        })
    }
}

/// How often a policy is asked that does not know its probabilities.
const ASKED: u32 = 8;

/// A cheap chooser inside simulations; it may read the imagined world it plays in.
pub trait Policy<W: GameWorld>: Send {
    /// Chooses one of the legal actions of a world that is not over.
    fn choose(&mut self, world: &W, rng: &mut Rng) -> W::Action;

    /// The probability of a legal action of a world that is not over. Of a policy that does not know it: how often it chooses
    /// the action when it is asked a few times.
    fn probability(&mut self, world: &W, action: W::Action) -> f64 {
        let mut rng = Rng::from_u64(0);
        let chosen = (0..ASKED).filter(|_| self.choose(world, &mut rng) == action).count();
        chosen as f64 / f64::from(ASKED)
    }

    /// Plays a world to its end, choosing for every seat.
    #[inline]
    fn play_out(&mut self, world: &mut W, rng: &mut Rng) {
        while world.to_act().is_some() {
            let action = self.choose(world, rng);
            world.apply(action);
        }
    }

    /// Plays every world to its end, each with a stream of its own that is [forked](Rng::fork) for it, in order.
    fn play_out_all(&mut self, worlds: &mut [W], rng: &mut Rng) {
        for world in worlds {
            self.play_out(world, &mut rng.fork());
        }
    }
}

/// Every legal action with the same probability.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RandomPolicy;

impl<W: GameWorld> Policy<W> for RandomPolicy {
    #[inline]
    fn choose(&mut self, world: &W, rng: &mut Rng) -> W::Action {
        world.random_action(rng)
    }

    fn probability(&mut self, world: &W, _: W::Action) -> f64 {
        let mut count = 0;
        world.for_each_legal(|_| count += 1);
        1.0 / f64::from(count)
    }

    #[inline]
    fn play_out(&mut self, world: &mut W, rng: &mut Rng) {
        world.play_out_randomly(rng);
    }

    #[inline]
    fn play_out_all(&mut self, worlds: &mut [W], rng: &mut Rng) {
        W::play_out_all_randomly(worlds, rng);
    }
}

/// The agent that plays every legal action with the same probability, for any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RandomAgent;

impl<G: Game> Agent<G> for RandomAgent {
    fn act(&mut self, view: &G::View, rng: &mut Rng) -> G::Action {
        let actions = view.legal_actions();
        *rng.choose(&actions).expect("an agent is asked only when it has a legal action")
    }

    fn policy(&mut self, view: &G::View, _: &mut Rng) -> Option<Vec<(G::Action, f64)>> {
        let actions = view.legal_actions();
        let share = 1.0 / actions.len() as f64;
        Some(actions.into_iter().map(|action| (action, share)).collect())
    }

    fn analyse(&mut self, view: &G::View, rng: &mut Rng) -> Analysis<G::Action> {
        let policy = <Self as Agent<G>>::policy(self, view, rng).unwrap_or_default();
        Analysis::of_policy(<Self as Agent<G>>::act(self, view, rng), policy)
    }
}

/// Draws an action from the probabilities of a policy.
///
/// # Panics
/// If there is none.
pub fn draw_action<A: Copy>(policy: &[(A, f64)], rng: &mut Rng) -> A {
    let mut left = rng.unit() * policy.iter().map(|(_, share)| share).sum::<f64>();
    let possible = policy.iter().filter(|(_, share)| *share > 0.0);
    let mut chosen = policy.first().expect("a policy has an action").0;
    for &(action, share) in possible {
        chosen = action;
        left -= share;
        if left < 0.0 {
            break;
        }
    }
    chosen
}

/// What an action is expected to be worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate<A> {
    /// The action.
    pub action: A,
    /// The expected payoff of the seat that takes it.
    pub mean: f64,
    /// The standard error of the mean; 0 if it is certain.
    pub error: f64,
}

impl<A> Estimate<A> {
    /// A value that is certain.
    pub fn certain(action: A, mean: f64) -> Estimate<A> {
        Estimate { action, mean, error: 0.0 }
    }

    /// The mean of so many results between `low` and `high`. The error is the largest that such results can have.
    pub fn of_results(action: A, mean: f64, results: u64, low: f64, high: f64) -> Estimate<A> {
        let variance = ((high - mean) * (mean - low)).max(0.0);
        Estimate { action, mean, error: (variance / results.max(1) as f64).sqrt() }
    }
}

/// Estimates with the advised action first and the others from the best to the worst. What a search has rejected is not
/// shown as better than what it advises, whatever the few playouts of it said.
pub fn advise<A: PartialEq>(advised: &A, mut estimates: Vec<Estimate<A>>) -> Vec<Estimate<A>> {
    let best = estimates.iter().position(|one| one.action == *advised);
    let best = best.expect("the advised action is among those estimated");
    let mean = estimates[best].mean;
    for one in &mut estimates {
        one.mean = one.mean.min(mean);
    }
    estimates.swap(0, best);
    estimates[1..].sort_by(|a, b| b.mean.total_cmp(&a.mean));
    estimates
}

/// What an agent thinks of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis<A> {
    /// What it would play.
    pub choice: A,
    /// What the values mean, in a word or two: "mean score", "exponent", "probability".
    pub measure: &'static str,
    /// The actions it weighed, in any order; empty for an agent that only picks.
    pub values: Vec<ActionValue<A>>,
    /// A drawing of its thoughts, where one says more than a list.
    pub drawing: Option<String>,
}

impl<A> Analysis<A> {
    /// The analysis of an agent that gives no values.
    pub fn of_choice(choice: A) -> Analysis<A> {
        Analysis { choice, measure: "", values: Vec::new(), drawing: None }
    }

    /// The analysis of an agent that knows the probabilities of its actions.
    pub fn of_policy(choice: A, policy: Vec<(A, f64)>) -> Analysis<A> {
        let values = policy.into_iter().map(|(a, share)| ActionValue::new(a, share)).collect();
        Analysis { measure: "probability", values, ..Analysis::of_choice(choice) }
    }
}

/// What an agent thinks of one action.
#[derive(Clone, PartialEq, Debug)]
pub struct ActionValue<A> {
    /// The action.
    pub action: A,
    /// Its worth on the agent's own scale; more is better.
    pub value: f64,
    /// How many playouts or visits the value rests on, if it rests on any.
    pub visits: Option<u64>,
    /// Anything else worth a few words.
    pub note: String,
}

impl<A> ActionValue<A> {
    /// A value that rests on no simulation.
    pub fn new(action: A, value: f64) -> ActionValue<A> {
        ActionValue { action, value, visits: None, note: String::new() }
    }
}

impl<G: Game> Player<G> {
    /// Whether it sees the world.
    pub fn is_oracle(&self) -> bool {
        matches!(self, Player::Oracle(_))
    }

    /// The way of playing it drew for this game, if it has several.
    pub(crate) fn variant(&self) -> Option<u32> {
        match self {
            Player::Agent(agent) => agent.variant(),
            Player::Oracle(_) => None,
        }
    }

    /// Asks it for an action in a world whose turn is `seat`'s; or the reason why there is none.
    pub(crate) fn act(
        &mut self,
        world: &G::World,
        seat: Seat,
        rng: &mut Rng,
    ) -> Result<G::Action, String> {
        match self {
            Player::Agent(agent) => agent.try_act(&world.view(seat), rng),
            Player::Oracle(oracle) => Ok(oracle.act(world, rng)),
        }
    }
}
