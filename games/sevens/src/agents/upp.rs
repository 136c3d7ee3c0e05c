use super::mc::{analysis, candidates, with_policy};
use super::{Eval, PolicyName, Random, Rule};
use crate::policy::HandPlayer;
use crate::scene::holders_drawn;
use crate::{Action, Cards, Event, MAX_PLAYERS, Sevens, View, World};
use oboro_core::{
    Agent, Analysis, Belief, Factory, GameWorld, Policy, Rng, Seat, SeatView, SpecError, fresh,
    params,
};
use oboro_search::{Budget, DealOrder, OwnerWeights, Tally, best_tally, playout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

params! {
    /// The parameters of UPP for many players (4.5.2).
    ///
    /// Its five steps:
    /// 1. look at the moves of the others since the own last move;
    /// 2. find the playouts of that move which began the same way;
    /// 3. credit every card they gave a player with that player's score above the average;
    /// 4. run a Monte Carlo search whose deals follow the credits;
    /// 5. drop what has become impossible.
    pub(super) struct Upp {
        /// Playouts per decision; each begins with a random action, as in the paper.
        #[schemars(extend("x-public" = {"minimum": 1, "maximum": 20000}))]
        playouts: u32 = 400,
        /// Seconds after which a decision ends, playouts left or not. For tournaments: such games cannot be
        /// repeated bit for bit.
        seconds: Option<f64> = None,
        /// Policy of all players inside a playout.
        #[schemars(extend("x-public" = {}))]
        policy: PolicyName = PolicyName::Random,
        /// Step size of the weights: the paper's k in c = k / playouts.
        #[schemars(extend("x-public" = {"minimum": 0, "maximum": 1000}))]
        c: f64 = 5.0,
        /// Moves that must agree for a playout to count.
        #[schemars(extend("x-public" = {}))]
        r#match: Match = Match::All,
        /// Order in which unknown cards are dealt.
        #[schemars(extend("x-public" = {}))]
        order: Order = Order::Random,
        /// Whether a pass is considered while a card is playable. The paper's section on UPP does not name
        /// the pass among its moves.
        #[schemars(extend("x-public" = {}))]
        voluntary_pass: bool = true,
    }
}

/// Moves that must agree with real play for a stored playout to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Match {
    /// The next moves of all other players.
    #[default]
    All,
    /// For each player's cards, that player's own next move.
    Own,
}

/// Order in which unknown cards are dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Order {
    /// A new random order every time.
    #[default]
    Random,
    /// Suit by suit from the ace.
    Fixed,
}

impl Upp {
    pub(super) fn factory(self, players: usize) -> Result<Factory<Sevens>, SpecError> {
        let budget = Budget::new("playouts", self.playouts, self.seconds)?;
        if !self.c.is_finite() || self.c < 0.0 {
            return Err(SpecError(format!("c={}: a number from 0", self.c)));
        }
        Ok(with_policy!(self.policy, policy => fresh(UppAgent {
            params: self,
            budget,
            policy,
            weights: OwnerWeights::new(64, players),
            stored: Vec::new(),
            since: Moves::default(),
            credited: self.playouts.into(),
        })))
    }
}

/// The first move of each player after a decision, the decider's included.
type Moves = [Option<Action>; MAX_PLAYERS];

/// One playout of the last decision.
#[derive(Clone, Debug)]
struct Stored {
    hands: [Cards; MAX_PLAYERS],
    moves: Moves,
    payoffs: [f64; MAX_PLAYERS],
}

#[derive(Clone, Debug)]
struct UppAgent<P> {
    params: Upp,
    budget: Budget,
    policy: P,
    weights: OwnerWeights,
    /// The playouts of the last decision.
    stored: Vec<Stored>,
    /// The moves since then.
    since: Moves,
    /// The divisor of credits: the number of playouts of a decision.
    credited: f64,
}

