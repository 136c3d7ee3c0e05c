//! Positions, actions and events as plain data for screens and programs.
//!
//! Squares are given in one frame for everybody, that of seat 0 with its home at the bottom: `x` from 0 at the left,
//! `y` from 0 at the top. In phrases they have names, a letter for the column and a number for the row: `a1` is
//! x = 0, y = 0, and `f6` is x = 5, y = 5. Pieces are called by their owner's seat and their letter: `1:E`.

use crate::action::{Action, Event};
use crate::piece::{Colour, Piece, Placement};
use crate::public::{Ending, Public};
use crate::rules::Geister;
use crate::square::{Direction, EXITS, Square, squares};
use crate::view::View;
use crate::world::World;
use oboro_core::{Belief, Described, GameScenes, GameWorld, Phrase, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position: the board of 6 × 6 squares with its sixteen pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Whose view it is; null for a spectator's, and for the whole truth.
    pub viewer: Option<Seat>,
    /// The players, in order of their seats.
    pub seats: Vec<SeatScene>,
    /// Whose turn it is; null when the game is over.
    pub to_act: Option<Seat>,
    /// The pieces of seat 0 from A to H, then those of seat 1.
    pub pieces: Vec<PieceScene>,
    /// How many moves have been played by both together; placements do not count.
    pub ply: u16,
    /// The game is drawn after this many moves.
    pub ply_limit: u16,
    /// How the game ended; null while it goes on.
    pub ending: Option<EndingScene>,
}

/// A player, and what everybody knows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SeatScene {
    /// Its seat.
    pub seat: Seat,
    /// Whether it has chosen its red pieces, which is its first action.
    pub placed: bool,
    /// How many of its red pieces are on the board. It wins when none is left.
    pub reds_left: u8,
    /// How many of its blue pieces are on the board. It loses when none is left.
    pub blues_left: u8,
    /// The squares from which its blue pieces can leave the board.
    pub exits: Vec<Point>,
}

/// A piece.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PieceScene {
    /// Its name: the owner's seat and a letter from A to H by where it started, such as `1:E`.
    pub name: String,
    /// Whose it is.
    pub owner: Seat,
    /// Its colour; null where the viewer does not know it, and before the placement.
    pub colour: Option<Colour>,
    /// Where it stands; null when it was captured or has left the board.
    pub square: Option<Point>,
    /// Whether it was captured.
    pub captured: bool,
    /// Whether it stood on an exit when its owner was to move, and stayed: hardly a blue piece.
    pub stayed: bool,
}

/// A square: x from 0 at the left and y from 0 at the top, as seat 0 sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The column, from 0 at the left.
    pub x: u8,
    /// The row, from 0 at the top.
    pub y: u8,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EndingScene {
    /// What ended it.
    pub how: How,
    /// Who won; null in a draw.
    pub winner: Option<Seat>,
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The winner left the board with a blue piece.
    Escape,
    /// The winner captured all four blue pieces of the other side.
    BluesCaptured,
    /// All four red pieces of the winner were captured.
    RedsCaptured,
    /// Nobody won within the ply limit.
    Draw,
}

/// An action taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ActionData {
    /// Chooses which pieces are red.
    Place {
        /// The names of the four red pieces; null where the observer does not see them.
        reds: Option<Vec<String>>,
    },
    /// Moves a piece to a neighbouring square.
    Move {
        /// The name of the piece.
        piece: String,
        /// Where it stands.
        from: Point,
        /// Where it goes.
        to: Point,
        /// The name of the piece it captures there; null if none.
        captures: Option<String>,
    },
    /// Leaves the board with a blue piece, and wins.
    Escape {
        /// The name of the piece.
        piece: String,
        /// The exit it stands on.
        from: Point,
    },
}

/// What an observer saw happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EventData {
    /// Who acted.
    pub seat: Seat,
    /// What it did.
    #[serde(flatten)]
    pub did: ActionData,
    /// The colour of the captured piece, which everybody then sees; null if none was captured.
    pub revealed: Option<Colour>,
}

