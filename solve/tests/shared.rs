//! What seats find out by themselves is walked through seat by seat where a game says what its worlds share, with the same figures
//! as history by history.

use oboro_core::{Game, Phrase, Rng, Seat};
use oboro_small::{GridRules, Rules, Small, TicTacToe};
use oboro_solve::{Limits, Measured, Method, Solver, Strategy, Tree, TreeError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The end of phantom tic-tac-toe: some stones stand already, and each seat knows its own.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(default)]
struct Ending {
    shares: Shares,
}

/// What the game says that its worlds share.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
enum Shares {
    /// Nothing at all.
    #[default]
    Nothing,
    /// Stones and turn.
    Stones,
    /// The start, which does not say whose turn it is.
    Start,
}

type Grid = GridRules<TicTacToe>;

/// What was played before, the seats in turn.
const PLAYED: [[u8; 5]; 3] = [[0, 1, 5, 3, 7], [0, 1, 5, 6, 7], [0, 4, 5, 3, 7]];

impl Rules for Ending {
    const NAME: &'static str = "ending";
    const RULES_TEXT: [&'static str; 2] = ["", ""];
    const CODES: u8 = Grid::CODES;
    type Deal = usize;
    type Table = <Grid as Rules>::Table;

    fn name(code: u8) -> String {
        Grid::name(code)
    }

    fn deals(&self) -> Vec<usize> {
        (0..PLAYED.len()).collect()
    }

    fn draw(&self, rng: &mut Rng) -> usize {
        rng.below(PLAYED.len())
    }

    fn start(&self, deal: usize) -> Self::Table {
        let grid = Grid::default();
        let mut table = grid.start(grid.deals()[0]);
        for &code in &PLAYED[deal] {
            grid.apply(&mut table, code);
        }
        table
    }

    fn to_act(&self, table: &Self::Table) -> Option<Seat> {
        Grid::default().to_act(table)
    }

    fn legal(&self, table: &Self::Table) -> u64 {
        Grid::default().legal(table)
    }

    fn apply(&self, table: &mut Self::Table, code: u8) {
        Grid::default().apply(table, code);
    }

    fn payoff(&self, table: &Self::Table) -> f64 {
        Grid::default().payoff(table)
    }

    fn shared(&self, table: &Self::Table) -> Option<Self::Table> {
        match self.shares {
            Shares::Nothing => None,
            Shares::Stones => Grid::default().shared(table),
            Shares::Start => Some(self.start(0)),
        }
    }

    fn secret(&self, deal: usize, seat: Seat) -> u8 {
        let own = PLAYED[deal].iter().skip(seat.index()).step_by(2);
        own.fold(0, |all, code| 10 * all + code)
    }

    fn seen(
        &self,
        before: &Self::Table,
        code: u8,
        after: &Self::Table,
        observer: Option<Seat>,
    ) -> Option<(bool, u8)> {
        Grid::default().seen(before, code, after, observer)
    }

    fn note(&self, _: u8) -> Phrase {
        Phrase::default()
    }
}

fn grown(shares: Shares) -> Result<Tree<Small<Ending>>, TreeError> {
    Tree::new(&Small(Ending { shares }), Limits::default())
}

fn alike(ours: &Measured, theirs: &Measured, tolerance: f64) {
    let all =
        |found: &Measured| [&[found.exploitability], &found.best[..], &found.payoffs].concat();
    for (ours, theirs) in all(ours).into_iter().zip(all(theirs)) {
        assert!((ours - theirs).abs() < tolerance, "{ours} is not {theirs}");
    }
}

#[test]
fn seat_by_seat_gives_the_figures_of_history_by_history() {
    let [plain, joint] = [Shares::Nothing, Shares::Stones].map(|shares| grown(shares).unwrap());
    assert_eq!((joint.sets(), joint.histories()), (plain.sets(), plain.histories()));
    alike(&joint.measure(&joint.uniform()), &plain.measure(&plain.uniform()), 1e-9);
    let solve = |tree| {
        let mut solver = Solver::new(tree, Method::CfrPlus);
        (0..50).for_each(|_| solver.iterate());
        solver.average()
    };
    // Both are solved, and the strategy of one is worth the same in the other.
    let average = solve(&joint);
    let text = Strategy::write(&joint, &average, "").replace("shares=Stones", "");
    let read = plain.profile_of(&Strategy::parse(plain.game(), &text).unwrap());
    alike(&joint.measure(&average), &plain.measure(&read), 1e-6);
    let left = [joint.exploitability(&average), plain.exploitability(&solve(&plain))];
    assert!(left.iter().all(|left| (0.0..1e-3).contains(left)), "{left:?}");
}

#[test]
fn a_game_that_shares_more_than_it_says_is_refused() {
    assert_eq!(grown(Shares::Start).unwrap_err(), TreeError::Entangled(Small::<Ending>::NAME));
}
