//! Many games stepped together: what fills the batches of a program that learns.

use crate::rules::Rules;
use crate::turn::{Turn, ViewTurn};
use crate::{CatalogError, memory};
use oboro_core::{
    EncodingLayout, Factory, GameWorld, Live, LiveError, ObservationBuffer, Record, Rng, Seat,
    Seed, SpecError, Stop, Symmetry, stopping,
};
use oboro_player::Playable;
use std::sync::{Arc, Mutex, PoisonError};

/// What a batch is to be.
///
/// ```
/// use oboro_catalog::{NewBatch, rules};
/// use oboro_core::Seed;
///
/// let seats = &[None, Some("random")];
/// let wanted = NewBatch { games: 3, seats, seed: Seed::from_u64(1), ..NewBatch::default() };
/// let mut batch = rules("geister", &[], None)?.batch(&wanted)?;
/// let mut actions = [0; 3];
/// batch.sample(&mut actions)?; // a legal action for the seat to move of each game
/// let mut row = vec![0; batch.layout().observation.len()];
/// batch.look(2, 0, &mut row)?; // what seat 0 of the last game sees
/// assert!(row.iter().any(|&byte| byte > 0));
/// # Ok::<(), oboro_catalog::CatalogError>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewBatch<'a> {
    /// How many games are played at once.
    pub games: usize,
    /// Who holds each seat: the spec of an agent, or nobody here.
    pub seats: &'a [Option<&'a str>],
    /// Where everything random comes from. The n-th deal of slot `i` of `games` slots is deal `i + n * games` of this seed.
    pub seed: Seed,
    /// How many threads step them; 0 for one per core. Where no agent thinks, each is given 128 games at least. Results do not
    /// depend on it.
    pub threads: usize,
    /// A game is truncated after this many actions.
    pub truncation: Option<u32>,
    /// Whether rewards are payoffs less the mean of the other seats' payoffs, so that they add up to 0.
    pub zero_sum: bool,
    /// Ends the thinking of agents while the first deals are made; see [`AnyBatch::watch`].
    pub stop: Option<Stop>,
}

impl Default for NewBatch<'_> {
    /// One game without anybody; the seats have to be said.
    fn default() -> Self {
        let seed = Seed::from_u64(1);
        NewBatch {
            games: 1,
            seats: &[],
            seed,
            threads: 0,
            truncation: None,
            zero_sum: false,
            stop: None,
        }
    }
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
    /// Whether the last step ended a game (1), or truncated it (2); the row then shows the next deal.
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
    /// Agents of the batch think under this switch from now on. What it stops in the middle of a step fails, and
    /// the games have to be reset.
    fn watch(&mut self, stop: Stop);
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
    fn step(&mut self, actions: &[i64], rows: BatchRows<'_>) -> Result<(), CatalogError>;
    /// Writes the privileged state, what is hidden from the seat to move of each game, planes first: for critics and the
    /// targets of beliefs, not for players.
    ///
    /// # Errors
    /// If the rows have another length.
    fn privileged(&mut self, rows: &mut [u8]) -> Result<(), CatalogError>;
    /// A legal action for each game, every one equally likely, from streams of the batch's own.
    ///
    /// # Errors
    /// If there is another number of places.
    fn sample(&mut self, actions: &mut [i64]) -> Result<(), CatalogError>;
    /// Writes what one seat of one game sees, whoever is to move; planes first.
    ///
    /// # Errors
    /// If there is no such game, or no such seat that is held from outside, or the row has another length.
    fn look(&self, game: usize, seat: usize, row: &mut [u8]) -> Result<(), CatalogError>;
    /// As [`look`](AnyBatch::look), at the end of the game that the last step ended or truncated.
    ///
    /// # Errors
    /// As [`look`](AnyBatch::look), and if the last step did not end that game.
    fn look_at_end(&self, game: usize, seat: usize, row: &mut [u8]) -> Result<(), CatalogError>;
    /// What one seat of one game may look at now, to keep while the game goes on.
    ///
    /// # Errors
    /// If there is no such game, or no such seat that is held from outside.
    fn view(&self, game: usize, seat: usize) -> Result<Box<dyn Turn>, CatalogError>;
    /// One of the games written down as far as it has gone.
    ///
    /// # Errors
    /// If there is no such game.
    fn record(&self, game: usize) -> Result<Record, CatalogError>;
    /// The game written down that the last step ended or truncated.
    ///
    /// # Errors
    /// If there is no such game, or the last step did not end it.
    fn record_of_end(&self, game: usize) -> Result<Record, CatalogError>;
}

