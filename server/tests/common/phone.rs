//! A scripted phone: plays one seat to the end through whatever happens to its connection, and remembers what it was
//! told has been played.

use super::{Client, http};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;
use tokio_tungstenite::connect_async;

/// Random numbers of one's own, the same in every run.
#[derive(Clone)]
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

pub struct Phone {
    pub address: String,
    pub table: String,
    pub seat: usize,
    pub key: String,
    pub dice: Dice,
    /// Milliseconds for a decision.
    pub pause: u64,
    /// Actions of this seat that the server has shown to be played: after how many others, and what.
    pub acknowledged: Vec<(usize, String)>,
    /// How often it had to connect.
    pub connections: usize,
    pending: Option<(usize, String)>,
}

impl Phone {
    pub fn new(address: &str, table: &str, seat: usize, key: &str) -> Phone {
        Phone {
            address: address.to_owned(),
            table: table.to_owned(),
            seat,
            key: key.to_owned(),
            dice: Dice(seat as u64 + 1),
            pause: 0,
            acknowledged: Vec::new(),
            connections: 0,
            pending: None,
        }
    }

    /// Plays until the game is over; comes back by itself whenever the connection is lost.
    pub async fn play(mut self) -> Phone {
        loop {
            let url = format!("ws://{}/api/tables/{}/socket", self.address, self.table);
            let connecting = tokio::time::timeout(Duration::from_secs(5), connect_async(url));
            if let Ok(Ok((socket, _))) = connecting.await {
                self.connections += 1;
                let mut client = Client { socket };
                if self.talk(&mut client).await {
                    return self;
                }
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Plays over one connection; tells whether the game is over.
    async fn talk(&mut self, client: &mut Client) -> bool {
        let hello = json!({ "type": "hello", "keys": [self.key] });
        if !client.try_say_text(&hello.to_string()).await {
            return false;
        }
        while let Some(message) = client.hear_or_lose().await {
            let answer = match message["type"].as_str() {
                Some("table") => self.sit(&message),
                Some("update") if !message["outcome"].is_null() => {
                    self.settle(usize::MAX);
                    return true;
                }
                Some("update") => self.decide(&message),
                Some("taken-over") => panic!("nobody else has this key"),
                _ => None,
            };
            if answer.is_some() && self.pause > 0 {
                sleep(Duration::from_millis(self.pause)).await;
            }
            if let Some(answer) = answer
                && !client.try_say_text(&answer.to_string()).await
            {
                return false;
            }
        }
        false
    }

    /// Takes the own seat of a room, if that has not happened yet.
    fn sit(&self, table: &Value) -> Option<Value> {
        let own = &table["seats"][self.seat];
        let name = format!("Phone {}", self.seat);
        (own["open"] == true && own["you"] == false)
            .then(|| json!({ "type": "sit", "seat": self.seat, "name": name, "key": self.key }))
    }

    /// The game has come this far: what was said before it is played.
    fn settle(&mut self, plies: usize) {
        if let Some(played) = self.pending.take_if(|(ply, _)| *ply < plies) {
            self.acknowledged.push(played);
        }
    }

    fn decide(&mut self, update: &Value) -> Option<Value> {
        let plies = update["plies"].as_u64().unwrap() as usize;
        self.settle(plies);
        let actions = update["actions"].as_array()?;
        let dice = &mut self.dice;
        let (ply, action) = self.pending.get_or_insert_with(|| {
            let chosen = &actions[dice.below(actions.len() as u64) as usize]["action"];
            (plies, chosen.as_str().unwrap().to_owned())
        });
        Some(json!({ "type": "play", "seat": self.seat, "action": action, "ply": ply }))
    }
}

/// The record of a finished game, from a server that may be away for a while.
pub async fn record(address: &str, table: &str) -> oboro_core::Record {
    loop {
        let path = format!("/api/tables/{table}/record");
        if let Some((200, text)) = http(address, "GET", &path, "", "").await {
            return text.parse().unwrap();
        }
        sleep(Duration::from_millis(20)).await;
    }
}

/// Everything the phones were told is in the record, at its place, and the record is a whole game by the rules.
pub fn check_record(record: &oboro_core::Record, phones: &[Phone]) {
    let mut told = 0;
    for phone in phones {
        for (ply, action) in &phone.acknowledged {
            let (seat, played) = &record.actions[*ply];
            assert_eq!((seat.index(), played), (phone.seat, action), "action {ply}");
            told += 1;
        }
    }
    assert_eq!(told, record.actions.len(), "every action was told to whoever played it, once");
    oboro_catalog::open_record(&record.to_string()).unwrap();
}
