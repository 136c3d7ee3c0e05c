//! A connection whose other end has to read what it is sent.

use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

/// The other end may take nothing for this long.
const PATIENCE: Duration = Duration::from_secs(20);
/// After that it has to take so many bytes a second: whoever reads a byte now and then holds nobody up.
const RATE: f64 = 4096.0;

/// A connection that fails when its other end does not read.
#[derive(Debug)]
pub(crate) struct TimedStream {
    stream: TcpStream,
    /// When the other end is given up, while something waits to be written.
    late: Pin<Box<Sleep>>,
    waiting: bool,
    patience: Duration,
}

impl TimedStream {
    pub(crate) fn new(stream: TcpStream) -> TimedStream {
        TimedStream::with_patience(stream, PATIENCE)
    }

    fn with_patience(stream: TcpStream, patience: Duration) -> TimedStream {
        let late = Box::pin(tokio::time::sleep(patience));
        TimedStream { stream, late, waiting: false, patience }
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = Pin::new(&mut self.stream).poll_write(context, bytes) {
            if let (true, Ok(written)) = (self.waiting, &written) {
                let gained = Duration::from_secs_f64(*written as f64 / RATE);
                let deadline = self.late.deadline() + gained;
                self.late.as_mut().reset(deadline);
            }
            return Poll::Ready(written);
        }
        if !self.waiting {
            self.waiting = true;
            let deadline = Instant::now() + self.patience;
            self.late.as_mut().reset(deadline);
        }
        ready!(self.late.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// It is called when everything has been written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.waiting = false;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    /// A stream, and the other end of it.
    async fn pair() -> (TimedStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let far = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let near = listener.accept().await.unwrap().0;
        (TimedStream::with_patience(near, Duration::from_millis(200)), far)
    }

    #[tokio::test]
    async fn whoever_reads_nothing_or_next_to_nothing_is_given_up() {
        let (mut near, mut far) = pair().await;
        let trickle = tokio::spawn(async move {
            let mut byte = [0];
            while far.read_exact(&mut byte).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
        let error = near.write_all(&vec![0; 64 << 20]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        trickle.abort();
    }

    #[tokio::test]
    async fn whoever_reads_gets_everything() {
        let (mut near, mut far) = pair().await;
        let reader = tokio::spawn(async move {
            let mut all = Vec::new();
            far.read_to_end(&mut all).await.unwrap();
            all.len()
        });
        near.write_all(&vec![0; 16 << 20]).await.unwrap();
        near.flush().await.unwrap();
        drop(near);
        assert_eq!(reader.await.unwrap(), 16 << 20);
    }
}
