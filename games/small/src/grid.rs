//! Phantom tic-tac-toe and dark hex: two seats put stones on a board of 3 × 3 and do not see each other's. Whoever tries
//! a cell that is taken learns that it is.

use crate::table::{Looked, Move, Rules, Seen, View, World};
use oboro_core::{GameWorld as _, Phrase, Rng, Seat, SeatView as _};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

/// What differs between the two games.
pub trait Board: Copy + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The game's name.
    const NAME: &'static str;
    /// The version that is meant where none is named.
    const VERSION: Version;
    /// The rules for people.
    const RULES_TEXT: [&'static str; 2];
    /// Whether a seat with these stones has won.
    fn wins(seat: usize, stones: u16) -> bool;
}

/// Three in a row, column or diagonal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TicTacToe;

/// A chain from side to side: seat 0 from top to bottom, seat 1 from left to right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Hex;

impl Board for TicTacToe {
    const NAME: &'static str = "phantom-ttt";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules/phantom-ttt.en.md"), include_str!("../rules/phantom-ttt.ja.md")];
    const VERSION: Version = Version::Classical;

    fn wins(_: usize, stones: u16) -> bool {
        const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
        LINES.iter().any(|line| stones & line == *line)
    }
}

impl Board for Hex {
    const NAME: &'static str = "dark-hex";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules/dark-hex.en.md"), include_str!("../rules/dark-hex.ja.md")];
    const VERSION: Version = Version::Abrupt;

    fn wins(seat: usize, stones: u16) -> bool {
        const LEFT: u16 = 0o111;
        const RIGHT: u16 = 0o444;
        let (from, to) = if seat == 0 { (0o007, 0o700) } else { (LEFT, RIGHT) };
        let mut chain = stones & from;
        loop {
            // The six neighbours: left and right, above and above right, below and below left.
            let (west, east) = ((chain & !LEFT) >> 1, (chain & !RIGHT) << 1);
            let above = chain >> 3 | (chain & !RIGHT) >> 2;
            let below = chain << 3 | (chain & !LEFT) << 2;
            let next = chain | stones & (west | east | above | below);
            if next == chain {
                return chain & to != 0;
            }
            chain = next;
        }
    }
}

/// `OpenSpiel`: `phantom_ttt(obstype=reveal-nothing)` and `dark_hex(num_rows=3,num_cols=3,obstype=reveal-nothing)`.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(default, deny_unknown_fields, bound = "B: Board")]
#[schemars(bound = "B: Board")]
pub struct GridRules<B> {
    /// What a failed try costs.
    #[schemars(extend("x-public" = {}))]
    pub version: Version,
    #[serde(skip)]
    board: PhantomData<B>,
}

impl<B> GridRules<B> {
    /// The rules of a version.
    pub fn new(version: Version) -> GridRules<B> {
        GridRules { version, board: PhantomData }
    }
}

impl<B: Board> Default for GridRules<B> {
    fn default() -> GridRules<B> {
        GridRules::new(B::VERSION)
    }
}

/// What a failed try costs.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Version {
    /// The seat tries again, and the other does not notice (`classical`, `cdh`).
    Classical,
    /// The turn is lost (`abrupt`, `adh`).
    Abrupt,
}

/// There is nothing to deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nothing;

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("empty")
    }
}

const ALL: u16 = 0o777;
/// Notes: what became of an own try, and how the game ended.
const PLACED: u8 = 1;
const BLOCKED: u8 = 2;
const ENDED: u8 = 3;
const DRAWN: u8 = 5;

/// A game in progress; bit `3 · row + column` for a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    stones: [u16; 2],
    /// The cells that each seat knows to be taken, its own among them.
    known: [u16; 2],
    turn: u8,
    /// How it ended, as a note; 0 while it goes on.
    ended: u8,
}

