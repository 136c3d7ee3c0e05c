//! Playouts, and the agents that search without a list of nodes, must not touch the heap.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without it")]

use oboro_core::{Agent, Game, GameWorld, Rng, Seat, SeatView};
use oboro_labyrinth::Labyrinth;
use oboro_labyrinth::agents::{Exhaustive, ExhaustiveParams, Pathfinder, PathfinderParams};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

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

#[test]
fn playouts_do_not_allocate() {
    assert!(allocations(|| drop(black_box(vec![1]))) > 0, "the counter counts");
    let mut rng = Rng::from_u64(1);
    let view = Labyrinth::default().deal(&mut rng).view(Seat::FIRST);
    let playouts = || {
        for _ in 0..5 {
            let mut world = view.imagine(&mut rng);
            while world.to_act().is_some() {
                world.apply(world.random_action(&mut rng));
            }
            black_box(world.payoff(Seat::FIRST));
        }
    };
    assert_eq!(allocations(playouts), 0);
}

#[test]
fn exhaustive_and_pathfinder_do_not_allocate() {
    let mut rng = Rng::from_u64(2);
    let mut exhaustive = Exhaustive::new(ExhaustiveParams::default()).expect("defaults are valid");
    let mut pathfinder = Pathfinder::new(PathfinderParams::default()).expect("defaults are valid");
    let mut world = Labyrinth::default().deal(&mut rng);
    let game = || {
        for _ in 0..10 {
            world.apply(exhaustive.act(&world.view(Seat::FIRST), &mut rng));
            world.apply(pathfinder.act(&world.view(Seat::new(1)), &mut rng));
        }
    };
    assert_eq!(allocations(game), 0);
}
