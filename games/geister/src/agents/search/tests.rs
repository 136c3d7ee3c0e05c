//! The prover compared with brute force over all colourings, with recursion over letters, and with puzzles.

use super::{Position, Proof, Prover};
use crate::kernels::view;
use crate::{Action, Geister, View, World};
use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};

/// The position in which the attacker has these blues and reds, and knows nothing of the enemies.
fn position([blues, reds, enemies]: [u64; 3], quota: u8) -> Position {
    Position { blues, reds, enemies, quota }
}

/// Whether `us` can win within `depth` plies in every one of `worlds`, which look the same to it,
/// by a plan that only uses what it sees: recursion over the rules of the game.
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
    let won_after = |action| wins_all_after(worlds, action, us, depth - 1);
    if mover == us {
        actions.into_iter().any(won_after)
    } else {
        actions.into_iter().all(won_after)
    }
}

/// Whether `us` can win within `depth` plies after an action, whatever it shows.
fn wins_all_after(worlds: &[World], action: Action, us: Seat, depth: u32) -> bool {
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
    groups.iter().all(|(_, group)| wins_all(group, us, depth))
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

/// The same question over a board of letters: `B` and `R` attack, `u` defends. Whether the attacker wins within
/// `depth` plies; nothing is remembered and nothing left out.
fn letters(squares: &[char; 36], quota: u8, attacks: bool, depth: u32) -> bool {
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
        letters(&next, quota - taken, !attacks, depth - 1)
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
fn verdicts_are_those_of_recursion_over_letters() {
    let mut rng = Rng::from_u64(12);
    let mut prover = Prover::new(10);
    let mut won = [0; 8];
    for number in 0..900 {
        let mut squares = ['.'; 36];
        let (blues, reds) = (1 + rng.below(2), 1 + rng.below(2));
        let unknown = 1 + rng.below(3);
        let depth = if blues + reds + unknown < 5 { 7 } else { 5 };
        // Half of them near the exits, where wins are.
        let rows = if number % 2 == 0 { 36 } else { 18 };
        for kind in [vec!['B'; blues], vec!['R'; reds], vec!['u'; unknown]].concat() {
            let free = |s: &usize| squares[*s] == '.' && !([0, 5].contains(s) && kind == 'B');
            let square = std::iter::repeat_with(|| rng.below(rows)).find(free);
            squares[square.expect("there is room")] = kind;
        }
        let of = |kind| (0..36).filter(|&s| squares[s] == kind).fold(0, |set, s| set | 1_u64 << s);
        let quota = 1 + rng.below(unknown) as u8;
        let here = position([of('B'), of('R'), of('u')], quota);
        let plies = (1..=depth).step_by(2).find(|&depth| letters(&squares, quota, true, depth));
        let expected = plies.map_or(Proof::NoWinWithin(depth), Proof::Win);
        assert_eq!(prover.prove(&here, depth, u64::MAX), expected, "{squares:?}, {quota}");
        won[plies.unwrap_or(0) as usize] += 1;
    }
    assert!(won[3] > 30 && won[5] > 30 && won[7] > 10, "wins of all lengths: {won:?}");
}

#[test]
fn the_budget_is_kept() {
    let start = view("0 14R24R34R44R15B25B35B45B 41B31B21B11B40R30R20R10R");
    let mut prover = Prover::new(10);
    assert!(matches!(prover.prove(&Position::of(&start), 21, 500), Proof::Undecided(_)));
    assert!(prover.nodes() <= 501);
}

#[test]
fn verdicts_and_winning_moves_agree_with_brute_force_over_all_colourings() {
    let mut rng = Rng::from_u64(14);
    let mut prover = Prover::new(10);
    let mut won = 0;
    for _ in 0..400 {
        let Some(world) = small_endgame(&mut rng) else {
            continue;
        };
        let us = world.to_act().expect("not over");
        let view = world.view(us);
        let worlds: Vec<World> = view.colourings().map(|reds| view.with_reds(reds)).collect();
        let plies = (1..=5).find(|&depth| wins_all(&worlds, us, depth));
        let Proof::Win(found) = prover.prove(&Position::of(&view), 5, u64::MAX) else {
            assert_eq!(plies, None, "{world}");
            continue;
        };
        // A win by the enemy's last capture comes a ply before the move that would have been ours.
        let plies = plies.unwrap_or_else(|| panic!("no win in\n{world}"));
        assert_eq!(plies.next_multiple_of(2) - 1, found, "{world}");
        won += 1;
        if view.leaver().is_some() {
            continue;
        }
        let mut winning: Vec<Action> =
            prover.winning_moves(&view, found, u64::MAX).map(Result::unwrap).collect();
        let mut expected: Vec<Action> = view.legal_actions();
        expected.retain(|&action| wins_all_after(&worlds, action, us, found - 1));
        winning.sort_unstable_by_key(ToString::to_string);
        expected.sort_unstable_by_key(ToString::to_string);
        assert_eq!(winning, expected, "{world}");
    }
    assert!(won > 40, "{won}");
}

/// Forced wins in positions placed at random, found without a limit of nodes: plies and position.
const PUZZLES: &str = include_str!("../../../tests/golden/puzzles.txt");

#[test]
fn puzzles_are_proved_with_their_lengths() {
    let mut prover = Prover::new(16);
    for puzzle in PUZZLES.lines() {
        let (plies, position) = puzzle.split_once(' ').expect("two fields");
        let proof = prover.prove(&Position::of(&view(position)), 13, 200_000);
        assert_eq!(proof, Proof::Win(plies.parse().expect("a number of plies")), "{puzzle}");
    }
    assert!(PUZZLES.lines().count() > 20);
}
