//! A server on a free port, and scripted browsers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

use oboro_server::{Hall, Library, Limits, NewTable, Opened};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub struct Server {
    pub hall: Arc<Hall>,
    pub address: String,
}

impl Server {
    pub async fn start(limits: Limits) -> Server {
        Server::with_library(limits, Library::empty()).await
    }

    pub async fn with_library(limits: Limits, library: Library) -> Server {
        let hall = Hall::new(limits, library);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let served = oboro_server::serve(Arc::clone(&hall), listener, std::future::pending());
        tokio::spawn(served);
        Server { hall, address }
    }

    pub fn open(&self, wanted: Value) -> Opened {
        let wanted: NewTable = serde_json::from_value(wanted).unwrap();
        self.hall.open(&wanted).unwrap()
    }

    pub async fn join(&self, table: &str, keys: &[&str]) -> Client {
        let mut client = self.connect(table).await;
        client.say(&json!({ "type": "hello", "keys": keys })).await;
        client
    }

    pub async fn connect(&self, table: &str) -> Client {
        let url = format!("ws://{}/api/tables/{table}/socket", self.address);
        Client { socket: connect_async(url).await.unwrap().0 }
    }

    /// The status and the body of a plain request.
    pub async fn http(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, body.to_owned())
    }

    pub async fn refused_socket(&self, table: &str, origin: &str) -> bool {
        let url = format!("ws://{}/api/tables/{table}/socket", self.address);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("origin", origin.parse().unwrap());
        connect_async(request).await.is_err()
    }
}

/// A scripted browser.
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Client {
    pub async fn say(&mut self, request: &Value) {
        self.say_text(&request.to_string()).await;
    }

    pub async fn say_text(&mut self, text: &str) {
        use futures_util::SinkExt as _;
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// As [`say_text`](Client::say_text), to a server that may have hung up: tells whether it has not.
    pub async fn try_say_text(&mut self, text: &str) -> bool {
        use futures_util::SinkExt as _;
        self.socket.send(Message::text(text)).await.is_ok()
    }

    /// The next message; nothing when the server has hung up.
    pub async fn hear(&mut self) -> Option<Value> {
        use futures_util::StreamExt as _;
        loop {
            let wait = tokio::time::timeout(Duration::from_mins(1), self.socket.next());
            match wait.await.expect("an answer within a minute")? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message of a kind.
    pub async fn hear_kind(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("hung up before {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// The next update that shows a game this far.
    pub async fn update_at(&mut self, plies: u64) -> Value {
        loop {
            let update = self.hear_kind("update").await;
            if update["plies"].as_u64() >= Some(plies) {
                return update;
            }
        }
    }
}

/// A table at which people hold all seats.
pub fn people(game: &str, seats: usize) -> Value {
    let seats = vec![json!({ "kind": "person" }); seats];
    json!({ "game": game, "seats": seats, "seed": "1" })
}
