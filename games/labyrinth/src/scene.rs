//! Positions, actions and events as plain data for screens and programs.
//!
//! Cells are given as `x` from 0 at the left and `y` from 0 at the top. In phrases they have the names of the
//! notation, a letter for the column and a number for the row: `a1` is x = 0, y = 0, and `g7` is x = 6, y = 6.

use crate::action::{Action, Event};
use crate::board::Board;
use crate::cell::{Cell, SIZE};
use crate::entry::Entry;
use crate::maze::{Maze, Ways};
use crate::public::{Finish, Goal, Public};
use crate::rules::Labyrinth;
use crate::tile::{Rotation, Shape, Side};
use crate::treasure::{Treasure, TreasureSet};
use crate::view::View;
use crate::world::World;
use oboro_core::{Belief, Described, GameScenes, GameWorld, Phrase, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A position: the maze of 7 × 7 tiles, the extra tile, the pawns, and how far everybody is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Whose view it is; null for a spectator's, and for the whole truth.
    pub viewer: Option<Seat>,
    /// The players, in order of their seats.
    pub seats: Vec<SeatScene>,
    /// Whose turn it is; null when the game is over.
    pub to_act: Option<Seat>,
    /// The 49 tiles, row by row from the top left.
    pub tiles: Vec<TileScene>,
    /// The tile that is pushed in next.
    pub extra: ExtraScene,
    /// The twelve places where it can be pushed in, clockwise from the top left.
    pub entries: Vec<EntryScene>,
    /// The number of the entry that would undo the last push and may not be used; null before the first push.
    pub forbidden_entry: Option<u8>,
    /// How many turns have been played, by all together.
    pub turns_played: u16,
    /// The game is a draw after this many turns of all together.
    pub turn_limit: u16,
    /// Who has won: got home with all cards found or, where the rules say `finish=last-card`, found the last one; null while the game goes on, and in a draw.
    pub winner: Option<Seat>,
}

/// A player, and what the viewer knows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SeatScene {
    /// Its seat.
    pub seat: Seat,
    /// Where its pawn stands.
    pub pawn: Point,
    /// Its home corner, where it has to go after its last card.
    pub home: Point,
    /// The treasures it has found, the first one first.
    pub found: Vec<Treasure>,
    /// How many cards it has still to find; with none left it goes home or, with `finish=last-card`, has won.
    pub cards_left: u8,
    /// The treasure it looks for, the top card of its pile; null where the viewer does not know it, and when it
    /// goes home.
    pub seeks: Option<Treasure>,
    /// The cards below the top one, in order. Null in every view: nobody knows them, not even their owner.
    pub later: Option<Vec<Treasure>>,
    /// Treasures it is known not to look for now: it ended a turn on them and turned no card over.
    pub refused: Vec<Treasure>,
}

/// A tile on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TileScene {
    /// Its column, from 0 at the left.
    pub x: u8,
    /// Its row, from 0 at the top.
    pub y: u8,
    /// The way through it.
    pub shape: Shape,
    /// By how many degrees it is turned clockwise: 0, 90, 180 or 270, for a straight 0 or 90.
    pub rotation: u16,
    /// Its open sides, clockwise from the top.
    pub open: Vec<Side>,
    /// The treasure on it; null if there is none.
    pub treasure: Option<Treasure>,
    /// Whether it is fixed; the others can be pushed.
    pub fixed: bool,
}

/// The tile beside the board. It has no rotation until it is pushed in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ExtraScene {
    /// The way through it.
    pub shape: Shape,
    /// The treasure on it; null if there is none.
    pub treasure: Option<Treasure>,
}

/// A place where the extra tile can be pushed in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EntryScene {
    /// Its number, from 0 to 11.
    pub entry: u8,
    /// The cell on which the tile comes to lie.
    pub cell: Point,
    /// Which way the tiles of the row or column go.
    pub towards: Side,
}

/// A cell of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The column, from 0 at the left.
    pub x: u8,
    /// The row, from 0 at the top.
    pub y: u8,
}

/// An action taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ActionData {
    /// A whole turn: pushes the extra tile in and walks.
    Turn {
        /// The number of the entry where the tile is pushed in.
        entry: u8,
        /// By how many degrees the tile is turned clockwise.
        rotation: u16,
        /// Where the pawn ends its turn.
        to: Point,
        /// A shortest way there: the cells from where the pawn stands after the push.
        walk: Vec<Point>,
        /// The treasure that is looked for and found there; null if none is.
        finds: Option<Treasure>,
        /// Whether this wins: the pawn gets home with all cards found or, with `finish=last-card`, finds the last one.
        wins: bool,
    },
}

