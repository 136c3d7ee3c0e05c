//! How much one address may ask for.

use crate::metrics::Metrics;
use crate::state::now;
use crate::{Limits, Refusal};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Where a request comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Address(IpAddr);

impl Address {
    /// A network of the new kind hands each of its customers 2⁶⁴ addresses: they count as one.
    pub(crate) fn new(address: IpAddr) -> Address {
        match address.to_canonical() {
            IpAddr::V4(address) => Address(address.into()),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Address(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into())
            }
        }
    }
}

/// What addresses have asked for lately.
#[derive(Debug)]
pub(crate) struct AddressLimits {
    limits: Limits,
    metrics: Arc<Metrics>,
    usage: Mutex<BTreeMap<Address, AddressUsage>>,
}

#[derive(Debug)]
struct AddressUsage {
    analyses: usize,
    /// What may still be asked for at once.
    allowance: f64,
    since: Instant,
}

/// Leave to ask an agent; it is given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    addresses: Arc<AddressLimits>,
    address: Address,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut usage = self.addresses.lock();
        if let Some(used) = usage.get_mut(&self.address) {
            used.analyses -= 1;
        }
    }
}

impl AddressLimits {
    pub(crate) fn new(limits: Limits, metrics: Arc<Metrics>) -> AddressLimits {
        AddressLimits { limits, metrics, usage: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Address, AddressUsage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refuse(&self, why: &'static str) -> Refusal {
        Metrics::count(&self.metrics.refused);
        Refusal::Full(why)
    }

    /// Lets somebody ask an agent.
    ///
    /// # Errors
    /// If others of the same address keep the agents busy.
    pub(crate) fn analysis(self: &Arc<AddressLimits>, address: Address) -> Result<Permit, Refusal> {
        let mut usage = self.lock();
        let used = self.used(&mut usage, address);
        if used.analyses >= self.limits.analyses_per_address {
            return Err(self.refuse("too many analyses from your address"));
        }
        used.analyses += 1;
        drop(usage);
        Ok(Permit { addresses: Arc::clone(self), address })
    }

    /// Takes something off what an address may ask for: new tables, studies, names that are guessed.
    ///
    /// # Errors
    /// If it has asked for too much lately.
    pub(crate) fn ask(&self, address: Address) -> Result<(), Refusal> {
        let most = self.limits.requests_per_minute as f64;
        let mut usage = self.lock();
        let used = self.used(&mut usage, address);
        let now = now();
        let gained = now.duration_since(used.since).as_secs_f64() * most / 60.0;
        used.allowance = (used.allowance + gained).min(most);
        used.since = now;
        if used.allowance < 1.0 {
            return Err(self.refuse("too many requests from your address"));
        }
        used.allowance -= 1.0;
        Ok(())
    }

    /// Forgets addresses that have left long ago.
    pub(crate) fn sweep(&self) {
        self.lock().retain(|_, used| used.analyses > 0 || used.since.elapsed().as_secs() < 120);
    }

    fn used<'a>(
        &self,
        usage: &'a mut BTreeMap<Address, AddressUsage>,
        address: Address,
    ) -> &'a mut AddressUsage {
        let allowance = self.limits.requests_per_minute as f64;
        usage.entry(address).or_insert_with(|| AddressUsage {
            analyses: 0,
            allowance,
            since: now(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_gets_its_share_and_gives_it_back() {
        let limits =
            Limits { analyses_per_address: 1, requests_per_minute: 2, ..Limits::default() };
        let addresses = Arc::new(AddressLimits::new(limits, Arc::default()));
        let address = |text: &str| Address::new(text.parse().unwrap());
        let (ours, theirs) = (address("10.0.0.1"), address("2001:db8::1"));
        let first = addresses.analysis(ours).unwrap();
        assert!(addresses.analysis(ours).is_err() && addresses.analysis(theirs).is_ok());
        drop(first);
        assert!(addresses.analysis(ours).is_ok());
        assert!(
            addresses.ask(ours).is_ok()
                && addresses.ask(ours).is_ok()
                && addresses.ask(ours).is_err()
        );
        assert!(addresses.ask(theirs).is_ok());
        assert_eq!(theirs, address("2001:db8::2"), "neighbours of one network count as one");
        assert_eq!(ours, address("::ffff:10.0.0.1"), "one address in two spellings");
    }
}
