//! Counts the bluffs in games of Geister that were written down.
//!
//! ```sh
//! oboro match geister oboro oboro --games 200 --seed 6302 --out bluffs --records
//! cargo run --release -p oboro-geister --example bluffs -- 0.1 bluffs/records/*.txt
//! ```
//!
//! After every move `oboro`, which was shown what the other side saw, says what it believes of the mover's pieces. Two kinds of pieces
//! that the other side could capture at once may deceive it: a red at the gate, on an exit or one step from one, that is taken for a
//! blue, and a blue anywhere that is taken for a red. How far it is fooled is what it gives the wrong colour above mere counting of
//! the colours left; from the margin given on, that is a bluff. Of each kind the strongest moment of each side in each game is kept, so that a
//! piece that goes to and fro counts once: the program lists those that are bluffs, and sums up how games ended with and without.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use oboro_core::{Agent, AgentEntry, Factory, GameWorld, Player, Record, Replay, Rng, Seat};
use oboro_geister::{Colour, Ending, Geister, Piece, World, agents};
use std::collections::BTreeMap;
use std::error::Error;

/// Who may deceive, and what it is to be taken for.
const KINDS: [(&str, Colour); 2] =
    [("a red at the gate", Colour::Blue), ("a blue en prise", Colour::Red)];

/// Which of [`KINDS`] a piece is where it stands.
fn kind(world: &World, seat: Seat, piece: Piece) -> Option<usize> {
    let square = world.public().square(seat, piece)?;
    if !world.public().is_attacked(square, seat.next(2)) {
        return None;
    }
    match world.colour(seat, piece)? {
        Colour::Red => (square.distance_to_exit(seat) <= 1).then_some(0),
        Colour::Blue => Some(1),
    }
}

/// A piece that may deceive, after a move of its side.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Moment {
    piece: Piece,
    /// The actions played by then.
    ply: usize,
    /// How likely it has the other colour, as the other side believes.
    belief: f64,
    /// The same by mere counting.
    counted: f64,
    /// Whether the next move captures it.
    taken: bool,
}

impl Moment {
    /// How far the other side is fooled.
    fn strength(&self) -> f64 {
        self.belief - self.counted
    }
}

/// The strongest moment of each kind in one side's game, and what the game was worth to it.
#[derive(Clone, PartialEq, Debug)]
struct Side {
    moments: [Option<Moment>; 2],
    points: f64,
}