/// A game of a batch.
struct Played<G: Playable> {
    live: Live<G>,
    /// What the seats remember; used for those held from outside.
    memories: Vec<G::Memory>,
    /// Which deal it is.
    deal: u64,
}

/// One place of a batch, with the game that is played there now.
struct Slot<G: Playable> {
    now: Played<G>,
    /// The game that the last step ended or truncated.
    ended: Option<Played<G>>,
    sampler: Rng,
    next: Option<G::Action>,
    rewards: Vec<f32>,
    done: u8,
}

impl<G: Playable> Slot<G> {
    /// Who is to move, and what it sees.
    fn turn(&self) -> (Seat, G::View) {
        let seat = self.now.live.to_act().expect("what is over is dealt anew");
        (seat, self.now.live.view(seat))
    }

    /// Forgets how the last step ended.
    fn turn_over(&mut self) {
        self.ended = None;
        self.done = 0;
        self.rewards.fill(0.0);
    }
}

/// What all slots of a batch have in common.
struct Setting<G: Playable> {
    rules: Arc<Rules<G>>,
    layout: Arc<EncodingLayout>,
    agents: Vec<Option<Factory<G>>>,
    names: Vec<String>,
    seed: Seed,
    truncation: Option<u32>,
    zero_sum: bool,
    games: usize,
    /// How many games a thread takes at a time.
    piece: usize,
    /// Ends the thinking of agents.
    stop: Option<Stop>,
}

struct Batch<G: Playable> {
    table: Setting<G>,
    slots: Vec<Slot<G>>,
    /// `None` if the caller's thread does it all.
    pool: Option<Pool>,
    /// A step failed in its middle: some games have been played on and others not.
    is_torn: bool,
}

/// Threads that help the caller's, and the process that they are in: a forked child has none of its parent's.
struct Pool {
    helpers: rayon::ThreadPool,
    process: u32,
}

impl Pool {
    fn new(helpers: usize) -> Result<Pool, CatalogError> {
        let helpers = rayon::ThreadPoolBuilder::new().num_threads(helpers).build();
        let helpers = helpers.map_err(|error| fault(format!("no threads for the batch: {error}")));
        Ok(Pool { helpers: helpers?, process: std::process::id() })
    }

    /// Hands pieces of work out to the caller's thread and to those that help it; the fault of the first piece that has one.
    ///
    /// The caller begins before anybody has woken. Each thread begins with a share of its own, the same in every step, so that
    /// games stay in the cache of its core; who has finished takes what others have left, from the end.
    fn share<P: Send>(
        &self,
        pieces: impl Iterator<Item = P>,
        work: impl Fn(P) -> Result<(), CatalogError> + Sync,
    ) -> Result<(), CatalogError> {
        let pieces: Vec<_> = pieces.map(|piece| Mutex::new(Some(piece))).collect();
        let first: Mutex<Option<(usize, CatalogError)>> = Mutex::new(None);
        let helpers = self.helpers.current_num_threads();
        let begin = |thread: usize| thread * pieces.len() / (helpers + 1);
        let take_part = |thread: usize| {
            let own = begin(thread)..begin(thread + 1);
            for place in own.chain((0..pieces.len()).rev()) {
                let mut held = pieces[place].lock().unwrap_or_else(PoisonError::into_inner);
                let Some(piece) = held.take() else { continue };
                drop(held);
                if let Err(error) = work(piece) {
                    let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|(known, _)| place < *known) {
                        *first = Some((place, error));
                    }
                }
            }
        };
        self.helpers.in_place_scope(|scope| {
            for _ in 0..helpers {
                scope.spawn(|_| take_part(rayon::current_thread_index().map_or(0, |own| own + 1)));
            }
            take_part(0);
        });
        let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
        first.map_or(Ok(()), |(_, error)| Err(error))
    }
}

/// To wake another thread costs more than to step so few games among which no agent thinks.
const GRAIN: usize = 128;

/// So many of them are taken at a time: a thread that comes late then finds less to do.
const PIECE: usize = 32;

