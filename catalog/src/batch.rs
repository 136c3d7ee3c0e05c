//! Many games stepped together: what fills the batches of a program that learns.

use crate::CatalogError;
use crate::rules::Rules;
use crate::turn::Playable;
use oboro_core::{
    EncodingLayout, Factory, GameWorld, Live, LiveError, ObservationBuffer, Record, Rng, Seat,
    Seed, SpecError, Symmetry,
};
use std::sync::Arc;

/// What a batch is to be.
///
/// ```
/// use oboro_catalog::{NewBatch, rules};
/// use oboro_core::Seed;
///
/// let seats = &[None, Some("random")];
/// let wanted = NewBatch { games: 3, seats, seed: Seed::from_u64(1), threads: 1, cut: None };
/// let mut batch = rules("geister", &[], None)?.batch(&wanted)?;
/// let mut actions = [0; 3];
/// batch.sample(&mut actions)?; // a legal action for the seat to move of each game
/// let mut row = vec![0; batch.layout().observation.len()];
/// batch.look(2, 0, &mut row)?; // what seat 0 of the last game sees
/// assert!(row.iter().any(|&byte| byte > 0));
/// # Ok::<(), oboro_catalog::CatalogError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct NewBatch<'a> {
    /// How many games are played at once.
    pub games: usize,
    /// Who holds each seat: the spec of an agent, or nobody here.
    pub seats: &'a [Option<&'a str>],
    /// Where everything random comes from. The n-th deal of slot `i` of `games` slots is deal `i + n * games` of this seed.
    pub seed: Seed,
    /// How many threads step them; 0 for one per core. Results do not depend on it.
    pub threads: usize,
    /// A game is cut off after this many actions.
    pub cut: Option<u32>,
}

/// Games for programs that learn.
pub trait AnyBatches {
    /// The shapes of the game's encoding.
    fn layout(&self) -> Arc<EncodingLayout>;
    /// The ways to turn or rename everything that leave the game the same game.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// Many games stepped together.
    ///
    /// # Errors
    /// If the seats cannot be filled so, or none is left to somebody outside.
    fn batch(&self, wanted: &NewBatch<'_>) -> Result<Box<dyn AnyBatch>, CatalogError>;
}

impl<G: Playable> AnyBatches for Arc<Rules<G>> {
    fn layout(&self) -> Arc<EncodingLayout> {
        Arc::clone(&self.layout)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.game.symmetries()
    }

    fn batch(&self, wanted: &NewBatch<'_>) -> Result<Box<dyn AnyBatch>, CatalogError> {
        Ok(Box::new(Batch::new(self, wanted)?))
    }
}

/// Where a batch writes what it shows, one row per game.
#[derive(Debug)]
pub struct BatchRows<'a> {
    /// The planes of the seat to move.
    pub planes: &'a mut [u8],
    /// The features of the seat to move.
    pub features: &'a mut [u8],
    /// 1 for each number that a legal action has.
    pub masks: &'a mut [u8],
    /// Whose turn it is.
    pub seats: &'a mut [u8],
    /// What the game that the last step ended was worth to each seat; zeros if it ended none.
    pub rewards: &'a mut [f32],
    /// Whether the last step ended a game (1), or it was cut off (2); the row then shows the next deal.
    pub done: &'a mut [u8],
}

