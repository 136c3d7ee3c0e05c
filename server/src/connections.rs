//! Connections cost: how many there may be of each address, and who goes first when there are too many.

use crate::address::Address;
use crate::metrics::Metrics;
use crate::{Limits, Refusal};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// What a connection is for. Those of the lowest rank go first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Rank {
    /// Pages and questions, and whoever has not said yet who it is.
    Plain,
    /// Somebody who looks on.
    Watcher,
    /// Somebody who holds a seat.
    Player,
}

/// Connections besides those of browsers at tables: for pages and questions.
const PLAIN: usize = 1000;
/// Files that are kept for other things than connections.
const OTHER_FILES: usize = 64;

/// All connections.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: Limits,
    /// How many there may be, whatever for.
    most: usize,
    metrics: Arc<Metrics>,
    list: Mutex<List>,
}

#[derive(Debug, Default)]
struct List {
    next: u64,
    open: BTreeMap<u64, Open>,
    /// How many of each address and rank.
    counts: BTreeMap<(Address, Rank), usize>,
}

#[derive(Debug)]
struct Open {
    address: Address,
    rank: Rank,
    end: watch::Sender<bool>,
}

/// One connection; it is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    connections: Arc<Connections>,
    number: u64,
    end: watch::Receiver<bool>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.lock().remove(self.number);
    }
}

impl List {
    fn count(&self, address: Address, rank: Rank) -> usize {
        self.counts.get(&(address, rank)).copied().unwrap_or(0)
    }

    /// How many browsers are at tables.
    fn at_tables(&self) -> usize {
        let ranked = self.counts.iter().filter(|((_, rank), _)| *rank != Rank::Plain);
        ranked.map(|(_, count)| count).sum()
    }

    fn add(&mut self, address: Address, rank: Rank) {
        *self.counts.entry((address, rank)).or_default() += 1;
    }

    fn subtract(&mut self, address: Address, rank: Rank) {
        if let Some(count) = self.counts.get_mut(&(address, rank)) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&(address, rank));
            }
        }
    }

    fn remove(&mut self, number: u64) -> Option<Open> {
        let open = self.open.remove(&number)?;
        self.subtract(open.address, open.rank);
        Some(open)
    }

    /// Ends a connection of the lowest rank there is, of the address that has most of them; players stay.
    fn shed(&mut self) -> bool {
        [Rank::Plain, Rank::Watcher].into_iter().any(|rank| {
            let of_rank = self.counts.iter().filter(|((_, other), _)| *other == rank);
            let most = of_rank.max_by_key(|(_, count)| **count).map(|((address, _), _)| *address);
            most.is_some_and(|address| self.end_oldest(address, rank))
        })
    }

    /// Ends the oldest connection of an address and a rank.
    fn end_oldest(&mut self, address: Address, rank: Rank) -> bool {
        let theirs = |open: &Open| open.address == address && open.rank == rank;
        let oldest = self.open.iter().find(|(_, open)| theirs(open)).map(|(&number, _)| number);
        let Some(open) = oldest.and_then(|number| self.remove(number)) else { return false };
        let _ = open.end.send(true);
        true
    }
}

