//! A server on a free port, and scripted browsers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

pub mod killed;
pub mod line;
pub mod phone;

use oboro_server::{Database, Library, Limits, NewTable, Opened, Site, TableRegistry};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

pub struct Server {
    pub registry: Arc<TableRegistry>,
    pub address: String,
    end: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<()>>,
}

impl Server {
    pub async fn start(limits: Limits) -> Server {
        Server::with_library(limits, Library::empty()).await
    }

    pub async fn with_library(limits: Limits, library: Library) -> Server {
        Server::of(TableRegistry::new(limits, library), Site::default()).await
    }

    /// A server whose tables are on disk; the database may grow to so many megabytes.
    pub async fn durable(folder: &Path, most: Option<u32>) -> Server {
        let database = Database::open(folder, most).unwrap();
        let limits = Limits { tables: 100_000, ..Limits::default() };
        let (registry, restored) =
            TableRegistry::durable(limits, Library::empty(), database).unwrap();
        assert!(restored.broken.is_empty(), "{:?}", restored.broken);
        Server::of(registry, Site::default()).await
    }

    pub async fn of(registry: Arc<TableRegistry>, site: Site) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (end, ended) = oneshot::channel();
        let until = async {
            let _ = ended.await;
        };
        let served =
            tokio::spawn(oboro_server::serve(Arc::clone(&registry), listener, site, until));
        Server { registry, address, end: Some(end), served }
    }

    /// Ends it as an administrator would.
    pub async fn stop(mut self) {
        let _ = self.end.take().unwrap().send(());
        self.served.await.unwrap().unwrap();
    }

    pub fn open(&self, wanted: Value) -> Opened {
        let wanted: NewTable = serde_json::from_value(wanted).unwrap();
        self.registry.open(&wanted).unwrap()
    }

    pub async fn join(&self, table: &str, keys: &[&str]) -> Client {
        let mut client = self.connect(table).await;
        client.say(&json!({ "type": "hello", "keys": keys })).await;
        client
    }

    /// Opens a table for a stranger whom the proxy names; `path` of the answer says where it is.
    pub async fn open_from(&self, address: &str, wanted: &Value) -> Value {
        let headers = format!("content-type: application/json\r\nx-forwarded-for: {address}\r\n");
        let (status, text) = self.http("POST", "/api/tables", &headers, &wanted.to_string()).await;
        assert_eq!(status, 200, "{text}");
        let mut opened: Value = serde_json::from_str(&text).unwrap();
        opened["path"] = json!(format!("/api/tables/{}", opened["table"].as_str().unwrap()));
        opened
    }

    /// Joins the table at a path as somebody whom the proxy names.
    pub async fn join_from(&self, address: &str, path: &str, keys: &[&str]) -> Client {
        let url = format!("ws://{}{path}/socket", self.address);
        let mut request = url.into_client_request().unwrap();
        request.headers_mut().insert("x-forwarded-for", address.parse().unwrap());
        let mut client = Client { socket: connect_async(request).await.unwrap().0 };
        client.say(&json!({ "type": "hello", "keys": keys })).await;
        client
    }

    pub async fn connect(&self, table: &str) -> Client {
        let url = format!("ws://{}/api/tables/{table}/socket", self.address);
        Client { socket: connect_async(url).await.unwrap().0 }
    }

    /// The status and the body of a plain request.
    pub async fn http(&self, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
        http(&self.address, method, path, headers, body).await.unwrap()
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

    /// Sends a ping; tells whether the server still listens.
    pub async fn ping(&mut self) -> bool {
        use futures_util::SinkExt as _;
        self.socket.send(Message::Ping(Vec::new().into())).await.is_ok()
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

    /// The next message; nothing when the line is broken or nothing comes over it for long.
    pub async fn hear_or_lose(&mut self) -> Option<Value> {
        use futures_util::StreamExt as _;
        loop {
            let wait = tokio::time::timeout(Duration::from_secs(20), self.socket.next());
            match wait.await.ok()?? {
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

    /// The next message of a kind, or nothing if the server hangs up before it.
    pub async fn hear_kind_or_end(&mut self, kind: &str) -> Option<Value> {
        while let Some(message) = self.hear().await {
            if message["type"] == kind {
                return Some(message);
            }
        }
        None
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

/// The status and the body of a plain request, if there is an answer.
pub async fn http(
    address: &str,
    method: &str,
    path: &str,
    headers: &str,
    body: &str,
) -> Option<(u16, String)> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.ok()?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1)?.parse().ok()?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    Some((status, body.to_owned()))
}

/// A table at which people hold all seats.
pub fn people(game: &str, seats: usize) -> Value {
    let seats = vec![json!({ "kind": "person" }); seats];
    json!({ "game": game, "seats": seats })
}