/// Games stepped together by all cores, of whatever game. A game that ends is dealt anew at once.
pub trait AnyBatch: Send {
    /// The shapes of the game's encoding.
    fn layout(&self) -> &EncodingLayout;
    /// How many games are played at once.
    fn games(&self) -> usize;
    /// How many seats each has.
    fn seats(&self) -> usize;
    /// Deals all games anew, as if just made with this seed.
    ///
    /// # Errors
    /// If an agent plays against the rules.
    fn reset(&mut self, seed: &Seed) -> Result<(), CatalogError>;
    /// Writes what there is to see now.
    ///
    /// # Errors
    /// If a row has another length than the layout says.
    fn show(&mut self, rows: BatchRows<'_>) -> Result<(), CatalogError>;
    /// Plays one action per game, given by its number, lets the agents at other seats answer, deals finished
    /// games anew, and writes what there is to see then.
    ///
    /// # Errors
    /// If an action is not legal: nothing is played in any game then. Or if a row has another length.
    fn step(&mut self, actions: &[u32], rows: BatchRows<'_>) -> Result<(), CatalogError>;
    /// Writes what is hidden from the seat to move of each game, planes first: for critics and the targets of
    /// beliefs, not for players.
    ///
    /// # Errors
    /// If the rows have another length.
    fn truth(&mut self, rows: &mut [u8]) -> Result<(), CatalogError>;
    /// A legal action for each game, every one equally likely, from streams of the batch's own.
    ///
    /// # Errors
    /// If there is another number of places.
    fn sample(&mut self, actions: &mut [u32]) -> Result<(), CatalogError>;
    /// Writes what one seat of one game sees, whoever is to move; planes first.
    ///
    /// # Errors
    /// If there is no such game, or no such seat that is held from outside, or the row has another length.
    fn look(&self, game: usize, seat: usize, row: &mut [u8]) -> Result<(), CatalogError>;
    /// One of the games written down as far as it has gone.
    ///
    /// # Errors
    /// If there is no such game.
    fn record(&self, game: usize) -> Result<Record, CatalogError>;
}

/// One place of a batch, with the game that is played there now.
struct Slot<G: Playable> {
    live: Live<G>,
    /// What the seats remember; used for those held from outside.
    memories: Vec<G::Memory>,
    /// The deal that comes next.
    deal: u64,
    sampler: Rng,
    next: Option<G::Action>,
    rewards: Vec<f32>,
    done: u8,
}

impl<G: Playable> Slot<G> {
    /// Who is to move, and what it sees.
    fn turn(&self) -> (Seat, G::View) {
        let seat = self.live.to_act().expect("what is over is dealt anew");
        (seat, self.live.view(seat))
    }
}

/// What all slots of a batch have in common.
struct Setting<G: Playable> {
    rules: Arc<Rules<G>>,
    layout: Arc<EncodingLayout>,
    agents: Vec<Option<Factory<G>>>,
    names: Vec<String>,
    seed: Seed,
    cut: Option<u32>,
    games: usize,
}

struct Batch<G: Playable> {
    table: Setting<G>,
    slots: Vec<Slot<G>>,
    /// `None` if one thread does it all.
    pool: Option<rayon::ThreadPool>,
}

/// Handing work to another thread costs more than to step so few games.
const GRAIN: usize = 32;

fn fault(message: impl Into<String>) -> CatalogError {
    CatalogError::Spec(SpecError(message.into()))
}

impl<G: Playable> Batch<G> {
    fn new(rules: &Arc<Rules<G>>, wanted: &NewBatch<'_>) -> Result<Batch<G>, CatalogError> {
        if wanted.games == 0 {
            return Err(fault("a batch has at least one game"));
        }
        if wanted.seats.iter().all(Option::is_some) {
            return Err(fault("a batch has at least one seat that no agent holds"));
        }
        if wanted.cut == Some(0) {
            return Err(fault("a game is cut off after at least one action"));
        }
        let (names, agents) = rules.seat(wanted.seats, "outside")?;
        let threads = match wanted.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let pool = (threads > 1 && wanted.games > GRAIN)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .map_err(|error| fault(format!("no threads for the batch: {error}")))?;
        let table = Setting {
            rules: Arc::clone(rules),
            layout: Arc::clone(&rules.layout),
            agents,
            names,
            seed: wanted.seed,
            cut: wanted.cut,
            games: wanted.games,
        };
        let mut batch = Batch { table, slots: Vec::new(), pool };
        batch.reset(&wanted.seed)?;
        Ok(batch)
    }

    /// Does something to every slot and its rows, on all threads; the fault of the first slot that has one.
    fn each<R: Rows>(
        &mut self,
        rows: R,
        work: impl Fn(&Setting<G>, &mut Slot<G>, R) -> Result<(), CatalogError> + Sync,
    ) -> Result<(), CatalogError> {
        let (table, slots) = (&self.table, &mut self.slots[..]);
        let widths = rows.widths(slots.len());
        match &self.pool {
            None => divide(table, slots, rows, widths, &work),
            Some(pool) => pool.install(|| divide(table, slots, rows, widths, &work)),
        }
    }

    fn check_rows(&self, rows: &BatchRows<'_>) -> Result<(), CatalogError> {
        let shape = &self.table.layout.observation;
        let wanted = [
            ("planes", rows.planes.len(), shape.plane_bytes()),
            ("features", rows.features.len(), shape.features.len()),
            ("masks", rows.masks.len(), self.table.layout.actions),
            ("seats", rows.seats.len(), 1),
            ("rewards", rows.rewards.len(), self.seats()),
            ("done", rows.done.len(), 1),
        ];
        wanted.into_iter().try_for_each(|(name, given, each)| self.check_len(name, given, each))
    }

    fn check_len(&self, name: &str, given: usize, each: usize) -> Result<(), CatalogError> {
        let games = self.table.games;
        if given == games * each {
            return Ok(());
        }
        Err(CatalogError::Shape {
            path: name.to_owned(),
            message: format!("{given} values, but {games} games have {each} each"),
        })
    }

    fn slot(&self, game: usize) -> Result<&Slot<G>, CatalogError> {
        let last = self.table.games - 1;
        let fault = || fault(format!("there is no game {game}: games go from 0 to {last}"));
        self.slots.get(game).ok_or_else(fault)
    }
}

/// Halves the work until a piece is small enough for one thread.
fn divide<G: Playable, R: Rows>(
    table: &Setting<G>,
    slots: &mut [Slot<G>],
    rows: R,
    widths: R::Widths,
    work: &(impl Fn(&Setting<G>, &mut Slot<G>, R) -> Result<(), CatalogError> + Sync),
) -> Result<(), CatalogError> {
    let mut rows = rows;
    if slots.len() > GRAIN && rayon::current_thread_index().is_some() {
        let half = slots.len() / 2;
        let first = rows.take(widths, half);
        let (left, right) = slots.split_at_mut(half);
        let (a, b) = rayon::join(
            || divide(table, left, first, widths, work),
            || divide(table, right, rows, widths, work),
        );
        return a.and(b);
    }
    for slot in slots {
        work(table, slot, rows.take(widths, 1))?;
    }
    Ok(())
}

/// Rows of several games that can be divided among threads.
trait Rows: Sized + Send {
    /// How long the rows of one game are.
    type Widths: Copy + Send + Sync;
    /// How long the rows of one game are if these are those of so many.
    fn widths(&self, games: usize) -> Self::Widths;
    /// Takes the rows of the first so many games off.
    fn take(&mut self, widths: Self::Widths, games: usize) -> Self;
}

const ENOUGH: &str = "there are rows for every game";

impl<T: Send> Rows for &mut [T] {
    type Widths = usize;

    fn widths(&self, games: usize) -> usize {
        self.len() / games
    }

    #[inline]
    fn take(&mut self, width: usize, games: usize) -> Self {
        self.split_off_mut(..width * games).expect(ENOUGH)
    }
}

impl<T: Sync> Rows for &[T] {
    type Widths = usize;

    fn widths(&self, games: usize) -> usize {
        self.len() / games
    }

    #[inline]
    fn take(&mut self, width: usize, games: usize) -> Self {
        self.split_off(..width * games).expect(ENOUGH)
    }
}

impl Rows for BatchRows<'_> {
    type Widths = [usize; 6];

    fn widths(&self, games: usize) -> [usize; 6] {
        let bytes = [&self.planes, &self.features, &self.masks, &self.seats, &self.done];
        let [planes, features, masks, seats, done] = bytes.map(|bytes| bytes.len() / games);
        [planes, features, masks, seats, self.rewards.len() / games, done]
    }

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "twelve numbers that need not go through memory; measured"
    )]
    fn take(&mut self, widths: [usize; 6], games: usize) -> Self {
        let [planes, features, masks, seats, rewards, done] = widths;
        BatchRows {
            planes: self.planes.take(planes, games),
            features: self.features.take(features, games),
            masks: self.masks.take(masks, games),
            seats: self.seats.take(seats, games),
            rewards: self.rewards.take(rewards, games),
            done: self.done.take(done, games),
        }
    }
}

