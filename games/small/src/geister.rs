//! Geister on boards small enough to be solved.

use crate::table::{Looked, Rules, Small, View};
use oboro_core::{Agent, Phrase, Rng, Seat, SeatView, SpecError, draw_action};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Geister on a small board. As on the whole one, pieces stand on the nearest rows without their outer columns, named from
/// the left, the front row first, and the two far corners are exits. Each side first chooses which of its pieces are
/// red. The game itself would be 6 wide, 6 high, with 2 rows of home and 4 reds.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
pub struct GeisterRules {
    /// Columns, 3 to 6.
    #[schemars(extend("x-public" = {"minimum": 3, "maximum": 6}))]
    pub width: u8,
    /// Rows, 3 to 6.
    #[schemars(extend("x-public" = {"minimum": 3, "maximum": 6}))]
    pub height: u8,
    /// The rows that a side's pieces fill at first, 1 or 2.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 2}))]
    pub rows: u8,
    /// How many pieces of a side are red.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 3}))]
    pub reds: u8,
    /// The game is drawn after this many moves of both sides together, or as soon as nobody can win before.
    #[schemars(extend("x-public" = {"minimum": 1, "maximum": 30}))]
    pub plies: u8,
}

impl Default for GeisterRules {
    /// One red and one blue a side on a board of 4 × 3.
    fn default() -> GeisterRules {
        GeisterRules { width: 4, height: 3, rows: 1, reds: 1, plies: 8 }
    }
}

/// The most pieces of a side.
const PIECES: usize = 4;
/// The place of a captured piece.
const GONE: u8 = u8::MAX;
/// Codes: which pieces are red, then piece and direction, then which piece leaves the board.
const STEPS: u8 = 1 << PIECES;
const ESCAPES: u8 = STEPS + 4 * PIECES as u8;
/// The note on a captured piece: its colour.
const BLUE: u8 = 1;
const RED: u8 = 2;

/// There is nothing to deal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nothing;

impl fmt::Display for Nothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("start")
    }
}

/// A game in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    /// Where pieces stand, each side's in its own frame, which has home at the bottom.
    places: [[u8; PIECES]; 2],
    /// Which pieces are red; nothing before they are chosen.
    reds: [Option<u8>; 2],
    /// The captured pieces of a side that were blue, and those that were red.
    lost: [[u8; 2]; 2],
    ply: u8,
    winner: Option<u8>,
    drawn: bool,
}

impl Table {
    /// The pieces of a side on the board, and where.
    fn pieces(&self, side: usize) -> impl Iterator<Item = (u8, u8)> + use<> {
        (0u8..).zip(self.places[side]).filter(|(_, place)| *place != GONE)
    }

    fn mover(&self) -> usize {
        match self.reds {
            [None, _] => 0,
            [_, None] => 1,
            _ => usize::from(self.ply & 1),
        }
    }
}

impl GeisterRules {
    /// How many pieces a side has.
    fn pieces(self) -> u8 {
        self.width.saturating_sub(2) * self.rows
    }

    /// The square a step leads to: north, east, south or west.
    fn step(self, square: u8, direction: u8) -> Option<u8> {
        let (x, y) = (square % self.width, square / self.width);
        match direction {
            0 => square.checked_sub(self.width),
            1 => (x + 1 < self.width).then(|| square + 1),
            2 => (y + 1 < self.height).then(|| square + self.width),
            _ => (x > 0).then(|| square - 1),
        }
    }

    /// The steps from a square to the nearest exit.
    fn to_exit(self, square: u8) -> u8 {
        let (x, y) = (square % self.width, square / self.width);
        y + x.min(self.width - 1 - x)
    }

    /// The same square seen from the other side.
    fn turned(self, square: u8) -> u8 {
        self.width * self.height - 1 - square
    }

    fn distance(self, a: u8, b: u8) -> u8 {
        (a % self.width).abs_diff(b % self.width) + (a / self.width).abs_diff(b / self.width)
    }

