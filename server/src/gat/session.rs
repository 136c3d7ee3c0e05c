//! One game as the server sees it, without sockets: lines and times in, messages out.

use super::{BoardText, Clock, Command, Line, Message, TimeControl};
use oboro_core::{Game, GameWorld, Record, Seat};
use oboro_geister::{Action, Direction, Ending, Geister, Placement, World};
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// How games are played on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// The rules; only the ply limit is free, placements are always the players'.
    pub rules: Geister,
    /// How long players may think.
    pub time: TimeControl,
    /// The pause between the acknowledgement of a move and the request for the next one.
    pub wait: Duration,
    /// Whether a bad line of the player to move loses the game.
    pub ng_terminates: bool,
    /// Whether a client may give its name with its SET.
    pub names: bool,
    /// How long the players may take to place their pieces, from the moment both are there.
    pub set_limit: Duration,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        SessionOptions {
            rules: Geister::default(),
            time: TimeControl::default(),
            wait: Duration::ZERO,
            ng_terminates: true,
            names: false,
            set_limit: Duration::from_secs(600),
        }
    }
}

/// What the server is to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Send this to that player.
    Send(Seat, Message),
    /// Close that player's connection once everything is sent; without it, the player closes.
    Close(Seat),
    /// Show the spectators this: a label of four characters and the board from the second player's
    /// side, all colours open.
    Show(&'static str, BoardText),
}

/// Why a player lost without being beaten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It sent a line that is no legal move when it was to move.
    BadLine,
    /// It ran out of time.
    Timeout,
    /// It left.
    Left,
    /// It did not place its pieces in time.
    NoSet,
    /// It did not come, or could not be started.
    Absent,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::BadLine => "illegal",
            Fault::Timeout => "out of time",
            Fault::Left => "disconnected",
            Fault::NoSet => "no placement",
            Fault::Absent => "absent",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// By the rules.
    Rules(Ending),
    /// This seat lost by its fault.
    Forfeit(Seat, Fault),
    /// Neither lost it: the server stopped, or neither placed its pieces.
    Abandoned,
}

impl End {
    /// Who won.
    pub fn winner(self) -> Option<Seat> {
        match self {
            End::Rules(ending) => ending.winner(),
            End::Forfeit(loser, _) => Some(loser.next(2)),
            End::Abandoned => None,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Rules(Ending::Escape(_)) => f.write_str("escape"),
            End::Rules(Ending::BluesCaptured(_)) => f.write_str("blues captured"),
            End::Rules(Ending::RedsCaptured(_)) => f.write_str("reds captured"),
            End::Rules(Ending::Draw) => f.write_str("ply limit"),
            End::Forfeit(_, fault) => write!(f, "{fault}"),
            End::Abandoned => f.write_str("abandoned"),
        }
    }
}

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Players come and place their pieces; once both are there, until the limit.
    Setting(Option<Duration>),
    /// The pause before the next request.
    Pausing(Duration),
    /// A move is requested; the clock starts when the request is written.
    Asked,
    /// The player to move thinks.
    Thinking { since: Duration, deadline: Duration },
    /// It is over.
    Over(End),
}

/// One game, from the first connection to the result.
///
/// Times are counted from any fixed moment, as long as it is the same one for all calls. After each
/// call the [`outputs`](Session::outputs) are to be carried out in order, and
/// [`tick`](Session::tick) is to be called when the [`deadline`](Session::deadline) has come.
#[derive(Clone, Debug)]
pub struct Session {
    options: SessionOptions,
    here: [bool; 2],
    sets: [Option<Placement>; 2],
    names: [Option<String>; 2],
    world: World,
    moves: Vec<(Seat, Action)>,
    clock: Clock,
    phase: Phase,
    outputs: VecDeque<Output>,
}

impl Session {
    /// A game that waits for its players.
    pub fn new(options: SessionOptions) -> Session {
        let empty = options.rules.deal(&mut oboro_core::Rng::from_u64(0));
        Session {
            here: [false; 2],
            sets: [None; 2],
            names: [None, None],
            world: empty,
            moves: Vec::new(),
            clock: Clock::new(options.time),
            phase: Phase::Setting(None),
            outputs: VecDeque::new(),
            options,
        }
    }

    /// A player has come.
    pub fn join(&mut self, now: Duration, seat: Seat) {
        if !matches!(self.phase, Phase::Setting(_)) || self.here[seat.index()] {
            return;
        }
        self.here[seat.index()] = true;
        self.send(seat, Message::SetRequest);
        if self.is_begun() {
            self.phase = Phase::Setting(Some(now.saturating_add(self.options.set_limit)));
        }
    }

    /// Whether both players have come: from here on, who leaves loses.
    pub fn is_begun(&self) -> bool {
        self.here == [true; 2]
    }

