use super::field::Field;
use super::search::Search;
use super::ways::{End, Network, Ways};
use crate::{Action, Board, Bounds, Card, Cell, Goal, Goals, OpenEnds, Saboteur, Side, Tile};
use std::sync::Arc;

/// How good the mine is for the diggers: how many cards they are short of the gold.
///
/// Every open end counts for itself, by the number of cards from there to the goal and by how many
/// of the cards to come lead on from it; a mine with several ways is safer than one with a single
/// way.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Prospect<'a> {
    pub(in crate::agents) rules: Saboteur,
    /// How likely the gold is under each goal.
    pub(in crate::agents) gold: [f64; 3],
    pub(in crate::agents) outlook: &'a Outlook,
}

/// More cards than any way is long: there is none.
const NO_WAY: f64 = 16.0;

/// Whether the logarithm of a chance cannot be higher than another's, rounded as they are.
pub(super) fn is_clearly_less(chance: f64, other: f64) -> bool {
    chance < other * (1.0 - 1e-9)
}

/// What can be hoped for of open ends, by the path cards that may still come.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Outlook {
    /// The chance to get one card further on a way, all in all, and its logarithm.
    fade: f64,
    log_fade: f64,
    /// A little more than the chance of the gold where there is as good as no way to it.
    no_chance: f64,
    /// How many chances there are to draw a card that leads on.
    tries: u32,
    /// How many cards may still come.
    all: u8,
    /// How many of them are in each set of passable cards, a bit each.
    of: [u8; 1 << Card::PASSABLE],
    /// By the number of cards that may still come.
    misses: Arc<[Misses]>,
}

/// The chance to fail at an open end, by the number of cards that lead nearer to the goal and by the
/// distance to it.
type Misses = [[f64; Outlook::NEAR]; Outlook::CARDS];

impl Outlook {
    /// One more than there are passable cards.
    const CARDS: usize = 32;
    /// One more than there are path cards.
    const ALL: u8 = 41;
    /// Distances that are worked out beforehand.
    const NEAR: usize = 16;

    /// From the numbers of the cards that may still come, by card.
    pub(in crate::agents) fn new(fade: f64, tries: u32, counts: &[u8; Card::PATHS]) -> Outlook {
        let log_fade = libm::log(fade);
        let mut outlook = Outlook {
            fade,
            log_fade,
            no_chance: if fade > 0.0 {
                libm::exp(NO_WAY * log_fade) * 1.001
            } else {
                f64::INFINITY
            },
            tries,
            all: 0,
            of: [0; 1 << Card::PASSABLE],
            misses: Arc::default(),
        };
        let misses = |all: u8| -> Misses {
            outlook.all = all;
            std::array::from_fn(|useful| {
                let mut chance = outlook.chance(useful as u8);
                [0.0; Outlook::NEAR].map(|_| {
                    let miss = 1.0 - chance;
                    chance *= fade;
                    miss
                })
            })
        };
        outlook.misses = (0..Outlook::ALL).map(misses).collect();
        outlook.update(counts);
        outlook
    }

    /// Takes other numbers of cards.
    pub(in crate::agents) fn update(&mut self, counts: &[u8; Card::PATHS]) {
        self.all = counts.iter().sum();
        for (card, &count) in counts[..Card::PASSABLE].iter().enumerate() {
            // The sets with this card as their last are those before it, with it.
            let (without, with) = self.of.split_at_mut(1 << card);
            for (with, without) in with.iter_mut().zip(without) {
                *with = *without + count;
            }
        }
    }

    /// The chance that somebody soon has one of so many cards.
    #[inline]
    fn chance(&self, useful: u8) -> f64 {
        let lacking = 1.0 - f64::from(useful) / f64::from(self.all.max(1));
        1.0 - (0..self.tries).fold(1.0, |none, _| none * lacking)
    }

    /// How many cards the diggers are short of the gold, by their chance of it.
    fn short(&self, value: f64) -> f64 {
        if value > 0.0 { (libm::log(value) / self.log_fade).min(NO_WAY) } else { NO_WAY }
    }