impl<G: Playable> Setting<G> {
    fn deal(&self, number: u64) -> Live<G> {
        let seeds = self.seed.game(number, number);
        let game = &self.rules.game;
        let world = game.deal_numbered(number, &mut seeds.deal());
        Live::new(game.clone(), world, self.agents.clone(), &seeds)
    }

    /// A slot with its first deal.
    fn open(&self, place: u64) -> Result<Slot<G>, CatalogError> {
        let live = self.deal(place);
        let mut slot = Slot {
            memories: self.memories(&live),
            live,
            deal: place,
            sampler: self.seed.child("sample").game(place, place).deal(),
            next: None,
            rewards: vec![0.0; self.agents.len()],
            done: 0,
        };
        self.settle(&mut slot)?;
        slot.done = 0;
        Ok(slot)
    }

    fn memories(&self, live: &Live<G>) -> Vec<G::Memory> {
        Seat::all(live.seats()).map(|seat| self.rules.game.memory(&live.view(seat))).collect()
    }

    /// Plays an action of a seat held from outside.
    fn play(&self, slot: &mut Slot<G>, action: G::Action) -> Result<(), CatalogError> {
        let seat = slot.live.to_act().ok_or(LiveError::Over)?;
        self.remember(&mut slot.memories, slot.live.world(), action);
        Ok(slot.live.play(seat, action)?)
    }