impl<B: Board> Rules for GridRules<B> {
    const NAME: &'static str = B::NAME;
    const RULES_TEXT: [&'static str; 2] = B::RULES_TEXT;
    const CODES: u8 = 9;
    type Deal = Nothing;
    type Table = Table;

    fn name(code: u8) -> String {
        format!("{}{}", char::from(b'a' + code % 3), 1 + code / 3)
    }

    fn deals(&self) -> Vec<Nothing> {
        vec![Nothing]
    }

    fn draw(&self, _: &mut Rng) -> Nothing {
        Nothing
    }

    fn start(&self, _: Nothing) -> Table {
        Table { stones: [0; 2], known: [0; 2], turn: 0, ended: 0 }
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        (table.ended == 0).then(|| Seat::new(table.turn.into()))
    }

    fn legal(&self, table: &Table) -> u64 {
        (ALL & !table.known[usize::from(table.turn)]).into()
    }

    fn apply(&self, table: &mut Table, code: u8) {
        let (seat, cell) = (usize::from(table.turn), 1 << code);
        table.known[seat] |= cell;
        let blocked = table.stones[1 - seat] & cell != 0;
        if !blocked {
            table.stones[seat] |= cell;
            if B::wins(seat, table.stones[seat]) {
                table.ended = ENDED + seat as u8;
            } else if table.stones[0] | table.stones[1] == ALL {
                table.ended = DRAWN;
            }
        }
        if !blocked || self.version == Version::Abrupt {
            table.turn = 1 - table.turn;
        }
    }

    fn payoff(&self, table: &Table) -> f64 {
        match table.ended {
            ENDED => 1.0,
            DRAWN => 0.0,
            _ => -1.0,
        }
    }

    /// Which of the other's stones a seat has found concerns nobody else. In the abrupt version that holds, too, but turns that
    /// are lost are shared, and with them there is more to share than fits into memory.
    fn shared(&self, table: &Table) -> Option<Table> {
        (self.version == Version::Classical).then_some(Table { known: [0; 2], ..*table })
    }

    fn secret(&self, _: Nothing, _: Seat) -> u8 {
        0
    }

    fn seen(
        &self,
        before: &Table,
        code: u8,
        after: &Table,
        observer: Option<Seat>,
    ) -> Option<(bool, u8)> {
        let blocked = before.stones[usize::from(1 - before.turn)] >> code & 1 == 1;
        let own = observer.is_some_and(|seat| seat.index() == usize::from(before.turn));
        if own {
            let result = if blocked { BLOCKED } else { PLACED };
            return Some((true, if after.ended == 0 { result } else { after.ended }));
        }
        let unnoticed = blocked && self.version == Version::Classical;
        (!unnoticed).then_some((false, after.ended))
    }

    fn note(&self, note: u8) -> Phrase {
        match note {
            0 => Phrase::default(),
            PLACED => Phrase::new("a stone is placed", "石を置いた"),
            BLOCKED => Phrase::new("the cell is taken", "相手の石があった"),
            DRAWN => Phrase::new("a draw", "引き分け"),
            winner => {
                let who = Phrase::player(Seat::new(usize::from(winner - ENDED)));
                Phrase::new(format!("{} wins", who.en), format!("{}の勝ち", who.ja))
            }
        }
    }

    fn draw_board(&self, sight: &Looked<'_, Self>) -> String {
        let (stones, marks) = match sight {
            Looked::All(world) => (world.table.stones, ['x', 'o']),
            Looked::Seat(view) => {
                let marks = if view.seat == Seat::FIRST { ['x', 'o'] } else { ['o', 'x'] };
                let (own, found) = known(&view.seen, view.seat);
                ([own, found], marks)
            }
        };
        let cell = |n: usize| match stones.map(|set| set >> n & 1) {
            [0, 0] => '.',
            [1, _] => marks[0],
            _ => marks[1],
        };
        let slant = usize::from(B::NAME == Hex::NAME);
        let row = |y: usize| {
            let cells: String = (0..3).map(|x| format!(" {}", cell(3 * y + x))).collect();
            format!("{}{}{cells}\n", " ".repeat(slant * y), y + 1)
        };
        format!("  a b c\n{}{}{}", row(0), row(1), row(2))
    }

    fn imagine(&self, view: &View<Self>, rng: &mut Rng) -> Option<World<Self>> {
        (self.version == Version::Classical).then(|| {
            loop {
                if let Some(world) = imagine_classical(view, rng) {
                    return world;
                }
            }
        })
    }
}

/// The own stones, and those of the other that were found.
fn known<R: Rules>(seen: &[Seen<R>], seat: Seat) -> (u16, u16) {
    let mut cells = (0, 0);
    for seen in seen.iter().filter(|seen| seen.seat == seat) {
        let cell = 1 << seen.action.expect("own actions are seen").code();
        if seen.note == BLOCKED {
            cells.1 |= cell;
        } else {
            cells.0 |= cell;
        }
    }
    cells
}

/// The most turns of a seat.
const TURNS: usize = 6;

/// How many ordered choices of `some` out of `all` there are.
fn choices(all: usize, some: usize) -> f64 {
    (0..some).map(|n| (all - n) as f64).product()
}

/// One try to draw a world of the classical version. How many unnoticed tries the other made in each of its turns, and at
/// which of our stones, has nothing to do with where its own stones are: the former is drawn by counting, the latter
/// by rejection.
fn imagine_classical<B: Board>(
    view: &View<GridRules<B>>,
    rng: &mut Rng,
) -> Option<World<GridRules<B>>> {
    let other = view.seat.next(2);
    // How many stones of ours the other could bump into in each of its turns, the one under way included.
    let mut own = [0; TURNS];
    let (mut turns, mut stones) = (0, 0);
    for seen in &view.seen {
        if seen.seat == other {
            own[turns] = stones;
            turns += 1;
        } else {
            stones += usize::from(seen.note != BLOCKED);
        }
    }
    let under_way = view.to_act() == Some(other);
    if under_way {
        own[turns] = stones;
        turns += 1;
    }
    // By turn and stones found before it: the ways to go on.
    let mut ways = [[1.0; TURNS]; TURNS + 1];
    for turn in (0..turns).rev() {
        for found in 0..=own[turn] {
            let left = own[turn] - found;
            ways[turn][found] =
                (0..=left).map(|tries| choices(left, tries) * ways[turn + 1][found + tries]).sum();
        }
    }
    let mut found = 0;
    let mut tries = [0; TURNS];
    for turn in 0..turns {
        let left = own[turn] - found;
        let mut at = rng.unit() * ways[turn][found];
        while tries[turn] < left {
            at -= choices(left, tries[turn]) * ways[turn + 1][found + tries[turn]];
            if at < 0.0 {
                break;
            }
            tries[turn] += 1;
        }
        found += tries[turn];
    }
    let mut world = World::new(view.rules, Nothing);
    let mut turn = 0;
    for seen in &view.seen {
        if seen.seat == other {
            bump(&mut world, tries[turn], rng);
            turn += 1;
        }
        step(&mut world, *seen, view.seat, rng)?;
    }
    if under_way {
        bump(&mut world, tries[turn], rng);
    }
    Some(world)
}

/// The seat to move tries so many of the other's stones that it has not found yet.
fn bump<B: Board>(world: &mut World<GridRules<B>>, tries: usize, rng: &mut Rng) {
    for _ in 0..tries {
        let (turn, table) = (usize::from(world.table.turn), world.table);
        let unknown = table.stones[1 - turn] & !table.known[turn];
        let cell = rng.choose_bit(unknown.into()).expect("as many tries as stones to find");
        world.apply(Move::new(cell as u8));
    }
}

/// Plays what was seen, or at random on a free cell what was not; nothing if it does not fit.
fn step<B: Board>(
    world: &mut World<GridRules<B>>,
    seen: Seen<GridRules<B>>,
    observer: Seat,
    rng: &mut Rng,
) -> Option<()> {
    if world.to_act() != Some(seen.seat) {
        return None;
    }
    let free = ALL & !(world.table.stones[0] | world.table.stones[1]);
    let action = match seen.action {
        Some(action) => action,
        None => Move::new(rng.choose_bit(free.into())? as u8),
    };
    let fits = world.is_legal(action) && world.event(action, observer).seen == Some(seen);
    fits.then(|| world.apply(action))
}
