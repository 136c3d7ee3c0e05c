//! Rounds of six equal programs: how often the diggers reach the gold.
//!
//! ```text
//! cargo run --release -p oboro-saboteur --example rounds [ROUNDS [AGENT…]]
//! cargo run --release -p oboro-saboteur --example rounds search [ROUNDS]
//! ```
//! Without agents it goes through the programs of the paper's tables 6 to 14, by the rules of
//! [`Saboteur::paper`]. Each line gives the rate for all rounds, for those with five diggers and for
//! those with four, with 95 % intervals (Wilson), beside the published rate.
//!
//! `search` looks for the options that come nearest to the published rates: from four sets of them
//! it changes one option at a time for as long as that brings the eight programs nearer. Distances
//! are root mean squares over the sixteen rates with five and with four diggers, in points. What it
//! finds is chosen by these rates: a fit.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{AgentEntry, FactValue, Game, Live, Seed, from_pairs};
use oboro_saboteur::Saboteur;
use oboro_saboteur::agents::agents;
use std::error::Error;

/// The paper's programs, with the wins and rounds of tables 7, 8, 10, 11, 13 and 14 for five and
/// four diggers. For `100:0` and `E_card` tables 12 to 14 have the labels the other way round.
const PAPER: [(&str, [(u32, u32); 2]); 8] = [
    ("50:50", [(6630, 8532), (11141, 21468)]),
    ("60:40", [(6148, 8708), (9957, 21293)]),
    ("70:30", [(6666, 8520), (11581, 21480)]),
    ("80:20", [(7062, 8627), (11467, 21373)]),
    ("90:10", [(7032, 8442), (11697, 21558)]),
    ("100:0", [(7525, 8544), (12835, 21456)]),
    ("80:20,cards=yes", [(7298, 8618), (12766, 21382)]),
    ("100:0,cards=yes", [(7398, 8470), (13419, 21530)]),
];

#[derive(Clone, Copy, Default)]
struct Tally {
    rounds: u32,
    gold: u32,
}

impl Tally {
    fn add(&mut self, gold: bool) {
        self.rounds += 1;
        self.gold += u32::from(gold);
    }

    fn and(self, other: Tally) -> Tally {
        Tally { rounds: self.rounds + other.rounds, gold: self.gold + other.gold }
    }

    fn rate(self) -> f64 {
        f64::from(self.gold) / f64::from(self.rounds)
    }

    /// The rate and its Wilson interval, as text.
    fn text(self) -> String {
        let (n, z, rate) = (f64::from(self.rounds), 1.959_963_984_540_054, self.rate());
        let centre = (rate + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
        format!("{rate:.3} [{:.3}, {:.3}]", centre - half, centre + half)
    }
}

fn game_fact(facts: &[oboro_core::Fact], name: &str) -> f64 {
    match facts.iter().find(|fact| fact.name == name) {
        Some(oboro_core::Fact { value: FactValue::Game(value), .. }) => *value,
        _ => panic!("no fact {name}"),
    }
}

/// Plays rounds of six equal agents: the tallies with five and with four diggers.
fn play(
    rules: Saboteur,
    agent: &str,
    seed: &Seed,
    rounds: u64,
) -> Result<[Tally; 2], Box<dyn Error>> {
    let (_, factory) = AgentEntry::resolve(&agents(), &rules, &agent.parse()?)?;
    let mut tallies = [Tally::default(); 2];
    for number in 0..rounds {
        let seeds = seed.game(number, number);
        let world = rules.deal(&mut seeds.deal());
        let players = vec![factory.clone(); rules.seats()];
        let outcome = Live::among(&rules, world, &players, &seeds).run()?;
        let gold = game_fact(&outcome.facts, "gold") > 0.0;
        let five = game_fact(&outcome.facts, "diggers") > 4.5;
        tallies[usize::from(!five)].add(gold);
    }
    Ok(tallies)
}

/// Plays some agents, or the paper's programs, and prints their rates.
fn compare(rounds: u64, named: &[String]) -> Result<(), Box<dyn Error>> {
    let rules = Saboteur::paper();
    let line = |agent: &str| -> Result<(), Box<dyn Error>> {
        let [five, four] = play(rules, agent, &Seed::from_u64(1).child(agent), rounds)?;
        let rates = [five.and(four), five, four].map(Tally::text);
        println!("{agent:24} {}", rates.join("  "));
        Ok(())
    };
    println!("{rounds} rounds each; all, five diggers, four diggers");
    for agent in named {
        line(agent)?;
    }
    if named.is_empty() {
        for (program, published) in PAPER {
            line(&format!("path:{program}"))?;
            let [five, four] = published.map(|(gold, rounds)| Tally { rounds, gold });
            let rates = [five.and(four), five, four];
            let rates = rates.map(|tally| format!("{:.3}               ", tally.rate()));
            println!("{:>24} {}", "published", rates.join("  "));
        }
    }
    Ok(())
}

/// What the search may change: parameters of `path`, and rules, each with its values.
const CHOICES: [(Kind, &str, &[&str]); 19] = [
    (Kind::Agent, "unknown-goals", &["drawn", "upper", "middle", "between"]),
    (Kind::Agent, "outer-goals", &["redrawn", "upper", "between"]),
    (Kind::Agent, "adjacent-goals", &["between", "middle"]),
    (Kind::Agent, "next-to", &["aim", "face-down", "goal-card"]),
    (Kind::Agent, "blocked-reaches", &["no", "yes"]),
    (Kind::Agent, "corrections", &["first", "sum"]),
    (Kind::Agent, "not-right", &["closed", "closed-or-blocked"]),
    (Kind::Agent, "crossroads", &["other", "any", "never"]),
    (Kind::Agent, "saboteur", &["whole", "without-cards", "distance"]),
    (Kind::Agent, "play-zero", &["no", "yes"]),
    (Kind::Agent, "ties", &["first", "random"]),
    (Kind::Agent, "maps", &["random", "middle-first"]),
    (Kind::Agent, "discard", &["best", "worst", "random"]),
    (Kind::Agent, "shares", &["mean", "sum", "routes"]),
    (Kind::Agent, "unused", &["unseen", "not-laid"]),
    (Kind::Rule, "bounds", &["paper", "none", "three"]),
    (Kind::Rule, "face-down-goals", &["open", "any"]),
    (Kind::Rule, "stones", &["open", "curves"]),
    (Kind::Rule, "maps", &["private", "public", "diggers"]),
];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Agent,
    Rule,
}

