//! One game as the server sees it, without sockets: lines and times in, messages out.

use super::flags::{self, millis, rules_of_plies, seconds};
use super::{BoardText, Clock, Command, Line, Message, TimeControl};
use oboro_core::{Game, GameWorld, Live, Record, Seat};
use oboro_geister::{Action, Direction, Ending, Geister, Placement, World};
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// How games are played on a server.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct SessionOptions {
    /// How long players may think.
    #[command(flatten)]
    pub time: TimeControl,

    /// The pause after a move, in milliseconds
    #[arg(long, value_name = "MS", default_value = "0", value_parser = millis)]
    pub wait: Duration,

    /// Draws the game after so many moves of both sides together; GAT 2024 plays 200
    #[arg(long = "plies", value_name = "N", default_value = "300", value_parser = rules_of_plies)]
    pub rules: Geister,

    /// Lets a player that sent a bad line try again, instead of losing
    #[arg(long = "no-ng-terminate", action = clap::ArgAction::SetFalse)]
    pub ng_terminates: bool,

    /// Lets clients give their names (SET:ABCD,NAME:xyz)
    #[arg(long)]
    pub names: bool,

    /// How long players that are both there may take to place their pieces, in seconds
    #[arg(long = "idle", value_name = "SEC", default_value = "600", value_parser = seconds)]
    pub set_limit: Duration,
}

