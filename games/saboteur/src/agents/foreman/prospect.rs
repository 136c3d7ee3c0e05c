use super::field::Field;
use crate::{
    Action, Board, Bounds, Card, Cell, Goal, Goals, OpenEnds, Saboteur, Side, Sides, Tile, leading,
};

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

/// What can be hoped for of open ends, by the path cards that may still come.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Outlook {
    /// The chance to get one card further on a way, all in all, and its logarithm.
    fade: f64,
    log_fade: f64,
    /// How many chances there are to draw a card that leads on.
    tries: u32,
    /// How many cards may still come.
    all: u8,
    /// How many of them are in each set of passable cards, a bit each.
    of: [u8; 1 << Card::PASSABLE],
    /// The chance to fail at an open end, by the number of cards that lead nearer to the goal and
    /// by the distance to it.
    misses: [[f64; Outlook::NEAR]; Outlook::CARDS],
}

impl Outlook {
    /// One more than there are passable cards.
    const CARDS: usize = 32;
    /// Distances that are worked out beforehand.
    const NEAR: usize = 12;

    /// From the numbers of the cards that may still come, by card.
    pub(in crate::agents) fn new(fade: f64, tries: u32, counts: &[u8; Card::PATHS]) -> Outlook {
        let mut outlook = Outlook {
            fade,
            log_fade: libm::log(fade),
            tries,
            all: 0,
            of: [0; 1 << Card::PASSABLE],
            misses: [[1.0; Outlook::NEAR]; Outlook::CARDS],
        };
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
        let most = self.of[(1 << Card::PASSABLE) - 1];
        for useful in 0..=most {
            let mut chance = self.chance(useful);
            for miss in &mut self.misses[usize::from(useful)] {
                *miss = 1.0 - chance;
                chance *= self.fade;
            }
        }
    }

    /// The chance that somebody soon has one of so many cards.
    #[inline]
    fn chance(&self, useful: u8) -> f64 {
        let lacking = 1.0 - f64::from(useful) / f64::from(self.all.max(1));
        1.0 - (0..self.tries).fold(1.0, |none, _| none * lacking)
    }

    /// The chance to fail at an open end so many cards from the goal, where these cards lead
    /// nearer to it.
    #[inline]
    fn miss(&self, distance: u8, cards: u8) -> f64 {
        let useful = self.of[usize::from(cards)];
        match self.misses[usize::from(useful)].get(usize::from(distance)) {
            Some(&miss) => miss,
            None => 1.0 - (0..distance).fold(self.chance(useful), |chance, _| chance * self.fade),
        }
    }
}

/// A mine as the diggers see it: where its ways end, and how far each end is from each goal.
#[derive(Clone, Debug)]
pub(in crate::agents) struct Survey<'a, const W: usize> {
    ways: Ways<'a, W>,
    /// The open ends and the empty cells next to them.
    wanted: Field<W>,
    searches: Searches<W>,
    /// The cell that was filled last, and the searches that come out otherwise then.
    filled: Option<u8>,
    then: Searches<W>,
    /// How many cards the diggers are short of the gold.
    short: f64,
}

/// A search for each of some goals.
#[derive(Clone, Debug)]
struct Searches<const W: usize> {
    goals: Goals,
    of: [Search<W>; 3],
}

impl<const W: usize> Searches<W> {
    const NONE: Searches<W> = Searches { goals: Goals::NONE, of: [Search::NONE; 3] };
}

impl<'a, const W: usize> Survey<'a, W> {
    /// Surveys a mine.
    #[inline]
    pub(in crate::agents) fn new(prospect: &'a Prospect<'a>, board: &'a Board) -> Self {
        let ways = Ways::new(prospect, board);
        let mut survey = Survey {
            wanted: ways.open_ends.or(ways.open_ends.around().and(ways.empty)),
            ways,
            searches: Searches::NONE,
            filled: None,
            then: Searches::NONE,
            short: 0.0,
        };
        for goal in Goal::ALL {
            if prospect.gold[goal.index()] > 0.0 {
                survey.searches.goals.insert(goal);
                let search = &mut survey.searches.of[goal.index()];
                search.run(&survey.ways, goal, survey.ways.empty, survey.wanted);
            }
        }
        let misses = |goal: Goal| survey.searches.of[goal.index()].miss(&survey.ways);
        survey.short = prospect.short(Goals::NONE, misses);
        survey
    }

