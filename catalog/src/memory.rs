//! Whether there is memory for something large, asked before it is taken: a process that runs out of it is ended without
//! a word.

use crate::CatalogError;
use std::fs::read_to_string;

const MIB: u64 = 1 << 20;

/// Checks that so many bytes can be had for `what`.
pub(crate) fn check(what: impl Fn() -> String, bytes: Option<u64>) -> Result<(), CatalogError> {
    let refuse = |free: String| {
        let needed = bytes.unwrap_or(u64::MAX) / MIB;
        CatalogError::Memory { what: what(), needed, free }
    };
    let Some(wanted) = bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) else {
        return Err(refuse("no machine has that".to_owned()));
    };
    if let Some(free) = free().filter(|&free| free < wanted) {
        return Err(refuse(format!("{} MiB are free", free / MIB)));
    }
    // What the system would not even promise; nothing is written to it.
    let promised = Vec::<u8>::new().try_reserve_exact(wanted as usize);
    promised.map_err(|_| refuse("the system does not grant it".to_owned()))
}

/// The bytes that are free, where the system says so (Linux): in the machine, and in the container around this process.
fn free() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? * 1024)
    });
    let number = |name: &str| -> Option<u64> {
        read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    // What is counted there as used includes files that would be dropped; they are left out of the account.
    let container = number("memory.max").map(|most| {
        let stat = read_to_string("/sys/fs/cgroup/memory.stat").unwrap_or_default();
        let anonymous = stat.lines().find_map(|line| line.strip_prefix("anon ")?.parse().ok());
        most.saturating_sub(anonymous.unwrap_or(0))
    });
    [machine, container].into_iter().flatten().min()
}
