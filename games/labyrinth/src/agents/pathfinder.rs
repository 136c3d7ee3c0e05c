use crate::action::Action;
use crate::board::Board;
use crate::cell::{Cell, CellSet};
use crate::entry::Entry;
use crate::public::{Finish, Goal};
use crate::scene::goals_believed;
use crate::tile::Rotation;
use crate::tiles::{PUSHES, Targets, Tiles};
use crate::treasure::TreasureSet;
use crate::{Labyrinth, View};
use arrayvec::ArrayVec;
use oboro_core::{ActionValue, Agent, Analysis, Belief, Rng, Seat, SpecError, params};

params! {
    /// Parameters of [`Pathfinder`].
    pub struct PathfinderParams {
        /// Value of reaching the goal one turn later, relative to reaching it now.
        pub next_turn: f64 = 1.0 => {"minimum": 0, "maximum": 100},
        /// Cost of another player reaching a treasure in its next turn.
        pub rival_treasure: f64 = 1.0 => {"minimum": 0, "maximum": 100},
        /// Cost of another player getting home in its next turn.
        pub rival_home: f64 = 4.0 => {"minimum": 0, "maximum": 100},
    }
}

/// Looks three turns ahead: its own, the next player's, and its own again.
///
/// The value of a turn is 1 if it reaches the goal, plus the chance to reach the next goal in the turn after, minus the
/// chances of the others to reach theirs. Chances are averages over all goals that the others may have. The next player is
/// expected to make one of the pushes that reach its goal.
///
/// Ties are broken at random: players that block each other's way home would otherwise do so for ever.
///
/// The cost of a push bounds its value. Pushes are evaluated in the order of their bounds, and those that cannot be best
/// are skipped, which changes no choice.
#[derive(Clone, Debug)]
pub struct Pathfinder {
    params: PathfinderParams,
}

/// The cells of the goals that a player may have, all equally likely.
type Goals = ArrayVec<Option<Cell>, 24>;

fn goals(board: &Board, possible: TreasureSet, home: Cell) -> Goals {
    if possible.is_empty() {
        return std::iter::once(Some(home)).collect();
    }
    possible.iter().map(|treasure| board.place(treasure)).collect()
}

/// The pushes of the next player with their probabilities.
type Replies = ArrayVec<(Entry, Rotation, f64), PUSHES>;

/// A player that can reach its goal makes one of the pushes that do it; one that cannot, any.
fn replies(tiles: &Tiles, pawn: Cell, goals: &Goals) -> Replies {
    let mut pushes = Replies::new();
    let mut reached = ArrayVec::<Targets, PUSHES>::new();
    for (entry, rotation) in tiles.pushes() {
        let corridors = tiles.maze.gap(entry).filled(tiles.extra.turned(rotation));
        pushes.push((entry, rotation, 0.0));
        reached.push(Targets::of(entry, corridors.reach(entry.carry(pawn).into())));
    }
    let share = 1.0 / goals.len() as f64;
    let all = u64::MAX >> (64 - pushes.len());
    for &goal in goals {
        // One bit for each push that reaches it.
        let hits = (reached.iter().enumerate())
            .fold(0, |hits, (i, targets)| hits | u64::from(targets.contain(goal)) << i);
        let made = if hits == 0 { all } else { hits };
        let weight = share / f64::from(made.count_ones());
        for (i, push) in pushes.iter_mut().enumerate() {
            if made >> i & 1 != 0 {
                push.2 += weight;
            }
        }
    }
    pushes
}

/// A push, and what is known before the own chances are computed.
struct Prospect {
    entry: Entry,
    rotation: Rotation,
    board: Board,
    /// The cells to which the pawn can walk.
    reached: CellSet,
    /// Where the goal lies.
    goal: Option<Cell>,
    /// The cost of the others' chances to reach their goals.
    threat: f64,
}

impl Prospect {
    fn tiles(&self) -> Tiles {
        Tiles::new(&self.board, Some(self.entry))
    }

    /// The goal's cell, if the pawn can walk there: nothing else is considered then.
    fn arrival(&self) -> Option<Cell> {
        self.goal.filter(|&goal| self.reached.contains(goal))
    }