    /// The steps of the side to move, colours apart.
    fn steps(self, table: &Table) -> u64 {
        let side = table.mover();
        let mut set = 0;
        for (piece, place) in table.pieces(side) {
            for direction in 0..4 {
                match self.step(place, direction) {
                    None if direction == 0 && self.to_exit(place) == 0 => {
                        set |= 1 << (ESCAPES + piece);
                    }
                    Some(square) if !table.places[side].contains(&square) => {
                        set |= 1 << (STEPS + 4 * piece + direction);
                    }
                    _ => {}
                }
            }
        }
        set
    }

    /// Who has won by the captures so far.
    fn captured_all(self, table: &Table) -> Option<u8> {
        let blues = u32::from(self.pieces() - self.reds);
        (0..2).find_map(|side| {
            let [blue, red] = table.lost[usize::from(side)].map(u8::count_ones);
            if blue == blues {
                return Some(1 - side);
            }
            (red == u32::from(self.reds)).then_some(side)
        })
    }

    /// Whether nobody can win any more within the ply limit, however both play.
    fn is_dead(self, table: &Table) -> bool {
        let left = self.plies - table.ply;
        let near = |a: u8| table.pieces(1).map(move |(_, b)| self.distance(a, self.turned(b)));
        let nearest = table.pieces(0).flat_map(|(_, a)| near(a)).min();
        (0..2).all(|side| {
            // The moves that this side has left.
            let to_move = side == usize::from(table.ply & 1);
            let moves = if to_move { left.div_ceil(2) } else { left / 2 };
            let escapes = table.pieces(side).any(|(_, place)| self.to_exit(place) < moves);
            let [blue, red] = table.lost[1 - side].map(|lost| lost.count_ones() as u8);
            let to_go = (self.pieces() - self.reds - blue).min(self.reds - red);
            let captures = to_go <= moves && nearest.is_some_and(|steps| steps <= left);
            !escapes && !captures
        })
    }

    /// Moves a piece; a captured one has its colour in `reds`, the reds of the other side.
    fn move_piece(self, table: &mut Table, code: u8, reds: u8) {
        let side = table.mover();
        let (piece, direction) = (usize::from((code - STEPS) / 4), (code - STEPS) % 4);
        let square = self.step(table.places[side][piece], direction).expect("a legal step");
        table.places[side][piece] = square;
        let turned = self.turned(square);
        if let Some(enemy) = table.places[1 - side].iter().position(|&place| place == turned) {
            table.places[1 - side][enemy] = GONE;
            table.lost[1 - side][usize::from(reds >> enemy & 1)] |= 1 << enemy;
        }
        table.ply += 1;
    }

    fn beginning(self) -> Table {
        let mut places = [GONE; PIECES];
        let columns = self.width - 2;
        for piece in 0..self.pieces() {
            let (x, y) = (1 + piece % columns, self.height - self.rows + piece / columns);
            places[usize::from(piece)] = self.width * y + x;
        }
        let (reds, lost) = ([None; 2], [[0; 2]; 2]);
        Table { places: [places; 2], reds, lost, ply: 0, winner: None, drawn: false }
    }
}

impl Rules for GeisterRules {
    const NAME: &'static str = "geister-small";
    const RULES_TEXT: [&'static str; 2] = [
        include_str!("../rules/geister-small.en.md"),
        include_str!("../rules/geister-small.ja.md"),
    ];
    const CODES: u8 = ESCAPES + PIECES as u8;
    const RANGE: f64 = 1.0;
    type Deal = Nothing;
    type Table = Table;

