//! How much one address may have of everything: nobody fills the house alone.

use crate::metrics::Metrics;
use crate::state::now;
use crate::{Limits, Refusal};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Where a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Caller(IpAddr);

impl Caller {
    /// A network of the new kind hands each of its customers 2⁶⁴ addresses: they count as one.
    pub(crate) fn new(address: IpAddr) -> Caller {
        match address.to_canonical() {
            IpAddr::V4(address) => Caller(address.into()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Caller(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
            }
        }
    }
}

/// Who is in the house.
#[derive(Debug)]
pub(crate) struct Doors {
    limits: Limits,
    metrics: Arc<Metrics>,
    inside: Mutex<Inside>,
}

#[derive(Debug, Default)]
struct Inside {
    sockets: usize,
    callers: BTreeMap<Caller, Visits>,
}

#[derive(Debug)]
struct Visits {
    sockets: usize,
    analyses: usize,
    /// What may still be asked for at once.
    allowance: f64,
    since: Instant,
}

/// What is counted for as long as it lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Socket,
    Analysis,
}

/// Leave to be here; it is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Pass {
    doors: Arc<Doors>,
    caller: Caller,
    kind: Kind,
}

impl Drop for Pass {
    fn drop(&mut self) {
        let mut inside = self.doors.lock();
        if self.kind == Kind::Socket {
            inside.sockets -= 1;
        }
        let visits = inside.callers.get_mut(&self.caller).expect("whoever has a pass is known");
        match self.kind {
            Kind::Socket => visits.sockets -= 1,
            Kind::Analysis => visits.analyses -= 1,
        }
    }
}

impl Doors {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> Doors {
        Doors { limits, metrics, inside: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refuse(&self, why: &'static str) -> Refusal {
        Metrics::count(&self.metrics.refused);
        Refusal::Full(why)
    }

    /// Lets one more browser connect.
    ///
    /// # Errors
    /// If the house is full, or its share of one address is.
    pub(crate) fn socket(self: &Arc<Doors>, caller: Caller) -> Result<Pass, Refusal> {
        let mut inside = self.lock();
        if inside.sockets >= self.limits.sockets {
            return Err(self.refuse("the house is full"));
        }
        let visits = inside.visits(caller, &self.limits);
        if visits.sockets >= self.limits.sockets_per_address {
            return Err(self.refuse("too many connections from your address"));
        }
        visits.sockets += 1;
        inside.sockets += 1;
        drop(inside);
        Ok(Pass { doors: Arc::clone(self), caller, kind: Kind::Socket })
    }

    /// Lets somebody ask an agent.
    ///
    /// # Errors
    /// If others of the same address keep the agents busy.
    pub(crate) fn analysis(self: &Arc<Doors>, caller: Caller) -> Result<Pass, Refusal> {
        let mut inside = self.lock();
        let visits = inside.visits(caller, &self.limits);
        if visits.analyses >= self.limits.analyses_per_address {
            return Err(self.refuse("too many analyses from your address"));
        }
        visits.analyses += 1;
        drop(inside);
        Ok(Pass { doors: Arc::clone(self), caller, kind: Kind::Analysis })
    }

    /// Takes something off what an address may ask for: new tables, studies, names that are guessed.
    ///
    /// # Errors
    /// If it has asked for too much lately.
    pub(crate) fn ask(&self, caller: Caller) -> Result<(), Refusal> {
        let most = self.limits.requests_per_minute as f64;
        let mut inside = self.lock();
        let visits = inside.visits(caller, &self.limits);
        let now = now();
        let gained = now.duration_since(visits.since).as_secs_f64() * most / 60.0;
        visits.allowance = (visits.allowance + gained).min(most);
        visits.since = now;
        if visits.allowance < 1.0 {
            return Err(self.refuse("too many requests from your address"));
        }
        visits.allowance -= 1.0;
        Ok(())
    }

    /// Forgets addresses that have left long ago.
    pub(crate) fn sweep(&self) {
        self.lock().callers.retain(|_, visits| {
            visits.sockets > 0 || visits.analyses > 0 || visits.since.elapsed().as_secs() < 120
        });
    }
}

impl Inside {
    fn visits(&mut self, caller: Caller, limits: &Limits) -> &mut Visits {
        self.callers.entry(caller).or_insert_with(|| Visits {
            sockets: 0,
            analyses: 0,
            allowance: limits.requests_per_minute as f64,
            since: now(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_its_share_and_gives_it_back() {
        let limits = Limits {
            sockets: 3,
            sockets_per_address: 2,
            requests_per_minute: 2,
            ..Limits::default()
        };
        let doors = Arc::new(Doors::new(limits, Arc::default()));
        let caller = |text: &str| Caller::new(text.parse().unwrap());
        let (ours, theirs) = (caller("10.0.0.1"), caller("2001:db8::1"));
        let first = doors.socket(ours).unwrap();
        let _second = doors.socket(ours).unwrap();
        assert_eq!(
            doors.socket(ours).unwrap_err().to_string(),
            "too many connections from your address: try again later"
        );
        let _third = doors.socket(theirs).unwrap();
        assert_eq!(
            doors.socket(caller("10.0.0.9")).unwrap_err().to_string(),
            "the house is full: try again later"
        );
        drop(first);
        doors.socket(ours).unwrap();
        assert!(doors.ask(ours).is_ok() && doors.ask(ours).is_ok() && doors.ask(ours).is_err());
        assert!(doors.ask(theirs).is_ok());
        assert_eq!(theirs, caller("2001:db8::2"), "neighbours of one network count as one");
        assert_eq!(ours, caller("::ffff:10.0.0.1"), "one address in two spellings");
    }
}