    /// Whether the diggers are nearer to the gold with one chance of it than they were with another.
    pub(super) fn is_nearer(&self, before: f64, after: f64) -> bool {
        if is_clearly_less(after, before) {
            return false;
        }
        if after > self.no_chance && is_clearly_less(before, after) {
            return true;
        }
        self.short(before) - self.short(after) > 0.0
    }

    /// What the numbers of cards come to.
    #[inline]
    pub(super) fn chances(&self) -> Chances<'_> {
        Chances { outlook: self, misses: &self.misses[usize::from(self.all)] }
    }
}

/// The chances by one outlook.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances<'a> {
    outlook: &'a Outlook,
    misses: &'a Misses,
}

impl Chances<'_> {
    /// The chance to fail at an open end so many cards from the goal, where these cards lead
    /// nearer to it.
    #[inline]
    pub(super) fn miss(self, distance: u8, cards: u8) -> f64 {
        let useful = self.outlook.of[usize::from(cards % (1 << Card::PASSABLE))];
        match self.misses[usize::from(useful)].get(usize::from(distance)) {
            Some(&miss) => miss,
            None => self.far_miss(distance, useful),
        }
    }

    #[cold]
    fn far_miss(self, distance: u8, useful: u8) -> f64 {
        let Outlook { fade, .. } = *self.outlook;
        1.0 - (0..distance).fold(self.outlook.chance(useful), |chance, _| chance * fade)
    }
}

/// A mine as the diggers see it: where its ways end, and how far each end is from each goal.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Survey<'a, const W: usize> {
    ways: Ways<'a, W>,
    search: Search<W>,
    /// For each open end.
    misses: [Fails; OpenEnds::MOST],
    filling: Filling,
    /// What rocks can fall on, once it is asked for.
    network: Option<Network<W>>,
    /// The chance of the gold.
    value: f64,
    /// How many cards the diggers are short of it.
    short: f64,
}

/// The chance to fail somewhere, by goal. One more place makes all of them fit in two registers.
type Fails = [f64; 4];

/// The chance to fail everywhere.
#[inline]
fn product(fails: &[Fails]) -> Fails {
    fails.iter().fold([1.0; 4], |all, one| std::array::from_fn(|goal| all[goal] * one[goal]))
}

/// An open end that is filled with a card: what is the same whichever card it is.
#[derive(Clone, Debug)]
struct Filling {
    /// The bit of the cell, if one was filled.
    bit: Option<u8>,
    /// The open ends that are left and the empty cells beside it, those with the highest bits first.
    ends: [End; Filling::ENDS],
    /// For each of them; what is beside it is set for each card.
    misses: [Fails; Filling::ENDS],
    count: usize,
    beside: [Beside; 4],
    beside_count: usize,
}

/// An empty cell beside the one that is filled.
#[derive(Clone, Copy, Debug)]
struct Beside {
    /// The side of the filled cell it lies on.
    side: Side,
    was_end: bool,
    /// Its place among the ends.
    place: usize,
    /// If the card is closed towards it, and if it is open.
    misses: [Fails; 2],
}

impl Filling {
    /// Room for all open ends, and for the cells beside one.
    const ENDS: usize = OpenEnds::MOST + 4;
    /// No cell is filled.
    const NONE: Filling = Filling {
        bit: None,
        ends: [End { bit: 0, demand: 0 }; Filling::ENDS],
        misses: [[0.0; 4]; Filling::ENDS],
        count: 0,
        beside: [Beside { side: Side::Left, was_end: false, place: 0, misses: [[0.0; 4]; 2] }; 4],
        beside_count: 0,
    };

    #[inline]
    fn push(&mut self, end: End, miss: Fails) {
        self.ends[self.count] = end;
        self.misses[self.count] = miss;
        self.count += 1;
    }

    #[inline]
    fn push_beside(&mut self, side: Side, was_end: bool, end: End) {
        let beside = &mut self.beside[self.beside_count];
        (beside.side, beside.was_end, beside.place) = (side, was_end, self.count);
        self.beside_count += 1;
        self.ends[self.count] = end;
        self.count += 1;
    }
}

