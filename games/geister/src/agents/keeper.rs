//! The keeper strategy: Algorithm 1 of Ito et al. 2019, step by step.
//!
//! The printed algorithm leaves open how the pieces other than the keepers move; here they move at
//! random. It never speaks of leaving the board, so this player never does.

use crate::Geister;
use crate::action::Action;
use crate::bitboard::around;
use crate::piece::{Piece, Placement};
use crate::square::{Bitboard, Direction, EXITS, Square};
use crate::view::View;
use oboro_core::{Agent, AgentEntry, Rng, SeatView, check_range, fresh, params};

params! {
    /// The parameters of `keeper`.
    struct KeeperParams {
        /// Probability of taking an enemy piece on the exit for red when one red is left.
        p: f64 = 0.5 => {"minimum": 0, "maximum": 1},
    }
}

pub(super) fn entry() -> AgentEntry<Geister> {
    AgentEntry::new(
        "keeper",
        "Ito et al. 2019, Algorithm 1",
        "Guards both of the enemy's exits, one with a red and one with a blue, and gives nothing away",
        |_, params: &KeeperParams| {
            check_range("p", params.p, 0.0..=1.0)?;
            Ok(fresh(Keeper { p: params.p, valued: None }))
        },
    )
    .public(1, 16)
}

/// The two pieces that guard: those that start next to the enemy's exits.
pub(super) const KEEPERS: [Piece; 2] = [Piece::new(4), Piece::new(7)];

/// One thing the algorithm may do.
#[derive(Clone, Copy, PartialEq, Debug)]
struct KeeperMove {
    probability: f64,
    action: Action,
    /// The enemy piece that has the value 1 afterwards.
    valued: Option<Piece>,
}

/// The player, and the enemy piece that it takes for red.
#[derive(Clone, Debug)]
struct Keeper {
    p: f64,
    valued: Option<Piece>,
}

impl Agent<Geister> for Keeper {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if !view.public().has_placed(view.seat()) {
            return Action::Place(placement(rng));
        }
        let moves = keeper_moves(view, self.p, self.valued);
        let mut point = rng.unit();
        let reached = |possible: &&KeeperMove| {
            point -= possible.probability;
            point < 0.0
        };
        let chosen = moves.iter().find(reached).or(moves.last()).expect("there is always a move");
        self.valued = chosen.valued;
        chosen.action
    }
}

/// Step 1: a red and a blue next to the two exits, which is where being left to chance; the six
/// others are drawn independently.
fn placement(rng: &mut Rng) -> Placement {
    let red_keeper = KEEPERS[rng.below(2)];
    let mut others: Vec<Piece> = Piece::all().filter(|p| !KEEPERS.contains(p)).collect();
    rng.shuffle(&mut others);
    let reds = others[..3].iter().fold(red_keeper.bit(), |set, piece| set | piece.bit());
    Placement::from_reds(reds).expect("four reds")
}

/// A possible move, with the enemy piece on its target.
#[derive(Clone, Copy)]
struct Candidate {
    piece: Piece,
    action: Action,
    enemy: Option<Piece>,
    to: Square,
}

/// Steps 3 to 9: all that the algorithm may do in a position, with probabilities that sum to 1.
/// `valued` is the enemy piece with the value 1; all others have 0.
fn keeper_moves(view: &View, p: f64, valued: Option<Piece>) -> Vec<KeeperMove> {
    let (board, seat) = (view.public(), view.seat());
    let exits = EXITS[view.enemy().index()];
    let moves = moves(view);
    let keep = |moves: &[Candidate]| even(moves, valued);

    // 3. In the first two turns the keepers step onto the exits.
    let turn = usize::from(board.ply() / 2);
    if turn < 2 {
        let outward = [Direction::West, Direction::East][turn];
        let action = Action::Move(KEEPERS[turn], outward);
        if let Some(step) = moves.iter().find(|m| m.action == action) {
            return keep(&[*step]);
        }
    }

    // 4. What follows depends on the number of pieces left.
    let alive = board.alive(seat);
    let on_exit = |piece: Piece| {
        let square = board.square(seat, piece).expect("on the board");
        square.bit() & exits != 0
    };
    let kept: Vec<Piece> = Piece::of_set(alive).filter(|&piece| on_exit(piece)).collect();
    if alive.count_ones() > 2 {
        // 5. Move the pieces that are not on an exit, onto free squares if there are any.
        let free_pieces: Vec<Candidate> =
            moves.iter().copied().filter(|m| !kept.contains(&m.piece)).collect();
        let peaceful = without_enemies(&free_pieces);
        return keep(first_of(&[&peaceful, &free_pieces, &moves]));
    }

    // 6. Two pieces are left: how many of them are on the exits?
    match kept.as_slice() {
        [_, _] => wander(&moves, valued, 1.0),
        [_] => one_keeper(view, &moves, exits, p, valued),
        _ => no_keeper(view, &moves, exits, valued),
    }
}