    /// Lets the agent play whose turn it is.
    fn ask(&self, slot: &mut Slot<G>) -> Result<(), CatalogError> {
        let before = slot.live.world().clone();
        let (_, action) = slot.live.step()?;
        self.remember(&mut slot.memories, &before, action);
        Ok(())
    }

    /// Every seat held from outside takes note of an action about to be played.
    fn remember(&self, memories: &mut [G::Memory], before: &G::World, action: G::Action) {
        for (seat, memory) in Seat::all(self.agents.len()).zip(memories) {
            if self.agents[seat.index()].is_none() {
                let event = before.event(action, seat);
                self.rules.game.remember(memory, &before.view(seat), &event);
            }
        }
    }

    /// Lets agents move, and deals anew what is over, until somebody outside is to move.
    #[inline]
    fn settle(&self, slot: &mut Slot<G>) -> Result<(), CatalogError> {
        loop {
            let turn = slot.live.to_act();
            if turn.is_none() || self.cut.is_some_and(|cut| slot.live.plies() >= cut as usize) {
                self.deal_anew(slot);
            } else if turn.is_some_and(|seat| slot.live.is_outside(seat)) {
                return Ok(());
            } else {
                self.ask(slot)?;
            }
        }
    }

    /// Notes what a game was worth that is over or cut off, and begins the next.
    #[cold]
    fn deal_anew(&self, slot: &mut Slot<G>) {
        let is_over = slot.live.to_act().is_none();
        slot.done = if is_over { 1 } else { 2 };
        for (seat, reward) in Seat::all(self.agents.len()).zip(&mut slot.rewards) {
            *reward = if is_over { slot.live.world().payoff(seat) as f32 } else { 0.0 };
        }
        slot.deal += self.games as u64;
        slot.live = self.deal(slot.deal);
        slot.memories = self.memories(&slot.live);
    }

    fn show(&self, slot: &Slot<G>, rows: &mut BatchRows<'_>) {
        let game = &self.rules.game;
        let (seat, view) = slot.turn();
        if !G::WRITES_ALL {
            rows.planes.fill(0);
            rows.features.fill(0);
        }
        let out = ObservationBuffer { planes: &mut *rows.planes, features: &mut *rows.features };
        game.encode(&view, &slot.memories[seat.index()], out);
        rows.masks.fill(0);
        game.mark_legal(&view, rows.masks);
        rows.seats[0] = seat.index() as u8;
        rows.rewards.copy_from_slice(&slot.rewards);
        rows.done[0] = slot.done;
    }
}

