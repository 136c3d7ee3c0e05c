//! A game in progress that is stepped from outside.

mod thinking;

use self::thinking::Sight;
pub use self::thinking::{Consultation, Decision, Insight, Thinking, Thought};
use crate::{
    Agent, Belief, Fact, Factory, Game, GameSeeds, GameWorld, IllegalAction, Player, Record, Rng,
    Seat,
};

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What it was worth to each seat.
    pub payoffs: Vec<f64>,
    /// How many actions were played.
    pub plies: u32,
    /// What else experiments count.
    pub facts: Vec<Fact>,
}

/// One game in progress: the world, who sits where, their random streams, and what was played.
///
/// There is one way to play a game, and this is it: matches, replays, the tournament server, the browser,
/// Python and foreign programs all hold a live game and step it. A seat belongs to an agent of ours, which is
/// asked ([`step`](Live::step), [`start_thinking`](Live::start_thinking)), or to somebody outside, for whom an
/// action is [played](Live::play).
///
/// ```
/// # use oboro_core::*;
/// fn against_a_person<G: Game>(game: G, agent: Factory<G>, seeds: &GameSeeds) -> Result<Outcome, LiveError> {
///     let world = game.deal(&mut seeds.deal());
///     let mut live = Live::new(game, world, vec![Some(agent), None], seeds);
///     while let Some(seat) = live.to_act() {
///         if live.is_outside(seat) {
///             let theirs = live.legal_actions()[0]; // what the person chose
///             live.play(seat, theirs)?;
///         } else {
///             live.step()?;
///         }
///     }
///     Ok(live.outcome().expect("nobody is to move: it is over"))
/// }
/// ```
#[derive(Debug)]
pub struct Live<G: Game> {
    game: G,
    start: G::World,
    world: G::World,
    chairs: Vec<Chair<G>>,
    played: Vec<Ply<G::Action>>,
    forfeit: Option<(Seat, String)>,
    /// Counts the agents that ever sat down, so that none is taken for another.
    born: u32,
}

/// Who decides at a seat.
#[derive(Debug)]
enum Chair<G: Game> {
    /// Somebody outside: a person, a browser, a foreign program.
    Outside,
    /// An agent of ours.
    Agent(Seated<G>),
}

struct Seated<G: Game> {
    factory: Factory<G>,
    /// `None` while it thinks elsewhere.
    player: Option<Player<G>>,
    rng: Rng,
    /// Which of all agents of this game it is: a thought of another is not played for it.
    number: u32,
}

impl<G: Game> std::fmt::Debug for Seated<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seated").field("player", &self.player).finish_non_exhaustive()
    }
}

/// An action that was played.
#[derive(Clone, Debug)]
struct Ply<A> {
    seat: Seat,
    action: A,
    /// The agent's random stream before it chose; `None` for a seat outside.
    rng: Option<Rng>,
}

/// Why a live game does not do what it was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LiveError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// There is no such seat.
    #[error("there is no seat {0}: seats go from 0 to {1}")]
    NoSeat(usize, usize),
    /// It is another seat's turn.
    #[error("seat {0} cannot move: it is the turn of seat {1}")]
    Turn(Seat, Seat),
    /// The seat belongs to an agent, and somebody else tried to move for it.
    #[error("seat {0} is held by an agent: nobody else moves there")]
    Held(Seat),
    /// The seat belongs to nobody here, so nobody here can be asked.
    #[error("seat {0} is held from outside: its action has to be played")]
    Outside(Seat),
    /// The agent of this seat is thinking already.
    #[error("the agent of seat {0} is thinking already")]
    Busy(Seat),
    /// Actions were taken back while the agent thought.
    #[error("the position has changed since the agent began to think")]
    Stale,
    /// The action is against the rules.
    #[error("seat {0}: {1}")]
    Illegal(Seat, IllegalAction),
    /// The agent failed to choose, and has forfeited the game.
    #[error("seat {0} gives the game up: {1}")]
    GaveUp(Seat, String),
    /// More actions to take back than were played.
    #[error("only {0} actions were played: {1} cannot be taken back")]
    TakeBack(usize, usize),
    /// The agent sees hidden things and can be asked for nothing else.
    #[error("an agent that sees hidden information gives no analysis")]
    Oracle,
}