/// What an observer saw happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EventData {
    /// Whose turn it was.
    pub seat: Seat,
    /// What it did.
    #[serde(flatten)]
    pub did: ActionData,
    /// The pawns that travelled with the pushed tiles, before any walk.
    pub carried: Vec<CarriedScene>,
    /// What the observer looks for next, if it found a treasure in its own turn; null otherwise.
    pub next: Option<Treasure>,
}

/// A pawn that a push carried.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CarriedScene {
    /// Whose pawn.
    pub seat: Seat,
    /// Where it stood.
    pub from: Point,
    /// Where it then stood; a pawn that falls off comes back at the entry.
    pub to: Point,
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point { x: cell.x() as u8, y: cell.y() as u8 }
    }
}

impl Point {
    /// The cell it stands for.
    fn cell(self) -> Cell {
        Cell::new(self.x.into(), self.y.into())
    }
}

fn tile_scene(board: &Board, cell: Cell) -> TileScene {
    let sides = board.maze().sides(cell);
    let shape = sides.shape().expect("every tile has a shape");
    let rotation = Rotation::ALL.into_iter().find(|&by| shape.turned(by) == sides);
    TileScene {
        x: cell.x() as u8,
        y: cell.y() as u8,
        shape,
        rotation: rotation.expect("a tile is its shape turned").degrees(),
        open: sides.iter().collect(),
        treasure: board.treasure_at(cell),
        fixed: cell.pushable_lines() == 0,
    }
}

/// The scene of an observer that knows these cards of each seat: found, sought and later ones.
fn scene(
    viewer: Option<Seat>,
    public: &Public,
    found: impl Fn(Seat) -> Vec<Treasure>,
    seeks: impl Fn(Seat) -> Option<Treasure>,
    later: impl Fn(Seat) -> Option<Vec<Treasure>>,
) -> Scene {
    let board = public.board();
    let seat_scene = |seat: Seat| SeatScene {
        seat,
        pawn: public.pawn(seat).into(),
        home: public.home(seat).into(),
        found: found(seat),
        cards_left: public.cards_left(seat) as u8,
        seeks: seeks(seat),
        later: later(seat),
        refused: public.refused(seat).iter().collect(),
    };
    let entry_scene = |entry: Entry| EntryScene {
        entry: entry.index() as u8,
        cell: entry.cell().into(),
        towards: entry.towards(),
    };
    Scene {
        viewer,
        seats: Seat::all(public.seats()).map(seat_scene).collect(),
        to_act: public.to_act(),
        tiles: Cell::all().map(|cell| tile_scene(board, cell)).collect(),
        extra: ExtraScene { shape: board.extra(), treasure: board.extra_treasure() },
        entries: Entry::all().map(entry_scene).collect(),
        forbidden_entry: public.last_push().map(|last| last.opposite().index() as u8),
        turns_played: public.turns_played() as u16,
        turn_limit: public.ply_limit,
        winner: public.winner(),
    }
}

/// The treasures of a pile that have been found.
fn found(world: &World, seat: Seat) -> Vec<Treasure> {
    world.pile(seat).take(world.public().cards_found(seat)).collect()
}

fn treasure(goal: Goal) -> Option<Treasure> {
    match goal {
        Goal::Treasure(treasure) => Some(treasure),
        Goal::Home(_) => None,
    }
}

/// The common part of the turns that begin with one push.
struct Push {
    entry: Entry,
    rotation: Rotation,
    /// The ways of the mover's pawn after it.
    ways: Ways,
    /// The push, or what `by` did, in a few words.
    text: Phrase,
}

impl Push {
    /// `ways` are those from where the mover stands after the push.
    fn new(entry: Entry, rotation: Rotation, ways: Ways, by: Option<Seat>) -> Push {
        let (number, degrees) = (entry.index(), rotation.degrees());
        let rest = format!("in at {number} ({degrees}°)");
        let ja = format!("{number}番から{degrees}°で押し込み");
        let text = Phrase::action(by, ["push", "pushes"], &rest, &ja);
        Push { entry, rotation, ways, text }
    }