impl From<Square> for Point {
    fn from(square: Square) -> Point {
        Point { x: square.x(), y: square.y() }
    }
}

impl Point {
    /// The square it stands for.
    fn square(self) -> Square {
        Square::at(self.x, self.y).expect("a scene has squares of the board")
    }

    /// What people call it.
    fn name(self) -> String {
        format!("{}{}", char::from(b'a' + self.x), self.y + 1)
    }
}

impl From<Ending> for EndingScene {
    fn from(ending: Ending) -> EndingScene {
        let how = match ending {
            Ending::Escape(_) => How::Escape,
            Ending::BluesCaptured(_) => How::BluesCaptured,
            Ending::RedsCaptured(_) => How::RedsCaptured,
            Ending::Draw => How::Draw,
        };
        EndingScene { how, winner: ending.winner() }
    }
}

/// What scenes and beliefs call a piece.
fn name(owner: Seat, piece: Piece) -> String {
    format!("{owner}:{piece}")
}

fn names(owner: Seat, set: u8) -> Vec<String> {
    Piece::of_set(set).map(|piece| name(owner, piece)).collect()
}

/// A piece's letter, as people call it where its owner is clear.
fn letter(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, letter)| letter)
}

/// The scene of an observer that knows these colours.
fn scene(
    viewer: Option<Seat>,
    board: &Public,
    colour: impl Fn(Seat, Piece) -> Option<Colour>,
) -> Scene {
    let seat_scene = |seat: Seat| {
        let gone = |wanted| {
            let gone = Piece::of_set(!board.alive(seat));
            gone.filter(|&piece| colour(seat, piece) == Some(wanted)).count() as u8
        };
        SeatScene {
            seat,
            placed: board.has_placed(seat),
            reds_left: 4 - gone(Colour::Red),
            blues_left: 4 - gone(Colour::Blue),
            exits: squares(EXITS[seat.index()]).map(Point::from).collect(),
        }
    };
    let piece_scene = |owner: Seat, piece: Piece| PieceScene {
        name: name(owner, piece),
        owner,
        colour: colour(owner, piece),
        square: board.square(owner, piece).map(Point::from),
        captured: piece.is_in(board.captured(owner)),
        stayed: piece.is_in(board.stayed(owner)),
    };
    Scene {
        viewer,
        seats: Seat::all(2).map(seat_scene).collect(),
        to_act: board.to_act(),
        pieces: Seat::all(2)
            .flat_map(|owner| Piece::all().map(move |piece| (owner, piece)))
            .map(|(owner, piece)| piece_scene(owner, piece))
            .collect(),
        ply: board.ply(),
        ply_limit: board.ply_limit(),
        ending: board.ending().map(EndingScene::from),
    }
}

/// An action, or what `by` did, in a few words.
fn phrase(parts: &ActionData, by: Option<Seat>) -> Phrase {
    match parts {
        ActionData::Place { reds: None } => {
            Phrase::action(by, ["choose", "chooses"], "the reds", "赤を決める")
        }
        ActionData::Place { reds: Some(reds) } => {
            let letters: Vec<&str> = reds.iter().map(|name| letter(name)).collect();
            let rest = format!("{} as reds", letters.join(", "));
            let ja = format!("赤を{}にする", letters.join("・"));
            Phrase::action(by, ["choose", "chooses"], &rest, &ja)
        }
        ActionData::Move { piece, from, to, captures: None } => {
            let (piece, from, to) = (letter(piece), from.name(), to.name());
            let rest = format!("{piece} from {from} to {to}");
            Phrase::action(by, ["move", "moves"], &rest, &format!("{piece}を{from}から{to}へ"))
        }
        ActionData::Move { piece, to, captures: Some(captured), .. } => {
            let (piece, to, captured) = (letter(piece), to.name(), letter(captured));
            let rest = format!("{captured} on {to} with {piece}");
            Phrase::action(
                by,
                ["take", "takes"],
                &rest,
                &format!("{piece}で{to}の{captured}を取る"),
            )
        }
        ActionData::Escape { piece, from } => {
            let (piece, from) = (letter(piece), from.name());
            let rest = format!("with {piece} from {from}");
            Phrase::action(by, ["escape", "escapes"], &rest, &format!("{piece}が{from}から脱出"))
        }
    }
}

