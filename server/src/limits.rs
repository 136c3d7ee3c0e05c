//! How much of everything there may be.

/// How much of everything there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Tables open at the same time.
    pub tables: usize,
    /// Watchers of one table. Whoever holds a seat does not count.
    pub watchers: usize,
    /// Browsers connected at the same time.
    pub sockets: usize,
    /// Watching browsers of one address; a club behind one router has one.
    pub sockets_per_address: usize,
    /// Connections of one address that are not at a table, or not yet.
    pub connections_per_address: usize,
    /// Messages of one connection; three times as many at once.
    pub messages_per_second: u32,
    /// New tables, studies and wrong names of one address.
    pub requests_per_minute: u32,
    /// Agents and analyses that think at the same time.
    pub thinkers: usize,
    /// Those of them that think for one address.
    pub thinkers_per_address: usize,
    /// Analyses of one address.
    pub analyses_per_address: usize,
    /// Seconds after which an agent has to say what it has come to.
    pub think_seconds: u64,
    /// The same while somebody waits for whom nobody thinks.
    pub share_seconds: u64,
    /// Megabytes that agents at tables may hold.
    pub held_megabytes: u32,
    /// Those of them that one address may take.
    pub held_megabytes_per_address: u32,
    /// Megabytes that agents may take while they think, all of them together.
    pub thinking_megabytes: u32,
    /// Minutes after which a table that nobody uses is closed.
    pub idle_minutes: u64,
    /// Days after which tables and events at which nothing has been done are removed from disk; none are without it.
    pub keep_days: Option<u32>,
    /// Seconds after which a browser that says nothing, and does not even answer a ping, is gone.
    pub silence_seconds: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            tables: 500,
            watchers: 64,
            sockets: 10_000,
            sockets_per_address: 250,
            connections_per_address: 64,
            messages_per_second: 20,
            requests_per_minute: 120,
            // More threads than cores: the system shares the cores among them, and a new address need not wait.
            thinkers: 4 * cores,
            thinkers_per_address: cores,
            analyses_per_address: 8,
            think_seconds: 60,
            share_seconds: 5,
            held_megabytes: 512,
            held_megabytes_per_address: 256,
            thinking_megabytes: 512,
            idle_minutes: 60,
            keep_days: None,
            silence_seconds: 60,
        }
    }
}