    /// A whole turn, taken apart and in a few words.
    fn turn(&self, to: Cell, finds: Option<Treasure>, wins: bool) -> Described<ActionData> {
        let walk = self.ways.to(to).expect("a walk leads there");
        let (walking, towards) =
            if walk.len() > 1 { ("walking to", "へ") } else { ("staying on", "にとどまる") };
        // There may be hundreds of turns: no more texts are made than are shown.
        let Phrase { en, ja } = &self.text;
        let mut text = Phrase {
            en: String::with_capacity(en.len() + 16),
            ja: String::with_capacity(ja.len() + 24),
        };
        let words = write!(text.en, "{en}, {walking} {to}");
        words
            .and_then(|()| write!(text.ja, "{ja}、{to}{towards}"))
            .expect("a text takes everything");
        if let Some(treasure) = finds {
            let ja = format!("（{}を発見）", treasure.japanese());
            text = text.and(&format!(", finding the {treasure}"), &ja);
        }
        let text = match (wins, finds) {
            (true, None) => text.and(", home with all cards", "（全部見つけて帰還）"),
            (true, Some(_)) => text.and(", the last card", "（最後の札で勝ち）"),
            (false, _) => text,
        };
        let parts = ActionData::Turn {
            entry: self.entry.index() as u8,
            rotation: self.rotation.degrees(),
            to: to.into(),
            walk: walk.into_iter().map(Point::from).collect(),
            finds,
            wins,
        };
        Described { parts, text }
    }
}

/// The name of a treasure in scenes and beliefs.
fn id(treasure: Treasure) -> String {
    treasure.to_string().replace(' ', "-")
}

impl GameScenes for Labyrinth {
    type Scene = Scene;
    type ActionData = ActionData;
    type EventData = EventData;

    fn ending(&self, world: &World, viewer: Option<Seat>) -> Vec<Phrase> {
        let Some(winner) = world.public().winner() else {
            return vec![Phrase::new(
                "Nobody finished before the last turn.",
                "手番の上限までに誰も終わりませんでした。",
            )];
        };
        let Phrase { en, ja } = Phrase::who(winner, viewer);
        vec![match self.finish {
            Finish::Home => Phrase::new(
                format!("{en} found all treasures and came home first."),
                format!("{ja}がすべての宝を見つけ、最初に帰りました。"),
            ),
            Finish::LastCard => Phrase::new(
                format!("{en} found the last treasure first."),
                format!("{ja}が最後の宝を最初に見つけました。"),
            ),
        }]
    }

    fn scene(&self, view: &View) -> Scene {
        let public = view.public();
        scene(
            Some(view.seat()),
            public,
            |seat| view.cards_found(seat).collect(),
            |seat| if seat == view.seat() { treasure(view.goal()) } else { None },
            |_| None,
        )
    }

    fn public_scene(&self, world: &World) -> Scene {
        scene(None, world.public(), |seat| found(world, seat), |_| None, |_| None)
    }

    fn full_scene(&self, world: &World) -> Scene {
        let public = world.public();
        let later = |seat| world.pile(seat).skip(public.cards_found(seat) + 1).collect();
        scene(
            None,
            public,
            |seat| found(world, seat),
            |seat| treasure(world.goal(seat)),
            |seat| Some(later(seat)),
        )
    }

    fn describe(&self, view: &View, action: Action) -> Described<ActionData> {
        let mut described = None;
        self.describe_all(view, &[action], |_, turn| described = Some(turn));
        described.expect("one action, one description")
    }

    fn describe_all(
        &self,
        view: &View,
        actions: &[Action],
        mut tell: impl FnMut(Action, Described<ActionData>),
    ) {
        let (seat, before) = (view.seat(), view.public());
        let begins_alike = |a: &Action, b: &Action| (a.entry, a.rotation) == (b.entry, b.rotation);
        for turns in actions.chunk_by(begins_alike) {
            let Action { entry, rotation, .. } = turns[0];
            let mut pushed = *before;
            pushed.push(entry, rotation);
            let ways = pushed.board().maze().corridors().ways(pushed.pawn(seat));
            let push = Push::new(entry, rotation, ways, None);
            for &action in turns {
                let mut after = pushed;
                after.walk(action.to, view.goal());
                let found = after.cards_found(seat) > before.cards_found(seat);
                let finds = treasure(view.goal()).filter(|_| found);
                tell(action, push.turn(action.to, finds, after.winner() == Some(seat)));
            }
        }
    }

    /// What anybody but the mover sees: everything but the next card.
    fn public_event(&self, world: &World, action: Action) -> Event {
        let mover = world.to_act().expect("somebody moves");
        Event { next: None, ..world.event(action, mover) }
    }

