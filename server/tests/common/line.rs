//! A bad line: what goes through it comes late, and now and then it breaks.

use super::phone::Dice;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// The address of a line to a server that delays everything by up to `delay` milliseconds and breaks after one in
/// `luck` pieces.
pub async fn bad_line(server: &str, delay: u64, luck: u64, seed: u64) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = server.to_owned();
    tokio::spawn(async move {
        let mut dice = Dice(seed);
        while let Ok((near, _)) = listener.accept().await {
            let Ok(far) = TcpStream::connect(&server).await else { continue };
            let (near_in, near_out) = near.into_split();
            let (far_in, far_out) = far.into_split();
            let (mut here, mut there) = (Dice(dice.below(1 << 30)), Dice(dice.below(1 << 30)));
            tokio::spawn(async move {
                // Whichever way breaks first takes the other with it.
                tokio::select! {
                    () = carry(near_in, far_out, delay, luck, &mut here) => {}
                    () = carry(far_in, near_out, delay, luck, &mut there) => {}
                }
            });
        }
    });
    address
}

async fn carry(
    mut from: impl tokio::io::AsyncRead + Unpin,
    mut to: impl tokio::io::AsyncWrite + Unpin,
    delay: u64,
    luck: u64,
    dice: &mut Dice,
) {
    let mut piece = vec![0; 1400];
    while let Ok(read @ 1..) = from.read(&mut piece).await {
        if delay > 0 {
            sleep(Duration::from_millis(dice.below(delay))).await;
        }
        // A line that breaks may have carried half of something.
        let broken = dice.below(luck) == 0;
        let end = if broken { dice.below(read as u64) as usize } else { read };
        if to.write_all(&piece[..end]).await.is_err() || broken {
            return;
        }
    }
}
