//! How far a table or an event is on disk: nobody is shown what is not there.

use crate::Refusal;
use tokio::sync::watch;

/// How far something is on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Settled {
    /// How many of its entries are: its setup, then its steps.
    pub(crate) on_disk: u64,
    /// Counts the times when something could not be written and it went back to what was.
    pub(crate) epoch: u64,
    /// Why, the last time.
    pub(crate) failure: Option<String>,
    /// Whether not even its beginning could be written: it does not exist.
    lost: bool,
}

/// Tells those who wait how far something is on disk.
#[derive(Debug)]
pub(crate) struct Progress(watch::Sender<Settled>);

/// Steps of one table or event that may wait for the disk.
const WAITING: u64 = 64;

impl Progress {
    /// So many entries are on disk already.
    pub(crate) fn new(on_disk: u64) -> Progress {
        Progress(watch::Sender::new(Settled { on_disk, epoch: 0, failure: None, lost: false }))
    }

    /// How far it is.
    pub(crate) fn settled(&self) -> Settled {
        self.0.borrow().clone()
    }

    /// Whether everything up to a step is on disk.
    pub(crate) fn has(&self, steps: u64) -> bool {
        self.0.borrow().on_disk > steps
    }

    /// Whether more waits for the disk than should.
    pub(crate) fn is_far_behind(&self, steps: u64) -> bool {
        steps > self.0.borrow().on_disk.saturating_add(WAITING)
    }

    /// Everything up to a step is on disk.
    pub(crate) fn settle(&self, number: u64) {
        self.0.send_modify(|settled| settled.on_disk = settled.on_disk.max(number + 1));
    }

    /// Something could not be written: so many steps are left, and a new epoch begins.
    pub(crate) fn fail(&self, steps: u64, epoch: u64, why: &str) {
        let failure = Some(why.to_owned());
        self.0.send_replace(Settled { on_disk: steps + 1, epoch, failure, lost: false });
    }

    /// Its very beginning could not be written: whoever waits for it, now or later, is told so.
    pub(crate) fn lose(&self, epoch: u64, why: &str) {
        let failure = Some(why.to_owned());
        self.0.send_replace(Settled { on_disk: 0, epoch, failure, lost: true });
    }

    /// Whether it does not exist.
    pub(crate) fn is_lost(&self) -> bool {
        self.0.borrow().lost
    }

    /// Waits until everything up to a step is on disk.
    ///
    /// # Errors
    /// Why it will never be.
    pub(crate) async fn wait(&self, steps: u64, epoch: u64) -> Result<(), Refusal> {
        let mut watch = self.0.subscribe();
        let found =
            watch.wait_for(|now| now.lost || now.epoch != epoch || now.on_disk > steps).await;
        let settled = found.expect("the sender is ours");
        if settled.epoch == epoch && !settled.lost {
            return Ok(());
        }
        Err(Refusal::Disk(settled.failure.clone().unwrap_or_default()))
    }
}
