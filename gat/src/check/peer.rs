//! A client that does what a check tells it to.

use super::CheckOptions;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

/// How long a server may take to answer before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long nothing must come to be believed.
const SILENCE: Duration = Duration::from_millis(300);

/// One end of a connection to the server under test.
pub(super) struct Peer {
    side: &'static str,
    stream: TcpStream,
    unread: Vec<u8>,
}

impl Peer {
    /// Connects as the first player (0) or the second (1).
    pub(super) async fn connect(options: &CheckOptions, side: usize) -> Result<Peer, String> {
        let port = [options.first_port, options.second_port][side];
        let start = Instant::now();
        loop {
            match TcpStream::connect((options.host.as_str(), port)).await {
                Ok(stream) => {
                    stream.set_nodelay(true).map_err(|error| error.to_string())?;
                    let side = ["first", "second"][side];
                    return Ok(Peer { side, stream, unread: Vec::new() });
                }
                Err(error) if start.elapsed() > PATIENCE => {
                    return Err(format!("cannot connect to port {port}: {error}"));
                }
                Err(_) => sleep(Duration::from_millis(50)).await,
            }
        }
    }

    /// Connects and reads the request to place the pieces.
    pub(super) async fn arrive(options: &CheckOptions, side: usize) -> Result<Peer, String> {
        let mut peer = Peer::connect(options, side).await?;
        peer.expect("SET?").await?;
        Ok(peer)
    }

    /// Connects and places the pieces.
    pub(super) async fn placed(
        options: &CheckOptions,
        side: usize,
        set: &str,
    ) -> Result<Peer, String> {
        let mut peer = Peer::arrive(options, side).await?;
        peer.ask(set, "OK ").await?;
        Ok(peer)
    }

    /// Sends a line.
    pub(super) async fn say(&mut self, line: &str) -> Result<(), String> {
        self.send(format!("{line}\r\n").as_bytes()).await
    }

    /// Sends a line and reads exactly this answer.
    pub(super) async fn ask(&mut self, line: &str, answer: &str) -> Result<(), String> {
        self.say(line).await?;
        self.expect(answer).await.map_err(|error| format!("{line:?}: {error}"))
    }

    /// Sends bytes.
    pub(super) async fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        let sent = self.stream.write_all(bytes).await;
        sent.map_err(|error| format!("the {} player cannot send: {error}", self.side))
    }

    /// The next line, without its CR LF; `None` at the end of the connection.
    pub(super) async fn hear(&mut self) -> Result<Option<String>, String> {
        loop {
            if let Some(at) = self.unread.windows(2).position(|pair| pair == b"\r\n") {
                let line: Vec<u8> = self.unread.drain(..at + 2).collect();
                return Ok(Some(String::from_utf8_lossy(&line[..at]).into_owned()));
            }
            match timeout(PATIENCE, self.receive()).await {
                Err(_) => return Err(format!("the {} player hears nothing", self.side)),
                Ok(0) => return Ok(None),
                Ok(_) => {}
            }
        }
    }

    /// What one `recv` returns, added to what is unread; 0 at the end of the connection.
    pub(super) async fn receive(&mut self) -> usize {
        let mut buffer = [0; 1024];
        let count = self.stream.read(&mut buffer).await.unwrap_or(0);
        self.unread.extend_from_slice(&buffer[..count]);
        count
    }

    /// How many bytes have been received and not read as lines.
    pub(super) fn unread(&self) -> &[u8] {
        &self.unread
    }

    /// Reads exactly this line.
    pub(super) async fn expect(&mut self, wanted: &str) -> Result<(), String> {
        let heard = self.hear().await?;
        if heard.as_deref() == Some(wanted) {
            return Ok(());
        }
        Err(format!("the {} player heard {heard:?}, not {wanted:?}", self.side))
    }

    /// Reads a line with this label and returns the board after it.
    pub(super) async fn expect_board(&mut self, label: &str) -> Result<String, String> {
        match self.hear().await? {
            Some(line) if line.starts_with(label) && line.len() == label.len() + 48 => {
                Ok(line[label.len()..].to_owned())
            }
            heard => Err(format!("the {} player heard {heard:?}, not {label:?}", self.side)),
        }
    }

    /// Reads the end of the connection.
    pub(super) async fn expect_close(&mut self) -> Result<(), String> {
        match self.hear().await? {
            None => Ok(()),
            Some(line) => Err(format!("the {} player heard {line:?}, not the end", self.side)),
        }
    }

    /// Makes sure that nothing comes, the end of the connection included.
    pub(super) async fn expect_silence(&mut self) -> Result<(), String> {
        match timeout(SILENCE, self.hear()).await {
            Err(_) => Ok(()),
            Ok(heard) => Err(format!("the {} player heard {heard:?}, not silence", self.side)),
        }
    }
}

/// Two players who have placed their pieces; the first has been asked to move.
pub(super) struct Opponents {
    pub(super) players: [Peer; 2],
    /// The board that the player to move has been shown.
    pub(super) board: String,
    mover: usize,
}

impl Opponents {
    /// Seats two players with these reds.
    pub(super) async fn set(options: &CheckOptions, reds: [&str; 2]) -> Result<Opponents, String> {
        let mut players = [Peer::arrive(options, 0).await?, Peer::arrive(options, 1).await?];
        for (player, reds) in players.iter_mut().zip(reds) {
            player.ask(&format!("SET:{reds}"), "OK ").await?;
        }
        let board = players[0].expect_board("MOV?").await?;
        Ok(Opponents { players, board, mover: 0 })
    }

    /// The player to move.
    pub(super) fn mover(&mut self) -> &mut Peer {
        &mut self.players[self.mover]
    }

    /// The player not to move.
    pub(super) fn other(&mut self) -> &mut Peer {
        &mut self.players[1 - self.mover]
    }

    /// Plays a move (`A,N`) that is acknowledged so and does not end the game.
    pub(super) async fn play(&mut self, step: &str, answer: &str) -> Result<(), String> {
        self.say(step, answer).await?;
        self.mover = 1 - self.mover;
        self.board = self.mover().expect_board("MOV?").await?;
        Ok(())
    }

    /// Plays moves of the first player while the second walks to and fro with a back corner piece.
    pub(super) async fn walk(
        &mut self,
        steps: &[(&str, &str)],
        corner: &str,
    ) -> Result<(), String> {
        for (step, answer) in steps {
            self.play(step, answer).await?;
            self.shuffle(corner).await?;
        }
        Ok(())
    }

    /// Plays a move that changes nothing in the end: piece E or H goes to its corner or back.
    pub(super) async fn shuffle(&mut self, piece: &str) -> Result<(), String> {
        let (at, away, back) = if piece == "E" { (12, "W", "E") } else { (21, "E", "W") };
        let is_home = &self.board[at..at + 2] == if piece == "E" { "15" } else { "45" };
        let step = format!("{piece},{}", if is_home { away } else { back });
        self.play(&step, "OK ").await
    }

    /// Sends a move and reads its acknowledgement.
    pub(super) async fn say(&mut self, step: &str, answer: &str) -> Result<(), String> {
        let mover = self.mover();
        mover.ask(&format!("MOV:{step}"), answer).await
    }

    /// Reads the results: the mover's label, then the other one's. Returns both boards.
    pub(super) async fn results(
        &mut self,
        mover: &str,
        other: &str,
    ) -> Result<[String; 2], String> {
        let own = self.mover().expect_board(mover).await?;
        Ok([own, self.other().expect_board(other).await?])
    }
}
