//! Counts what a test takes from the heap: a test that has this file as a module (`#[path]`) allocates
//! through it.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    /// Bytes that are held now, and the most that were held since the peak was last set back.
    static BYTES: Cell<(i64, i64)> = const { Cell::new((0, 0)) };
}

struct Counting;

fn count(bytes: i64) {
    BYTES.with(|cell| {
        let (held, peak) = cell.get();
        cell.set((held + bytes, peak.max(held + bytes)));
    });
}

// SAFETY: every call is handed to the system allocator unchanged; counting touches a plain
// thread-local cell that needs no allocation itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        count(layout.size() as i64);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[allow(dead_code, reason = "each test file uses its part")]
/// How often this thread asks the heap for memory during `work`.
pub(crate) fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// What this thread holds more of after `work` than before it, and the most that it held more of meanwhile, in bytes.
#[allow(dead_code, reason = "each test file uses its part")]
pub(crate) fn memory(work: impl FnOnce()) -> (i64, i64) {
    let (before, _) = BYTES.with(Cell::get);
    BYTES.with(|cell| cell.set((before, before)));
    work();
    let (held, peak) = BYTES.with(Cell::get);
    (held - before, peak - before)
}

#[test]
fn the_counter_counts() {
    assert_eq!(memory(|| drop(std::hint::black_box(vec![0u8; 1000]))), (0, 1000));
    assert!(allocations(|| drop(std::hint::black_box(vec![1]))) > 0);
}
