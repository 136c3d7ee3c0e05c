//! Solving by name.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::{Method, Solving};
use oboro_core::Seed;

/// After which iterations a solution is measured.
fn measured(iterations: u32) -> Vec<u32> {
    let rules = oboro_catalog::rules("kuhn", &[], None).unwrap();
    let wanted = Solving { method: Method::CfrPlus, iterations, last: false };
    let mut told = Vec::new();
    let mut tell = |after, _| told.push(after);
    rules.tree().unwrap().solve(wanted, &Seed::from_u64(1), &mut tell).unwrap();
    told
}

#[test]
fn solutions_are_measured_more_and_more_rarely() {
    assert_eq!(measured(1), [1]);
    assert_eq!(measured(100), [1, 3, 10, 30, 100]);
    assert_eq!(measured(2000), [3, 10, 30, 100, 300, 1000, 2000]);
}