    fn name(code: u8) -> String {
        let letter = |piece: u8| char::from(b'A' + piece);
        if code < STEPS {
            let reds = (0..PIECES as u8).filter(|piece| code >> piece & 1 == 1);
            return format!("reds={}", reds.map(letter).collect::<String>());
        }
        if code < ESCAPES {
            let way = ['N', 'E', 'S', 'W'][usize::from((code - STEPS) % 4)];
            return format!("{}{way}", letter((code - STEPS) / 4));
        }
        format!("{}!", letter(code - ESCAPES))
    }

    fn phrase(code: u8) -> Phrase {
        let name = Self::name(code);
        if let Some(reds) = name.strip_prefix("reds=") {
            return Phrase::new(format!("Reds: {reds}"), format!("赤：{reds}"));
        }
        let (piece, way) = name.split_at(1);
        let (en, ja) = match way {
            "N" => ("moves forward", "を前へ"),
            "S" => ("moves back", "を後ろへ"),
            "E" => ("moves right", "を右へ"),
            "W" => ("moves left", "を左へ"),
            _ => ("leaves the board", "が脱出"),
        };
        Phrase::new(format!("{piece} {en}"), format!("{piece}{ja}"))
    }

    fn validate(&self) -> Result<(), SpecError> {
        let GeisterRules { width, height, rows, reds, plies } = *self;
        let fault = |text: String| Err(SpecError(text));
        if !(3..=6).contains(&width) || !(3..=6).contains(&height) {
            return fault(format!("board {width}x{height}: 3x3 to 6x6"));
        }
        if !(1..=2).contains(&rows) || 2 * rows > height {
            return fault(format!("rows={rows}: 1, or 2 on 4 rows or more"));
        }
        let pieces = self.pieces();
        if !(2..=PIECES as u8).contains(&pieces) {
            return fault(format!(
                "board {width}x{height} with rows={rows}: {pieces} pieces a side, but there may be 2 to {PIECES}"
            ));
        }
        if reds == 0 || reds >= pieces {
            return fault(format!("reds={reds}: 1 to {}", pieces - 1));
        }
        if !(1..=30).contains(&plies) {
            return fault(format!("plies={plies}: 1 to 30"));
        }
        if self.is_dead(&self.beginning()) {
            return fault(format!("plies={plies}: nobody could win so soon"));
        }
        Ok(())
    }

    fn deals(&self) -> Vec<Nothing> {
        vec![Nothing]
    }

    fn draw(&self, _: &mut Rng) -> Nothing {
        Nothing
    }

    fn start(&self, _: Nothing) -> Table {
        self.beginning()
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        (table.winner.is_none() && !table.drawn).then(|| Seat::new(table.mover()))
    }

    fn legal(&self, table: &Table) -> u64 {
        let Some(reds) = table.reds[table.mover()] else {
            let all = 0..1u8 << self.pieces();
            let chosen = all.filter(|set| set.count_ones() == u32::from(self.reds));
            return chosen.fold(0, |set, code| set | 1 << code);
        };
        self.steps(table) & !(u64::from(reds) << ESCAPES)
    }

    fn apply(&self, table: &mut Table, code: u8) {
        let side = table.mover();
        if code < STEPS {
            table.reds[side] = Some(code);
        } else if code >= ESCAPES {
            table.winner = Some(side as u8);
        } else {
            let enemy = table.reds[1 - side].expect("colours are chosen before the first step");
            self.move_piece(table, code, enemy);
            table.winner = self.captured_all(table);
            table.drawn = table.winner.is_none() && self.is_dead(table);
        }
    }

    fn payoff(&self, table: &Table) -> f64 {
        table.winner.map_or(0.5, |side| f64::from(1 - side))
    }

    fn sum(&self) -> f64 {
        1.0
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
        let side = before.mover();
        if code < STEPS {
            return Some((observer == Some(Seat::new(side)), 0));
        }
        let (was, is) = (before.lost[1 - side], after.lost[1 - side]);
        let note = if was[0] == is[0] { u8::from(was[1] != is[1]) * RED } else { BLUE };
        Some((true, note))
    }

