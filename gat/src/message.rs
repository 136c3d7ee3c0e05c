//! What the two sides say.

use super::BoardText;
use oboro_geister::{Action, Colour, Direction, Piece, Placement};
use std::fmt;

/// What a client says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// `SET:ABCD`, with names allowed also `SET:ABCD,NAME:xyz`: which pieces are red.
    Set(Placement, Option<String>),
    /// `MOV:A,NORTH`: one step, in the mover's own frame; from an exit also out of the board.
    Move(Piece, Direction),
}

impl Command {
    /// The longest name.
    pub(crate) const NAME_LIMIT: usize = 32;

    /// Reads a line; `None` if it is no command. Names are part of the 2024 dialect and refused
    /// unless `names` are allowed.
    pub(crate) fn parse(line: &[u8], names: bool) -> Option<Command> {
        if let Some(rest) = line.strip_prefix(b"SET:") {
            let (reds, rest) = rest.split_at_checked(4)?;
            let name = match rest {
                [] => None,
                _ if names => Some(name(rest.strip_prefix(b",NAME:")?)?),
                _ => return None,
            };
            return Some(Command::Set(placement(reds)?, name));
        }
        let rest = line.strip_prefix(b"MOV:")?;
        let (&[letter, b','], rest) = rest.split_first_chunk::<2>()? else { return None };
        Some(Command::Move(piece(letter)?, direction(rest)?))
    }
}

fn piece(letter: u8) -> Option<Piece> {
    Piece::from_letter(letter.to_ascii_uppercase().into())
}

fn placement(reds: &[u8]) -> Option<Placement> {
    // A letter named twice leaves fewer than four reds.
    let set = reds.iter().try_fold(0, |set, &letter| Some(set | piece(letter)?.bit()))?;
    Placement::from_reds(set)
}

fn direction(word: &[u8]) -> Option<Direction> {
    Direction::ALL.into_iter().find(|&direction| {
        let long = word_of(direction).as_bytes();
        word.eq_ignore_ascii_case(long) || word.eq_ignore_ascii_case(&long[..1])
    })
}

fn word_of(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "NORTH",
        Direction::East => "EAST",
        Direction::South => "SOUTH",
        Direction::West => "WEST",
    }
}

/// Names go into records and onto screens: plain visible characters only.
fn name(bytes: &[u8]) -> Option<String> {
    let plain = |b: &u8| b.is_ascii_graphic() && !b"|,<>&\"'".contains(b);
    let fits = (1..=Command::NAME_LIMIT).contains(&bytes.len());
    (fits && bytes.iter().all(plain)).then(|| String::from_utf8_lossy(bytes).into_owned())
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Set(placement, None) => write!(f, "SET:{placement}"),
            Command::Set(placement, Some(name)) => write!(f, "SET:{placement},NAME:{name}"),
            // The full word: every server knows it, and the first letter alone not every one.
            Command::Move(piece, direction) => write!(f, "MOV:{piece},{}", word_of(*direction)),
        }
    }
}

impl From<Action> for Command {
    fn from(action: Action) -> Command {
        match action {
            Action::Place(placement) => Command::Set(placement, None),
            Action::Move(piece, direction) => Command::Move(piece, direction),
            Action::Escape(piece) => Command::Move(piece, Direction::North),
        }
    }
}

/// What a server says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Message {
    /// `SET?`: place your pieces.
    SetRequest,
    /// `OK `, or `OKR`, `OKB` when the move captured a piece of that colour.
    Ok(Option<Colour>),
    /// `NG `: the line is refused.
    Ng,
    /// `MOV?` and the board: your turn.
    MoveRequest(BoardText),
    /// `WON:` and the board, all colours open.
    Won(BoardText),
    /// `LST:` and the board, all colours open.
    Lost(BoardText),
    /// `DRW:` and the board, all colours open.
    Drawn(BoardText),
}

impl Message {
    /// Reads a line of a server; `None` if it is no message. Blanks at the end do not matter:
    /// servers differ in them.
    pub fn parse(line: &[u8]) -> Option<Message> {
        let line = line.trim_ascii_end();
        match line {
            b"SET?" => return Some(Message::SetRequest),
            b"OK" => return Some(Message::Ok(None)),
            b"OKR" => return Some(Message::Ok(Some(Colour::Red))),
            b"OKB" => return Some(Message::Ok(Some(Colour::Blue))),
            b"NG" => return Some(Message::Ng),
            _ => {}
        }
        let (label, board) = line.split_at_checked(4)?;
        let board = BoardText::parse(board)?;
        match label {
            b"MOV?" => Some(Message::MoveRequest(board)),
            b"WON:" => Some(Message::Won(board)),
            b"LST:" => Some(Message::Lost(board)),
            b"DRW:" => Some(Message::Drawn(board)),
            _ => None,
        }
    }

    /// Whether it answers a line of the client: every line gets exactly one such answer while the
    /// game goes on.
    pub fn is_answer(self) -> bool {
        matches!(self, Message::Ok(_) | Message::Ng)
    }

