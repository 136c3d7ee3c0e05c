//! Searches the interpretations of what the paper leaves open, by all its rows without Monte Carlo together:
//! `cargo run --release -p oboro-sevens --example readings`.
//!
//! Every combination is scored by χ² over the nine matches of `random`, `rule` and `eval` (tables 1 and A.1), one printed
//! number each, since the two of a match add up. The nearest are played again with new deals, so that luck in
//! the search does not count; that they were chosen among many does, and no p-value here allows for it. The experiment
//! `sevens-2018-readings` plays single interpretations and the best of these with all six numbers of a row.
#![allow(clippy::print_stdout, reason = "an example prints")]

use oboro_core::{Game, GameWorld, Policy, Rng, Seat};
use oboro_search::playout;
use oboro_sevens::agents::{
    Eval, HandPlayer, PassLead, PlayersCounted, Random, Rule, SeriesStop, Ties,
};
use oboro_sevens::{Action, GapRule, Sevens, World};

/// Games a match of the search, and of the second look at the nearest.
const GAMES: [u32; 2] = [4_000, 100_000];
/// How many are looked at twice.
const NEAREST: usize = 12;
/// Games a match of the paper.
const PUBLISHED: f64 = 1000.0;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Name {
    Random,
    Rule,
    Eval,
}

/// Who meets whom, how many of the first, and the printed score of the side with fewer players, or of the second.
const MATCHES: [(Name, Name, usize, f64); 9] = [
    (Name::Random, Name::Rule, 1, 0.94),
    (Name::Random, Name::Rule, 2, 1.07),
    (Name::Random, Name::Rule, 3, 1.08),
    (Name::Random, Name::Eval, 1, 0.83),
    (Name::Random, Name::Eval, 2, 1.21),
    (Name::Random, Name::Eval, 3, 1.67),
    (Name::Rule, Name::Eval, 1, 0.84),
    (Name::Rule, Name::Eval, 2, 1.18),
    (Name::Rule, Name::Eval, 3, 1.57),
];

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Interpretation {
    rules: Sevens,
    eval: Eval,
}

/// Every combination that can differ from the others.
fn interpretations() -> Vec<Interpretation> {
    let mut all = vec![];
    for (gaps, passes) in GapRule::ALL.into_iter().flat_map(|gaps| [2, 3, 4].map(|n| (gaps, n))) {
        let rules = Sevens { gaps, passes, ..Sevens::default() };
        for r in [
            PlayersCounted::All,
            PlayersCounted::Others,
            PlayersCounted::AllDealt,
            PlayersCounted::OthersDealt,
        ] {
            for (pass_lead, stops) in [
                (PassLead::Never, SeriesStop::Next),
                (PassLead::Each, SeriesStop::Next),
                (PassLead::Each, SeriesStop::Any),
                (PassLead::EachOrEqual, SeriesStop::Next),
                (PassLead::EachOrEqual, SeriesStop::Any),
                (PassLead::Some, SeriesStop::Next),
                (PassLead::Some, SeriesStop::Any),
            ] {
                for ties in [Ties::Random, Ties::First] {
                    let eval = Eval { r, pass_lead, stops, ties };
                    all.push(Interpretation { rules: rules.clone(), eval });
                }
            }
        }
    }
    all
}

/// A player for every seat.
struct Seated {
    names: [Name; 4],
    eval: Eval,
}

impl Policy<World> for Seated {
    fn choose(&mut self, world: &World, rng: &mut Rng) -> Action {
        let seat = world.to_act().expect("a policy is asked only while the game goes on");
        match self.names[seat.index()] {
            Name::Random => HandPlayer(Random).choose(world, rng),
            Name::Rule => HandPlayer(Rule).choose(world, rng),
            Name::Eval => HandPlayer(self.eval).choose(world, rng),
        }
    }
}

/// How far the printed score is from ours, in standard errors of the difference; and ours.
fn deviation(interpretation: &Interpretation, of: usize, games: u32, seed: u64) -> (f64, f64) {
    let (first, second, count, printed) = MATCHES[of];
    let scored = if count == 1 { first } else { second };
    let mut rng = Rng::from_u64(seed);
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..games {
        let mut names = [first; 4];
        names[count..].fill(second);
        rng.shuffle(&mut names);
        let mut world = interpretation.rules.deal(&mut rng);
        playout(&mut world, &mut Seated { names, eval: interpretation.eval }, &mut rng);
        let scores: Vec<f64> = Seat::all(4)
            .filter(|seat| names[seat.index()] == scored)
            .map(|seat| world.payoff(seat))
            .collect();
        let score = scores.iter().sum::<f64>() / scores.len() as f64;
        sum += score;
        squares += score * score;
    }
    let n = f64::from(games);
    let mean = sum / n;
    let variance = squares / n - mean * mean;
    // Printed with two digits.
    let error = libm::sqrt(variance / PUBLISHED + variance / n + 0.01 * 0.01 / 12.0);
    ((printed - mean) / error, mean)
}

/// χ² over all matches, and a line that says how.
fn judge(interpretation: &Interpretation, games: u32, seed: u64) -> (f64, String) {
    let found: Vec<(f64, f64)> =
        (0..MATCHES.len()).map(|of| deviation(interpretation, of, games, seed)).collect();
    let scores: Vec<String> =
        found.iter().map(|(off, ours)| format!("{ours:.3} ({off:+.1})")).collect();
    let Interpretation { rules, eval } = interpretation;
    let line = format!(
        "gaps {:?}, {} passes, r {:?}, pass lead {:?}, stops {:?}, ties {:?}: {}",
        rules.gaps,
        rules.passes,
        eval.r,
        eval.pass_lead,
        eval.stops,
        eval.ties,
        scores.join(" ")
    );
    (found.iter().map(|(off, _)| off * off).sum(), line)
}

fn main() {
    let all = interpretations();
    println!("{} interpretations, {} games a match; 9 degrees of freedom", all.len(), GAMES[0]);
    let mut judged: Vec<(f64, &Interpretation)> =
        all.iter().map(|one| (judge(one, GAMES[0], 1).0, one)).collect();
    judged.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("the nearest {NEAREST} and ours, {} games a match with new deals:", GAMES[1]);
    let ours = Interpretation::default();
    for (_, interpretation) in judged.iter().take(NEAREST).chain([&(0.0, &ours)]) {
        let (chi_square, line) = judge(interpretation, GAMES[1], 2);
        println!("χ² {chi_square:.1}: {line}");
    }
}