impl<'a, const W: usize> Survey<'a, W> {
    /// Surveys a mine.
    #[inline]
    pub(in crate::agents) fn new(prospect: &'a Prospect<'a>, board: &'a Board) -> Self {
        let ways = Ways::new(prospect, board);
        let search = Search::new(&ways.loose, ways.empty);
        let mut misses = [[0.0; 4]; OpenEnds::MOST];
        for goal in prospect.likely().iter() {
            for (miss, &end) in misses.iter_mut().zip(ways.ends()) {
                miss[goal.index()] = search.miss(ways.chances, end, goal, 0);
            }
        }
        let value = prospect.value(Goals::NONE, product(&misses[..ways.ends().len()]));
        let (filling, short) = (Filling::NONE, prospect.outlook.short(value));
        Survey { ways, search, misses, filling, network: None, value, short }
    }

    /// The chance of the gold.
    pub(super) fn value(&self) -> f64 {
        self.value
    }

    /// How many cards the diggers are short of the gold.
    pub(in crate::agents) fn short(&self) -> f64 {
        self.short
    }

    /// How many cards nearer to the gold an action brings the diggers.
    pub(in crate::agents) fn progress(&mut self, action: Action) -> f64 {
        let chance = self.after(action);
        self.progress_to(chance)
    }

    /// How many cards nearer to the gold the diggers are when they have this chance of it.
    pub(super) fn progress_to(&self, chance: f64) -> f64 {
        self.short - self.ways.prospect.outlook.short(chance)
    }

    /// The chance of the gold after an action.
    pub(super) fn after(&mut self, action: Action) -> f64 {
        let Ways { prospect, board, .. } = self.ways;
        match action {
            Action::Dig { tile, at } => match Field::<W>::bit(at) {
                Some(bit) if !board.joins_loose(at, tile) => {
                    if self.filling.bit != Some(bit) {
                        self.fill(at, bit);
                    }
                    self.after_tile(tile, board.touches(at, tile))
                }
                _ => self.after_change(action),
            },
            Action::RockFall { at } => {
                if self.network.is_none() {
                    self.network = Network::new(&self.ways);
                }
                match (&self.network, Field::<W>::bit(at)) {
                    (Some(network), Some(bit)) => {
                        prospect.value_by(&self.ways.without(network, bit), Goals::NONE)
                    }
                    _ => self.after_change(action),
                }
            }
            _ => self.value,
        }
    }

    /// The same, worked out afresh.
    fn after_change(&self, action: Action) -> f64 {
        let Ways { prospect, board, .. } = self.ways;
        let mut board = *board;
        let touched = board.change(prospect.rules, action);
        prospect.value_by(&Ways::<W>::new(prospect, &board), touched)
    }