    /// The number of its turns.
    fn turns(&self) -> usize {
        if self.arrival().is_some() { 1 } else { self.reached.len() }
    }

    fn turn(&self, to: Cell) -> Action {
        Action { entry: self.entry, rotation: self.rotation, to }
    }
}

/// More than rounding can add to a sum of chances.
const ROUNDING: f64 = 1e-9;

impl Pathfinder {
    /// Builds the agent.
    ///
    /// # Errors
    /// If a weight is not a number.
    pub fn new(params: PathfinderParams) -> Result<Pathfinder, SpecError> {
        let weights = [params.next_turn, params.rival_treasure, params.rival_home];
        if weights.iter().any(|weight| !weight.is_finite()) {
            return Err(SpecError("weights are finite numbers".to_owned()));
        }
        Ok(Pathfinder { params })
    }

    /// The pushes worth considering, in the order of entries and rotations.
    fn prospects(&self, view: &View) -> ArrayVec<Prospect, PUSHES> {
        let public = view.public();
        let own = view.seat;
        let root = Tiles::new(public.board(), public.last_push());
        let goal = public.place(view.goal());
        let can_arrive = root.targets(public.pawn(own)).contain(goal);
        let is_urgent = view.others().any(|seat| public.is_going_home(seat));
        let mut prospects = ArrayVec::new();
        for (entry, rotation) in root.pushes() {
            let reached = public.reach_after(own, entry, rotation);
            let goal = entry.carry_tile(goal);
            let mut board = *public.board();
            board.push(entry, rotation);
            let mut prospect = Prospect { entry, rotation, board, reached, goal, threat: 0.0 };
            if prospect.arrival().is_some() || is_urgent || !can_arrive {
                prospect.threat = self.threat(view, &prospect);
                prospects.push(prospect);
            }
        }
        prospects
    }

    /// The cost of the others' chances to reach their goals.
    fn threat(&self, view: &View, prospect: &Prospect) -> f64 {
        let public = view.public();
        let tiles = prospect.tiles();
        view.others()
            .map(|seat| {
                let targets = tiles.targets(prospect.entry.carry(public.pawn(seat)));
                let goals = goals(&prospect.board, view.possible_goals(seat), public.home(seat));
                let hits = goals.iter().filter(|goal| targets.contain(**goal)).count();
                let stake = if public.is_going_home(seat) {
                    self.params.rival_home
                } else {
                    self.params.rival_treasure
                };
                stake * hits as f64 / goals.len() as f64
            })
            .sum()
    }

    /// The value of a turn whose next turn reaches its goal with this chance.
    fn value(&self, prospect: &Prospect, chance: f64) -> f64 {
        let later = self.params.next_turn * chance;
        if prospect.arrival().is_some() {
            1.0 + later - prospect.threat
        } else {
            later - prospect.threat
        }
    }

    /// An upper bound of the value if the chance is at most this.
    fn bound(&self, prospect: &Prospect, chance: f64) -> f64 {
        let is_gain = self.params.next_turn > 0.0;
        self.value(prospect, if is_gain { chance + ROUNDING } else { 0.0 })
    }

    /// Evaluates the turns of a push, or none if all values are below `floor`.
    fn for_each_value(
        &self,
        view: &View,
        prospect: &Prospect,
        floor: f64,
        mut visit: impl FnMut(Action, f64),
    ) {
        let is_hopeless = |chance: f64| self.bound(prospect, chance) < floor;
        let replies = replies_of_next(view, prospect);
        if let Some(to) = prospect.arrival() {
            if let Some(chance) = chance_after_arrival(view, prospect, to, &replies, is_hopeless) {
                visit(prospect.turn(to), self.value(prospect, chance));
            }
        } else if let Some(chances) = chances_of_cells(prospect, &replies, is_hopeless) {
            for to in prospect.reached {
                visit(prospect.turn(to), self.value(prospect, chances[to.index()]));
            }
        }
    }
}

fn replies_of_next(view: &View, prospect: &Prospect) -> Replies {
    let public = view.public();
    let next: Seat = view.others().next().expect("there are other seats");
    let goals = goals(&prospect.board, view.possible_goals(next), public.home(next));
    replies(&prospect.tiles(), prospect.entry.carry(public.pawn(next)), &goals)
}

