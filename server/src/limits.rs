//! How much of everything there may be.

/// How much of everything there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Tables open at the same time.
    pub tables: usize,
    /// Connections to one table.
    pub guests: usize,
    /// Browsers connected at the same time.
    pub sockets: usize,
    /// Browsers of one address; a club behind one router has one.
    pub sockets_per_address: usize,
    /// Messages of one connection; three times as many at once.
    pub messages_per_second: u32,
    /// New tables, studies and wrong names of one address.
    pub requests_per_minute: u32,
    /// Agents and analyses that think at the same time.
    pub thinkers: usize,
    /// Analyses of one address.
    pub analyses_per_address: usize,
    /// Seconds after which an agent has to say what it has come to.
    pub think_seconds: u64,
    /// Minutes after which a table that nobody visits is closed.
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
            guests: 64,
            sockets: 10_000,
            sockets_per_address: 250,
            messages_per_second: 20,
            requests_per_minute: 120,
            thinkers: cores,
            analyses_per_address: 8,
            think_seconds: 120,
            idle_minutes: 60,
            keep_days: None,
            silence_seconds: 60,
        }
    }
}
