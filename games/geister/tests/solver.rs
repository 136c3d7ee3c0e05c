//! The solver against brute force over all colourings, and known endings.

use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use oboro_geister::solver::{Solver, Verdict};
use oboro_geister::{Action, Geister, View, World};

fn view(text: &str) -> View {
    let world = Geister::default().parse_position(text).expect("a position");
    world.view(world.to_act().expect("not over"))
}

/// Whether `us` can win within `depth` plies in every one of `worlds`, which look the same to it,
/// by a plan that only uses what it sees. Plain recursion over the rules of the game.
fn wins_all(worlds: &[World], us: Seat, depth: u32) -> bool {
    let Some(mover) = worlds[0].to_act() else {
        return worlds.iter().all(|world| world.payoff(us) == 1.0);
    };
    if depth == 0 {
        return false;
    }
    let mut actions: Vec<Action> = Vec::new();
    for world in worlds {
        world.for_each_legal(|action| {
            if !actions.contains(&action) {
                actions.push(action);
            }
        });
    }
    let won_after = |action: Action| {
        let mut groups: Vec<(View, Vec<World>)> = Vec::new();
        for world in worlds.iter().filter(|world| world.is_legal(action)) {
            let mut next = *world;
            next.apply(action);
            let seen = next.view(us);
            match groups.iter_mut().find(|(view, _)| *view == seen) {
                Some((_, group)) => group.push(next),
                None => groups.push((seen, vec![next])),
            }
        }
        groups.iter().all(|(_, group)| wins_all(group, us, depth - 1))
    };
    if mover == us {
        actions.into_iter().any(won_after)
    } else {
        actions.into_iter().all(won_after)
    }
}

fn small_endgame(rng: &mut Rng) -> Option<World> {
    let mut squares: Vec<usize> = (0..36).collect();
    rng.shuffle(&mut squares);
    let mut next = squares.into_iter();
    let sides = [0, 1].map(|_| {
        let mut colours: Vec<char> = "RRRRBBBB".chars().collect();
        rng.shuffle(&mut colours);
        let alive = 2 + rng.below(2);
        colours
            .iter()
            .enumerate()
            .map(|(i, colour)| {
                if i < alive {
                    let square = next.next().expect("enough squares");
                    format!("{}{}{colour}", square % 6, square / 6)
                } else {
                    format!("99{colour}")
                }
            })
            .collect::<String>()
    });
    let ply = 40 + rng.below(2);
    let text = format!("{ply} {} {}", sides[0], sides[1]);
    let world = Geister::default().parse_position(&text).ok()?;
    world.to_act().map(|_| world)
}

#[test]
fn verdicts_agree_with_brute_force_over_all_colourings() {
    let mut rng = Rng::from_u64(11);
    let mut solver = Solver::new(12);
    let (mut won, mut checked) = (0, 0);
    while checked < 150 {
        let Some(world) = small_endgame(&mut rng) else {
            continue;
        };
        checked += 1;
        let us = world.to_act().expect("not over");
        let view = world.view(us);
        let worlds: Vec<World> = view.colourings().map(|reds| view.with_reds(reds)).collect();
        let plies = (1..=5).find(|&depth| wins_all(&worlds, us, depth));
        match solver.solve(&view, 5, u64::MAX) {
            Verdict::Win { plies: found, line } => {
                won += 1;
                // A win by the enemy's last capture comes a ply before the move that would have been ours.
                let plies = plies.unwrap_or_else(|| panic!("no win in\n{world}"));
                assert_eq!(
                    plies.next_multiple_of(2) - 1,
                    found.min(plies.next_multiple_of(2) - 1),
                    "{world}"
                );
                assert_eq!(line.len(), plies as usize, "{line:?} in\n{world}");
            }
            verdict => assert_eq!((verdict, plies), (Verdict::NoWinWithin(5), None), "{world}"),
        }
    }
    assert!(won > 30, "the sample should hold wins, not {won}");
}

#[test]
fn a_free_run_is_proven_with_its_line() {
    // B is three steps from the exit and nobody can come near.
    let run = view("40 25R12B45R99R99B99B99B99R 41B99B51R99B99R99R52R99B");
    let Verdict::Win { plies, line } = Solver::new(12).solve(&run, 9, 1_000_000) else {
        panic!("a won run");
    };
    assert_eq!((plies, line.len()), (7, 7));
    assert!(matches!(line[6], Action::Escape(_)));
    // Every move of the line is legal in the world where it is played.
    let mut world = run.with_reds(run.colourings().next().expect("a colouring"));
    for action in line {
        world.play(action).expect("a legal line");
    }
    assert_eq!(world.payoff(run.seat()), 1.0);
}

#[test]
fn the_budget_is_kept() {
    let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
    let mut solver = Solver::new(10);
    assert!(matches!(solver.solve(&start, 21, 500), Verdict::Undecided(_)));
    assert!(solver.nodes() <= 501);
}