    /// Whether it ends the game.
    pub fn is_result(self) -> bool {
        matches!(self, Message::Won(_) | Message::Lost(_) | Message::Drawn(_))
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::SetRequest => f.write_str("SET?"),
            Message::Ok(None) => f.write_str("OK "),
            Message::Ok(Some(colour)) => write!(f, "OK{}", colour.letter()),
            Message::Ng => f.write_str("NG "),
            Message::MoveRequest(board) => write!(f, "MOV?{board}"),
            Message::Won(board) => write!(f, "WON:{board}"),
            Message::Lost(board) => write!(f, "LST:{board}"),
            Message::Drawn(board) => write!(f, "DRW:{board}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Option<String> {
        Command::parse(line.as_bytes(), false).map(|command| command.to_string())
    }

    #[test]
    fn letters_and_directions_come_in_either_case_but_keywords_in_capitals() {
        assert_eq!(read("SET:gcEf").as_deref(), Some("SET:CEFG"));
        for line in ["MOV:A,N", "MOV:a,n", "MOV:A,NORTH", "MOV:a,north", "MOV:A,nOrTh"] {
            assert_eq!(read(line).as_deref(), Some("MOV:A,NORTH"), "{line}");
        }
        for (letter, word) in [("E", "EAST"), ("W", "WEST"), ("S", "SOUTH")] {
            assert_eq!(read(&format!("MOV:H,{letter}")), Some(format!("MOV:H,{word}")));
            assert_eq!(read(&format!("MOV:H,{word}")), Some(format!("MOV:H,{word}")));
        }
        for bad in ["set:ABCD", "Set:ABCD", "mov:A,N", "Mov:A,N"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for bad in [
            "",
            " ",
            "SET",
            "SET:",
            "SET:ABC",
            "SET:ABCDE",
            "SET:AABB",
            "SET:ABCI",
            "SET:ABC1",
            "SET: ABCD",
            "SET:ABCD ",
            " SET:ABCD",
            "SET:ABCD,NAME:x",
            "SET:AB,D",
            "MOV",
            "MOV:",
            "MOV:,N",
            "MOV:A",
            "MOV:A,",
            "MOV:A,X",
            "MOV:I,N",
            "MOV:A,NO",
            "MOV:A,NN",
            "MOV:AB,N",
            "MOV:A N",
            "MOV:A, N",
            "MOV:A,N ",
            "MOV:A,N,E",
            "MOV:A,NORTHE",
            "MOV:A,\r",
            "OK ",
            "MOV?",
            "MOV:\u{ff21},N",
            "SET:\u{ff21}BCD",
            "\0",
            "WON:",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn names_are_read_where_they_are_allowed() {
        let read = |line: &str| Command::parse(line.as_bytes(), true);
        let named = read("SET:ABCD,NAME:Oboro-1").unwrap();
        assert_eq!(named.to_string(), "SET:ABCD,NAME:Oboro-1");
        assert!(read("SET:ABCD").is_some());
        let long = format!("SET:ABCD,NAME:{}", "x".repeat(33));
        let bad = ["NAME:", "NAME:a b", "NAME:a|b", "NAME:a,b", "NAME:<b>", "NAME:\u{8}", "name:x"];
        for bad in bad.map(|rest| format!("SET:ABCD,{rest}")).iter().chain([&long]) {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn messages_have_their_bytes() {
        assert_eq!(Message::Ok(None).to_string(), "OK ");
        assert_eq!(Message::Ng.to_string(), "NG ");
        assert_eq!(Message::Ok(Some(Colour::Blue)).to_string(), "OKB");
        assert_eq!(Message::parse(b"OK"), Some(Message::Ok(None)));
        assert_eq!(Message::parse(b"OKX"), None);
        assert_eq!(Message::parse(b"MOV?14R"), None);
    }

    proptest! {
        #[test]
        fn commands_read_as_they_are_written(reds in 0usize..70, piece in 0usize..8, at in 0usize..4) {
            let set = Command::Set(Placement::numbered(reds), None);
            let step = Command::Move(Piece::new(piece), Direction::ALL[at]);
            for command in [set, step] {
                let text = command.to_string();
                prop_assert_eq!(Command::parse(text.as_bytes(), false), Some(command.clone()));
                prop_assert_eq!(Command::parse(text.as_bytes(), true), Some(command));
            }
        }

        #[test]
        fn a_message_that_reads_is_written_back(line in "(OK[RB ]|NG |SET\\?|(MOV\\?|WON:|LST:|DRW:)([0-5][0-5][RB]|99[rb]|88b){8}([0-5][0-5][urb]|99[rb]|88b){8})") {
            let message = Message::parse(line.as_bytes());
            prop_assert_eq!(message.map(|m| m.to_string()), Some(line));
        }

        #[test]
        fn any_bytes_are_read_or_refused(line in proptest::collection::vec(any::<u8>(), 0..64)) {
            let plain = Command::parse(&line, false);
            if plain.is_some() {
                prop_assert_eq!(Command::parse(&line, true), plain);
            }
            let _ = Message::parse(&line);
        }
    }
}
