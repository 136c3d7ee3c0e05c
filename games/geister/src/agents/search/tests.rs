//! The solver and the prover compared with brute force over all colourings, with each other, and with puzzles.

use super::{Position, Proof, Prover, Solver};
use crate::{Action, Geister, Piece, View, World};
use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};

fn view(text: &str) -> View {
    let world = Geister::default().parse_position(text).expect("a position");
    world.view(world.to_act().expect("not over"))
}

/// The position in which the attacker has these blues and reds, and knows nothing of the enemies.
fn position([blues, reds, enemies]: [u64; 3], quota: u8) -> Position {
    Position { blues, reds, enemies, known_reds: 0, known_blues: 0, quota }
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
    let (mut solver, mut prover) = (Solver::new(10), Prover::new(10));
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
        let expected = match plies {
            Some(plies) => Proof::Win { plies, line: Vec::new() },
            None => Proof::NoWinWithin(depth),
        };
        assert_eq!(solver.prove(&here, depth, u64::MAX), expected, "{squares:?}, {quota}");
        assert_eq!(prover.prove(&here, depth, u64::MAX), expected, "{squares:?}, {quota}");
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

/// One to four pieces of either colour a side, anywhere.
fn random_position(rng: &mut Rng) -> Position {
    let mut squares: Vec<u32> = (0..36).collect();
    rng.shuffle(&mut squares);
    let mut places = squares.into_iter();
    let mut some = |count: usize| places.by_ref().take(count).fold(0, |set, s| set | 1_u64 << s);
    let reds = 1 + rng.below(4);
    let [blues, own_reds] = [1 + rng.below(4), 1 + rng.below(4)].map(&mut some);
    position([blues, own_reds, some(reds + 1 + rng.below(4))], reds as u8)
}

#[test]
fn the_prover_agrees_with_the_solver() {
    let mut rng = Rng::from_u64(13);
    let (mut solver, mut prover) = (Solver::new(16), Prover::new(8));
    let mut won = [0; 12];
    for number in 0..6000 {
        let here = random_position(&mut rng);
        let plies = if number % 60 == 0 { 11 } else { 7 };
        let expected = solver.prove(&here, plies, u64::MAX);
        assert_eq!(prover.prove(&here, plies, u64::MAX), expected, "{here:?}");
        if let Proof::Win { plies, .. } = expected {
            won[plies as usize] += 1;
        }
    }
    assert!(won[3] > 500 && won[5] > 200 && won[7] > 50, "wins of all lengths: {won:?}");
}

/// Plays a line, the enemy's reds being these: every move is legal, and the last one wins.
fn assert_wins(view: &View, reds: u8, line: &[Action]) {
    let mut world = view.with_reds(reds);
    for &action in line {
        // A line ends sooner where a capture turns out better than it might have.
        if world.to_act().is_none() {
            break;
        }
        world.play(action).unwrap_or_else(|error| panic!("{error} in {line:?}"));
    }
    assert_eq!(world.payoff(view.seat()), 1.0, "{line:?}");
}

#[test]
fn verdicts_agree_with_brute_force_over_all_colourings() {
    let mut rng = Rng::from_u64(14);
    let (mut solver, mut prover) = (Solver::new(12), Prover::new(10));
    let (mut won, mut by_knowing, mut by_capturing) = (0, 0, 0);
    for number in 0..400 {
        let Some(world) = small_endgame(&mut rng) else {
            continue;
        };
        let us = world.to_act().expect("not over");
        let view = world.view(us);
        // Of every third position nothing is known: that is what the solver is for.
        let known = if number % 3 == 0 { 0 } else { rng.below(256) as u8 & view.hidden() };
        let reds = known & world.reds(view.enemy());
        let agrees = |colouring: &u8| colouring & known == reds;
        let worlds: Vec<World> =
            view.colourings().filter(agrees).map(|reds| view.with_reds(reds)).collect();
        let plies = (1..=5).find(|&depth| wins_all(&worlds, us, depth));
        let here = Position::knowing(&view, reds, known & !reds).expect("the truth can be");
        let mut proofs = vec![prover.solve(&view, &here, 5, u64::MAX)];
        let unknown = solver.solve(&view, 5, u64::MAX);
        let wins_unknown = matches!(unknown, Proof::Win { .. });
        if known == 0 {
            proofs.push(unknown);
        }
        for proof in proofs {
            let Proof::Win { plies: found, line } = proof else {
                assert_eq!((proof, plies), (Proof::NoWinWithin(5), None), "{world}");
                continue;
            };
            // A win by the enemy's last capture comes a ply before the move that would have been ours.
            let plies = plies.unwrap_or_else(|| panic!("no win in\n{world}"));
            assert_eq!(plies.next_multiple_of(2) - 1, found, "{world}");
            assert_eq!(line.len().next_multiple_of(2) - 1, found as usize, "{line:?} in\n{world}");
            won += 1;
            by_knowing += u32::from(!wins_unknown);
            by_capturing += u32::from(matches!(line.last(), Some(Action::Move(..))));
        }
    }
    assert!(won > 80 && by_knowing > 5 && by_capturing > 5, "{won} {by_knowing} {by_capturing}");
}

#[test]
fn impossible_knowledge_is_refused() {
    let here = view("40 25R12B45R99R99B99B99B99R 41B99B51R99B99R99R52R99B");
    let [a, b, c, g] = [0, 1, 2, 6].map(|piece| Piece::new(piece).bit());
    assert!(
        Position::knowing(&here, c, 0).is_some() && Position::knowing(&here, g, c | a).is_none()
    );
    for (reds, blues) in [(a, a), (b, 0), (0, b), (a | c | g, 0), (0, a | c), (0, a | c | g)] {
        assert_eq!(Position::knowing(&here, reds, blues), None, "{reds:b} {blues:b}");
    }
}

/// Forced wins in positions placed at random, found without a limit of nodes: plies, known colours, position.
const PUZZLES: &str = include_str!("../../../tests/golden/puzzles.txt");

#[test]
fn puzzles_are_proved_with_their_lengths_and_lines() {
    let mut prover = Prover::new(16);
    let mut proved = 0;
    for puzzle in PUZZLES.lines() {
        let mut fields = puzzle.splitn(3, ' ');
        let mut field = || fields.next().expect("three fields");
        let plies: u32 = field().parse().expect("a number of plies");
        let known: Vec<char> = field().chars().filter(|&c| c != '-').collect();
        let view = view(field());
        let of = |colour| {
            let pieces = known.chunks(2).filter(|pair| pair[1] == colour);
            pieces.fold(0, |set, pair| set | Piece::from_letter(pair[0]).expect("a piece").bit())
        };
        let (reds, blues) = (of('r'), of('b'));
        let here = Position::knowing(&view, reds, blues).expect("the truth can be");
        let Proof::Win { plies: found, line } = prover.solve(&view, &here, 13, 200_000) else {
            panic!("not proved: {puzzle}");
        };
        assert_eq!(
            (found, line.len().next_multiple_of(2) - 1),
            (plies, plies as usize),
            "{puzzle}"
        );
        for colouring in view.colourings().filter(|c| c & reds == reds && c & blues == 0) {
            // Where the line captures what is red in the worst case, it may be blue here: another line would follow.
            if is_worst(&view, colouring, &line) {
                assert_wins(&view, colouring, &line);
                proved += 1;
            }
        }
    }
    assert!(proved > 100, "{proved}");
}

/// Whether no enemy piece that is blue in a colouring is captured in the line, but by the last move.
fn is_worst(view: &View, reds: u8, line: &[Action]) -> bool {
    let mut board = view.with_reds(reds);
    line.iter().all(|&action| {
        let before = board.public().captured(view.enemy());
        if board.to_act().is_none() || board.play(action).is_err() {
            return false;
        }
        let taken = board.public().captured(view.enemy()) & !before;
        taken & !reds == 0 || board.to_act().is_none()
    })
}