    /// A player has left. Before the other one has come, its place is free again.
    pub fn leave(&mut self, seat: Seat) {
        if matches!(self.phase, Phase::Over(_)) || !self.here[seat.index()] {
            return;
        }
        if self.is_begun() {
            self.finish(End::Forfeit(seat, Fault::Left));
        } else {
            self.here[seat.index()] = false;
            self.sets[seat.index()] = None;
            self.names[seat.index()] = None;
        }
    }

    /// A player has sent a line, received at `now`.
    pub fn line(&mut self, now: Duration, seat: Seat, line: &Line) {
        if !self.here[seat.index()] {
            return;
        }
        let command = match line {
            Line::Whole(bytes) => Command::parse(bytes, self.options.names),
            Line::Overlong => None,
        };
        match self.phase {
            Phase::Over(_) => {}
            Phase::Setting(_) => match command {
                Some(Command::Set(placement, name)) if self.sets[seat.index()].is_none() => {
                    self.sets[seat.index()] = Some(placement);
                    self.names[seat.index()] = name;
                    self.send(seat, Message::Ok(None));
                    self.begin_if_set();
                }
                _ => self.send(seat, Message::Ng),
            },
            Phase::Pausing(_) => self.send(seat, Message::Ng),
            Phase::Asked | Phase::Thinking { .. } if self.world.to_act() != Some(seat) => {
                self.send(seat, Message::Ng);
            }
            // A line that was still on its way when the clock ran out is too late.
            Phase::Thinking { deadline, .. } if now > deadline => self.tick(now),
            Phase::Asked | Phase::Thinking { .. } => {
                match command.and_then(|command| self.action(seat, &command)) {
                    Some(action) => self.play(now, seat, action),
                    None => {
                        self.send(seat, Message::Ng);
                        if self.options.ng_terminates {
                            self.finish(End::Forfeit(seat, Fault::BadLine));
                        }
                    }
                }
            }
        }
    }

    /// The last request for a move has been written: the clock of the player to move runs from `now`.
    pub fn request_written(&mut self, now: Duration) {
        if let (Phase::Asked, Some(seat)) = (self.phase, self.world.to_act()) {
            let deadline = now.saturating_add(self.clock.allowed(seat));
            self.phase = Phase::Thinking { since: now, deadline };
        }
    }

    /// When [`tick`](Session::tick) is to be called at the latest.
    pub fn deadline(&self) -> Option<Duration> {
        match self.phase {
            Phase::Setting(limit) => limit,
            Phase::Pausing(until) => Some(until),
            Phase::Thinking { deadline, .. } => Some(deadline),
            Phase::Asked | Phase::Over(_) => None,
        }
    }

    /// Time has passed.
    pub fn tick(&mut self, now: Duration) {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        match self.phase {
            Phase::Pausing(_) => self.ask(),
            Phase::Thinking { .. } => {
                let seat = self.world.to_act().expect("somebody thinks");
                self.finish(End::Forfeit(seat, Fault::Timeout));
            }
            Phase::Setting(_) => self.finish(match self.sets {
                [None, Some(_)] => End::Forfeit(Seat::new(0), Fault::NoSet),
                [Some(_), None] => End::Forfeit(Seat::new(1), Fault::NoSet),
                _ => End::Abandoned,
            }),
            Phase::Asked | Phase::Over(_) => {}
        }
    }

    /// Stops the game: a draw for both, and not to be counted.
    pub fn abandon(&mut self) {
        if !matches!(self.phase, Phase::Over(_)) {
            self.finish(End::Abandoned);
        }
    }

    /// A player loses by a fault that shows outside of the protocol.
    pub fn forfeit(&mut self, seat: Seat, fault: Fault) {
        if !matches!(self.phase, Phase::Over(_)) {
            self.finish(End::Forfeit(seat, fault));
        }
    }

    /// No more players are waited for: who is not there loses.
    pub fn give_up(&mut self) {
        match self.here {
            [true, true] => {}
            [true, false] => self.forfeit(Seat::new(1), Fault::Absent),
            [false, true] => self.forfeit(Seat::new(0), Fault::Absent),
            [false, false] => self.abandon(),
        }
    }

    /// How the game ended, if it did.
    pub fn end(&self) -> Option<End> {
        match self.phase {
            Phase::Over(end) => Some(end),
            _ => None,
        }
    }

    /// How many moves have been played, both players' together.
    pub fn plies(&self) -> u16 {
        self.world.board().ply()
    }

    /// The name a player gave.
    pub fn name(&self, seat: Seat) -> Option<&str> {
        self.names[seat.index()].as_deref()
    }

