//! The WebSocket of a browser: its handshake, and long messages in pieces.

use crate::Refusal;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::body::Bytes;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use std::future::Future;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// The longest message a browser may send.
const MESSAGE: usize = 64 * 1024;
/// What is read at once: browsers say little, and there may be thousands of them.
const BUFFER: usize = 4 * 1024;
/// What is sent at once. A turn with a thousand actions is a message of 300 KB, and a socket keeps for good a buffer as
/// long as the longest piece it ever sent: with thousands of sockets that would be all there is in memory.
const PIECE: usize = 16 * 1024;

/// The WebSocket of a browser.
pub(crate) struct WebSocket(WebSocketStream<TokioIo<Upgraded>>);

/// What a browser says.
pub(crate) enum Received {
    /// A message.
    Text(String),
    /// A sign of life.
    Ping,
}

/// The browser has gone.
#[derive(Debug)]
pub(crate) struct Disconnected;

impl WebSocket {
    /// Answers the request for a socket; `run_session` is given it as soon as there is one.
    ///
    /// # Errors
    /// If the request is for something else.
    pub(crate) fn upgrade<T: Future<Output = ()> + Send>(
        mut request: Request,
        run_session: impl FnOnce(WebSocket) -> T + Send + 'static,
    ) -> Result<Response, Refusal> {
        let response = create_response_with_body(&request, Body::empty)
            .map_err(|error| Refusal::Unreadable(error.to_string()))?;
        let upgraded = hyper::upgrade::on(&mut request);
        tokio::spawn(async move {
            let Ok(upgraded) = upgraded.await else { return };
            let config = WebSocketConfig::default()
                .max_message_size(Some(MESSAGE))
                .max_frame_size(Some(MESSAGE))
                .read_buffer_size(BUFFER)
                .write_buffer_size(BUFFER);
            let stream = TokioIo::new(upgraded);
            let socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config));
            run_session(WebSocket(socket.await)).await;
        });
        Ok(response)
    }

    /// Waits for what the browser says next.
    pub(crate) async fn hear(&mut self) -> Result<Received, Disconnected> {
        match self.0.next().await {
            Some(Ok(Message::Text(text))) => Ok(Received::Text(text.as_str().to_owned())),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(Received::Ping),
            _ => Err(Disconnected),
        }
    }

    /// Sends a message, which is text; waits until the network has taken it.
    pub(crate) async fn say(&mut self, text: Vec<u8>) -> Result<(), Disconnected> {
        let mut rest = Bytes::from(text);
        let mut kind = Data::Text;
        loop {
            let piece = rest.split_to(rest.len().min(PIECE));
            let frame = Frame::message(piece, OpCode::Data(kind), rest.is_empty());
            self.0.send(Message::Frame(frame)).await.map_err(|_| Disconnected)?;
            if rest.is_empty() {
                return Ok(());
            }
            kind = Data::Continue;
        }
    }

    /// Asks for a sign of life.
    pub(crate) async fn ping(&mut self) -> Result<(), Disconnected> {
        self.0.send(Message::Ping(Bytes::new())).await.map_err(|_| Disconnected)
    }
}