impl Default for SessionOptions {
    fn default() -> SessionOptions {
        flags::given([])
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
#[derive(Debug)]
pub struct Session {
    options: SessionOptions,
    here: [bool; 2],
    sets: [Option<Placement>; 2],
    names: [Option<String>; 2],
    live: Live<Geister>,
    clock: Clock,
    phase: Phase,
    outputs: VecDeque<Output>,
}

/// A game before the placements, both seats held by clients.
fn opened(rules: &Geister) -> Live<Geister> {
    Live::open(rules.clone(), rules.deal(&mut oboro_core::Rng::from_u64(0)))
}

fn place(live: &mut Live<Geister>, seat: Seat, placement: Placement) {
    live.play(seat, Action::Place(placement))
        .expect("placements come first, seat 0's before seat 1's");
}

impl Session {
    /// A game that waits for its players.
    pub fn new(options: SessionOptions) -> Session {
        Session {
            here: [false; 2],
            sets: [None; 2],
            names: [None, None],
            live: opened(&options.rules),
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
            Phase::Asked | Phase::Thinking { .. } if self.world().to_act() != Some(seat) => {
                self.send(seat, Message::Ng);
            }
            // A line that was still on its way when the clock ran out is too late.
            Phase::Thinking { deadline, .. } if now > deadline => self.tick(now),
            Phase::Asked | Phase::Thinking { .. } => {
                if let Some(action) = command.and_then(|command| self.action(seat, &command)) {
                    self.play(now, seat, action);
                    return;
                }
                self.send(seat, Message::Ng);
                if self.options.ng_terminates {
                    self.finish(End::Forfeit(seat, Fault::BadLine));
                }
            }
        }
    }

    /// The last request for a move has been written: the clock of the player to move runs from `now`.
    pub fn request_written(&mut self, now: Duration) {
        if let (Phase::Asked, Some(seat)) = (self.phase, self.world().to_act()) {
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
                let seat = self.world().to_act().expect("somebody thinks");
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
        self.world().public().ply()
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
        let played = match self.sets {
            // The game waits for the other side's placement.
            [Some(first), None] => {
                let mut live = opened(&self.options.rules);
                place(&mut live, Seat::FIRST, first);
                live.record()
            }
            _ => self.live.record(),
        };
        Record {
            rules,
            seed: origin.to_owned(),
            agents: Seat::all(2)
                .map(|seat| self.name(seat).unwrap_or(names[seat.index()]).to_owned())
                .collect(),
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
            ..played
        }
    }

    /// The truth.
    fn world(&self) -> &World {
        self.live.world()
    }

    fn send(&mut self, seat: Seat, message: Message) {
        self.outputs.push_back(Output::Send(seat, message));
    }

    fn begin_if_set(&mut self) {
        let [Some(first), Some(second)] = self.sets else { return };
        place(&mut self.live, Seat::FIRST, first);
        place(&mut self.live, Seat::new(1), second);
        self.ask();
    }

    fn ask(&mut self) {
        let seat = self.world().to_act().expect("a game that goes on has a player to move");
        self.phase = Phase::Asked;
        self.show(if seat == Seat::FIRST { "MV0:" } else { "MV1:" });
        self.send(seat, Message::MoveRequest(self.text(seat, false)));
    }

    /// What a command of the player to move means, if it is legal.
    fn action(&self, seat: Seat, command: &Command) -> Option<Action> {
        let &Command::Move(piece, direction) = command else { return None };
        let square = self.world().public().square(seat, piece)?.seen_by(seat);
        // Out of the board leads the way north from an exit, and the way to its side: real clients
        // use both.
        let leaves = matches!(
            (square.x(), square.y(), direction),
            (0 | 5, 0, Direction::North) | (0, 0, Direction::West) | (5, 0, Direction::East)
        );
        let action = if leaves { Action::Escape(piece) } else { Action::Move(piece, direction) };
        self.world().is_legal(action).then_some(action)
    }

    fn play(&mut self, now: Duration, seat: Seat, action: Action) {
        if let Phase::Thinking { since, .. } = self.phase {
            self.clock.spend(seat, now.saturating_sub(since));
        }
        let captured = match action {
            Action::Move(piece, direction) => self
                .world()
                .public()
                .capture(seat, piece, direction)
                .and_then(|captured| self.world().colour(seat.next(2), captured)),
            _ => None,
        };
        self.live.play(seat, action).expect("only legal actions of the player to move get here");
        self.send(seat, Message::Ok(captured));
        if let Some(ending) = self.world().public().ending() {
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
        BoardText::new(self.world().public(), seat, open, |seat, piece| {
            let reds = self.sets[seat.index()]?.reds();
            Some(if piece.is_in(reds) {
                oboro_geister::Colour::Red
            } else {
                oboro_geister::Colour::Blue
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FIRST: Seat = Seat::FIRST;
    const SECOND: Seat = Seat::new(1);

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    /// A session and what it said since the last look.
    struct Stage(Session);

    impl Stage {
        fn new(options: SessionOptions) -> Stage {
            Stage(Session::new(options))
        }

        /// Both have placed their pieces; the first is asked to move at time 0.
        fn set(options: SessionOptions) -> Stage {
            let mut stage = Stage::new(options);
            for (seat, line) in [(FIRST, "SET:EFGH"), (SECOND, "SET:ABCD")] {
                stage.0.join(seconds(0), seat);
                stage.line(0, seat, line);
            }
            stage.0.request_written(seconds(0));
            stage.said();
            stage
        }

        fn line(&mut self, at: u64, seat: Seat, line: &str) -> Vec<String> {
            self.0.line(seconds(at), seat, &Line::Whole(line.as_bytes().to_vec()));
            self.said()
        }

        /// What was sent, closed and shown, with boards left out.
        fn said(&mut self) -> Vec<String> {
            let short = |text: String| text.chars().take(4).collect::<String>();
            self.0
                .outputs()
                .map(|output| match output {
                    Output::Send(seat, message) => format!("{seat} {}", short(message.to_string())),
                    Output::Close(seat) => format!("{seat} close"),
                    Output::Show(label, _) => format!("show {label}"),
                })
                .collect()
        }
    }

    #[test]
    fn the_clock_runs_from_the_written_request_and_over_the_budget() {
        let time = TimeControl { budget: seconds(5), timeout: seconds(2) };
        let mut stage = Stage::set(SessionOptions { time, ..SessionOptions::default() });
        assert_eq!(stage.0.deadline(), Some(seconds(7)));
        assert_eq!(stage.line(4, FIRST, "MOV:A,N"), ["0 OK ", "show MV1:", "1 MOV?"]);
        // Nobody's clock runs until the request is written.
        assert_eq!(stage.0.deadline(), None);
        stage.0.tick(seconds(1000));
        assert_eq!(stage.said(), Vec::<String>::new());
        stage.0.request_written(seconds(1000));
        assert_eq!(stage.0.deadline(), Some(seconds(1007)));
        stage.line(1001, SECOND, "MOV:A,N");
        stage.0.request_written(seconds(1001));
        // The first player has one second of its budget left.
        assert_eq!(stage.0.deadline(), Some(seconds(1004)));
        stage.0.tick(seconds(1003));
        assert_eq!(stage.said(), Vec::<String>::new());
        stage.0.tick(seconds(1004));
        let end = ["1 WON:", "0 LST:", "1 close", "0 close", "show WI1:"];
        assert_eq!(stage.said(), end);
        assert_eq!(stage.0.end(), Some(End::Forfeit(FIRST, Fault::Timeout)));
        // No timer is left that could strike again.
        stage.0.tick(seconds(9999));
        assert_eq!((stage.said(), stage.0.deadline()), (Vec::new(), None));
    }

    #[test]
    fn a_line_that_comes_after_the_deadline_is_too_late() {
        let time = TimeControl { budget: seconds(0), timeout: seconds(2) };
        let mut stage = Stage::set(SessionOptions { time, ..SessionOptions::default() });
        assert_eq!(stage.line(3, FIRST, "MOV:A,N")[0], "1 WON:");
        let mut stage = Stage::set(SessionOptions { time, ..SessionOptions::default() });
        assert_eq!(stage.line(2, FIRST, "MOV:A,N")[0], "0 OK ");
    }

    #[test]
    fn a_player_who_may_try_again_keeps_the_clock() {
        let options = SessionOptions { ng_terminates: false, ..SessionOptions::default() };
        let mut stage = Stage::set(options);
        let deadline = stage.0.deadline();
        assert_eq!(stage.line(5, FIRST, "MOV:E,N"), ["0 NG "]);
        assert_eq!(stage.0.deadline(), deadline);
        assert_eq!(stage.line(6, FIRST, "MOV:A,N")[0], "0 OK ");
    }

    #[test]
    fn the_pause_comes_before_the_request_and_costs_nobody_time() {
        let options = SessionOptions { wait: seconds(3), ..SessionOptions::default() };
        let mut stage = Stage::set(options);
        assert_eq!(stage.line(1, FIRST, "MOV:A,N"), ["0 OK ", "show MOV:"]);
        assert_eq!(stage.line(2, SECOND, "MOV:A,N"), ["1 NG "]);
        stage.0.tick(seconds(4));
        assert_eq!(stage.said(), ["show MV1:", "1 MOV?"]);
    }

    #[test]
    fn who_leaves_before_the_other_comes_leaves_no_trace() {
        let mut stage = Stage::new(SessionOptions::default());
        stage.0.join(seconds(0), SECOND);
        assert_eq!(stage.line(0, SECOND, "SET:ABCD"), ["1 SET?", "1 OK "]);
        stage.0.leave(SECOND);
        stage.0.join(seconds(1), FIRST);
        assert_eq!(stage.line(1, FIRST, "SET:ABCD"), ["0 SET?", "0 OK "]);
        stage.0.join(seconds(2), SECOND);
        assert_eq!(stage.said(), ["1 SET?"]);
        assert_eq!(stage.line(2, SECOND, "SET:ABCD"), ["1 OK ", "show MV0:", "0 MOV?"]);
    }

    #[test]
    fn who_does_not_place_in_time_loses_and_if_neither_does_nobody() {
        for (set, end) in [(true, End::Forfeit(SECOND, Fault::NoSet)), (false, End::Abandoned)] {
            let mut stage = Stage::new(SessionOptions::default());
            stage.0.join(seconds(0), FIRST);
            assert_eq!(stage.0.deadline(), None, "a lone player may wait for ever");
            stage.0.join(seconds(100), SECOND);
            if set {
                stage.line(100, FIRST, "SET:ABCD");
            }
            stage.0.tick(seconds(700));
            assert_eq!(stage.0.end(), Some(end));
        }
    }

    #[test]
    fn records_replay_whatever_ended_the_game() {
        let sound = |stage: &Stage| {
            let record = stage.0.record(["a", "b"], "test");
            let read: Record = record.to_string().parse().unwrap();
            assert_eq!(read, record);
            let mut replay =
                oboro_core::Replay::new(&stage.0.options.rules, &read).expect("a record");
            while replay.step().expect("sound").is_some() {}
            record
        };
        let mut stage = Stage::set(SessionOptions::default());
        stage.line(1, FIRST, "MOV:A,N");
        stage.0.leave(SECOND);
        let record = sound(&stage);
        assert_eq!(record.forfeit, Some((SECOND, "disconnected".to_owned())));
        assert_eq!((record.actions.len(), record.result.join(" ")), (3, "1 0".to_owned()));
        let mut stage = Stage::new(SessionOptions::default());
        stage.0.join(seconds(0), FIRST);
        stage.0.join(seconds(0), SECOND);
        stage.line(0, SECOND, "SET:ABCD");
        stage.0.leave(FIRST);
        assert_eq!(sound(&stage).actions, []);
        let rules = Geister { plies: 1, ..Geister::default() };
        let mut stage = Stage::set(SessionOptions { rules, ..SessionOptions::default() });
        stage.line(0, FIRST, "MOV:A,N");
        let record = sound(&stage);
        assert_eq!((record.rules.as_str(), record.forfeit), ("plies=1", None));
    }

    /// Anything that can happen to a session.
    #[derive(Clone, Debug)]
    enum TestInput {
        Join(bool),
        Leave(bool),
        Line(bool, Vec<u8>),
        Overlong(bool),
        Written,
        Tick(u8),
        Abandon,
    }

    fn happening() -> impl Strategy<Value = TestInput> {
        let line = prop_oneof![
            8 => "MOV:[A-Ha-h],(N|E|W|S|NORTH|west)".prop_map(String::into_bytes),
            4 => "SET:[A-H]{4}".prop_map(String::into_bytes),
            2 => Just(b"SET:ABCD".to_vec()),
            1 => "SET:ABCD,NAME:[a-z]{1,3}".prop_map(String::into_bytes),
            1 => proptest::collection::vec(any::<u8>(), 0..12),
        ];
        prop_oneof![
            40 => (any::<bool>(), line).prop_map(|(seat, line)| TestInput::Line(seat, line)),
            4 => any::<bool>().prop_map(TestInput::Join),
            1 => any::<bool>().prop_map(TestInput::Leave),
            1 => any::<bool>().prop_map(TestInput::Overlong),
            20 => Just(TestInput::Written),
            4 => any::<u8>().prop_map(TestInput::Tick),
            1 => Just(TestInput::Abandon),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Whatever happens: every line is answered once while the game goes on and never after it,
        /// nobody is asked to move out of turn, each player hears at most one result and nothing
        /// after it, and nobody is told the other's hidden colours before the end.
        #[test]
        fn a_session_keeps_its_promises(
            happenings in proptest::collection::vec(happening(), 0..300),
            ng_terminates in any::<bool>(),
        ) {
            let options = SessionOptions { ng_terminates, names: true, ..SessionOptions::default() };
            let mut session = Session::new(options);
            for seat in [FIRST, SECOND] {
                session.join(Duration::ZERO, seat);
                session.line(Duration::ZERO, seat, &Line::Whole(b"SET:ABCD".to_vec()));
            }
            let mut now = Duration::ZERO;
            let mut results = [0; 2];
            session.outputs().for_each(drop);
            for happening in happenings {
                let was_over = session.end().is_some();
                let mut answers_due = [0; 2];
                match &happening {
                    TestInput::Join(seat) => session.join(now, Seat::new((*seat).into())),
                    TestInput::Leave(seat) => session.leave(Seat::new((*seat).into())),
                    TestInput::Line(seat, bytes) => {
                        let seat = Seat::new((*seat).into());
                        answers_due[seat.index()] = i32::from(!was_over);
                        session.line(now, seat, &Line::Whole(bytes.clone()));
                    }
                    TestInput::Overlong(seat) => {
                        let seat = Seat::new((*seat).into());
                        answers_due[seat.index()] = i32::from(!was_over);
                        session.line(now, seat, &Line::Overlong);
                    }
                    TestInput::Written => session.request_written(now),
                    TestInput::Tick(by) => {
                        now += seconds((*by).into());
                        session.tick(now);
                    }
                    TestInput::Abandon => session.abandon(),
                }
                for output in session.outputs().collect::<Vec<_>>() {
                    let Output::Send(seat, message) = output else { continue };
                    prop_assert_eq!(results[seat.index()], 0, "nothing follows a result");
                    if message.is_answer() {
                        answers_due[seat.index()] -= 1;
                    }
                    if message.is_result() {
                        results[seat.index()] += 1;
                        prop_assert!(session.end().is_some());
                    }
                    if let Message::MoveRequest(board) = message {
                        prop_assert_eq!(session.world().to_act(), Some(seat));
                        let hidden = oboro_geister::Piece::of_set(session.world().public().alive(seat.next(2)));
                        for piece in hidden {
                            prop_assert_eq!(board.colour(false, piece), None);
                        }
                    }
                }
                prop_assert_eq!(answers_due, [0; 2], "{:?}", happening);
            }
        }
    }
}
