//! Whether a client has read what it was sent, where the system tells.
//!
//! Linux lists the queues of all TCP sockets. Of a client on this machine the list has its own socket, and so the bytes
//! that it has not read. Of a client elsewhere it has only ours, and so the bytes that have not arrived there.

use std::fs;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};

/// How long to wait before looking again.
const BLINK: Duration = Duration::from_millis(2);

/// The two ends of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Queues {
    ours: SocketAddr,
    theirs: SocketAddr,
}

impl Queues {
    /// Those of a connection; none where the system does not say who is at its ends.
    pub(crate) fn of(stream: &TcpStream) -> Option<Queues> {
        Some(Queues { ours: stream.local_addr().ok()?, theirs: stream.peer_addr().ok()? })
    }

    /// Waits until the client has read everything, but not for ever; not at all where the system does not tell.
    pub(crate) async fn drained(&self, deadline: Instant) {
        while Instant::now() < deadline && self.unread(&socket_list()).is_some_and(|left| left > 0)
        {
            sleep(BLINK).await;
        }
    }

    /// Bytes that were sent and are known not to have been read, or not to have arrived.
    fn unread(&self, list: &str) -> Option<u64> {
        let (ours, theirs) = (spellings(self.ours), spellings(self.theirs));
        let mut unsent = None;
        for line in list.lines() {
            let mut fields = line.split_whitespace().skip(1);
            let (Some(local), Some(remote)) = (fields.next(), fields.next()) else { continue };
            let Some((out, read)) = fields.nth(1).and_then(|queues| queues.split_once(':')) else {
                continue;
            };
            let bytes = |text: &str| u64::from_str_radix(text, 16).ok();
            if is_one(&theirs, local) && is_one(&ours, remote) {
                // What is still under way to it is not in its queue yet.
                return Some(bytes(read)? + unsent.unwrap_or(0));
            }
            if is_one(&ours, local) && is_one(&theirs, remote) {
                unsent = bytes(out);
            }
        }
        unsent
    }
}

fn is_one(spellings: &[String; 2], text: &str) -> bool {
    spellings.iter().any(|spelling| spelling == text)
}

/// All sockets, as the system lists them; nothing where it does not.
fn socket_list() -> String {
    let read = |name: &str| fs::read_to_string(name).unwrap_or_default();
    read("/proc/net/tcp") + &read("/proc/net/tcp6")
}

/// An address as the list has it: in words of the machine's own order. A program may have its address in the new
/// form, too, even if it is an old one.
fn spellings(address: SocketAddr) -> [String; 2] {
    let word = |bytes: &[u8]| {
        let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
        format!("{:08X}", u32::from_ne_bytes(bytes))
    };
    let words = |bytes: &[u8]| bytes.chunks(4).map(word).collect::<String>();
    let port = address.port();
    let (short, long) = match address.ip().to_canonical() {
        IpAddr::V4(ip) => (words(&ip.octets()), words(&ip.to_ipv6_mapped().octets())),
        IpAddr::V6(ip) => (words(&ip.octets()), words(&ip.octets())),
    };
    [format!("{short}:{port:04X}"), format!("{long}:{port:04X}")]
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    #[tokio::test]
    async fn a_client_on_this_machine_is_known_to_have_read_or_not() {
        for host in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(host).await else { continue };
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let mut server = listener.accept().await.unwrap().0;
            let queues = Queues::of(&server).unwrap();
            assert_eq!(queues.unread(&socket_list()), Some(0));
            server.write_all(b"SET?\r\n").await.unwrap();
            let arrived = (0..500).any(|_| {
                std::thread::sleep(BLINK);
                queues.unread(&socket_list()) == Some(6)
            });
            assert!(arrived, "{host}");
            let deadline = Instant::now() + Duration::from_mins(1);
            let waiting = tokio::spawn(async move { queues.drained(deadline).await });
            sleep(Duration::from_millis(20)).await;
            assert!(!waiting.is_finished(), "it has read nothing yet");
            let mut bytes = [0; 6];
            client.read_exact(&mut bytes).await.unwrap();
            waiting.await.unwrap();
            assert_eq!(queues.unread(&socket_list()), Some(0));
        }
    }

    #[test]
    fn of_a_client_elsewhere_it_is_known_what_has_arrived() {
        let queues = Queues {
            ours: "127.0.0.1:10000".parse().unwrap(),
            theirs: "192.0.2.7:4000".parse().unwrap(),
        };
        let line =
            |queue: &str| format!("0: 0100007F:2710 070200C0:0FA0 01 {queue} 00:0 00000000 0\n");
        assert_eq!(queues.unread(&line("00000006:00000000")), Some(6));
        assert_eq!(queues.unread(&line("00000000:00000002")), Some(0));
        assert_eq!(queues.unread("sl local_address\n"), None);
    }
}
