use crate::delegate::Delegate;
use crate::encoding::{AnyMemory, EncodingAdapter};
use crate::external::{ExternalAgents, adapters};
use crate::lineup::Seated;
use crate::live::LiveTable;
use crate::{AnyBatch, AnyDelegate, AnyLive, CatalogError, InsightReport, Lineup, NewBatch};
use oboro_core::{
    AgentEntry, EncodingLayout, Factory, GameScenes, GameSeeds, GameWorld, Live, LiveError, Record,
    Replay, ReplayError, Seat, SeatView, Seed, Spec, SpecError, Stop, Symmetry,
};
use std::sync::Arc;

/// A game with its rules chosen: agents sit down, positions are looked at.
pub trait AnyRules: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The rule options that differ from the defaults, as `key=value` separated by commas.
    fn changed(&self) -> String;
    /// How many seats there are.
    fn seats(&self) -> usize;
    /// The figures that finished games report besides payoffs.
    fn facts(&self) -> &'static [oboro_core::FactInfo];
    /// The same rules at a table to which players from outside may come: wherever the spec of an agent is expected,
    /// one of theirs may stand.
    fn allow_external(&self, external: Arc<dyn ExternalAgents>) -> Arc<dyn AnyRules>;
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
    /// Many games stepped together, for programs that learn.
    ///
    /// # Errors
    /// If the seats cannot be filled so, or none is left to somebody outside.
    fn batch(&self, wanted: &NewBatch<'_>) -> Result<Box<dyn AnyBatch>, CatalogError>;
    /// What the numbers of the game mean; `None` for a game that has none yet.
    fn layout(&self) -> Option<Arc<EncodingLayout>>;
    /// The ways to turn or rename everything that leave the game the same game, for a game that has numbers.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// An agent of ours for a seat at somebody else's table; everything random that it does comes from `seed`.
    ///
    /// # Errors
    /// If there is no such seat, or the agent cannot be built or is an oracle.
    fn delegate(
        &self,
        spec: &str,
        seat: usize,
        seed: u64,
    ) -> Result<Box<dyn AnyDelegate>, CatalogError>;
    /// A dealt position.
    fn deal(&self, number: u64, seed: &Seed) -> String;
    /// A drawing of a position: as a seat sees it, or with nothing hidden.
    ///
    /// # Errors
    /// If the text is no position, or the game has no such seat.
    fn show(&self, position: &str, seat: Option<usize>) -> Result<String, CatalogError>;
    /// Whose turn it is and what it may do; `None` when the game is over.
    ///
    /// # Errors
    /// If the text is no position.
    fn moves(&self, position: &str) -> Result<Option<(Seat, Vec<String>)>, CatalogError>;
    /// The position after an action.
    ///
    /// # Errors
    /// If the position or the action cannot be read, or the action is not legal.
    fn after(&self, position: &str, action: &str) -> Result<String, CatalogError>;
    /// Another position that a seat cannot tell from this one, drawn at random.
    ///
    /// # Errors
    /// If the text is no position, or the game has no such seat.
    fn imagine(&self, position: &str, seat: usize, seed: &Seed) -> Result<String, CatalogError>;
    /// What an agent that knows nothing of the game so far thinks of a position, as the seat to move.
    ///
    /// # Errors
    /// If the text is no position, the game is over, or the agent cannot be built.
    fn analyse(
        &self,
        position: &str,
        spec: &str,
        seed: &Seed,
    ) -> Result<InsightReport, CatalogError>;
    /// Steps through a record, calling `visit` with the drawing after each action, and checks it.
    ///
    /// # Errors
    /// If the record is no game by these rules.
    fn replay(&self, record: &Record, visit: ReplayVisitor<'_>) -> Result<(), ReplayError>;
}

/// Called with nothing at the start of a replay and with each action after it was played, and a way to
/// draw the world.
pub type ReplayVisitor<'a> = &'a mut dyn FnMut(Option<(Seat, String)>, &dyn Fn() -> String);

/// What is behind [`AnyRules`].
pub(crate) struct Rules<G: GameScenes> {
    pub(crate) game: G,
    agents: Arc<Vec<AgentEntry<G>>>,
    numbers: Option<(EncodingAdapter<G>, Arc<EncodingLayout>)>,
    external: Option<Arc<dyn ExternalAgents>>,
}

pub(crate) type Batcher<G> =
    fn(&Arc<Rules<G>>, &NewBatch<'_>) -> Result<Box<dyn AnyBatch>, CatalogError>;

impl<G: GameScenes> Rules<G> {
    pub(crate) fn new(
        game: G,
        agents: Vec<AgentEntry<G>>,
        numbers: Option<EncodingAdapter<G>>,
    ) -> Rules<G> {
        let numbers = numbers.map(|door| {
            let layout = Arc::new((door.layout)(&game));
            (door, layout)
        });
        Rules { game, agents: Arc::new(agents), numbers, external: None }
    }

    /// What a seat remembers that saw the start of a game; `None` if the game has no numbers.
    pub(crate) fn memory(&self, start: &G::View) -> Option<Box<dyn AnyMemory<G>>> {
        let (door, layout) = self.numbers.as_ref()?;
        Some((door.memory)(&self.game, layout, start))
    }

    /// The canonical spec and the factory of an agent.
    pub(crate) fn build(&self, spec: &str) -> Result<(String, Factory<G>), SpecError> {
        if let Some(found) = self.external.as_ref().and_then(|external| external.find(spec)) {
            let (canonical, factory) = found?;
            return Ok((canonical, adapters(&self.game, self.numbers.clone(), factory)));
        }
        let parsed: Spec =
            spec.parse().map_err(|error| SpecError(format!("agent `{spec}`: {error}")))?;
        let (canonical, factory) = AgentEntry::resolve(&self.agents, &self.game, &parsed)?;
        Ok((canonical.to_string(), factory))
    }

    pub(crate) fn changed(&self) -> String {
        oboro_core::changed_params(&self.game)
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect::<Vec<_>>()
            .join(",")
    }

    pub(crate) fn check_count(&self, given: usize) -> Result<(), SpecError> {
        let seats = self.game.seats();
        if given == seats {
            return Ok(());
        }
        Err(SpecError(format!(
            "{} has {seats} seats under these rules, but {given} agents were given",
            G::NAME
        )))
    }

    pub(crate) fn read(&self, position: &str) -> Result<G::World, CatalogError> {
        self.game.parse_position(position.trim()).map_err(CatalogError::Position)
    }
}

impl<G: GameScenes> AnyRules for Arc<Rules<G>> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn changed(&self) -> String {
        Rules::changed(self)
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn facts(&self) -> &'static [oboro_core::FactInfo] {
        self.game.facts()
    }

    fn allow_external(&self, external: Arc<dyn ExternalAgents>) -> Arc<dyn AnyRules> {
        let (game, agents) = (self.game.clone(), Arc::clone(&self.agents));
        let (numbers, external) = (self.numbers.clone(), Some(external));
        Arc::new(Arc::new(Rules { game, agents, numbers, external }))
    }

    fn lineup(&self, specs: &[&str]) -> Result<Box<dyn Lineup>, SpecError> {
        self.check_count(specs.len())?;
        let built = specs.iter().map(|spec| self.build(spec)).collect::<Result<Vec<_>, _>>()?;
        let (specs, factories) = built.into_iter().unzip();
        Ok(Box::new(Seated { rules: Arc::clone(self), specs, factories }))
    }

    fn canonical(&self, spec: &str) -> Result<String, SpecError> {
        self.build(spec).map(|(canonical, _)| canonical)
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

    fn batch(&self, wanted: &NewBatch<'_>) -> Result<Box<dyn AnyBatch>, CatalogError> {
        let numbers = self.numbers.as_ref().ok_or_else(|| {
            SpecError(format!("{} has no numbers for programs that learn yet", G::NAME))
        })?;
        (numbers.0.batch)(self, wanted)
    }

    fn layout(&self) -> Option<Arc<EncodingLayout>> {
        self.numbers.as_ref().map(|(_, layout)| Arc::clone(layout))
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.numbers.as_ref().map_or_else(Vec::new, |(door, _)| (door.symmetries)(&self.game))
    }

    fn delegate(
        &self,
        spec: &str,
        seat: usize,
        seed: u64,
    ) -> Result<Box<dyn AnyDelegate>, CatalogError> {
        Ok(Box::new(Delegate::new(self, spec, seat, seed)?))
    }

    fn deal(&self, number: u64, seed: &Seed) -> String {
        let mut rng = seed.game(number, number).deal();
        self.game.write_position(&self.game.deal_numbered(number, &mut rng))
    }

    fn show(&self, position: &str, seat: Option<usize>) -> Result<String, CatalogError> {
        let world = self.read(position)?;
        match seat {
            None => Ok(world.to_string()),
            Some(seat) if seat < self.seats() => Ok(world.view(Seat::new(seat)).to_string()),
            Some(seat) => Err(LiveError::NoSeat(seat, self.seats() - 1).into()),
        }
    }

    fn moves(&self, position: &str) -> Result<Option<(Seat, Vec<String>)>, CatalogError> {
        let live = Live::open(self.game.clone(), self.read(position)?);
        let actions = live.legal_actions().iter().map(ToString::to_string).collect();
        Ok(live.to_act().map(|seat| (seat, actions)))
    }

    fn after(&self, position: &str, action: &str) -> Result<String, CatalogError> {
        let mut live = Live::open(self.game.clone(), self.read(position)?);
        let action = action.parse::<G::Action>().map_err(CatalogError::Action)?;
        live.play(live.to_act().ok_or(LiveError::Over)?, action)?;
        Ok(self.game.write_position(live.world()))
    }

    fn imagine(&self, position: &str, seat: usize, seed: &Seed) -> Result<String, CatalogError> {
        let world = self.read(position)?;
        if seat >= self.seats() {
            return Err(LiveError::NoSeat(seat, self.seats() - 1).into());
        }
        let mut rng = seed.game(0, 0).agent(Seat::new(seat));
        Ok(self.game.write_position(&world.view(Seat::new(seat)).imagine(&mut rng)))
    }

    fn analyse(
        &self,
        position: &str,
        spec: &str,
        seed: &Seed,
    ) -> Result<InsightReport, CatalogError> {
        let seeds = seed.game(0, 0);
        let live = self.live_at(position, &vec![None; self.seats()], &seeds)?;
        let seat = live.to_act().ok_or(LiveError::Over)?;
        Ok(live.consult(seat, spec, &seeds)?.run(&Stop::new()))
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
