//! The search compared with minimax over a board of letters.

use super::*;
use oboro_core::Rng;

const WEIGHTS: Weights = Weights {
    own_blue: 1000,
    own_red_lost: 300,
    blue_step: 10,
    red_step: 5,
    enemy_step: 7,
    enemy_red_step: 0,
    capture_blue: 900,
    capture_unknown: -100,
    capture_red: -250,
};

/// A position as letters: own `B` and `R`, enemies `b` and `r`, and `u` of unknown colour. Everything below is written from the
/// description of the search.
#[derive(Clone, Copy)]
struct Letters {
    squares: [char; 36],
    reds_left: i32,
    blues_left: i32,
    /// What captures have added.
    captures: i32,
}

impl Letters {
    fn count(&self, kind: char) -> i32 {
        self.squares.iter().filter(|&&c| c == kind).count() as i32
    }

    fn is_on(&self, squares: [usize; 2], kinds: &[char]) -> bool {
        squares.iter().any(|&s| kinds.contains(&self.squares[s]))
    }

    fn evaluation(&self) -> i32 {
        let mut sum = self.captures + 1000 * self.count('B') - 300 * self.count('R');
        for (square, kind) in self.squares.iter().enumerate() {
            let (x, y) = (square as i32 % 6, square as i32 / 6);
            let aside = x.min(5 - x);
            sum += match kind {
                'B' => 10 * (7 - y - aside),
                'R' => 5 * (7 - y - aside),
                'b' | 'u' => 7 * (5 - y + aside - 7),
                _ => 0,
            };
        }
        sum
    }

    /// Every step of a side with what comes of it, and the sign of how it ends for us.
    fn steps(&self, own: &[char]) -> Vec<(usize, usize, Letters, i32)> {
        let mut steps = Vec::new();
        for from in 0..36 {
            for (direction, by) in [-6, 1, 6, -1].into_iter().enumerate() {
                let to = from as i32 + by;
                let beside = from as i32 / 6 == to / 6 || by.abs() == 6;
                if !own.contains(&self.squares[from]) || !(0..36).contains(&to) || !beside {
                    continue;
                }
                let to = to as usize;
                if own.contains(&self.squares[to]) {
                    continue;
                }
                let mut next = *self;
                next.squares[to] = self.squares[from];
                next.squares[from] = '.';
                let end = match self.squares[to] {
                    'B' => -i32::from(next.count('B') == 0),
                    'R' => i32::from(next.count('R') == 0),
                    'b' => {
                        next.blues_left -= 1;
                        next.captures += 900;
                        i32::from(next.blues_left == 0)
                    }
                    red @ ('r' | 'u') => {
                        next.reds_left -= 1;
                        next.captures += if red == 'r' { -250 } else { -100 };
                        -i32::from(next.reds_left == 0)
                    }
                    _ => 0,
                };
                steps.push((from, direction, next, end));
            }
        }
        steps
    }

    /// The value for us, the whole tree searched.
    fn minimax(&self, ply: i32, depth: i32) -> i32 {
        let ours = ply % 2 == 0;
        if ours && self.is_on([0, 5], &['B']) {
            return WIN - ply;
        }
        if !ours && self.is_on([30, 35], &['b', 'u']) {
            return ply - WIN;
        }
        if depth == 0 {
            return self.evaluation();
        }
        let own: &[char] = if ours { &['B', 'R'] } else { &['b', 'r', 'u'] };
        let values = self.steps(own).into_iter().map(|(_, _, next, end)| {
            if end == 0 { next.minimax(ply + 1, depth - 1) } else { end * (WIN - ply - 1) }
        });
        let best = if ours { values.max() } else { values.min() };
        // Without a step nothing is better than the worst.
        best.unwrap_or(if ours { -WIN } else { WIN })
    }

    fn random(rng: &mut Rng) -> Letters {
        let mut squares: Vec<usize> = (0..36).collect();
        rng.shuffle(&mut squares);
        let mut board = Letters {
            squares: ['.'; 36],
            reds_left: 1 + rng.below(2) as i32,
            blues_left: 1 + rng.below(3) as i32,
            captures: 0,
        };
        let mut put = |kinds: &[char]| {
            for &kind in kinds {
                // Nobody is on an exit of its own: that would be no question.
                let taken = squares.iter().position(|&s| match kind {
                    'B' => s != 0 && s != 5,
                    'b' | 'u' => s != 30 && s != 35,
                    _ => true,
                });
                board.squares[squares.remove(taken.expect("a square"))] = kind;
            }
        };
        put(&['B', 'R', 'u']);
        for _ in 0..rng.below(3) {
            put(&[['B', 'R'][rng.below(2)]]);
        }
        for _ in 0..=rng.below(3) {
            put(&[['b', 'r', 'u'][rng.below(3)]]);
        }
        board
    }

    fn worst_case(&self) -> WorstCase {
        let of = |kind: char| {
            let squares = self.squares.iter().enumerate().filter(|(_, c)| **c == kind);
            squares.fold(0, |board, (square, _)| board | 1 << square)
        };
        WorstCase {
            blues: of('B'),
            reds: of('R'),
            enemy_blues: of('b'),
            enemy_reds: of('r'),
            unknown: of('u'),
            reds_left: self.reds_left as u8,
            blues_left: self.blues_left as u8,
            score: 0,
        }
        .scored(&WEIGHTS)
    }
}

/// The value of every step by minimax.
fn minimax_values(board: &Letters, depth: i32) -> Vec<(Step, i32)> {
    let steps = board.steps(&['B', 'R']).into_iter();
    steps
        .map(|(from, direction, next, end)| {
            let value = if end == 0 { next.minimax(1, depth - 1) } else { end * (WIN - 1) };
            ((1 << from, direction), value)
        })
        .collect()
}

#[test]
fn values_are_those_of_minimax() {
    let mut rng = Rng::from_u64(11);
    let mut search = AlphaBeta::with_table(WEIGHTS);
    let mut certain = 0;
    for _ in 0..120 {
        let board = Letters::random(&mut rng);
        for depth in 1..=4 {
            let expected = minimax_values(&board, depth);
            let worth = |step: Step| expected.iter().find(|(s, _)| *s == step).expect("a step").1;
            // Every value is asked for, then those near the best.
            for margin in [2 * WIN, 20] {
                let (moves, reached) =
                    search.search(&board.worst_case(), depth as u32, u64::MAX, margin);
                if reached < depth as u32 {
                    // A certain result was found earlier: that iteration has been compared.
                    assert!(is_certain(moves[0].1));
                    certain += 1;
                    continue;
                }
                assert_eq!(moves.len(), expected.len());
                assert!(moves.is_sorted_by_key(|&(_, value)| -value));
                let best = expected.iter().map(|&(_, value)| value).max().expect("a step");
                assert_eq!(moves[0].1, best, "depth {depth}: {:?}", board.squares);
                for (step, value) in moves {
                    let is_near = value >= best - margin;
                    let right = if is_near { value == worth(step) } else { value >= worth(step) };
                    assert!(right, "{value}, not {} at {depth}: {:?}", worth(step), board.squares);
                }
            }
        }
    }
    assert!((20..600).contains(&certain), "some positions are decided, not {certain}");
}
