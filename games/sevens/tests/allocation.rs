//! A playout must not touch the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use oboro_core::{Game, GameWorld, Policy, Rng, Seat, SeatView};
use oboro_search::playout;
use oboro_sevens::agents::{ByHand, Eval, Random, Rule};
use oboro_sevens::{Sevens, World};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed to the system allocator unchanged; counting touches a plain
// thread-local cell that needs no allocation itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

fn playouts(policy: &mut impl Policy<World>) {
    let game = Sevens::default();
    let mut rng = Rng::from_u64(1);
    let view = game.deal(&mut rng).view(Seat::FIRST);
    for _ in 0..100 {
        let mut world = view.imagine(&mut rng);
        playout(&mut world, policy, &mut rng);
        std::hint::black_box(world.payoff(Seat::FIRST));
    }
}

#[test]
fn playouts_do_not_allocate() {
    assert!(allocations(|| drop(std::hint::black_box(vec![1]))) > 0, "the counter counts");
    assert_eq!(allocations(|| playouts(&mut ByHand(Random))), 0);
    assert_eq!(allocations(|| playouts(&mut ByHand(Rule))), 0);
    assert_eq!(allocations(|| playouts(&mut ByHand(Eval::default()))), 0);
}