/// Both sides of a game, and how it ended.
type Seen = ([Side; 2], &'static str);

/// Looks through a game with the eyes of an observer on each side.
fn look(record: &Record, observer: &Factory<Geister>) -> Result<Seen, Box<dyn Error>> {
    let mut replay = Replay::new(&Geister::default(), record)?;
    let mut observers: Vec<Box<dyn Agent<Geister>>> = Vec::new();
    for seat in Seat::all(2) {
        let Player::Agent(mut agent) = observer() else { return Err("it sees everything".into()) };
        agent.begin(&replay.world().view(seat));
        observers.push(agent);
    }
    let mut found = [[None::<Moment>; 2]; 2];
    loop {
        let before = *replay.world();
        let Some((mover, action)) = replay.step()? else { break };
        let (world, ply, other) = (replay.world(), replay.live().plies(), mover.next(2));
        for (seat, agent) in Seat::all(2).zip(&mut observers) {
            agent.observe_from(&|| before.view(seat), &before.event(action, seat));
        }
        for moment in found[other.index()].iter_mut().flatten() {
            let captured = moment.piece.is_in(world.public().captured(other));
            moment.taken |= captured && moment.ply + 1 == ply;
        }
        let view = world.view(other);
        let reds = f64::from(view.hidden_reds()) / f64::from(view.hidden().count_ones());
        let beliefs = observers[other.index()].beliefs(&view, &mut Rng::from_u64(ply as u64));
        for piece in Piece::of_set(world.public().alive(mover)) {
            let subject = format!("{mover}:{piece}");
            let belief = beliefs.iter().find(|belief| belief.subject == subject);
            let (Some(kind), Some(belief)) = (kind(world, mover, piece), belief) else { continue };
            let belief = belief.probability(KINDS[kind].1.name());
            let counted = if KINDS[kind].1 == Colour::Red { reds } else { 1.0 - reds };
            let now = Moment { piece, ply, belief, counted, taken: false };
            let strongest = &mut found[mover.index()][kind];
            if strongest.is_none_or(|moment| moment.strength() < now.strength()) {
                *strongest = Some(now);
            }
        }
    }
    let ending = match replay.world().public().ending() {
        Some(Ending::Escape(_)) => "won by leaving",
        Some(Ending::BluesCaptured(_)) => "won by taking all blues",
        Some(Ending::RedsCaptured(_)) => "won by giving all reds",
        Some(Ending::Draw) => "drawn",
        None => "given up",
    };
    let payoffs = replay.finish()?.outcome().ok_or("the game is not over")?.payoffs;
    let sides = [0, 1].map(|seat| Side { moments: found[seat], points: payoffs[seat] });
    Ok((sides, ending))
}

/// How sides fared that fooled the other at the strongest moment of a kind by `from` up to `to`; those without any for `None`.
fn summary(sides: &[Side], kind: usize, range: Option<(f64, f64)>) -> String {
    let belongs = |side: &&Side| match (side.moments[kind], range) {
        (Some(moment), Some((from, to))) => (from..to).contains(&moment.strength()),
        (moment, range) => moment.is_none() && range.is_none(),
    };
    let chosen: Vec<&Side> = sides.iter().filter(belongs).collect();
    let n = chosen.len() as f64;
    let mean = chosen.iter().map(|side| side.points).sum::<f64>() / n;
    let spread = chosen.iter().map(|side| (side.points - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (spread / n).sqrt();
    let taken = chosen.iter().filter(|s| s.moments[kind].is_some_and(|m| m.taken)).count();
    let range = range
        .map_or("never offered".into(), |(from, to)| format!("fooled by {from:.2} to {to:.2}"));
    let points = match chosen.len() {
        0 | 1 => String::new(),
        _ => format!(", {:.1} ± {:.1} % of the points", 100.0 * mean, 100.0 * half),
    };
    format!("{range}: {} sides, {taken} taken at once{points}", chosen.len())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let margin = arguments.next().ok_or("give a margin such as 0.1, and records")?;
    let margin: f64 = margin.parse().map_err(|_| format!("{margin}: a margin such as 0.1"))?;
    let spec = "oboro".parse()?;
    let (_, observer) = AgentEntry::resolve(&agents(), &Geister::default(), &spec)?;
    let mut sides = Vec::new();
    let mut endings: BTreeMap<&str, u64> = BTreeMap::new();
    for file in arguments {
        let named = |error: &dyn Error| format!("{file}: {error}");
        let text = std::fs::read_to_string(&file).map_err(|error| named(&error))?;
        let record: Record = text.parse().map_err(|error| named(&error))?;
        let (game, ending) = look(&record, &observer).map_err(|error| named(error.as_ref()))?;
        *endings.entry(ending).or_default() += 1;
        for (seat, side) in game.iter().enumerate() {
            for (moment, (name, colour)) in side.moments.iter().zip(KINDS) {
                let Some(moment) = moment.filter(|moment| moment.strength() >= margin) else {
                    continue;
                };
                let Moment { piece, ply, belief, counted, taken } = moment;
                let taken = if taken { ", taken at once" } else { "" };
                let (colour, points) = (colour.name(), side.points);
                println!(
                    "{file} ply {ply}: {seat}:{piece}, {name}, {colour} with {belief:.2} (counting: {counted:.2}){taken}; points {points}"
                );
            }
        }
        sides.extend(game);
    }
    let endings: Vec<String> =
        endings.iter().map(|(how, games)| format!("{games} {how}")).collect();
    println!("games: {}", endings.join(", "));
    for (kind, (name, _)) in KINDS.into_iter().enumerate() {
        println!("{name}");
        for range in [None, Some((-1.0, 0.0)), Some((0.0, margin)), Some((margin, 1.0))] {
            println!("  {}", summary(&sides, kind, range));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use oboro_core::{Belief, SeatView, fresh};
    use oboro_geister::{Action, View};

    /// Believes A to be red with 0.1, B with 0.2, and so on.
    #[derive(Clone)]
    struct Alphabetical;

    impl Agent<Geister> for Alphabetical {
        fn act(&mut self, view: &View, _: &mut Rng) -> Action {
            view.legal_actions()[0]
        }

        fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
            let belief = |piece: Piece| {
                let red = 0.1 * (piece.index() + 1) as f64;
                let subject = format!("{}:{piece}", view.enemy());
                Belief::weighted(&subject, [("red", red), ("blue", 1.0 - red)])
            };
            Piece::of_set(view.hidden()).map(belief).collect()
        }
    }

    /// Seat 0's red A walks to the gate and is taken after ply 9; seat 1's blue A stands en prise from ply 6 on, its B from
    /// ply 12 on, and is taken.
    fn record() -> Record {
        let actions = "ABCD EFGH AW AN AN AN AN BN AN DE EN BN CN".split(' ').enumerate();
        let lines: String = actions.map(|(i, a)| format!("{}. {} {a}\n", i + 1, i % 2)).collect();
        let start = "0 14?24?34?44?15?25?35?45? 41?31?21?11?40?30?20?10?";
        let text =
            format!("oboro record 1\ngame: geister\nstart: {start}\n{lines}forfeit: 1 resigns\n");
        text.parse().unwrap()
    }

    #[test]
    fn the_strongest_moment_of_each_kind_is_found() {
        let moment = |letter, ply, belief, counted| {
            let piece = Piece::from_letter(letter).unwrap();
            Some(Moment { piece, ply, belief, counted, taken: true })
        };
        let (sides, ending) = look(&record(), &fresh(Alphabetical)).unwrap();
        assert_eq!(ending, "given up");
        assert_eq!(sides[0], Side { moments: [moment('A', 9, 0.9, 0.5), None], points: 1.0 });
        assert_eq!(sides[1], Side { moments: [None, moment('B', 12, 0.2, 0.5)], points: 0.0 });
        let said = summary(&sides, 0, Some((0.1, 1.0)));
        assert_eq!(said, "fooled by 0.10 to 1.00: 1 sides, 1 taken at once");
        assert_eq!(summary(&sides, 1, None), "never offered: 1 sides, 0 taken at once");
    }

    #[test]
    fn the_champion_watches_and_a_game_that_goes_on_is_refused() {
        let spec = "oboro".parse().unwrap();
        let (_, oboro) = AgentEntry::resolve(&agents(), &Geister::default(), &spec).unwrap();
        let (sides, _) = look(&record(), &oboro).unwrap();
        let gate = sides[0].moments[0].unwrap();
        assert!((gate.ply, gate.taken) == (9, true) && (0.05..0.95).contains(&gate.belief));
        let open = Record { forfeit: None, ..record() };
        assert!(look(&open, &oboro).unwrap_err().to_string().contains("not over"));
    }
}
