use crate::limit_of_chi_squared;
use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use std::collections::BTreeMap;

/// Deals whose imagined twins are compared with them.
const DEALS: u64 = 400;

/// Keeps track, over all positions checked, of which seats could imagine another world than the true one.
#[derive(Debug)]
pub(super) struct Doubts(Vec<bool>);

impl Doubts {
    pub(super) fn new(seats: usize) -> Doubts {
        Doubts(vec![false; seats])
    }

    pub(super) fn note(&mut self, seat: Seat, imagined_another: bool) {
        self.0[seat.index()] |= imagined_another;
    }

    /// Something must be hidden from every seat at some time: else the view shows what it should not, or
    /// `imagine` knows the truth.
    pub(super) fn check(&self) {
        if let Some(seat) = self.0.iter().position(|doubted| !doubted) {
            panic!(
                "nothing was ever hidden from seat {seat}: every world it imagined was the true one"
            );
        }
    }
}

/// Imagined worlds agree in distribution with dealt ones.
///
/// Whoever sees a fresh deal and imagines the rest gets a world that is distributed as deals are. The two
/// are compared by the texts of their positions, column by column, with a χ² test of two samples.
pub(super) fn check_imagined_like_dealt<G: Game>(game: &G) {
    for seat in Seat::all(game.seats()) {
        let mut rng = Rng::from_u64(0x5ea7 + seat.index() as u64);
        // By column and character: how often in dealt and in imagined worlds.
        let mut counts: Vec<BTreeMap<char, [f64; 2]>> = Vec::new();
        for _ in 0..DEALS {
            let dealt = game.deal(&mut rng);
            let other = game.deal(&mut rng).view(seat).imagine(&mut rng);
            for (which, world) in [dealt, other].iter().enumerate() {
                for (column, character) in game.write_position(world).chars().enumerate() {
                    if column == counts.len() {
                        counts.push(BTreeMap::new());
                    }
                    counts[column].entry(character).or_default()[which] += 1.0;
                }
            }
        }
        for (column, characters) in counts.iter().enumerate() {
            check_column(seat, column, characters);
        }
    }
}

fn check_column(seat: Seat, column: usize, characters: &BTreeMap<char, [f64; 2]>) {
    // Characters too rare for the test count as one.
    const RARE: f64 = 10.0;
    let mut cells: Vec<[f64; 2]> = Vec::new();
    let mut rare = [0.0; 2];
    for count in characters.values() {
        if count[0] + count[1] < RARE {
            rare = [rare[0] + count[0], rare[1] + count[1]];
        } else {
            cells.push(*count);
        }
    }
    if rare[0] + rare[1] >= RARE {
        cells.push(rare);
    }
    let totals = cells.iter().fold([0.0; 2], |sum, c| [sum[0] + c[0], sum[1] + c[1]]);
    if cells.len() < 2 || totals.contains(&0.0) {
        return;
    }
    let all = totals[0] + totals[1];
    let chi2: f64 = cells
        .iter()
        .flat_map(|cell| (0..2).map(move |which| (cell[which], cell[0] + cell[1], which)))
        .map(|(found, both, which)| {
            let expected = both * totals[which] / all;
            (found - expected).powi(2) / expected
        })
        .sum();
    let limit = limit_of_chi_squared((cells.len() - 1) as f64);
    assert!(
        chi2 < limit,
        "what seat {seat} imagines is distributed otherwise than deals are: column {column} of the \
         position, χ² = {chi2:.1} over {limit:.1}: {characters:?} (dealt, imagined)"
    );
}