impl<G: Playable> AnyBatch for Batch<G> {
    fn layout(&self) -> &EncodingLayout {
        &self.table.layout
    }

    fn games(&self) -> usize {
        self.table.games
    }

    fn seats(&self) -> usize {
        self.table.agents.len()
    }

    fn reset(&mut self, seed: &Seed) -> Result<(), CatalogError> {
        self.table.seed = *seed;
        let places = 0..self.table.games as u64;
        self.slots = places.map(|place| self.table.open(place)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn show(&mut self, rows: BatchRows<'_>) -> Result<(), CatalogError> {
        self.check_rows(&rows)?;
        self.each(rows, |table, slot, mut rows| {
            table.show(slot, &mut rows);
            Ok(())
        })
    }

    fn step(&mut self, actions: &[u32], rows: BatchRows<'_>) -> Result<(), CatalogError> {
        self.check_len("actions", actions.len(), 1)?;
        self.check_rows(&rows)?;
        self.each(actions, |table, slot, number| {
            let (seat, view) = slot.turn();
            slot.next = table.rules.game.action_at(&view, number[0] as usize);
            if slot.next.is_some() {
                return Ok(());
            }
            let place = slot.deal % table.games as u64;
            // As the caller wrote it: a learner's -1 is no 4294967295.
            let action = number[0] as i32;
            Err(fault(format!("game {place}: action {action} is not legal for seat {seat}")))
        })?;
        self.each(rows, |table, slot, mut rows| {
            slot.done = 0;
            slot.rewards.fill(0.0);
            if let Some(action) = slot.next.take() {
                table.play(slot, action)?;
            }
            table.settle(slot)?;
            table.show(slot, &mut rows);
            Ok(())
        })
    }

    fn truth(&mut self, rows: &mut [u8]) -> Result<(), CatalogError> {
        self.check_len("truth", rows.len(), self.table.layout.truth.len())?;
        self.each(rows, |table, slot, row| {
            row.fill(0);
            let out = ObservationBuffer::split(&table.layout.truth, row);
            table.rules.game.encode_truth(slot.live.world(), slot.turn().0, out);
            Ok(())
        })
    }

    fn sample(&mut self, actions: &mut [u32]) -> Result<(), CatalogError> {
        self.check_len("actions", actions.len(), 1)?;
        self.each(actions, |table, slot, out| {
            let action = slot.live.world().random_action(&mut slot.sampler);
            out[0] = table.rules.game.action_index(&slot.turn().1, action) as u32;
            Ok(())
        })
    }

    fn look(&self, game: usize, seat: usize, row: &mut [u8]) -> Result<(), CatalogError> {
        let slot = self.slot(game)?;
        let shape = &self.table.layout.observation;
        if seat >= self.seats() {
            return Err(LiveError::NoSeat(seat, self.seats() - 1).into());
        }
        if self.table.agents[seat].is_some() {
            return Err(LiveError::Held(Seat::new(seat)).into());
        }
        if row.len() != shape.len() {
            let message = format!("{} values, but an observation has {}", row.len(), shape.len());
            return Err(CatalogError::Shape { path: "row".to_owned(), message });
        }
        row.fill(0);
        let view = slot.live.view(Seat::new(seat));
        self.table.rules.game.encode(
            &view,
            &slot.memories[seat],
            ObservationBuffer::split(shape, row),
        );
        Ok(())
    }

    fn record(&self, game: usize) -> Result<Record, CatalogError> {
        let slot = self.slot(game)?;
        Ok(Record {
            rules: self.table.rules.changed(),
            agents: self.table.names.clone(),
            seed: format!("{} deal {}", self.table.seed, slot.deal),
            ..slot.live.record()
        })
    }
}