/// So many games one after the other that end before anybody outside is to move: none ever will be.
const HOPELESS: usize = 1000;

/// How many actions of a game there should be memory for.
const HISTORY: usize = 64;

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
        if wanted.truncation == Some(0) {
            return Err(fault("a game is truncated after at least one action"));
        }
        let what = || format!("{} games of {}", wanted.games, G::NAME);
        memory::check(what, bytes_of_game(rules).checked_mul(wanted.games as u64))?;
        let (names, agents) = rules.seat(wanted.seats, "outside")?;
        let threads = match wanted.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let has_agents = agents.iter().any(Option::is_some);
        let (grain, piece) = if has_agents { (1, 1) } else { (GRAIN, PIECE) };
        let threads = threads.min(wanted.games / grain);
        let pool = (threads > 1).then(|| Pool::new(threads - 1)).transpose()?;
        let table = Setting {
            rules: Arc::clone(rules),
            layout: Arc::clone(&rules.layout),
            agents,
            names,
            seed: wanted.seed,
            truncation: wanted.truncation,
            zero_sum: wanted.zero_sum,
            games: wanted.games,
            piece,
            stop: wanted.stop.clone(),
        };
        let mut batch = Batch { table, slots: Vec::new(), pool, is_torn: false };
        batch.reset(&wanted.seed)?;
        Ok(batch)
    }

    /// Does something to every slot and its rows, on all threads; the fault of the first slot that has one.
    fn each<R: Rows>(
        &mut self,
        rows: R,
        work: impl Fn(&Setting<G>, &mut Slot<G>, R) -> Result<(), CatalogError> + Sync,
    ) -> Result<(), CatalogError> {
        if self.is_torn {
            return Err(fault("the last step failed in its middle: reset the games"));
        }
        self.revive()?;
        let (table, slots) = (&self.table, &mut self.slots[..]);
        let widths = rows.widths(slots.len());
        let all = |slots: &mut [Slot<G>], mut rows: R| {
            slots.iter_mut().try_for_each(|slot| work(table, slot, rows.take(widths, 1)))
        };
        let Some(pool) = &self.pool else { return all(slots, rows) };
        let mut rest = rows;
        let pieces = slots.chunks_mut(table.piece).map(|slots| {
            let rows = rest.take(widths, slots.len());
            (slots, rows)
        });
        pool.share(pieces, |(slots, rows)| all(slots, rows))
    }

    /// Makes the threads anew in a process that was forked since.
    fn revive(&mut self) -> Result<(), CatalogError> {
        match &mut self.pool {
            Some(pool) if pool.process != std::process::id() => {
                let living = Pool::new(pool.helpers.current_num_threads())?;
                // Nobody is left to be told that the old ones are not needed.
                std::mem::forget(std::mem::replace(pool, living));
                Ok(())
            }
            _ => Ok(()),
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

    fn ended(&self, game: usize) -> Result<&Played<G>, CatalogError> {
        let fault = || fault(format!("game {game} was not ended by the last step"));
        self.slot(game)?.ended.as_ref().ok_or_else(fault)
    }

    /// A seat that is held from outside.
    fn outside(&self, seat: usize) -> Result<Seat, CatalogError> {
        match self.table.agents.get(seat) {
            None => Err(LiveError::NoSeat(seat, self.seats() - 1).into()),
            Some(Some(_)) => Err(LiveError::Held(Seat::new(seat)).into()),
            Some(None) => Ok(Seat::new(seat)),
        }
    }

    /// Writes what a seat sees of a game.
    fn write(&self, played: &Played<G>, seat: usize, row: &mut [u8]) -> Result<(), CatalogError> {
        let (shape, seat) = (&self.table.layout.observation, self.outside(seat)?);
        if row.len() != shape.len() {
            let message = format!("{} values, but an observation has {}", row.len(), shape.len());
            return Err(CatalogError::Shape { path: "row".to_owned(), message });
        }
        row.fill(0);
        let (view, out) = (played.live.view(seat), ObservationBuffer::split(shape, row));
        self.table.rules.game.encode(&view, &played.memories[seat.index()], out);
        Ok(())
    }

    fn write_down(&self, played: &Played<G>) -> Record {
        Record {
            rules: self.table.rules.changed(),
            agents: self.table.names.clone(),
            seed: format!("{} deal {}", self.table.seed, played.deal),
            ..played.live.record()
        }
    }
}

/// About how many bytes a game of a batch takes at least, with its rows.
fn bytes_of_game<G: Playable>(rules: &Rules<G>) -> u64 {
    let (seats, layout) = (rules.game.seats(), &rules.layout);
    let rows = layout.observation.len() + layout.truth.len() + layout.actions + 12 * seats + 16;
    let history = HISTORY * size_of::<(Seat, G::Action, Option<Rng>)>();
    (size_of::<Slot<G>>() + seats * size_of::<G::Memory>() + history + rows) as u64
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
    fn deal(&self, number: u64) -> Played<G> {
        let seeds = self.seed.game(number, number);
        let game = &self.rules.game;
        let world = game.deal_numbered(number, &mut seeds.deal());
        let live = Live::new(game.clone(), world, self.agents.clone(), &seeds);
        let seats = Seat::all(live.seats());
        let memories = seats.map(|seat| game.memory(&live.view(seat))).collect();
        Played { live, memories, deal: number }
    }

    /// A slot with its first deal.
    fn open(&self, place: u64) -> Result<Slot<G>, CatalogError> {
        let mut slot = Slot {
            now: self.deal(place),
            ended: None,
            sampler: self.seed.child("sample").game(place, place).deal(),
            next: None,
            rewards: vec![0.0; self.agents.len()],
            done: 0,
        };
        self.watched(|| self.settle(&mut slot))?;
        slot.turn_over();
        Ok(slot)
    }

    /// Plays an action of a seat held from outside.
    fn play(&self, slot: &mut Slot<G>, action: G::Action) -> Result<(), CatalogError> {
        let Played { live, memories, .. } = &mut slot.now;
        let seat = live.to_act().ok_or(LiveError::Over)?;
        self.remember(memories, live.world(), action);
        Ok(live.play(seat, action)?)
    }

    /// Lets the agent play whose turn it is.
    fn ask(&self, slot: &mut Slot<G>) -> Result<(), CatalogError> {
        let before = slot.now.live.world().clone();
        let (_, action) = slot.now.live.step()?;
        if stopping() {
            return Err(CatalogError::Stopped);
        }
        self.remember(&mut slot.now.memories, &before, action);
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
        let mut dealt = 0;
        loop {
            let live = &slot.now.live;
            let turn = live.to_act();
            if turn.is_none() || self.truncation.is_some_and(|most| live.plies() >= most as usize) {
                self.deal_anew(slot);
                dealt += 1;
                if dealt == HOPELESS {
                    return Err(fault("games end before a seat without an agent is to move"));
                }
            } else if turn.is_some_and(|seat| live.is_outside(seat)) {
                return Ok(());
            } else {
                self.ask(slot)?;
            }
        }
    }

    /// Does something during which agents may think.
    fn watched<T>(&self, work: impl FnOnce() -> T) -> T {
        match &self.stop {
            Some(stop) => stop.watch(work),
            None => work(),
        }
    }

    /// Keeps a game that is over or truncated with what it was worth, and begins the next. Of several that end before
    /// somebody outside is to move, the first is kept: the others are nobody's.
    #[cold]
    fn deal_anew(&self, slot: &mut Slot<G>) {
        let next = self.deal(slot.now.deal + self.games as u64);
        let ended = std::mem::replace(&mut slot.now, next);
        if slot.done != 0 {
            return;
        }
        let is_over = ended.live.to_act().is_none();
        slot.done = if is_over { 1 } else { 2 };
        if is_over {
            let payoff = |seat: usize| ended.live.world().payoff(Seat::new(seat));
            let sum: f64 = (0..self.agents.len()).map(payoff).sum();
            let others = (self.agents.len() - 1).max(1) as f64;
            for (seat, reward) in slot.rewards.iter_mut().enumerate() {
                let own = payoff(seat);
                let fair = if self.zero_sum { (sum - own) / others } else { 0.0 };
                *reward = (own - fair) as f32;
            }
        }
        slot.ended = Some(ended);
    }

    fn show(&self, slot: &Slot<G>, rows: &mut BatchRows<'_>) {
        let game = &self.rules.game;
        let (seat, view) = slot.turn();
        if !G::WRITES_ALL {
            rows.planes.fill(0);
            rows.features.fill(0);
        }
        let out = ObservationBuffer { planes: &mut *rows.planes, features: &mut *rows.features };
        game.encode(&view, &slot.now.memories[seat.index()], out);
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

    fn watch(&mut self, stop: Stop) {
        self.table.stop = Some(stop);
    }

    fn reset(&mut self, seed: &Seed) -> Result<(), CatalogError> {
        self.revive()?;
        self.table.seed = *seed;
        self.is_torn = true;
        let table = &self.table;
        let mut dealt: Vec<Option<Slot<G>>> = (0..table.games).map(|_| None).collect();
        let open = |(first, slots): (usize, &mut [Option<Slot<G>>])| -> Result<(), CatalogError> {
            for (place, slot) in (first as u64..).zip(slots) {
                *slot = Some(table.open(place)?);
            }
            Ok(())
        };
        match &self.pool {
            None => open((0, &mut dealt[..]))?,
            Some(pool) => {
                let pieces = dealt.chunks_mut(table.piece).enumerate();
                pool.share(pieces.map(|(n, slots)| (n * table.piece, slots)), open)?;
            }
        }
        self.slots = dealt.into_iter().flatten().collect();
        self.is_torn = false;
        Ok(())
    }

    fn show(&mut self, rows: BatchRows<'_>) -> Result<(), CatalogError> {
        self.check_rows(&rows)?;
        self.each(rows, |table, slot, mut rows| {
            table.show(slot, &mut rows);
            Ok(())
        })
    }

    fn step(&mut self, actions: &[i64], rows: BatchRows<'_>) -> Result<(), CatalogError> {
        self.check_len("actions", actions.len(), 1)?;
        self.check_rows(&rows)?;
        self.each(actions, |table, slot, index| {
            let (seat, view) = slot.turn();
            let place = usize::try_from(index[0]).ok();
            slot.next = place.and_then(|place| table.rules.game.action_at(&view, place));
            if slot.next.is_some() {
                return Ok(());
            }
            let game = (slot.now.deal % table.games as u64) as usize;
            let error = CatalogError::NoAction { index: index[0], seat: seat.index() };
            Err(CatalogError::InGame(game, Box::new(error)))
        })?;
        let played = self.each(rows, |table, slot, mut rows| {
            slot.turn_over();
            if let Some(action) = slot.next.take() {
                table.play(slot, action)?;
            }
            table.watched(|| table.settle(slot))?;
            table.show(slot, &mut rows);
            Ok(())
        });
        self.is_torn = played.is_err();
        played
    }

    fn privileged(&mut self, rows: &mut [u8]) -> Result<(), CatalogError> {
        self.check_len("privileged state", rows.len(), self.table.layout.truth.len())?;
        self.each(rows, |table, slot, row| {
            row.fill(0);
            let out = ObservationBuffer::split(&table.layout.truth, row);
            table.rules.game.encode_truth(slot.now.live.world(), slot.turn().0, out);
            Ok(())
        })
    }

    fn sample(&mut self, actions: &mut [i64]) -> Result<(), CatalogError> {
        self.check_len("actions", actions.len(), 1)?;
        self.each(actions, |table, slot, out| {
            let action = slot.now.live.world().random_action(&mut slot.sampler);
            out[0] = table.rules.game.action_index(&slot.turn().1, action) as i64;
            Ok(())
        })
    }

    fn look(&self, game: usize, seat: usize, row: &mut [u8]) -> Result<(), CatalogError> {
        self.write(&self.slot(game)?.now, seat, row)
    }

    fn look_at_end(&self, game: usize, seat: usize, row: &mut [u8]) -> Result<(), CatalogError> {
        self.write(self.ended(game)?, seat, row)
    }

    fn view(&self, game: usize, seat: usize) -> Result<Box<dyn Turn>, CatalogError> {
        let Played { live, memories, .. } = &self.slot(game)?.now;
        let seat = self.outside(seat)?;
        let (view, memory, now) = (live.view(seat), &memories[seat.index()], (live.plies(), 0));
        Ok(ViewTurn::new(&self.table.rules, &view, memory, now).keep())
    }

    fn record(&self, game: usize) -> Result<Record, CatalogError> {
        Ok(self.write_down(&self.slot(game)?.now))
    }

    fn record_of_end(&self, game: usize) -> Result<Record, CatalogError> {
        Ok(self.write_down(self.ended(game)?))
    }
}
