//! Counts what a test takes from the heap: every test program with the test kit in it allocates through this.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use oboro_core::{Game, GameWorld, Policy as _, RandomPolicy, Rng, SeatView};
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

/// How often this thread asks the heap for memory during `work`.
pub fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

/// What this thread holds more of after `work` than before it, and the most that it held more of meanwhile, in bytes.
pub fn memory(work: impl FnOnce()) -> (i64, i64) {
    let (before, _) = BYTES.with(Cell::get);
    BYTES.with(|cell| cell.set((before, before)));
    work();
    let (held, peak) = BYTES.with(Cell::get);
    (held - before, peak - before)
}

/// Imagines worlds in the middle of a few games and plays them out at random, one at a time and together.
pub(crate) fn check_playouts<G: Game>(game: &G) {
    const WORLDS: usize = 8;
    for number in 0..3 {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        for _ in 0..2 * number {
            let mut next = world.clone();
            next.apply(next.random_action(&mut rng));
            if next.to_act().is_some() {
                world = next;
            }
        }
        let seat = world.to_act().expect("the game goes on");
        let view = world.view(seat);
        let mut play = || {
            let mut world = view.imagine(&mut rng);
            world.play_out_randomly(&mut rng);
            std::hint::black_box(world.payoff(seat));
        };
        // What is built once is not counted.
        play();
        RandomPolicy.play_out_all(&mut [world.clone()], &mut Rng::from_u64(number));
        let place = || crate::place(game, number, 2 * number as u32, &world);
        let counted = allocations(|| (0..WORLDS).for_each(|_| play()));
        assert_eq!(counted, 0, "playouts take memory from the heap; {}", place());
        let mut worlds = [(); WORLDS].map(|()| view.imagine(&mut rng));
        let counted = allocations(|| RandomPolicy.play_out_all(&mut worlds, &mut rng));
        assert_eq!(counted, 0, "playouts of many worlds take memory from the heap; {}", place());
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(memory(|| drop(std::hint::black_box(vec![0u8; 1000]))), (0, 1000));
    assert!(allocations(|| drop(std::hint::black_box(vec![1]))) > 0);
}