impl Connections {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> Arc<Connections> {
        let files = open_files().map_or(usize::MAX, |files| files.saturating_sub(OTHER_FILES));
        let most = limits.sockets.saturating_add(PLAIN).min(files).max(1);
        Arc::new(Connections { limits, most, metrics, list: Mutex::default() })
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in; others go for it where there are too many, and the oldest of its own address where that has
    /// its share: whoever comes now may hold a seat. `proxied` says that all addresses are those of our own proxy.
    pub(crate) fn admit(
        self: &Arc<Connections>,
        address: Address,
        proxied: bool,
    ) -> Option<Connection> {
        let mut list = self.lock();
        let own = list.count(address, Rank::Plain);
        if own >= self.limits.connections_per_address && !proxied {
            list.end_oldest(address, Rank::Plain);
            Metrics::count(&self.metrics.refused);
        }
        if list.open.len() >= self.most && !list.shed() {
            Metrics::count(&self.metrics.refused);
            return None;
        }
        let (end, ended) = watch::channel(false);
        list.next += 1;
        let number = list.next;
        list.add(address, Rank::Plain);
        list.open.insert(number, Open { address, rank: Rank::Plain, end });
        Some(Connection { connections: Arc::clone(self), number, end: ended })
    }
}

impl Connection {
    /// Says what it is for, and from whom. Whoever holds a seat gets in always; an address that holds very many is
    /// counted among the watchers.
    ///
    /// # Errors
    /// For a watcher, if there are too many, or the address has its share.
    pub(crate) fn promote(&self, address: Address, plays: bool) -> Result<(), Refusal> {
        let limits = &self.connections.limits;
        let mut list = self.connections.lock();
        let Some(open) = list.remove(self.number) else { return Ok(()) }; // It is about to end.
        let seats = list.count(address, Rank::Player);
        let rank = if plays && seats < limits.sockets_per_address.min(self.connections.most / 4) {
            Rank::Player
        } else {
            Rank::Watcher
        };
        let refused = if plays {
            None
        } else if list.at_tables() >= limits.sockets {
            Some("there are too many connections")
        } else if list.count(address, Rank::Watcher) >= limits.sockets_per_address {
            Some("too many connections from your address")
        } else {
            None
        };
        let rank = if refused.is_some() { open.rank } else { rank };
        list.add(address, rank);
        list.open.insert(self.number, Open { address, rank, end: open.end });
        drop(list);
        let Some(why) = refused else { return Ok(()) };
        Metrics::count(&self.connections.metrics.refused);
        Err(Refusal::Full(why))
    }

    /// Comes when it has to go for others.
    pub(crate) async fn ended(&self) {
        let _ = self.end.clone().wait_for(|ended| *ended).await;
    }
}

/// How many files this process may have open, where the system says so.
fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> Address {
        Address::new([10, 0, 0, number].into())
    }

    fn connections(limits: Limits, most: usize) -> Arc<Connections> {
        let metrics = Arc::default();
        Arc::new(Connections { limits, most, metrics, list: Mutex::default() })
    }

    #[test]
    fn plain_ones_go_first_then_watchers_and_never_players() {
        let connections = connections(Limits::default(), 6);
        let admit = |number: u8| connections.admit(address(number), false);
        let ended = |connection: &Connection| *connection.end.borrow();
        let player = admit(1).unwrap();
        player.promote(address(1), true).unwrap();
        let watchers = [admit(2).unwrap(), admit(2).unwrap()];
        for watcher in &watchers {
            watcher.promote(address(2), false).unwrap();
        }
        let few = admit(3).unwrap();
        let many = [admit(4).unwrap(), admit(4).unwrap()];
        // All six are taken: the oldest goes of the address that has most plain ones.
        let next = admit(5).unwrap();
        assert!(ended(&many[0]) && !ended(&many[1]) && !ended(&few));
        for (one, number) in [(&few, 3), (&many[1], 4), (&next, 5)] {
            one.promote(address(number), true).unwrap();
        }
        // Nothing but players and watchers is left: a watcher goes.
        let late = connections.admit(address(7), false).unwrap();
        assert!(ended(&watchers[0]) && !ended(&player));
        late.promote(address(7), true).unwrap();
        admit(8).unwrap().promote(address(8), true).unwrap();
        assert!(ended(&watchers[1]));
        drop((player, watchers, few, many, next, late));
        assert!(connections.lock().counts.is_empty() && connections.lock().open.is_empty());
    }

    #[test]
    fn an_address_has_its_share_but_whoever_holds_a_seat_gets_in() {
        let limits = Limits {
            connections_per_address: 2,
            sockets_per_address: 1,
            sockets: 2,
            ..Limits::default()
        };
        let connections = connections(limits, 100);
        let admit = |number: u8| connections.admit(address(number), false).unwrap();
        let (oldest, first, second) = (admit(1), admit(1), admit(1));
        assert!(*oldest.end.borrow() && !*first.end.borrow(), "whoever comes gets in");
        assert!(connections.admit(address(1), true).is_some(), "a proxy speaks for many");
        assert!(!*first.end.borrow());
        first.promote(address(1), false).unwrap();
        let said = second.promote(address(1), false).unwrap_err().to_string();
        assert_eq!(said, "too many connections from your address: try again later");
        second.promote(address(1), true).unwrap();
        let third = admit(3);
        assert!(third.promote(address(3), false).is_err(), "as many as there may be");
        third.promote(address(3), true).unwrap();
    }
}