    /// How many cards the diggers are short of the gold.
    pub(in crate::agents) fn short(&self) -> f64 {
        self.short
    }

    /// How many cards nearer to the gold an action brings the diggers.
    pub(in crate::agents) fn progress(&mut self, action: Action) -> f64 {
        self.short - self.after(action)
    }

    /// How many cards the diggers are short of the gold after an action.
    fn after(&mut self, action: Action) -> f64 {
        let Ways { prospect, board, .. } = self.ways;
        match action {
            Action::Dig { tile, at } => match Field::<W>::bit(at) {
                Some(bit) if !board.joins_more(at, tile) => self.after_lone(at, bit, tile),
                _ => {
                    let mut board = *board;
                    let touched = board.lay(prospect.rules, at, tile);
                    prospect.short_at::<W>(&board, touched)
                }
            },
            Action::RockFall { at } => {
                let mut board = *board;
                board.clear(prospect.rules, at);
                prospect.short_at::<W>(&board, Goals::NONE)
            }
            _ => self.short,
        }
    }

    /// The same for a tile that joins nothing but itself: it changes the ends next to it, and the
    /// ways of those from which all shortest ones led over its cell.
    fn after_lone(&mut self, at: Cell, bit: u8, tile: Tile) -> f64 {
        let Survey { ways, wanted, searches, then, .. } = self;
        if self.filled != Some(bit) {
            let mut rest = ways.empty;
            rest.remove(bit);
            then.goals = Goals::NONE;
            for goal in searches.goals.iter() {
                if !ways.loose.is_empty() || !searches.of[goal.index()].is_detour(ways.empty, bit) {
                    then.goals.insert(goal);
                    then.of[goal.index()].run(ways, goal, rest, wanted.and(rest));
                }
            }
            self.filled = Some(bit);
        }
        let changes = Changes::new(&self.ways, at, bit, tile);
        self.ways.prospect.short(Goals::NONE, |goal| {
            let searches = if self.then.goals.has(goal) { &self.then } else { &self.searches };
            searches.of[goal.index()].miss_after(&self.ways, &changes)
        })
    }
}

/// How many cards nearer to the gold one action brings the diggers.
pub(in crate::agents) fn progress(prospect: &Prospect<'_>, board: &Board, action: Action) -> f64 {
    match prospect.rules.bounds {
        Bounds::Paper => Survey::<1>::new(prospect, board).progress(action),
        Bounds::Three => Survey::<2>::new(prospect, board).progress(action),
        Bounds::None => Survey::<3>::new(prospect, board).progress(action),
    }
}

impl Prospect<'_> {
    /// How many cards the diggers are short of the gold in a mine whose `touched` goals are about
    /// to be turned up.
    fn short_at<const W: usize>(&self, board: &Board, touched: Goals) -> f64 {
        let ways = Ways::<W>::new(self, board);
        let mut search = Search::NONE;
        self.short(touched, |goal| {
            search.run(&ways, goal, ways.empty, ways.open_ends);
            search.miss(&ways)
        })
    }

    /// How many cards the diggers are short of the gold, by the chance to fail at all ways to a
    /// goal; those that are touched are as good as reached.
    fn short(&self, touched: Goals, mut miss: impl FnMut(Goal) -> f64) -> f64 {
        /// More than any way is long: there is none.
        const NO_WAY: f64 = 16.0;
        let mut value = 0.0;
        for goal in Goal::ALL {
            let likely = self.gold[goal.index()];
            if touched.has(goal) {
                value += likely;
            } else if likely > 0.0 {
                value += likely * (1.0 - miss(goal));
            }
        }
        if value > 0.0 { (libm::log(value) / self.outlook.log_fade).min(NO_WAY) } else { NO_WAY }
    }
}

