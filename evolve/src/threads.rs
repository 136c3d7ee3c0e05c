use rayon::prelude::*;
use std::ops::Range;

/// Does something on so many threads, one a core if `None`: runs and [`in_parallel`] use them.
///
/// # Errors
/// If there are no threads to be had.
pub fn on_threads<T: Send>(
    threads: Option<u16>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, String> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).build();
    Ok(pool.map_err(|error| format!("no threads: {error}"))?.install(work))
}

/// One result a number, in order, computed on all threads.
pub fn in_parallel<T: Send>(numbers: Range<u64>, one: impl Fn(u64) -> T + Sync + Send) -> Vec<T> {
    numbers.into_par_iter().map(one).collect()
}