impl<P: Policy<World> + Clone> UppAgent<P> {
    /// Steps 1 to 3: credits the worlds of the playouts that came true.
    fn learn(&mut self, view: &View) {
        let me = view.seat();
        let players = view.public().players.into();
        let real = self.since;
        let came_true =
            |stored: &Stored, seat: Seat| stored.moves[seat.index()] == real[seat.index()];
        for stored in &self.stored {
            if !came_true(stored, me) {
                continue;
            }
            let all = Seat::all(players).all(|seat| came_true(stored, seat));
            for owner in Seat::all(players).filter(|&seat| seat != me) {
                let counts = match self.params.r#match {
                    Match::All => all,
                    Match::Own => came_true(stored, owner),
                };
                if counts {
                    // The average score of a game is 1.
                    let above = stored.payoffs[owner.index()] - 1.0;
                    for card in stored.hands[owner.index()] {
                        self.weights.credit(card.index(), owner.index(), above);
                    }
                }
            }
        }
    }

    /// Step 4's deal; step 5 is in the view: only unknown cards are dealt, to those with room.
    fn imagine(&self, view: &View, rng: &mut Rng) -> World {
        let mut cards = [0; 52];
        let mut count = 0;
        for card in view.unknown() {
            cards[count] = card.index();
            count += 1;
        }
        let mut room = view.sizes().map(usize::from);
        room[view.seat().index()] = 0;
        let order = match self.params.order {
            Order::Random => DealOrder::Random,
            Order::Fixed => DealOrder::Fixed,
        };
        let c = self.params.c / self.credited;
        let mut owners = [0; 52];
        let players = usize::from(view.public().players);
        self.weights.deal(&cards[..count], &room[..players], c, order, &mut owners[..count], rng);
        let mut hands = [Cards::EMPTY; MAX_PLAYERS];
        for (card, &owner) in view.unknown().iter().zip(&owners) {
            hands[owner] = hands[owner].with(card);
        }
        view.with_hands(hands)
    }

    /// Step 4: weighted Monte Carlo, every playout stored for the next decision.
    fn search(&mut self, view: &View, rng: &mut Rng) -> Vec<Tally<Action>> {
        self.learn(view);
        if self.budget.is_timed() {
            // As many as there was time for.
            self.credited = self.stored.len().max(1) as f64;
        }
        self.stored.clear();
        self.since = Moves::default();
        let me = view.seat();
        let actions = candidates(view, self.params.voluntary_pass);
        let mut tallies: Vec<_> = actions.into_iter().map(Tally::new).collect();
        for _ in self.budget.playouts() {
            let choice = rng.below(tallies.len());
            let tally = &mut tallies[choice];
            let mut world = self.imagine(view, rng);
            let mut stored =
                Stored { hands: world.hands, moves: Moves::default(), payoffs: [0.0; MAX_PLAYERS] };
            stored.moves[me.index()] = Some(tally.action);
            world.apply(tally.action);
            while let Some(seat) = world.to_act().filter(|&seat| seat != me) {
                let action = self.policy.choose(&world, rng);
                stored.moves[seat.index()].get_or_insert(action);
                world.apply(action);
            }
            playout(&mut world, &mut self.policy, rng);
            for seat in Seat::all(view.public().players.into()) {
                stored.payoffs[seat.index()] = world.payoff(seat);
            }
            tally.add(stored.payoffs[me.index()]);
            self.stored.push(stored);
        }
        tallies
    }
}

impl<P: Policy<World> + Clone> Agent<Sevens> for UppAgent<P> {
    fn beliefs(&mut self, view: &View, rng: &mut Rng) -> Vec<Belief> {
        let mut learned = self.clone();
        learned.learn(view);
        holders_drawn(view, || learned.imagine(view, rng))
    }

    fn observe(&mut self, event: &Event) {
        self.since[event.seat.index()].get_or_insert(event.action);
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        let tallies = self.search(view, rng);
        best_tally(&tallies, rng)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let tallies = self.search(view, rng);
        analysis(tallies, rng)
    }
}