/// A capture with what it showed: the colour, and how many of that colour are captured by now.
fn with_capture(text: Phrase, from: &SeatScene, colour: Colour) -> Phrase {
    const NUMBERS: [&str; 4] = ["first", "second", "third", "fourth"];
    let (left, en, ja) = match colour {
        Colour::Red => (from.reds_left, "red", "赤"),
        Colour::Blue => (from.blues_left, "blue", "青"),
    };
    let before = 4 - usize::from(left.clamp(1, 4));
    text.and(&format!(": their {} {en}", NUMBERS[before]), &format!("（{ja}、{}体目）", before + 1))
}

impl GameScenes for Geister {
    type Scene = Scene;
    type ActionData = ActionData;
    type EventData = EventData;

    fn scene(&self, view: &View) -> Scene {
        scene(Some(view.seat()), view.public(), |owner, piece| view.colour(owner, piece))
    }

    fn ending(&self, world: &World, viewer: Option<Seat>) -> Vec<Phrase> {
        let who = |seat| Phrase::who(seat, viewer);
        let whose = |seat| Phrase::whose(seat, viewer);
        let text = match world.public().ending() {
            None => return Vec::new(),
            Some(Ending::Draw) => Phrase::new(
                "Nobody won before the last move.",
                "手数の上限までに勝負がつきませんでした。",
            ),
            Some(Ending::Escape(seat)) => {
                let Phrase { en, ja } = who(seat);
                Phrase::new(
                    format!("{en} left the board with a blue ghost."),
                    format!("{ja}の青いおばけが脱出しました。"),
                )
            }
            Some(Ending::BluesCaptured(seat)) => {
                let (by, of) = (who(seat), whose(seat.next(2)));
                Phrase::new(
                    format!("{} captured {} fourth blue ghost.", by.en, of.en),
                    format!("{}が{}青いおばけを4体とも取りました。", by.ja, of.ja),
                )
            }
            Some(Ending::RedsCaptured(seat)) => {
                let (by, of) = (who(seat.next(2)), whose(seat));
                Phrase::new(
                    format!("{} captured {} fourth red ghost, which loses.", by.en, of.en),
                    format!(
                        "{}が{}赤いおばけを4体とも取ったため、負けになりました。",
                        by.ja, of.ja
                    ),
                )
            }
        };
        vec![text]
    }

    fn public_scene(&self, world: &World) -> Scene {
        let board = world.public();
        scene(None, board, |owner, piece| {
            world.colour(owner, piece).filter(|_| !piece.is_in(board.alive(owner)))
        })
    }

    fn full_scene(&self, world: &World) -> Scene {
        scene(None, world.public(), |owner, piece| world.colour(owner, piece))
    }

    fn describe(&self, view: &View, action: Action) -> Described<ActionData> {
        let (seat, board) = (view.seat(), view.public());
        let stands = |piece| Point::from(board.square(seat, piece).expect("it is on the board"));
        let parts = match action {
            Action::Place(placement) => {
                ActionData::Place { reds: Some(names(seat, placement.reds())) }
            }
            Action::Move(piece, direction) => ActionData::Move {
                piece: name(seat, piece),
                from: stands(piece),
                to: board.target(seat, piece, direction).expect("a move stays on the board").into(),
                captures: board
                    .capture(seat, piece, direction)
                    .map(|captured| name(view.enemy(), captured)),
            },
            Action::Escape(piece) => {
                ActionData::Escape { piece: name(seat, piece), from: stands(piece) }
            }
        };
        Described { text: phrase(&parts, None), parts }
    }

    /// What the seat sees that does not move: it is shown nothing of its own.
    fn public_event(&self, world: &World, action: Action) -> Event {
        world.event(action, world.to_act().expect("somebody moves").next(2))
    }

