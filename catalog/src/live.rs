//! Live games without type parameters: what browsers, Python and external programs hold.

use crate::data::{json, one_line, text};
use crate::guided::Past;
use crate::report::Actions;
use crate::rules::Rules;
use crate::turn::{Turn, ViewTurn};
use crate::{
    ActionReport, CatalogError, EndingReport, EvaluationReport, EventReport, ForfeitReport,
    InsightReport, PublicSpec, SeatReport,
};
use oboro_core::{
    Belief, GameScenes, GameSeeds, GameWorld, Live, LiveError, Outcome, Perspective, Record,
    Replay, ReplayError, Seat, Seed, SpecError, Stop,
};
use oboro_player::Playable;
use serde_json::Value;
use serde_json::value::RawValue;
use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

/// Live games by the rules chosen.
pub trait AnyTables {
    /// A dealt position.
    fn deal(&self, number: u64, seed: &Seed) -> String;
    /// A new live game: deal number `deal` of the match that `seeds` belongs to. A seat is held by the agent
    /// of a spec, or by somebody outside; `origin` says in the record where the game came from.
    ///
    /// # Errors
    /// If there are too many or too few seats, or an agent cannot be built.
    fn live(
        &self,
        seats: &[Option<&str>],
        deal: u64,
        seeds: &GameSeeds,
        origin: &str,
    ) -> Result<Box<dyn AnyLive>, CatalogError>;
    /// A live game from a position on.
    ///
    /// # Errors
    /// If the text is no position, or the seats cannot be filled so.
    fn live_at(
        &self,
        position: &str,
        seats: &[Option<&str>],
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyLive>, CatalogError>;
    /// The game of a record, replayed to where it ends, all seats left to somebody outside.
    ///
    /// # Errors
    /// If the record is no game by these rules.
    fn live_from(&self, record: &Record) -> Result<Box<dyn AnyLive>, CatalogError>;
    /// Steps through a record, calling `visit` with the drawing after each action, and checks it.
    ///
    /// # Errors
    /// If the record is no game by these rules.
    fn replay(&self, record: &Record, visit: ReplayVisitor<'_>) -> Result<(), ReplayError>;
}

/// Called with nothing at the start of a replay and with each action after it was played, and a way to
/// draw the world.
pub type ReplayVisitor<'a> = &'a mut dyn FnMut(Option<(Seat, String)>, &dyn Fn() -> String);

impl<G: Playable> AnyTables for Arc<Rules<G>> {
    fn deal(&self, number: u64, seed: &Seed) -> String {
        let mut rng = seed.game(number, number).deal();
        self.game.write_position(&self.game.deal_numbered(number, &mut rng))
    }

    fn live(
        &self,
        seats: &[Option<&str>],
        deal: u64,
        seeds: &GameSeeds,
        origin: &str,
    ) -> Result<Box<dyn AnyLive>, CatalogError> {
        let world = self.game.deal_numbered(deal, &mut seeds.deal());
        let rules = Arc::clone(self);
        Ok(Box::new(LiveTable::new(rules, world, seats, seeds, origin.to_owned())?))
    }

    fn live_at(
        &self,
        position: &str,
        seats: &[Option<&str>],
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyLive>, CatalogError> {
        let world = self.read(position)?;
        Ok(Box::new(LiveTable::new(Arc::clone(self), world, seats, seeds, String::new())?))
    }

    fn live_from(&self, record: &Record) -> Result<Box<dyn AnyLive>, CatalogError> {
        let live = Replay::new(&self.game, record)?.finish()?;
        Ok(Box::new(LiveTable::replayed(Arc::clone(self), live, record)))
    }

    fn replay(&self, record: &Record, visit: ReplayVisitor<'_>) -> Result<(), ReplayError> {
        let mut replay = Replay::new(&self.game, record)?;
        visit(None, &|| replay.world().to_string());
        while let Some((seat, action)) = replay.step()? {
            visit(Some((seat, action.to_string())), &|| replay.world().to_string());
        }
        Ok(())
    }
}

/// One game in progress, of whatever game: [`oboro_core::Live`] without its type.
pub trait AnyLive: Send {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// All rule options as data.
    fn rules(&self) -> Value;
    /// Who sits where.
    fn seats(&self) -> Vec<SeatReport>;
    /// Whether an agent of ours holds a seat.
    fn has_agents(&self) -> bool;
    /// Whose turn it is; `None` when the game is over.
    fn to_act(&self) -> Option<usize>;
    /// How many actions have been played.
    fn plies(&self) -> usize;
    /// The whole truth as a position in the game's notation.
    fn position(&self) -> String;
    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// The position as data, in the shape of the game's `scene` schema.
    ///
    /// # Errors
    /// If there is no such seat.
    fn scene(&self, eyes: Perspective) -> Result<Value, CatalogError>;
    /// The same as JSON text, without the detour over a tree of values.
    ///
    /// # Errors
    /// If there is no such seat.
    fn scene_as_text(&self, eyes: Perspective) -> Result<Box<RawValue>, CatalogError>;
    /// The position as a terminal shows it. A spectator is shown the scene's data instead: drawings are made for
    /// seats and for the truth.
    ///
    /// # Errors
    /// If there is no such seat.
    fn drawing(&self, eyes: Perspective) -> Result<String, CatalogError>;
    /// The legal actions of the seat to move, as text.
    fn actions(&self) -> Vec<String>;
    /// Their indices, in the same order.
    fn action_indices(&self) -> Vec<usize>;
    /// The legal actions of the seat to move, described.
    fn described_actions(&self) -> Vec<ActionReport>;
    /// The same as JSON text, without the detour: a turn may have hundreds of actions.
    fn actions_as_text(&self) -> Box<RawValue>;
    /// What happened since action `from` (0 for all), as seen by somebody.
    ///
    /// # Errors
    /// If there is no such seat.
    fn story(&self, eyes: Perspective, from: usize) -> Result<Vec<EventReport>, CatalogError>;
    /// What is hidden from a seat, with what the rules alone say of it.
    ///
    /// # Errors
    /// If there is no such seat.
    fn secrets(&self, seat: usize) -> Result<Vec<Belief>, CatalogError>;
    /// Plays an action for a seat that is held from outside.
    ///
    /// # Errors
    /// If the text is no action, or the game does not allow it.
    fn play(&mut self, seat: usize, action: &str) -> Result<(), CatalogError>;
    /// As [`play`](AnyLive::play), an action by its index.
    ///
    /// # Errors
    /// If no legal action has it, or the game does not allow it.
    fn play_index(&mut self, seat: usize, index: usize) -> Result<(), CatalogError>;
    /// Asks the agent whose turn it is, and plays what it chooses.
    ///
    /// # Errors
    /// If nobody can be asked, or it plays against the rules.
    fn step(&mut self) -> Result<(usize, String), CatalogError>;
    /// Hands out the agent whose turn it is, to let it think elsewhere.
    ///
    /// # Errors
    /// If nobody can be asked.
    fn start_thinking(&mut self) -> Result<Box<dyn AnyThinking>, CatalogError>;
    /// Takes the agent back from its thinking and plays what it chose.
    ///
    /// # Errors
    /// If the position has changed since, or the agent plays against the rules.
    fn finish_thinking(&mut self, thought: AnyThought) -> Result<(usize, String), CatalogError>;
    /// Lets any agent look at the game from a seat, after showing it everything that seat saw.
    ///
    /// # Errors
    /// If there is no such seat, or the agent cannot be built or is an oracle.
    fn consult(
        &self,
        seat: usize,
        spec: &str,
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyConsultation>, CatalogError>;
    /// Lets the game's best agent look at the game from a seat: it says what actions are worth.
    ///
    /// # Errors
    /// If there is no such seat.
    fn coach(
        &self,
        seat: usize,
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyConsultation>, CatalogError>;
    /// How the game came to its end, told to somebody; `None` while it goes on.
    fn ending(&self, eyes: Perspective) -> Option<EndingReport>;
    /// The agent that a stranger asks for; see [`AnyRules::public`](crate::AnyRules::public).
    ///
    /// # Errors
    /// If it is not for strangers.
    fn public(&self, spec: &str) -> Result<PublicSpec, SpecError>;
    /// Takes the last actions back.
    ///
    /// # Errors
    /// If fewer were played.
    fn take_back(&mut self, plies: usize) -> Result<(), CatalogError>;
    /// A seat gives the game up.
    ///
    /// # Errors
    /// If the game is over or there is no such seat.
    fn forfeit(&mut self, seat: usize, reason: &str) -> Result<(), CatalogError>;
    /// Gives a seat to the agent of a spec, or to somebody outside.
    ///
    /// # Errors
    /// If there is no such seat or agent.
    fn reseat(
        &mut self,
        seat: usize,
        spec: Option<&str>,
        seeds: &GameSeeds,
    ) -> Result<(), CatalogError>;
    /// Says who plays from outside at a seat; it stands in the record.
    ///
    /// # Errors
    /// If there is no such seat.
    fn rename(&mut self, seat: usize, name: &str) -> Result<(), CatalogError>;
    /// The same game after its first `plies` actions, all seats left to somebody outside.
    ///
    /// # Errors
    /// If fewer were played.
    fn at(&self, plies: usize) -> Result<Box<dyn AnyLive>, CatalogError>;
    /// A copy that goes its own way. Its agents are built afresh and shown what their seats saw; their random streams
    /// are those of `seeds`.
    ///
    /// # Errors
    /// If an agent cannot be built again.
    fn copy(&self, seeds: &GameSeeds) -> Result<Box<dyn AnyLive>, CatalogError>;
    /// What a seat may look at now, to keep while the game goes on.
    ///
    /// # Errors
    /// If there is no such seat.
    fn view(&self, seat: usize) -> Result<Box<dyn Turn>, CatalogError>;
    /// The same with all that the seat has seen since the start, for [searches](Turn::search) by the player.
    ///
    /// # Errors
    /// If there is no such seat.
    fn view_with_past(&self, seat: usize) -> Result<Box<dyn Turn>, CatalogError>;
    /// The game written down as far as it has gone.
    fn record(&self) -> Record;
}

/// An agent about to think away from its game.
pub trait AnyThinking: Send {
    /// Whose turn it is.
    fn seat(&self) -> usize;
    /// Thinks, for as long as it takes or until the switch is pulled.
    fn run(self: Box<Self>, stop: &Stop) -> AnyThought;
}

/// What an agent came to, on its way back to its game.
#[derive(Debug)]
pub struct AnyThought(Box<dyn Any + Send>);

/// An agent that has been shown all that a seat saw, ready to say what it thinks.
pub trait AnyConsultation: Send {
    /// Thinks, for as long as it takes or until the switch is pulled.
    fn run(self: Box<Self>, stop: &Stop) -> InsightReport;
    /// What the actions are expected to be worth, by the agent or by the game's best one; nothing if its seat is not to
    /// move.
    fn evaluate(self: Box<Self>, stop: &Stop) -> Option<EvaluationReport>;
}

pub(crate) struct LiveTable<G: Playable> {
    rules: Arc<Rules<G>>,
    live: Live<G>,
    /// The world before the last action, where that is known: most who ask what happened ask for the last action alone.
    before: Option<G::World>,
    /// A seat that has seen more than this game: what it remembered at the start.
    known: Option<(Seat, G::Memory)>,
    /// By seat, what it remembers after so many actions, as far as somebody has asked: who looks at every position need
    /// not begin at the start each time.
    remembered: RefCell<Vec<Option<Remembered<G>>>>,
    names: Vec<String>,
    /// Where it came from, for the record.
    origin: String,
}

/// What a seat remembers.
#[derive(Clone)]
struct Remembered<G: Playable> {
    plies: usize,
    world: G::World,
    memory: G::Memory,
}

/// What a seat is called that nobody has named.
const PERSON: &str = "person";

impl<G: Playable> LiveTable<G> {
    fn new(
        rules: Arc<Rules<G>>,
        world: G::World,
        seats: &[Option<&str>],
        seeds: &GameSeeds,
        origin: String,
    ) -> Result<LiveTable<G>, CatalogError> {
        let (names, agents) = rules.seat(seats, PERSON)?;
        let live = Live::new(rules.game.clone(), world, agents, seeds);
        Ok(LiveTable::of(rules, live, names, origin))
    }

    fn of(rules: Arc<Rules<G>>, live: Live<G>, names: Vec<String>, origin: String) -> LiveTable<G> {
        let remembered = RefCell::new(vec![None; live.seats()]);
        LiveTable { rules, live, before: None, known: None, remembered, names, origin }
    }

    /// A game that somebody imagines who has seen more than this game.
    pub(crate) fn imagined(
        rules: &Arc<Rules<G>>,
        world: G::World,
        known: (Seat, G::Memory),
    ) -> LiveTable<G> {
        let live = Live::open(rules.game.clone(), world);
        let names = vec![PERSON.to_owned(); live.seats()];
        let table = LiveTable::of(Arc::clone(rules), live, names, String::new());
        LiveTable { known: Some(known), ..table }
    }

    /// What a seat remembers at the start.
    fn first_memory(&self, seat: Seat) -> G::Memory {
        match &self.known {
            Some((who, memory)) if *who == seat => memory.clone(),
            _ => self.live.game().memory(&self.live.start().view(seat)),
        }
    }

    /// A game that was replayed from a record.
    fn replayed(rules: Arc<Rules<G>>, live: Live<G>, record: &Record) -> LiveTable<G> {
        let name = |seat: usize| record.agents.get(seat).cloned().unwrap_or(PERSON.to_owned());
        let names = (0..live.seats()).map(name).collect();
        LiveTable::of(rules, live, names, record.seed.clone())
    }

    fn seat(&self, seat: usize) -> Result<Seat, CatalogError> {
        let seats = self.live.seats();
        if seat < seats {
            return Ok(Seat::new(seat));
        }
        Err(LiveError::NoSeat(seat, seats - 1).into())
    }

    /// The game's best agent at a seat, with its name.
    fn coach_of(
        &self,
        seat: Seat,
        seeds: &GameSeeds,
    ) -> Result<(String, oboro_core::Consultation<G>), CatalogError> {
        let (name, factory) = self.rules.build(self.rules.champion)?;
        Ok((name, self.live.consult(seat, &factory, seeds.agent(seat))?))
    }

    fn check_eyes(&self, eyes: Perspective) -> Result<(), CatalogError> {
        if let Perspective::Seat(seat) = eyes {
            self.seat(seat.index()).map(|_| ())
        } else {
            Ok(())
        }
    }

    /// Lets something be played, and remembers the world before it.
    fn advance<T>(
        &mut self,
        play: impl FnOnce(&mut Live<G>) -> Result<T, LiveError>,
    ) -> Result<T, CatalogError> {
        let (before, plies) = (self.live.world().clone(), self.live.plies());
        let played = play(&mut self.live)?;
        self.before = (self.live.plies() == plies + 1).then_some(before);
        Ok(played)
    }

    /// A world at or before the one after `ply` actions, and after how many actions it is.
    fn world_up_to(&self, ply: usize) -> (usize, G::World) {
        match &self.before {
            Some(before) if ply + 1 == self.live.plies() => (ply, before.clone()),
            _ => (0, self.live.start().clone()),
        }
    }

    fn scene_of(&self, world: &G::World, eyes: Perspective) -> G::Scene {
        let game = self.live.game();
        match eyes {
            Perspective::Seat(seat) => game.scene(&world.view(seat)),
            Perspective::Spectator => game.public_scene(world),
            Perspective::Everything => game.full_scene(world),
        }
    }
}

impl<G: Playable> AnyLive for LiveTable<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> Value {
        json(self.live.game())
    }

    fn seats(&self) -> Vec<SeatReport> {
        let report = |(seat, name): (usize, &String)| SeatReport {
            seat,
            name: name.clone(),
            agent: !self.live.is_outside(Seat::new(seat)),
        };
        self.names.iter().enumerate().map(report).collect()
    }

    fn has_agents(&self) -> bool {
        Seat::all(self.live.seats()).any(|seat| !self.live.is_outside(seat))
    }

    fn to_act(&self) -> Option<usize> {
        self.live.to_act().map(Seat::index)
    }

    fn plies(&self) -> usize {
        self.live.plies()
    }

    fn position(&self) -> String {
        self.live.game().write_position(self.live.world())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.live.outcome()
    }

    fn scene(&self, eyes: Perspective) -> Result<Value, CatalogError> {
        self.check_eyes(eyes)?;
        Ok(json(&self.scene_of(self.live.world(), eyes)))
    }

    fn scene_as_text(&self, eyes: Perspective) -> Result<Box<RawValue>, CatalogError> {
        self.check_eyes(eyes)?;
        Ok(text(&self.scene_of(self.live.world(), eyes)))
    }

    fn drawing(&self, eyes: Perspective) -> Result<String, CatalogError> {
        self.check_eyes(eyes)?;
        Ok(match eyes {
            Perspective::Seat(seat) => self.live.view(seat).to_string(),
            Perspective::Spectator => {
                serde_json::to_string_pretty(&self.scene(eyes)?).expect("a JSON value has a text")
            }
            Perspective::Everything => self.live.world().to_string(),
        })
    }

    fn actions(&self) -> Vec<String> {
        self.live.legal_actions().iter().map(ToString::to_string).collect()
    }

    fn action_indices(&self) -> Vec<usize> {
        let Some(seat) = self.live.to_act() else { return Vec::new() };
        let (game, view) = (self.live.game(), self.live.view(seat));
        let index = |action| game.action_index(&view, action);
        self.live.legal_actions().into_iter().map(index).collect()
    }

    fn described_actions(&self) -> Vec<ActionReport> {
        let Some(seat) = self.live.to_act() else { return Vec::new() };
        let view = self.live.view(seat);
        let report = |action| ActionReport::of(self.live.game(), &view, action);
        self.live.legal_actions().into_iter().map(report).collect()
    }

    fn actions_as_text(&self) -> Box<RawValue> {
        let Some(seat) = self.live.to_act() else { return text(&[(); 0]) };
        let (game, view) = (self.live.game(), &self.live.view(seat));
        text(&Actions { game, view, legal: &self.live.legal_actions() })
    }

    fn story(&self, eyes: Perspective, from: usize) -> Result<Vec<EventReport>, CatalogError> {
        self.check_eyes(eyes)?;
        let game = self.live.game();
        if from >= self.live.plies() {
            return Ok(Vec::new());
        }
        let (after, mut world) = self.world_up_to(from);
        let mut story = Vec::new();
        for (ply, (seat, action)) in self.live.actions().enumerate().skip(after) {
            if ply >= from {
                let event = match eyes {
                    Perspective::Seat(observer) => world.event(action, observer),
                    Perspective::Spectator => game.public_event(&world, action),
                    // Who moves sees all of its own move.
                    Perspective::Everything => world.event(action, seat),
                };
                let told = game.narrate(&self.scene_of(&world, eyes), &event);
                story.push(EventReport {
                    ply: ply + 1,
                    seat: seat.index(),
                    parts: json(&told.parts),
                    text: told.text,
                });
            }
            world.apply(action);
        }
        Ok(story)
    }

    fn secrets(&self, seat: usize) -> Result<Vec<Belief>, CatalogError> {
        let view = self.live.view(self.seat(seat)?);
        Ok(self.live.game().secrets(&view))
    }

    fn play(&mut self, seat: usize, action: &str) -> Result<(), CatalogError> {
        let seat = self.seat(seat)?;
        let action = action.parse::<G::Action>().map_err(CatalogError::Action)?;
        self.advance(|live| live.play(seat, action))
    }

    fn play_index(&mut self, seat: usize, index: usize) -> Result<(), CatalogError> {
        let seat = self.seat(seat)?;
        let action = self.live.game().action_at(&self.live.view(seat), index);
        match (action, self.live.to_act()) {
            (Some(action), _) => self.advance(|live| live.play(seat, action)),
            (None, None) => Err(LiveError::Over.into()),
            (None, Some(turn)) if turn != seat => Err(LiveError::Turn(seat, turn).into()),
            (None, Some(_)) => {
                Err(CatalogError::NoAction { index: index as i64, seat: seat.index() })
            }
        }
    }

    fn step(&mut self) -> Result<(usize, String), CatalogError> {
        let (seat, action) = self.advance(Live::step)?;
        Ok((seat.index(), action.to_string()))
    }

    fn start_thinking(&mut self) -> Result<Box<dyn AnyThinking>, CatalogError> {
        Ok(Box::new(self.live.start_thinking()?))
    }

    fn finish_thinking(&mut self, thought: AnyThought) -> Result<(usize, String), CatalogError> {
        let thought = thought.0.downcast::<oboro_core::Thought<G>>();
        let thought = thought.map_err(|_| CatalogError::ForeignThought)?;
        let (seat, action) = self.advance(|live| live.finish_thinking(*thought))?;
        Ok((seat.index(), action.to_string()))
    }

    fn consult(
        &self,
        seat: usize,
        spec: &str,
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyConsultation>, CatalogError> {
        let seat = self.seat(seat)?;
        let (agent, factory) = self.rules.build(spec)?;
        let consultation = self.live.consult(seat, &factory, seeds.agent(seat))?;
        let baseline = self.live.game().secrets(&self.live.view(seat));
        let is_champion = agent.split(':').next() == Some(self.rules.champion);
        let coach = if is_champion { None } else { Some(self.coach_of(seat, seeds)?) };
        Ok(Box::new(Consulted { agent, seat, baseline, consultation, coach }))
    }

    fn coach(
        &self,
        seat: usize,
        seeds: &GameSeeds,
    ) -> Result<Box<dyn AnyConsultation>, CatalogError> {
        self.consult(seat, self.rules.champion, seeds)
    }

    fn ending(&self, eyes: Perspective) -> Option<EndingReport> {
        self.live.outcome()?;
        let viewer = if let Perspective::Seat(seat) = eyes { Some(seat) } else { None };
        let forfeit = self.live.record().forfeit;
        let reasons = match &forfeit {
            None => self.live.game().ending(self.live.world(), viewer),
            Some(_) => Vec::new(),
        };
        let forfeit = forfeit.map(|(seat, reason)| ForfeitReport { seat: seat.index(), reason });
        Some(EndingReport { reasons, forfeit })
    }

    fn public(&self, spec: &str) -> Result<PublicSpec, SpecError> {
        crate::AnyRules::public(&self.rules, spec)
    }

    fn take_back(&mut self, plies: usize) -> Result<(), CatalogError> {
        self.before = None;
        self.remembered.get_mut().fill(None);
        Ok(self.live.take_back(plies)?)
    }

    fn forfeit(&mut self, seat: usize, reason: &str) -> Result<(), CatalogError> {
        Ok(self.live.forfeit(self.seat(seat)?, one_line(reason))?)
    }

    fn reseat(
        &mut self,
        seat: usize,
        spec: Option<&str>,
        seeds: &GameSeeds,
    ) -> Result<(), CatalogError> {
        let seat = self.seat(seat)?;
        let built = spec.map(|spec| self.rules.build(spec)).transpose()?;
        let (name, agent) = built.map_or((PERSON.to_owned(), None), |(n, f)| (n, Some(f)));
        self.live.reseat(seat, agent, seeds.agent(seat))?;
        self.names[seat.index()] = name;
        Ok(())
    }

    fn rename(&mut self, seat: usize, name: &str) -> Result<(), CatalogError> {
        let seat = self.seat(seat)?;
        self.names[seat.index()] = one_line(name).replace('|', "/");
        Ok(())
    }

    fn at(&self, plies: usize) -> Result<Box<dyn AnyLive>, CatalogError> {
        let (names, origin) = (self.names.clone(), self.origin.clone());
        let table = LiveTable::of(Arc::clone(&self.rules), self.live.at(plies)?, names, origin);
        Ok(Box::new(LiveTable { known: self.known.clone(), ..table }))
    }

    fn copy(&self, seeds: &GameSeeds) -> Result<Box<dyn AnyLive>, CatalogError> {
        let mut live = self.live.at(self.live.plies())?;
        for seat in Seat::all(self.live.seats()).filter(|&seat| !self.live.is_outside(seat)) {
            let (_, factory) = self.rules.build(&self.names[seat.index()])?;
            live.reseat(seat, Some(factory), seeds.agent(seat))?;
        }
        if let Some((seat, reason)) = self.live.forfeited() {
            live.forfeit(*seat, reason.clone())?;
        }
        Ok(Box::new(LiveTable {
            rules: Arc::clone(&self.rules),
            live,
            before: self.before.clone(),
            known: self.known.clone(),
            remembered: self.remembered.clone(),
            names: self.names.clone(),
            origin: self.origin.clone(),
        }))
    }

    fn view(&self, seat: usize) -> Result<Box<dyn Turn>, CatalogError> {
        let seat = self.seat(seat)?;
        let game = self.live.game();
        let mut all = self.remembered.borrow_mut();
        let start = || Remembered {
            plies: 0,
            world: self.live.start().clone(),
            memory: self.first_memory(seat),
        };
        let Remembered { plies, world, memory } = all[seat.index()].get_or_insert_with(start);
        for (_, action) in self.live.actions().skip(*plies) {
            game.remember(memory, &world.view(seat), &world.event(action, seat));
            world.apply(action);
        }
        *plies = self.live.plies();
        let (view, now) = (self.live.view(seat), (self.live.plies(), 0));
        Ok(ViewTurn::new(&self.rules, &view, memory, now).keep())
    }

    fn view_with_past(&self, seat: usize) -> Result<Box<dyn Turn>, CatalogError> {
        let seat = self.seat(seat)?;
        let (game, mut world) = (self.live.game(), self.live.start().clone());
        let start = (world.view(seat), self.first_memory(seat));
        let (mut memory, mut seen) = (start.1.clone(), Vec::with_capacity(self.live.plies()));
        for (_, action) in self.live.actions() {
            let (before, event) = (world.view(seat), world.event(action, seat));
            game.remember(&mut memory, &before, &event);
            seen.push((before, event));
            world.apply(action);
        }
        let turn = ViewTurn::owned(&self.rules, world.view(seat), memory, self.live.plies());
        Ok(Box::new(turn.with_past(Past { start, seen })))
    }

    fn record(&self) -> Record {
        Record {
            rules: self.rules.changed(),
            seed: self.origin.clone(),
            agents: self.names.clone(),
            ..self.live.record()
        }
    }
}

impl<G: GameScenes> AnyThinking for oboro_core::Thinking<G> {
    fn seat(&self) -> usize {
        oboro_core::Thinking::seat(self).index()
    }

    fn run(self: Box<Self>, stop: &Stop) -> AnyThought {
        AnyThought(Box::new(oboro_core::Thinking::run(*self, stop)))
    }
}

struct Consulted<G: GameScenes> {
    agent: String,
    seat: Seat,
    baseline: Vec<Belief>,
    consultation: oboro_core::Consultation<G>,
    /// The game's best agent with its name, where it is another one.
    coach: Option<(String, oboro_core::Consultation<G>)>,
}

impl<G: GameScenes> Consulted<G> {
    fn evaluation(&mut self, stop: &Stop) -> Option<EvaluationReport> {
        if let Some(own) = self.consultation.estimate(stop) {
            return Some(EvaluationReport::new(self.agent.clone(), &own));
        }
        let (name, coach) = self.coach.as_mut()?;
        coach.estimate(stop).map(|estimates| EvaluationReport::new(name.clone(), &estimates))
    }
}

impl<G: GameScenes> AnyConsultation for Consulted<G> {
    fn run(mut self: Box<Self>, stop: &Stop) -> InsightReport {
        let evaluation = self.evaluation(stop);
        let insight = self.consultation.run(stop);
        InsightReport {
            agent: self.agent,
            seat: self.seat.index(),
            analysis: insight.analysis.map(Into::into),
            evaluation,
            beliefs: insight.beliefs,
            baseline: self.baseline,
        }
    }

    fn evaluate(mut self: Box<Self>, stop: &Stop) -> Option<EvaluationReport> {
        self.evaluation(stop)
    }
}
