use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A switch that ends thinking early, from any thread: a person left the table, a clock ran out.
///
/// Whoever lets an agent think puts the call inside [`Stop::watch`]; searches ask [`stopping`] once per
/// playout or every few thousand nodes and then answer with the best they have. A switch that nobody
/// pulls changes nothing, so results that count playouts stay the same bit for bit.
///
/// ```
/// use oboro_core::{Stop, stopping};
/// let stop = Stop::new();
/// assert!(!stop.watch(stopping));
/// stop.pull();
/// assert!(stop.watch(stopping));
/// assert!(!stopping(), "nobody watches here");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

thread_local! {
    static WATCHED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

impl Stop {
    /// A switch that has not been pulled.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Ends whatever thinks under this switch, now and from now on.
    pub fn pull(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was pulled.
    pub fn is_pulled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Runs `think` on this thread, so that [`stopping`] answers for this switch inside it.
    pub fn watch<T>(&self, think: impl FnOnce() -> T) -> T {
        /// Puts the outer switch back, also when `think` panics.
        struct Restore(Option<Arc<AtomicBool>>);
        impl Drop for Restore {
            fn drop(&mut self) {
                WATCHED.set(self.0.take());
            }
        }
        let _restore = Restore(WATCHED.replace(Some(Arc::clone(&self.0))));
        think()
    }
}

/// Whether the thinking on this thread should come to an end; see [`Stop`].
#[inline]
pub fn stopping() -> bool {
    WATCHED.with_borrow(|stop| stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_reaches_its_own_watch_only_and_survives_a_panic() {
        let (outer, inner) = (Stop::new(), Stop::new());
        inner.pull();
        outer.watch(|| {
            assert!(inner.watch(stopping));
            assert!(!stopping());
            let fell = std::panic::catch_unwind(|| inner.watch(|| panic!("an agent fell over")));
            assert!(fell.is_err() && !stopping());
        });
        assert!(!outer.is_pulled());
    }
}