    /// Fills an open end.
    fn fill(&mut self, at: Cell, bit: u8) {
        let Survey { ways, search, misses, filling, .. } = self;
        (filling.bit, filling.count, filling.beside_count) = (Some(bit), 0, 0);
        let old = ways.ends();
        let mut i = 0;
        for side in [Some(Side::Down), Some(Side::Right), None, Some(Side::Left), Some(Side::Up)] {
            let next = side.map_or(bit, |side| Field::<W>::next(bit, side));
            while i < old.len() && old[i].bit > next {
                filling.push(old[i], misses[i]);
                i += 1;
            }
            let was_end = i < old.len() && old[i].bit == next;
            i += usize::from(was_end);
            if let Some(side) = side.filter(|_| ways.empty.has(next)) {
                filling.push_beside(side, was_end, End::new(ways.board, at.next(side), next));
            }
        }
        for i in i..old.len() {
            filling.push(old[i], misses[i]);
        }
        let likely = ways.prospect.likely();
        let beside = &mut filling.beside[..filling.beside_count];
        // Ways get longer if it was the only next step of one of the cells beside it. What is further
        // off goes through one of those.
        let is_step = |goal: &Goal| {
            beside.iter().any(|beside| {
                let bit = filling.ends[beside.place].bit;
                search.found(bit, *goal).nearer == 1 << beside.side.opposite() as u8
            })
        };
        let longer: Goals =
            if ways.is_cut() { likely } else { likely.iter().filter(is_step).collect() };
        let other = (!longer.is_empty()).then(|| {
            let mut rest = ways.empty;
            rest.remove(bit);
            Search::new(&ways.loose, rest)
        });
        for goal in likely.iter() {
            let other = other.as_ref().filter(|_| longer.has(goal));
            if let Some(search) = other {
                let ends = &filling.ends[..filling.count];
                for (miss, &end) in filling.misses.iter_mut().zip(ends) {
                    miss[goal.index()] = search.miss(ways.chances, end, goal, 0);
                }
            }
            let search = other.unwrap_or(search);
            for beside in &mut *beside {
                let behind = beside.side.opposite();
                let end = filling.ends[beside.place];
                let found = search.found(end.bit, goal);
                let miss = |is_open| {
                    found.miss(ways.chances, end.beside(behind, is_open), 1 << behind as u8)
                };
                beside.misses[0][goal.index()] = if beside.was_end { miss(false) } else { 1.0 };
                beside.misses[1][goal.index()] = miss(true);
            }
        }
    }

    /// The chance of the gold when the filled cell has this tile, which joins nothing but itself and
    /// these goals to the start.
    fn after_tile(&mut self, tile: Tile, touched: Goals) -> f64 {
        let Filling { beside, beside_count, misses, count, .. } = &mut self.filling;
        for beside in &beside[..*beside_count] {
            let is_end = beside.was_end || tile.is_passable();
            let is_open = is_end && tile.sides().has(beside.side);
            misses[beside.place] = beside.misses[usize::from(is_open)];
        }
        self.ways.prospect.value(touched, product(&misses[..*count]))
    }
}

/// How many cards nearer to the gold one action brings the diggers.
pub(in crate::agents) fn progress(prospect: &Prospect<'_>, board: &Board, action: Action) -> f64 {
    let mut changed = *board;
    let touched = changed.change(prospect.rules, action);
    let before = prospect.chance(board, Goals::NONE);
    let after = prospect.chance(&changed, touched);
    prospect.outlook.short(before) - prospect.outlook.short(after)
}

impl Prospect<'_> {
    /// The goals under which the gold may be.
    fn likely(&self) -> Goals {
        Goal::ALL.into_iter().filter(|goal| self.gold[goal.index()] > 0.0).collect()
    }

    /// The chance of the gold in a mine whose `touched` goals are about to be turned up.
    pub(super) fn chance(&self, board: &Board, touched: Goals) -> f64 {
        match self.rules.bounds {
            Bounds::Paper => self.value_by(&Ways::<1>::new(self, board), touched),
            Bounds::Three => self.value_by(&Ways::<2>::new(self, board), touched),
            Bounds::None => self.value_by(&Ways::<3>::new(self, board), touched),
        }
    }

    /// The chance of the gold by the ways of a mine whose `touched` goals are about to be turned up.
    fn value_by<const W: usize>(&self, ways: &Ways<'_, W>, touched: Goals) -> f64 {
        let search = Search::new(&ways.loose, ways.empty);
        let mut misses = [1.0; 4];
        for goal in self.likely().iter() {
            let ends = ways.ends().iter();
            let each = ends.map(|&end| search.miss(ways.chances, end, goal, 0));
            misses[goal.index()] = each.product();
        }
        self.value(touched, misses)
    }

    /// The chance of the gold, by the chance to fail at all ways to each goal; those that are touched
    /// are as good as reached.
    #[inline]
    fn value(&self, touched: Goals, misses: Fails) -> f64 {
        let mut value = 0.0;
        for goal in Goal::ALL {
            let likely = self.gold[goal.index()];
            if touched.has(goal) {
                value += likely;
            } else if likely > 0.0 {
                value += likely * (1.0 - misses[goal.index()]);
            }
        }
        value
    }
}