    fn narrate(&self, before: &Scene, event: &Event) -> Described<EventData> {
        let stands = |name: &str| {
            let piece = before.pieces.iter().find(|piece| piece.name == name);
            piece.and_then(|piece| piece.square).expect("it is on the board")
        };
        let (seat, did, revealed) = match *event {
            Event::Placed { seat, placement } => {
                let reds = placement.map(|placement| names(seat, placement.reds()));
                (seat, ActionData::Place { reds }, None)
            }
            Event::Moved { seat, piece, direction, captured } => {
                let piece = name(seat, piece);
                let from = stands(&piece);
                let to = from.square().step(seat, direction).expect("a move stays on the board");
                let captures = captured.map(|(captured, _)| name(seat.next(2), captured));
                let did = ActionData::Move { piece, from, to: to.into(), captures };
                (seat, did, captured.map(|(_, colour)| colour))
            }
            Event::Escaped { seat, piece } => {
                let piece = name(seat, piece);
                let from = stands(&piece);
                (seat, ActionData::Escape { piece, from }, None)
            }
        };
        let text = phrase(&did, Some(seat));
        let text = match revealed {
            Some(colour) => with_capture(text, &before.seats[seat.next(2).index()], colour),
            None => text,
        };
        Described { parts: EventData { seat, did, revealed }, text }
    }

    fn recall(&self, told: &EventData) -> Option<Event> {
        let seat = told.seat;
        let piece = |name: &str| {
            let mut letters = letter(name).chars();
            Piece::from_letter(letters.next()?).filter(|_| letters.next().is_none())
        };
        let square = |point: Point| Square::at(point.x, point.y);
        Some(match &told.did {
            ActionData::Place { reds } => {
                let placement = reds.as_ref().map(|names| {
                    let letters: String = names.iter().map(|name| letter(name)).collect();
                    letters.parse::<Placement>()
                });
                Event::Placed { seat, placement: placement.transpose().ok()? }
            }
            ActionData::Move { piece: moved, from, to, captures } => {
                let (from, to) = (square(*from)?, square(*to)?);
                let direction =
                    Direction::ALL.into_iter().find(|way| from.step(seat, *way) == Some(to))?;
                let captured = match (captures, told.revealed) {
                    (Some(name), Some(colour)) => Some((piece(name)?, colour)),
                    (None, None) => None,
                    _ => return None,
                };
                Event::Moved { seat, piece: piece(moved)?, direction, captured }
            }
            ActionData::Escape { piece: name, .. } => Event::Escaped { seat, piece: piece(name)? },
        })
    }

    /// The colours of the other side's pieces on the board: `1:E` is `red` or `blue`.
    fn secrets(&self, view: &View) -> Vec<Belief> {
        let (reds, blues) = (f64::from(view.hidden_reds()), f64::from(view.hidden_blues()));
        colours_believed(view, |_| reds / (reds + blues))
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        let colour = |piece| world.colour(view.enemy(), piece).expect("both sides are placed");
        secret_pieces(view).map(|piece| colour(piece).name().to_owned()).collect()
    }
}

/// The beliefs that give each hidden piece this probability to be red.
pub(crate) fn colours_believed(view: &View, red: impl Fn(Piece) -> f64) -> Vec<Belief> {
    let belief = |piece| {
        let weights = [(Colour::Blue.name(), 1.0 - red(piece)), (Colour::Red.name(), red(piece))];
        Belief::weighted(&name(view.enemy(), piece), weights)
    };
    secret_pieces(view).map(belief).collect()
}

/// The enemy pieces whose colour the rules leave open: none before the enemy is placed, nor when only one colour
/// is left.
fn secret_pieces(view: &View) -> impl Iterator<Item = Piece> {
    let open = view.public().has_placed(view.enemy());
    let open = open && view.hidden_reds() > 0 && view.hidden_blues() > 0;
    Piece::of_set(if open { view.hidden() } else { 0 })
}