    /// Takes out what is to be done, in order.
    pub fn outputs(&mut self) -> impl Iterator<Item = Output> + '_ {
        self.outputs.drain(..)
    }

    /// The finished game written down. `names` are used for players that gave none, `origin` says
    /// where the game came from.
    pub fn record(&self, names: [&str; 2], origin: &str) -> Record {
        let rules = oboro_core::changed_params(&self.options.rules)
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect::<Vec<_>>()
            .join(",");
        let end = self.end().unwrap_or(End::Abandoned);
        let start = self.options.rules.deal(&mut oboro_core::Rng::from_u64(0));
        let sets = self.placed().into_iter().flatten().map(Action::Place);
        let actions = Seat::all(2).zip(sets).chain(self.moves.iter().copied());
        Record {
            game: Geister::NAME.to_owned(),
            rules,
            seed: origin.to_owned(),
            agents: Seat::all(2)
                .map(|seat| self.name(seat).unwrap_or(names[seat.index()]).to_owned())
                .collect(),
            start: self.options.rules.write_position(&start),
            actions: actions.map(|(seat, action)| (seat, action.to_string())).collect(),
            forfeit: match end {
                End::Forfeit(seat, fault) => Some((seat, fault.to_string())),
                _ => None,
            },
            result: Seat::all(2)
                .map(|seat| match end.winner() {
                    Some(winner) => if winner == seat { "1" } else { "0" }.to_owned(),
                    None => "0.5".to_owned(),
                })
                .collect(),
        }
    }

    /// The placements that a record can hold: seat 1's only after seat 0's.
    fn placed(&self) -> [Option<Placement>; 2] {
        match self.sets {
            [None, _] => [None; 2],
            sets => sets,
        }
    }

    fn send(&mut self, seat: Seat, message: Message) {
        self.outputs.push_back(Output::Send(seat, message));
    }

    fn begin_if_set(&mut self) {
        let [Some(first), Some(second)] = self.sets else { return };
        self.world = World::placed([first, second], self.options.rules.plies);
        self.ask();
    }

    fn ask(&mut self) {
        let seat = self.world.to_act().expect("a game that goes on has a player to move");
        self.phase = Phase::Asked;
        self.show(if seat == Seat::FIRST { "MV0:" } else { "MV1:" });
        self.send(seat, Message::MoveRequest(self.text(seat, false)));
    }

    /// What a command of the player to move means, if it is legal.
    fn action(&self, seat: Seat, command: &Command) -> Option<Action> {
        let &Command::Move(piece, direction) = command else { return None };
        let square = self.world.board().square(seat, piece)?.seen_by(seat);
        // Out of the board leads the way north from an exit, and the way to its side: real clients
        // use both.
        let leaves = matches!(
            (square.x(), square.y(), direction),
            (0 | 5, 0, Direction::North) | (0, 0, Direction::West) | (5, 0, Direction::East)
        );
        let action = if leaves { Action::Escape(piece) } else { Action::Move(piece, direction) };
        self.world.is_legal(action).then_some(action)
    }

    fn play(&mut self, now: Duration, seat: Seat, action: Action) {
        if let Phase::Thinking { since, .. } = self.phase {
            self.clock.spend(seat, now.saturating_sub(since));
        }
        let captured = match action {
            Action::Move(piece, direction) => self
                .world
                .board()
                .capture(seat, piece, direction)
                .and_then(|captured| self.world.colour(seat.next(2), captured)),
            _ => None,
        };
        self.world.apply(action);
        self.moves.push((seat, action));
        self.send(seat, Message::Ok(captured));
        if let Some(ending) = self.world.board().ending() {
            self.finish(End::Rules(ending));
        } else if self.options.wait.is_zero() {
            self.ask();
        } else {
            self.show("MOV:");
            self.phase = Phase::Pausing(now.saturating_add(self.options.wait));
        }
    }

    fn finish(&mut self, end: End) {
        self.phase = Phase::Over(end);
        let gone = match end {
            End::Forfeit(seat, Fault::Left) => Some(seat),
            _ => None,
        };
        // The winner hears it first.
        let order = match end.winner() {
            Some(winner) => [winner, winner.next(2)],
            None => [Seat::new(0), Seat::new(1)],
        };
        let here = self.here;
        for seat in order.into_iter().filter(|&seat| here[seat.index()] && Some(seat) != gone) {
            let board = self.text(seat, true);
            self.send(
                seat,
                match end.winner() {
                    None => Message::Drawn(board),
                    Some(winner) if winner == seat => Message::Won(board),
                    Some(_) => Message::Lost(board),
                },
            );
        }
        if matches!(end, End::Forfeit(_, Fault::Timeout | Fault::NoSet) | End::Abandoned) {
            self.outputs.extend(order.map(Output::Close));
        }
        self.show(match end.winner() {
            None => "DRW:",
            Some(winner) if winner == Seat::FIRST => "WI0:",
            Some(_) => "WI1:",
        });
    }

    fn show(&mut self, label: &'static str) {
        let board = self.text(Seat::new(1), true);
        self.outputs.push_back(Output::Show(label, board));
    }

    fn text(&self, seat: Seat, open: bool) -> BoardText {
        BoardText::new(self.world.board(), seat, open, |seat, piece| {
            let reds = self.sets[seat.index()]?.reds();
            Some(if piece.is_in(reds) {
                oboro_geister::Colour::Red
            } else {
                oboro_geister::Colour::Blue
            })
        })
    }
}