/// What there is of ways in a mine, whichever goal they are to lead to.
#[derive(Clone, Debug)]
struct Ways<'a, const W: usize> {
    prospect: &'a Prospect<'a>,
    board: &'a Board,
    empty: Field<W>,
    /// Passable cards that are not joined to the start, because rocks have cut them off.
    loose: Field<W>,
    open_ends: Field<W>,
    /// The open ends, those with the highest bits first.
    ends: [End; OpenEnds::MOST],
    count: usize,
}

/// An open end: its bit, the sides that have a neighbour to match, and those of them that must be
/// open.
#[derive(Clone, Copy, Debug, Default)]
struct End {
    bit: u8,
    care: u8,
    open: u8,
}

impl<'a, const W: usize> Ways<'a, W> {
    #[inline]
    fn new(prospect: &'a Prospect<'a>, board: &'a Board) -> Self {
        let mut taken = Field::of(board.paths());
        for bit in Field::<W>::GOALS {
            taken.insert(bit);
        }
        if let Some(bit) = const { Field::<W>::bit(Cell::START) } {
            taken.insert(bit);
        }
        let mut ways = Ways {
            prospect,
            board,
            empty: Field::of(prospect.rules.area()).without(taken),
            loose: Field::EMPTY,
            open_ends: Field::EMPTY,
            ends: [End::default(); OpenEnds::MOST],
            count: 0,
        };
        if board.cut_off() > 0 {
            taken.for_each(|bit| {
                let cell = Field::<W>::cell(bit);
                if board.is_passable(cell) && !board.is_reached(cell) {
                    ways.loose.insert(bit);
                }
            });
        }
        for cell in board.open_ends().iter() {
            if let Some(bit) = Field::<W>::bit(cell) {
                let (care, open) = board.demand(cell);
                ways.ends[ways.count] = End { bit, care, open };
                ways.count += 1;
                ways.open_ends.insert(bit);
            }
        }
        ways
    }

    fn ends(&self) -> &[End] {
        &self.ends[..self.count]
    }
}

/// What a tile changes that joins nothing but itself: its own cell is no open end any more, those
/// next to it have a new neighbour, and there are new ones.
struct Changes {
    /// In the order of open ends; `None` for the cell of the tile.
    ends: [Change; 5],
    count: usize,
}

#[derive(Clone, Copy, Default)]
struct Change {
    /// The place among the open ends, and whether it was one.
    place: usize,
    was_end: bool,
    end: Option<End>,
    /// The side that the tile takes.
    taken: u8,
}

impl Changes {
    #[inline]
    fn new<const W: usize>(ways: &Ways<'_, W>, at: Cell, filled: u8, tile: Tile) -> Changes {
        let mut changes = Changes { ends: [Change::default(); 5], count: 0 };
        let mut push = |change| {
            changes.ends[changes.count] = change;
            changes.count += 1;
        };
        let place = |bit: u8| ways.open_ends.above(bit);
        for side in [Side::Down, Side::Right, Side::Left, Side::Up] {
            if side == Side::Left && ways.open_ends.has(filled) {
                push(Change { place: place(filled), was_end: true, ..Change::default() });
            }
            let bit = Field::<W>::next(filled, side);
            let is_open = tile.sides().has(side);
            let was_end = ways.open_ends.has(bit);
            if (was_end || is_open && tile.is_passable()) && ways.empty.has(bit) {
                let taken = 1 << side.opposite() as u8;
                let (care, open) = ways.board.demand(at.next(side));
                let open = open | if is_open { taken } else { 0 };
                let end = Some(End { bit, care: care | taken, open });
                push(Change { place: place(bit), was_end, end, taken });
            }
        }
        changes
    }
}

/// How far all cells are from one goal.
#[derive(Clone, Debug)]
struct Search<const W: usize> {
    distances: Distances,
    /// For each open end the chance to fail there.
    misses: [f64; OpenEnds::MOST],
}