/// Step 7: move a piece that can move onto a free square, chosen at random; if there is none, onto an
/// enemy with value 0; if there is none either, anywhere.
fn wander(moves: &[Candidate], valued: Option<Piece>, probability: f64) -> Vec<KeeperMove> {
    let peaceful = without_enemies(moves);
    let harmless: Vec<Candidate> =
        moves.iter().copied().filter(|m| m.enemy.is_some() && m.enemy != valued).collect();
    let chosen = first_of(&[&peaceful, &harmless, moves]);
    // First the piece, then its target.
    let mut pieces: Vec<Piece> = chosen.iter().map(|m| m.piece).collect();
    pieces.dedup();
    let share = probability / pieces.len() as f64;
    let targets = |piece: Piece| chosen.iter().filter(|m| m.piece == piece).count() as f64;
    chosen
        .iter()
        .map(|m| KeeperMove { probability: share / targets(m.piece), action: m.action, valued })
        .collect()
}

/// Step 8: one of the last two pieces is on an exit.
fn one_keeper(
    view: &View,
    moves: &[Candidate],
    exits: Bitboard,
    p: f64,
    valued: Option<Piece>,
) -> Vec<KeeperMove> {
    let (board, seat) = (view.public(), view.seat());
    let open = exits & !board.occupied(seat);
    let returning: Vec<Candidate> =
        moves.iter().copied().filter(|m| m.to.bit() & open != 0).collect();
    let Some(back) = returning.first() else {
        // The piece outside is too far away to return at once: it comes nearer.
        let exit = crate::square::squares(open).next().expect("one exit is open");
        let nearer: Vec<Candidate> = moves
            .iter()
            .copied()
            .filter(|m| {
                let from = board.square(seat, m.piece).expect("on the board");
                from.bit() & exits == 0 && m.to.distance(exit) < from.distance(exit)
            })
            .collect();
        let peaceful = without_enemies(&nearer);
        return even(first_of(&[&peaceful, &nearer, moves]), valued);
    };
    // (a) Nobody stands on the exit, or the enemy has reds to spare: return, capturing if need be.
    let Some(intruder) = back.enemy.filter(|_| view.hidden_reds() == 1) else {
        return even(&returning, valued);
    };
    // (b) The intruder may be the last red: with probability p it is taken for it, unless another is.
    let take = |probability: f64| KeeperMove { probability, action: back.action, valued };
    match valued {
        Some(known) if known == intruder => wander(moves, valued, 1.0),
        Some(_) => vec![take(1.0)],
        None => {
            let mut possible = vec![take(1.0 - p)];
            possible.extend(wander(moves, Some(intruder), p));
            possible.retain(|one| one.probability > 0.0);
            possible
        }
    }
}

/// Step 9: both pieces are off the exits.
fn no_keeper(
    view: &View,
    moves: &[Candidate],
    exits: Bitboard,
    valued: Option<Piece>,
) -> Vec<KeeperMove> {
    let (board, seat) = (view.public(), view.seat());
    // (a) Unless both stand next to an exit, any move.
    let beside = Piece::of_set(board.alive(seat)).all(|piece| {
        let square = board.square(seat, piece).expect("on the board");
        around(square.bit()) & exits != 0
    });
    if !beside {
        return even(moves, valued);
    }
    // (b) Return to a free exit, or to one whose enemy has the value 0.
    let returning: Vec<Candidate> =
        moves.iter().copied().filter(|m| m.to.bit() & exits != 0).collect();
    let peaceful = without_enemies(&returning);
    let harmless: Vec<Candidate> =
        returning.iter().copied().filter(|m| m.enemy != valued).collect();
    even(first_of(&[&peaceful, &harmless, moves]), valued)
}

/// The moves of the view's owner on the board.
fn moves(view: &View) -> Vec<Candidate> {
    let (board, seat) = (view.public(), view.seat());
    let mut moves = Vec::new();
    view.for_each_legal(|action| {
        if let Action::Move(piece, direction) = action {
            moves.push(Candidate {
                piece,
                action,
                enemy: board.capture(seat, piece, direction),
                to: board.target(seat, piece, direction).expect("a legal move"),
            });
        }
    });
    moves
}

fn without_enemies(moves: &[Candidate]) -> Vec<Candidate> {
    moves.iter().copied().filter(|m| m.enemy.is_none()).collect()
}

/// The first list that is not empty.
fn first_of<'a>(lists: &[&'a [Candidate]]) -> &'a [Candidate] {
    lists.iter().copied().find(|list| !list.is_empty()).expect("there is always a move")
}

/// All of them, equally likely.
fn even(moves: &[Candidate], valued: Option<Piece>) -> Vec<KeeperMove> {
    moves
        .iter()
        .map(|m| KeeperMove { probability: 1.0 / moves.len() as f64, action: m.action, valued })
        .collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod theorem;