    fn narrate(&self, before: &Scene, event: &Event) -> Described<EventData> {
        let Event { mover, action, found, next } = *event;
        let mut maze = Maze::default();
        for tile in &before.tiles {
            maze.lay(Cell::new(tile.x.into(), tile.y.into()), tile.open.iter().copied().collect());
        }
        let corridors = maze.gap(action.entry).filled(before.extra.shape.turned(action.rotation));
        let own = &before.seats[mover.index()];
        let wins = match self.finish {
            Finish::Home => own.cards_left == 0 && own.home.cell() == action.to,
            Finish::LastCard => own.cards_left == 1 && found.is_some(),
        };
        let ways = corridors.ways(action.entry.carry(own.pawn.cell()));
        let push = Push::new(action.entry, action.rotation, ways, Some(mover));
        let Described { parts: did, mut text } = push.turn(action.to, found, wins);
        let carried = before
            .seats
            .iter()
            .map(|seat| {
                let to = action.entry.carry(seat.pawn.cell()).into();
                CarriedScene { seat: seat.seat, from: seat.pawn, to }
            })
            .filter(|pawn| pawn.from != pawn.to)
            .collect();
        if let Some(next) = next {
            let ja = format!("、次は{}", next.japanese());
            text = text.and(&format!("; next is the {next}"), &ja);
        }
        Described { parts: EventData { seat: mover, did, carried, next }, text }
    }

    fn recall(&self, told: &EventData) -> Option<Event> {
        let ActionData::Turn { entry, rotation, to, finds, .. } = &told.did;
        let entry = Entry::new(usize::from(*entry))?;
        let rotation = Rotation::from_degrees(*rotation)?;
        let inside = usize::from(to.x) < SIZE && usize::from(to.y) < SIZE;
        let action = inside.then(|| Action { entry, rotation, to: to.cell() })?;
        Some(Event { mover: told.seat, action, found: *finds, next: told.next })
    }

    /// What the others look for: `seeks:2` is the name of a treasure.
    fn secrets(&self, view: &View) -> Vec<Belief> {
        secret_goals(view).into_iter().map(|(seat, ways)| belief(seat, ways)).collect()
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        let sought = |seat| treasure(world.goal(seat)).expect("a seat with cards left seeks one");
        secret_goals(view).into_iter().map(|(seat, _)| id(sought(seat))).collect()
    }
}

/// The belief with these weights of the treasures that each other seat may look for.
pub(crate) fn goals_believed(view: &View, weight: impl Fn(Seat, Treasure) -> f64) -> Vec<Belief> {
    let weighed = |(seat, ways): (Seat, Vec<(Treasure, f64)>)| {
        belief(seat, ways.into_iter().map(|(treasure, _)| (treasure, weight(seat, treasure))))
    };
    secret_goals(view).into_iter().map(weighed).collect()
}

/// The belief about a seat's goal with these weights.
fn belief(seat: Seat, weights: impl IntoIterator<Item = (Treasure, f64)>) -> Belief {
    let weights = weights.into_iter().map(|(treasure, weight)| (id(treasure), weight));
    Belief::weighted(&format!("seeks:{seat}"), weights)
}

/// The other seats that look for a treasure which the rules leave open, each with all that it may be and in how
/// many ways the tops of the others' piles can then be dealt: no two seek the same.
fn secret_goals(view: &View) -> Vec<(Seat, Vec<(Treasure, f64)>)> {
    let seekers: Vec<(Seat, TreasureSet)> = Seat::all(view.public().seats())
        .filter(|&seat| seat != view.seat())
        .map(|seat| (seat, view.possible_goals(seat)))
        .filter(|(_, possible)| !possible.is_empty())
        .collect();
    let ways = |seat: Seat, treasure: Treasure| {
        let taken = [treasure].into_iter().collect();
        let others = seekers.iter().filter(|(other, _)| *other != seat);
        let others: Vec<TreasureSet> =
            others.map(|(_, possible)| possible.without(taken)).collect();
        match others[..] {
            [] => 1,
            [a] => a.len(),
            [a, b] => a.len() * b.len() - a.without(a.without(b)).len(),
            _ => unreachable!("four players have three others, and one is looked at"),
        }
    };
    let weighted = |&(seat, possible): &(Seat, TreasureSet)| {
        let weights = possible.iter().map(|treasure| (treasure, ways(seat, treasure) as f64));
        (seat, weights.filter(|(_, ways)| *ways > 0.0).collect())
    };
    let goals = seekers.iter().map(weighted);
    goals.filter(|(_, weights): &(_, Vec<_>)| weights.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn beliefs_name_treasures_as_scenes_do() {
        for treasure in Treasure::ALL {
            let id = id(treasure);
            let read = Treasure::deserialize(StrDeserializer::<Error>::new(&id));
            assert_eq!(read, Ok(treasure));
        }
    }
}