/// The number of the choice taken of each; all 0 is what `saboteur-2019` plays.
type Set = [usize; CHOICES.len()];

/// A set that differs from that in these parameters and rules.
fn set(differing: &[(Kind, &str, &str)]) -> Set {
    let mut set = [0; CHOICES.len()];
    for (kind, name, wanted) in differing {
        let of = |(k, n, _): &(Kind, &str, _)| k == kind && n == name;
        let index = CHOICES.iter().position(of).expect("a parameter or rule");
        set[index] = CHOICES[index].2.iter().position(|c| c == wanted).expect("a choice of it");
    }
    set
}

/// The choices of one kind, as `name=value` pairs.
fn pairs(set: &Set, kind: Kind) -> Vec<(Option<String>, String)> {
    let all = CHOICES.iter().zip(set).filter(|((k, ..), _)| *k == kind);
    all.map(|((_, name, choices), &i)| (Some((*name).to_owned()), choices[i].to_owned())).collect()
}

/// What differs from `saboteur-2019`.
fn text(set: &Set) -> String {
    let differing = CHOICES.iter().zip(set).filter(|(_, choice)| **choice != 0);
    let texts: Vec<String> = differing
        .map(|((kind, name, choices), &i)| {
            let rule = if *kind == Kind::Rule { "rules: " } else { "" };
            format!("{rule}{name}={}", choices[i])
        })
        .collect();
    if texts.is_empty() { "as in saboteur-2019".to_owned() } else { texts.join(", ") }
}

/// How far a set of options is from the published rates, and the tallies of the programs.
type Fit = (f64, Vec<[Tally; 2]>);

/// How far the rates of a set are from the published ones, and the rates.
fn distance(set: &Set, rounds: u64) -> Result<Fit, Box<dyn Error>> {
    let mut rules = pairs(set, Kind::Rule);
    rules.push((Some("rounds".to_owned()), "1".to_owned()));
    let rules: Saboteur = from_pairs("rules", &rules, &[])?;
    let params: String = pairs(set, Kind::Agent)
        .into_iter()
        .map(|(name, value)| format!(",{}={value}", name.unwrap_or_default()))
        .collect();
    let (mut sum, mut all) = (0.0, Vec::new());
    for (program, published) in PAPER {
        let seed = Seed::from_u64(77).child(program);
        let tallies = play(rules, &format!("path:{program}{params}"), &seed, rounds)?;
        for (tally, (gold, rounds)) in tallies.iter().zip(published) {
            let difference = 100.0 * (tally.rate() - f64::from(gold) / f64::from(rounds));
            sum += difference * difference;
        }
        all.push(tallies);
    }
    Ok(((sum / 16.0).sqrt(), all))
}

/// Changes one option at a time for as long as the published rates come nearer.
fn search(rounds: u64) -> Result<(), Box<dyn Error>> {
    use Kind::{Agent, Rule};
    /// Less than this is taken for chance, in points.
    const MIN_GAIN: f64 = 0.02;
    let published_game =
        [(Rule, "bounds", "none"), (Rule, "face-down-goals", "any"), (Rule, "stones", "curves")];
    let letter =
        [(Agent, "corrections", "sum"), (Agent, "play-zero", "yes"), (Agent, "unused", "not-laid")];
    let by_letter =
        |shares| set(&[&published_game[..], &letter, &[(Agent, "shares", shares)]].concat());
    let public =
        [(Agent, "ties", "random"), (Agent, "discard", "random"), (Rule, "maps", "public")];
    for mut best in [set(&[]), by_letter("routes"), by_letter("sum"), set(&public)] {
        let (mut min, _) = distance(&best, rounds)?;
        println!("from {min:.2} points: {}", text(&best));
        for _ in 0..3 {
            let before = min;
            for place in 0..CHOICES.len() {
                for choice in 0..CHOICES[place].2.len() {
                    let mut other = best;
                    other[place] = choice;
                    if other == best {
                        continue;
                    }
                    let (points, _) = distance(&other, rounds)?;
                    if points < min - MIN_GAIN {
                        (best, min) = (other, points);
                        println!("  {min:.2}: {}", text(&best));
                    }
                }
            }
            if before - min < 0.05 {
                break;
            }
        }
        let (points, tallies) = distance(&best, 5 * rounds)?;
        println!("to {points:.2} points ({} rounds each): {}", 5 * rounds, text(&best));
        for ((program, _), [five, four]) in PAPER.iter().zip(tallies) {
            println!("  {program:16} five {:.3}, four {:.3}", five.rate(), four.rate());
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).peekable();
    if args.next_if_eq("search").is_some() {
        return search(args.next().map_or(Ok(3_000), |text| text.parse())?);
    }
    let rounds = args.next().map_or(Ok(30_000), |text| text.parse())?;
    compare(rounds, &args.collect::<Vec<_>>())
}
