use crate::{Board, Card, Cell, Cells, Goal, Goals, Saboteur, Side, Tiles};

/// How good the mine is for the diggers: how many cards they are short of the gold.
///
/// Every open end counts for itself, by the number of cards from there to the goal and by how many
/// of the cards to come lead on from it; a mine with several ways is safer than one with a single
/// way.
#[derive(Clone, Debug)]
pub(crate) struct Prospect {
    pub(crate) rules: Saboteur,
    /// How likely the gold is under each goal.
    pub(crate) gold: [f64; 3],
    /// Path cards that may still come, by card.
    pub(crate) left: [u8; Card::PATHS],
    /// The chance to get one card further on a way, all in all.
    pub(crate) fade: f64,
}

/// Ways further out than this are not worth a thought.
const SURVEYED: Cells = Cells::rectangle((-2, 11), (-5, 5));

/// The number of cards from each cell to a goal, that of the cell included.
type Distances = [u8; Cell::GRID];
const FAR: u8 = u8::MAX;

impl Prospect {
    /// How many cards short of the gold a mine is whose `touched` goals are about to be turned up.
    pub(crate) fn cards_short(&self, board: &Board, touched: Goals) -> f64 {
        /// More than any way is long: there is none.
        const NO_WAY: f64 = 16.0;
        let mut value = 0.0;
        for goal in Goal::ALL {
            let likely = self.gold[goal.index()];
            if touched.has(goal) {
                value += likely;
            } else if likely > 0.0 {
                value += likely * self.chance(board, goal);
            }
        }
        if value > 0.0 { (libm::log(value) / libm::log(self.fade)).min(NO_WAY) } else { NO_WAY }
    }

    /// The chance of reaching one goal.
    fn chance(&self, board: &Board, goal: Goal) -> f64 {
        let distances = self.distances(board, goal);
        let mut miss = 1.0;
        for end in board.open_ends() {
            let distance = distances[end.index()];
            if distance == FAR {
                continue;
            }
            let mut chance = self.leading_on(board, &distances, end, goal);
            for _ in 0..distance {
                chance *= self.fade;
            }
            miss *= 1.0 - chance;
        }
        1.0 - miss
    }

    /// The chance that somebody soon has a card for an open end that leads on towards the goal.
    fn leading_on(&self, board: &Board, distances: &Distances, end: Cell, goal: Goal) -> f64 {
        let fitting = board.fitting(end);
        let here = distances[end.index()];
        let mut useful = 0;
        let mut all = 0;
        for (index, &left) in self.left.iter().enumerate() {
            all += u32::from(left);
            if left == 0 || !Card::from_index(index).is_passable() {
                continue;
            }
            let leads_on =
                Tiles::of_card(Card::from_index(index)).and(fitting).into_iter().any(|tile| {
                    Side::ALL.into_iter().any(|side| {
                        let next = end.next(side);
                        tile.sides().has(side)
                            && (next == goal.cell() || distances[next.index()] < here)
                    })
                });
            if leads_on {
                useful += u32::from(left);
            }
        }
        let lacking = 1.0 - f64::from(useful) / f64::from(all.max(1));
        1.0 - lacking * lacking * lacking
    }

    /// Searches backwards from a goal, level by level. Cards that rocks have cut off from the
    /// start are passed for nothing.
    fn distances(&self, board: &Board, goal: Goal) -> Distances {
        // Path cards and turned up goals may be put before the head of the queue.
        const ROOM: usize = 43;
        let area = self.rules.area();
        let mut distances = [FAR; Cell::GRID];
        let mut queue = [goal.cell(); ROOM + Cell::GRID];
        let (mut head, mut tail) = (ROOM, ROOM + 1);
        distances[goal.cell().index()] = 0;
        while head < tail {
            let cell = queue[head];
            head += 1;
            let distance = distances[cell.index()];
            let lies = board.sides(cell).filter(|_| cell != goal.cell());
            for side in Side::ALL {
                let next = cell.next(side);
                if lies.is_some_and(|sides| !sides.has(side))
                    || distances[next.index()] != FAR
                    || !SURVEYED.has(next)
                    || !area.has(next)
                {
                    continue;
                }
                if board.is_empty(next) {
                    distances[next.index()] = distance + 1;
                    queue[tail] = next;
                    tail += 1;
                } else if board.is_passable(next)
                    && !board.reached().has(next)
                    && board.sides(next).is_some_and(|sides| sides.has(side.opposite()))
                {
                    // It costs no card, so it comes before the rest of the queue.
                    distances[next.index()] = distance;
                    head -= 1;
                    queue[head] = next;
                }
            }
        }
        distances
    }
}