/// The chance to reach the goal after the present one from `pawn`, which stands on it; none as soon as its upper bound is
/// hopeless.
fn chance_after_arrival(
    view: &View,
    prospect: &Prospect,
    pawn: Cell,
    replies: &Replies,
    is_hopeless: impl Fn(f64) -> bool,
) -> Option<f64> {
    let is_last = view.public().cards_left(view.seat) == 1;
    let next = match (view.goal(), view.public().finish) {
        (Goal::Home(_), _) => return Some(1.0),
        (Goal::Treasure(_), Finish::LastCard) if is_last => return Some(1.0),
        (Goal::Treasure(_), Finish::Home) if is_last => TreasureSet::EMPTY,
        (Goal::Treasure(_), _) => view.unseen(),
    };
    let goals = goals(&prospect.board, next, view.public().home(view.seat));
    let tiles = prospect.tiles();
    let (mut chance, mut rest) = (0.0, 1.0);
    for &(entry, rotation, weight) in replies.iter().filter(|push| push.2 > 0.0) {
        let targets = tiles.after(entry, rotation).targets(entry.carry(pawn));
        let hits = goals.iter().filter(|goal| targets.contain(entry.carry_tile(**goal))).count();
        chance += weight * hits as f64 / goals.len() as f64;
        rest -= weight;
        if is_hopeless(chance + rest) {
            return None;
        }
    }
    Some(chance)
}

/// By cell reached, the chance to get from there to the goal in the next turn; none as soon as the upper bound of all of
/// them is hopeless.
fn chances_of_cells(
    prospect: &Prospect,
    replies: &Replies,
    is_hopeless: impl Fn(f64) -> bool,
) -> Option<[f64; Cell::COUNT]> {
    let tiles = prospect.tiles();
    let mut chances = [0.0; Cell::COUNT];
    let (mut max, mut rest) = (0.0f64, 1.0);
    for &(entry, rotation, weight) in replies.iter().filter(|push| push.2 > 0.0) {
        let sources = tiles.after(entry, rotation).sources(entry.carry_tile(prospect.goal));
        let good = CellSet(entry.opposite().carry_set(sources).0 & prospect.reached.0);
        for cell in good {
            let chance = &mut chances[cell.index()];
            *chance += weight;
            max = max.max(*chance);
        }
        rest -= weight;
        if is_hopeless(max + rest) {
            return None;
        }
    }
    Some(chances)
}

impl Agent<Labyrinth> for Pathfinder {
    /// A uniform belief over possible goals.
    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        goals_believed(view, |seat, treasure| {
            f64::from(view.possible_goals(seat).contains(treasure))
        })
    }

    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        // Every turn draws a number that breaks ties, evaluated or not, in the order of pushes. Each push keeps the stream
        // from where its own numbers begin.
        let mut pushes = ArrayVec::<(f64, Prospect, Rng), PUSHES>::new();
        for prospect in self.prospects(view) {
            let ranks = rng.clone();
            for _ in 0..prospect.turns() {
                rng.bits();
            }
            pushes.push((self.bound(&prospect, 1.0), prospect, ranks));
        }
        pushes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let mut best: Option<(f64, u64, Action)> = None;
        for (bound, prospect, mut ranks) in pushes {
            let floor = best.map_or(f64::NEG_INFINITY, |(max, _, _)| max);
            if bound < floor {
                break;
            }
            self.for_each_value(view, &prospect, floor, |action, value| {
                let rank = ranks.bits();
                if best.is_none_or(|(max, top, _)| (value, rank) > (max, top)) {
                    best = Some((value, rank, action));
                }
            });
        }
        best.expect("there is a legal turn").2
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let mut values = Vec::new();
        for prospect in self.prospects(view) {
            self.for_each_value(view, &prospect, f64::NEG_INFINITY, |action, value| {
                values.push(ActionValue::new(action, value));
            });
        }
        Analysis { choice: self.act(view, rng), measure: "goals ahead", values, drawing: None }
    }
}
