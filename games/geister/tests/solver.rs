//! The solver against brute force over all colourings, and known endings.

use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use oboro_geister::solver::{Proof, Solver};
use oboro_geister::{Action, Geister, Purple, View, World};

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
            Proof::Win { plies: found, line } => {
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
            verdict => assert_eq!((verdict, plies), (Proof::NoWinWithin(5), None), "{world}"),
        }
    }
    assert!(won > 30, "the sample should hold wins, not {won}");
}

/// The same question over plain letters: `B` and `R` attack, `u` defends. Whether the attacker wins within
/// `depth` plies; nothing is remembered and nothing left out.
fn plain(squares: &[char; 36], quota: u8, attacks: bool, depth: u32) -> bool {
    let on = |exits: [usize; 2], kind| exits.iter().any(|&exit| squares[exit] == kind);
    let left = |kind| squares.contains(&kind);
    if !left('R') || attacks && depth > 0 && on([0, 5], 'B') {
        return true;
    }
    if !left('B') || quota == 0 || !attacks && on([30, 35], 'u') || depth == 0 {
        return false;
    }
    let own: &[char] = if attacks { &['B', 'R'] } else { &['u'] };
    let mut moves = (0..36).flat_map(|from| {
        let (x, y) = (from % 6, from / 6);
        let ways = [(y > 0, -6), (x < 5, 1), (y < 5, 6), (x > 0, -1)];
        ways.into_iter().filter(|(open, _)| *open).map(move |(_, by)| (from, from as i32 + by))
    });
    let after = |(from, to): (usize, i32)| {
        let mut next = *squares;
        next[to as usize] = squares[from];
        next[from] = '.';
        let taken = u8::from(squares[to as usize] == 'u');
        plain(&next, quota - taken, !attacks, depth - 1)
    };
    let legal = |&(from, to): &(usize, i32)| {
        own.contains(&squares[from]) && !own.contains(&squares[to as usize])
    };
    if attacks {
        moves.any(|m| legal(&m) && after(m))
    } else {
        moves.all(|m| !legal(&m) || after(m))
    }
}

#[test]
fn verdicts_are_those_of_plain_recursion() {
    let mut rng = Rng::from_u64(12);
    let mut solver = Solver::new(10);
    let mut won = [0; 8];
    for number in 0..900 {
        let mut squares = ['.'; 36];
        let (blues, reds) = (1 + rng.below(2), 1 + rng.below(2));
        let purples = 1 + rng.below(3);
        let depth = if blues + reds + purples < 5 { 7 } else { 5 };
        // Half of them near the exits, where wins are.
        let rows = if number % 2 == 0 { 36 } else { 18 };
        for kind in [vec!['B'; blues], vec!['R'; reds], vec!['u'; purples]].concat() {
            let free = |s: &usize| squares[*s] == '.' && !([0, 5].contains(s) && kind == 'B');
            let square = std::iter::repeat_with(|| rng.below(rows)).find(free);
            squares[square.expect("there is room")] = kind;
        }
        let of = |kind| (0..36).filter(|&s| squares[s] == kind).fold(0, |set, s| set | 1_u64 << s);
        let quota = 1 + rng.below(purples) as u8;
        let here = Purple { blues: of('B'), reds: of('R'), enemies: of('u'), quota };
        let plies = (1..=depth).step_by(2).find(|&depth| plain(&squares, quota, true, depth));
        let expected = match plies {
            Some(plies) => Proof::Win { plies, line: Vec::new() },
            None => Proof::NoWinWithin(depth),
        };
        assert_eq!(solver.prove(&here, depth, u64::MAX), expected, "{squares:?}, {quota}");
        won[plies.unwrap_or(0) as usize] += 1;
    }
    assert!(won[3] > 30 && won[5] > 30 && won[7] > 10, "wins of all lengths: {won:?}");
}

#[test]
fn a_free_run_is_proven_with_its_line() {
    // B is three steps from the exit and nobody can come near.
    let run = view("40 25R12B45R99R99B99B99B99R 41B99B51R99B99R99R52R99B");
    let Proof::Win { plies, line } = Solver::new(12).solve(&run, 9, 1_000_000) else {
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
    assert!(matches!(solver.solve(&start, 21, 500), Proof::Undecided(_)));
    assert!(solver.nodes() <= 501);
}