impl<const W: usize> Search<W> {
    const NONE: Search<W> = Search { distances: Distances::NONE, misses: [1.0; OpenEnds::MOST] };

    /// Searches backwards from a goal, level by level, until all of `wanted` is found. Cards that
    /// rocks have cut off from the start are passed for nothing.
    fn run(&mut self, ways: &Ways<'_, W>, goal: Goal, empty: Field<W>, wanted: Field<W>) {
        self.distances = Distances::NONE;
        let mut level = Field::EMPTY;
        level.insert(Field::<W>::GOALS[goal.index()]);
        let mut nearer = level;
        let mut distance = 0;
        loop {
            self.distances.set(level, distance);
            if level.is_empty() || wanted.without(nearer).is_empty() {
                break;
            }
            let mut next = level.around();
            if !ways.loose.is_empty() {
                let before = nearer;
                next = next.or(level.through(ways.board, ways.loose, &mut nearer));
                self.distances.set(nearer.without(before), distance);
            }
            level = next.and(empty).without(nearer);
            nearer = nearer.or(level);
            distance += 1;
        }
        for (miss, &end) in self.misses.iter_mut().zip(ways.ends()) {
            *miss = self.distances.miss::<W>(ways.prospect.outlook, end, 0);
        }
    }

    /// Whether no way gets longer when an empty cell is filled: all for which it was the next step
    /// towards the goal have another one as good. (What is further off goes through one of those.)
    fn is_detour(&self, empty: Field<W>, bit: u8) -> bool {
        let distance = self.distances.at(bit);
        distance == FAR
            || Side::ALL.into_iter().all(|side| {
                let next = Field::<W>::next(bit, side);
                self.distances.at(next) != distance + 1
                    || !empty.has(next)
                    || Side::ALL.into_iter().any(|other| {
                        other != side.opposite()
                            && self.distances.at(Field::<W>::next(next, other)) == distance
                    })
            })
    }

    /// The chance to fail at all ends.
    #[inline]
    fn miss(&self, ways: &Ways<'_, W>) -> f64 {
        self.misses[..ways.count].iter().product()
    }

    /// The chance to fail at all ends after some changes.
    #[inline]
    fn miss_after(&self, ways: &Ways<'_, W>, changes: &Changes) -> f64 {
        let mut all = 1.0;
        let mut from = 0;
        for change in &changes.ends[..changes.count] {
            for miss in &self.misses[from..change.place] {
                all *= miss;
            }
            if let Some(end) = change.end {
                all *= self.distances.miss::<W>(ways.prospect.outlook, end, change.taken);
            }
            from = change.place + usize::from(change.was_end);
        }
        for miss in &self.misses[from..ways.count] {
            all *= miss;
        }
        all
    }
}

/// The number of cards to a goal, that of the cell included, by bit. It has as many places as a
/// byte has values, so that every neighbour of a cell is one of them.
#[derive(Clone, Debug)]
struct Distances([u8; 256]);

const FAR: u8 = u8::MAX;

impl Distances {
    const NONE: Distances = Distances([FAR; 256]);

    #[inline]
    fn at(&self, bit: u8) -> u8 {
        self.0[usize::from(bit)]
    }

    #[inline]
    fn set<const W: usize>(&mut self, field: Field<W>, distance: u8) {
        field.for_each(|bit| self.0[usize::from(bit)] = distance);
    }

    /// The chance to fail at an open end, from which these sides are taken.
    #[inline]
    fn miss<const W: usize>(&self, outlook: &Outlook, end: End, taken: u8) -> f64 {
        let distance = self.at(end.bit);
        if distance == FAR {
            return 1.0;
        }
        let nearer = Side::ALL.into_iter().fold(0, |sides, side| {
            let is_nearer = self.at(Field::<W>::next(end.bit, side)) < distance;
            sides | u8::from(is_nearer) << side as u8
        });
        outlook.miss(distance, leading(end.care, end.open, Sides::from_bits(nearer & !taken)))
    }
}