    fn note(&self, note: u8) -> Phrase {
        match note {
            BLUE => Phrase::new("it captures a blue", "青を取った"),
            RED => Phrase::new("it captures a red", "赤を取った"),
            _ => Phrase::default(),
        }
    }

    fn draw_board(&self, sight: &Looked<'_, Self>) -> String {
        let (table, frame) = match sight {
            Looked::All(world) => (world.table, 0),
            Looked::Seat(view) => (self.table_of(view), view.seat.index()),
        };
        let mut squares = vec!['.'; usize::from(self.width * self.height)];
        for side in 0..2 {
            for (piece, place) in table.pieces(side) {
                let square = if side == frame { place } else { self.turned(place) };
                let red = table.reds[side].is_some_and(|reds| reds >> piece & 1 == 1);
                let letter = (if side == frame { b'A' } else { b'a' }) + piece;
                squares[usize::from(square)] = char::from(letter + if red { 17 } else { 0 });
            }
        }
        let rows = squares.chunks(usize::from(self.width));
        let legend = "reds are R to U, blues and unknown ones A to D, the other side's small\n";
        rows.map(|row| format!("{}\n", row.iter().collect::<String>())).collect::<String>() + legend
    }
}

impl GeisterRules {
    /// What a seat knows of the table: the other's pieces count as blue until they are captured.
    fn table_of(self, view: &View<GeisterRules>) -> Table {
        let mut table = self.beginning();
        for seen in &view.seen {
            match seen.action.map(super::table::Move::code) {
                None => table.reds[table.mover()] = Some(0),
                Some(code) if code < STEPS => table.reds[table.mover()] = Some(code),
                Some(code) if code >= ESCAPES => {}
                Some(code) => {
                    let reds = if seen.note == RED { u8::MAX } else { 0 };
                    self.move_piece(&mut table, code, reds);
                }
            }
        }
        table
    }
}

/// Runs for the exits without a thought for the other side: it leaves if it can, and otherwise moves the blue that is nearest
/// to an exit one step nearer, if the way is free of its own.
#[derive(Clone, Copy, Debug)]
pub struct Runner(pub GeisterRules);

impl Runner {
    /// The steps that a blue still needs to an exit after an action; more than any if a red moves or nothing gets nearer.
    fn steps_left(self, table: &Table, code: u8) -> u8 {
        let side = table.mover();
        let reds = table.reds[side].unwrap_or(0);
        if !(STEPS..ESCAPES).contains(&code) {
            return 0;
        }
        let (piece, direction) = ((code - STEPS) / 4, (code - STEPS) % 4);
        let place = table.places[side][usize::from(piece)];
        let square = self.0.step(place, direction).expect("a legal step");
        let nearer = self.0.to_exit(square) < self.0.to_exit(place);
        if reds >> piece & 1 == 0 && nearer { 1 + self.0.to_exit(square) } else { u8::MAX }
    }
}

type RunnerPolicy = Vec<(crate::table::Move<GeisterRules>, f64)>;

impl Agent<Small<GeisterRules>> for Runner {
    fn act(
        &mut self,
        view: &View<GeisterRules>,
        rng: &mut Rng,
    ) -> crate::table::Move<GeisterRules> {
        draw_action(&Agent::policy(self, view, rng).unwrap_or_default(), rng)
    }

    fn policy(&mut self, view: &View<GeisterRules>, _: &mut Rng) -> Option<RunnerPolicy> {
        let table = self.0.table_of(view);
        let actions = view.legal_actions();
        let left = |code: u8| self.steps_left(&table, code);
        let best = actions.iter().map(|action| left(action.code())).min()?;
        let chosen = |code: u8| f64::from(u8::from(left(code) == best));
        let count: f64 = actions.iter().map(|action| chosen(action.code())).sum();
        Some(actions.iter().map(|&action| (action, chosen(action.code()) / count)).collect())
    }
}