impl<G: Game> Live<G> {
    /// A game from `world` on. `agents[s]` builds the agent of seat `s`; `None` leaves the seat to somebody
    /// outside.
    ///
    /// # Panics
    /// If the number of agents is not that of the seats.
    pub fn new(
        game: G,
        world: G::World,
        agents: Vec<Option<Factory<G>>>,
        seeds: &GameSeeds,
    ) -> Live<G> {
        assert_eq!(agents.len(), game.seats(), "one agent or nobody per seat");
        let mut live = Live::open(game, world);
        for (seat, agent) in Seat::all(live.seats()).zip(agents) {
            live.sit_down(seat, agent, || seeds.agent(seat));
        }
        live
    }

    /// A game from `world` on whose seats all belong to somebody outside.
    pub fn open(game: G, world: G::World) -> Live<G> {
        let chairs = (0..game.seats()).map(|_| Chair::Outside).collect();
        let start = world.clone();
        Live { game, start, world, chairs, played: Vec::new(), forfeit: None, born: 0 }
    }

    /// Gives a seat to an agent, after showing it everything the seat saw, or to somebody outside.
    fn sit_down(&mut self, seat: Seat, agent: Option<Factory<G>>, rng: impl FnOnce() -> Rng) {
        let Some(factory) = agent else {
            self.chairs[seat.index()] = Chair::Outside;
            return;
        };
        let mut player = factory();
        let rng = rng();
        if let Player::Agent(agent) = &mut player {
            self.bring_up_to_date(agent.as_mut(), seat, &rng);
        }
        self.born += 1;
        let number = self.born;
        self.chairs[seat.index()] =
            Chair::Agent(Seated { factory, player: Some(player), rng, number });
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The truth. Agents never get it; referees, recorders and replays do.
    pub fn world(&self) -> &G::World {
        &self.world
    }

    /// The truth at the start.
    pub fn start(&self) -> &G::World {
        &self.start
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.chairs.len()
    }

    /// How many actions have been played.
    pub fn plies(&self) -> usize {
        self.played.len()
    }

    /// What was played, from the start on.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = (Seat, G::Action)> + '_ {
        self.played.iter().map(|ply| (ply.seat, ply.action))
    }

    /// Whose turn it is; `None` when the game is over.
    pub fn to_act(&self) -> Option<Seat> {
        if self.forfeit.is_some() { None } else { self.world.to_act() }
    }

    /// Who gave the game up, and why, if somebody did.
    pub fn forfeited(&self) -> Option<&(Seat, String)> {
        self.forfeit.as_ref()
    }

    /// Whether a seat is left to somebody outside.
    pub fn is_outside(&self, seat: Seat) -> bool {
        matches!(self.chairs.get(seat.index()), Some(Chair::Outside))
    }

    /// All that a seat knows.
    pub fn view(&self, seat: Seat) -> G::View {
        self.world.view(seat)
    }

    /// The legal actions of the seat to move; none when the game is over.
    pub fn legal_actions(&self) -> Vec<G::Action> {
        self.to_act().map_or_else(Vec::new, |_| self.world.legal_actions())
    }

    /// Plays an action for a seat that is held from outside.
    ///
    /// # Errors
    /// If it is not that seat's turn, the seat is an agent's, or the action is not legal.
    pub fn play(&mut self, seat: Seat, action: G::Action) -> Result<(), LiveError> {
        self.check_turn(seat)?;
        if !self.is_outside(seat) {
            return Err(LiveError::Held(seat));
        }
        self.put(seat, action, None)
    }

    /// Asks the agent whose turn it is, and plays what it chooses.
    ///
    /// # Errors
    /// If the game is over, the seat is held from outside, or the agent plays against the rules; if it gives the
    /// game up, which is then over.
    pub fn step(&mut self) -> Result<(Seat, G::Action), LiveError> {
        let seat = self.to_act().ok_or(LiveError::Over)?;
        let seated = seated(&mut self.chairs, seat)?;
        let player = seated.player.as_mut().ok_or(LiveError::Busy(seat))?;
        let before = seated.rng.clone();
        let action = player.act(&self.world, seat, &mut seated.rng);
        self.settle(seat, action, before)
    }

    /// Plays on among agents to the end.
    ///
    /// # Errors
    /// If a seat is held from outside, or an agent plays against the rules.
    pub fn run(&mut self) -> Result<Outcome, LiveError> {
        loop {
            if let Some(outcome) = self.outcome() {
                return Ok(outcome);
            }
            match self.step() {
                Ok(_) | Err(LiveError::GaveUp(..)) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// A game among agents of which every seat is held by one; see [`Live::new`].
    pub fn among(game: &G, world: G::World, agents: &[Factory<G>], seeds: &GameSeeds) -> Live<G> {
        Live::new(game.clone(), world, agents.iter().cloned().map(Some).collect(), seeds)
    }

    /// Hands out the agent whose turn it is, to let it think elsewhere while the game is looked at.
    /// [`finish_thinking`](Live::finish_thinking) takes its answer.
    ///
    /// # Errors
    /// If the game is over, the seat is held from outside, or the agent is thinking already.
    pub fn start_thinking(&mut self) -> Result<Thinking<G>, LiveError> {
        let seat = self.to_act().ok_or(LiveError::Over)?;
        let seated = seated(&mut self.chairs, seat)?;
        let player = seated.player.take().ok_or(LiveError::Busy(seat))?;
        let world = match player {
            Player::Agent(_) => Sight::View(self.world.view(seat)),
            Player::Oracle(_) => Sight::World(self.world.clone()),
        };
        Ok(Thinking { seat, number: seated.number, sight: world, player, rng: seated.rng.clone() })
    }

    /// Takes the agent back from its thinking and plays what it chose.
    ///
    /// # Errors
    /// If the position has changed since, or the agent plays against the rules; if it gives the game up, which is
    /// then over.
    pub fn finish_thinking(&mut self, thought: Thought<G>) -> Result<(Seat, G::Action), LiveError> {
        let Thought { seat, number, action, player, rng } = thought;
        let seated = seated(&mut self.chairs, seat)?;
        if number != seated.number {
            return Err(LiveError::Stale);
        }
        let before = std::mem::replace(&mut seated.rng, rng);
        seated.player = Some(player);
        self.check_turn(seat)?;
        self.settle(seat, action, before)
    }

    /// Somebody gives the game up, or is made to: it is over, worth what
    /// [`Game::forfeit_payoffs`] says.
    ///
    /// # Errors
    /// If the game is over already or there is no such seat.
    pub fn forfeit(&mut self, seat: Seat, reason: impl Into<String>) -> Result<(), LiveError> {
        self.check_seat(seat)?;
        self.to_act().ok_or(LiveError::Over)?;
        self.forfeit = Some((seat, reason.into()));
        self.tell_end();
        Ok(())
    }

    /// Takes the last actions back. Agents are built afresh and shown what their seats saw up to there;
    /// their random streams go on from where they stood.
    ///
    /// # Errors
    /// If fewer were played.
    pub fn take_back(&mut self, plies: usize) -> Result<(), LiveError> {
        let keep = self.played.len().checked_sub(plies);
        let keep = keep.ok_or(LiveError::TakeBack(self.played.len(), plies))?;
        if plies == 0 && self.forfeit.is_none() {
            return Ok(());
        }
        for ply in self.played.drain(keep..).rev() {
            if let (Chair::Agent(seated), Some(rng)) = (&mut self.chairs[ply.seat.index()], ply.rng)
            {
                seated.rng = rng;
            }
        }
        self.forfeit = None;
        self.world = self.start.clone();
        for ply in &self.played {
            self.world.apply(ply.action);
        }
        for seat in Seat::all(self.seats()) {
            if let Chair::Agent(Seated { factory, rng, .. }) = &self.chairs[seat.index()] {
                let (factory, rng) = (factory.clone(), rng.clone());
                self.sit_down(seat, Some(factory), || rng);
            }
        }
        Ok(())
    }

    /// Gives a seat to an agent, which is first shown everything the seat saw, or to somebody outside. An agent that
    /// is thinking there is not waited for: its answer will be refused.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn reseat(
        &mut self,
        seat: Seat,
        agent: Option<Factory<G>>,
        rng: Rng,
    ) -> Result<(), LiveError> {
        self.check_seat(seat)?;
        self.sit_down(seat, agent, || rng);
        Ok(())
    }

    /// Shows a newborn agent everything that a seat saw since the start.
    fn bring_up_to_date(&self, agent: &mut dyn Agent<G>, seat: Seat, rng: &Rng) {
        // Drawn from a copy: whoever needs no seed plays as if there were none.
        agent.seed(rng.clone().bits());
        agent.begin(&self.start.view(seat));
        let mut world = self.start.clone();
        for ply in &self.played {
            agent.observe_from(&|| world.view(seat), &world.event(ply.action, seat));
            world.apply(ply.action);
        }
    }

    /// The same game after its first `plies` actions, all seats left to somebody outside.
    ///
    /// # Errors
    /// If fewer were played.
    pub fn at(&self, plies: usize) -> Result<Live<G>, LiveError> {
        if plies > self.played.len() {
            return Err(LiveError::TakeBack(self.played.len(), plies));
        }
        let mut earlier = Live::open(self.game.clone(), self.start.clone());
        for ply in &self.played[..plies] {
            earlier.world.apply(ply.action);
            earlier.played.push(Ply { rng: None, ..ply.clone() });
        }
        Ok(earlier)
    }

    /// Lets any agent look at the game from a seat, after showing it everything that seat saw since the start.
    /// The game goes on untouched while it thinks.
    ///
    /// # Errors
    /// If there is no such seat, or the agent is an oracle.
    pub fn consult(
        &self,
        seat: Seat,
        factory: &Factory<G>,
        rng: Rng,
    ) -> Result<Consultation<G>, LiveError> {
        self.check_seat(seat)?;
        let Player::Agent(mut agent) = factory() else {
            return Err(LiveError::Oracle);
        };
        self.bring_up_to_date(agent.as_mut(), seat, &rng);
        let to_move = self.to_act() == Some(seat);
        Ok(Consultation { agent, view: self.world.view(seat), to_move, rng })
    }

    /// The beliefs of the agent that holds a seat, as it plays; none if it says nothing, is thinking, or the
    /// seat is held from outside. Asking does not change how it plays.
    pub fn beliefs(&mut self, seat: Seat, rng: &mut Rng) -> Vec<Belief> {
        match self.chairs.get_mut(seat.index()) {
            Some(Chair::Agent(Seated { player: Some(Player::Agent(agent)), .. })) => {
                agent.beliefs(&self.world.view(seat), rng)
            }
            _ => Vec::new(),
        }
    }

    /// The game written down as far as it has gone. Who sat where, rules and seed are for the caller, who
    /// knows their names.
    pub fn record(&self) -> Record {
        Record {
            game: G::NAME.to_owned(),
            start: self.game.write_position(&self.start),
            actions: self.actions().map(|(seat, action)| (seat, action.to_string())).collect(),
            forfeit: self.forfeit.clone(),
            result: self
                .outcome()
                .map(|outcome| outcome.payoffs.iter().map(f64::to_string).collect())
                .unwrap_or_default(),
            ..Record::default()
        }
    }

    /// How the game ended; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let seats = self.seats();
        let plies = self.played.len() as u32;
        if let Some((seat, _)) = &self.forfeit {
            let gave_up = Seat::all(seats).map(|s| f64::from(u8::from(s == *seat)));
            return Some(Outcome {
                payoffs: self.payoffs(),
                plies,
                facts: vec![Fact::seats("forfeited", gave_up)],
            });
        }
        if self.world.to_act().is_some() {
            return None;
        }
        let mut facts = self.world.facts();
        let variants: Vec<Option<u32>> = self.chairs.iter().map(Chair::variant).collect();
        if variants.iter().any(Option::is_some) {
            facts.push(Fact::seats("variant", variants.into_iter().map(|v| v.unwrap_or(0).into())));
        }
        Some(Outcome { payoffs: self.payoffs(), plies, facts })
    }

    fn check_seat(&self, seat: Seat) -> Result<(), LiveError> {
        let seats = self.seats();
        if seat.index() < seats { Ok(()) } else { Err(LiveError::NoSeat(seat.index(), seats - 1)) }
    }

    fn check_turn(&self, seat: Seat) -> Result<(), LiveError> {
        self.check_seat(seat)?;
        match self.to_act() {
            None => Err(LiveError::Over),
            Some(turn) if turn != seat => Err(LiveError::Turn(seat, turn)),
            Some(_) => Ok(()),
        }
    }

    /// Plays an action of the seat to move after checking it, and tells every agent what it sees of it.
    fn put(&mut self, seat: Seat, action: G::Action, rng: Option<Rng>) -> Result<(), LiveError> {
        if !self.world.is_legal(action) {
            // The checked twin words the complaint.
            self.world.play(action).map_err(|illegal| LiveError::Illegal(seat, illegal))?;
        }
        tell(&mut self.chairs, &self.world, action);
        self.world.apply(action);
        self.played.push(Ply { seat, action, rng });
        if self.world.to_act().is_none() {
            self.tell_end();
        }
        Ok(())
    }

    /// Plays what an agent chose, or lets it forfeit if it chose nothing.
    fn settle(
        &mut self,
        seat: Seat,
        action: Result<G::Action, String>,
        before: Rng,
    ) -> Result<(Seat, G::Action), LiveError> {
        match action {
            Ok(action) => self.put(seat, action, Some(before)).map(|()| (seat, action)),
            Err(reason) => {
                self.forfeit(seat, reason.clone())?;
                Err(LiveError::GaveUp(seat, reason))
            }
        }
    }

    /// Tells every agent how the game ended.
    fn tell_end(&mut self) {
        let payoffs = self.payoffs();
        for chair in &mut self.chairs {
            if let Chair::Agent(Seated { player: Some(Player::Agent(agent)), .. }) = chair {
                agent.end(&payoffs, self.forfeit.as_ref());
            }
        }
    }

    /// What the finished game is worth to each seat.
    fn payoffs(&self) -> Vec<f64> {
        match &self.forfeit {
            Some((seat, _)) => self.game.forfeit_payoffs(*seat),
            None => Seat::all(self.seats()).map(|seat| self.world.payoff(seat)).collect(),
        }
    }
}

/// The agent at a seat.
fn seated<G: Game>(chairs: &mut [Chair<G>], seat: Seat) -> Result<&mut Seated<G>, LiveError> {
    match &mut chairs[seat.index()] {
        Chair::Agent(seated) => Ok(seated),
        Chair::Outside => Err(LiveError::Outside(seat)),
    }
}

/// Tells every agent what its seat sees of an action about to be played.
fn tell<G: Game>(chairs: &mut [Chair<G>], world: &G::World, action: G::Action) {
    for (observer, chair) in chairs.iter_mut().enumerate() {
        if let Chair::Agent(Seated { player: Some(Player::Agent(agent)), .. }) = chair {
            let observer = Seat::new(observer);
            agent.observe_from(&|| world.view(observer), &world.event(action, observer));
        }
    }
}

impl<G: Game> Chair<G> {
    /// The way of playing its agent drew for this game, if it has several.
    fn variant(&self) -> Option<u32> {
        match self {
            Chair::Agent(seated) => seated.player.as_ref().and_then(Player::variant),
            Chair::Outside => None,
        }
    }
}
