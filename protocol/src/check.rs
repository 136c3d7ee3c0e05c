//! A conformance test for programs, with findings that a person can act on.

use crate::message::Offer;
use crate::program::Programs;
use oboro_catalog::{AnyLive, AnyRules, InsightReport, Keep, Lineup};
use oboro_core::{Record, Seed, SpecError, Stop};
use std::fmt;
use std::sync::Arc;

/// What one check came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What was checked.
    pub what: String,
    /// How it went.
    pub verdict: Conformity,
}

/// How a check went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conformity {
    /// As it should, with a remark.
    Good(String),
    /// A program may do so, but it is worth knowing.
    Advice(String),
    /// Against the protocol, or the rules of the game.
    Fault(String),
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, remark) = match &self.verdict {
            Conformity::Good(remark) => ("ok    ", remark),
            Conformity::Advice(remark) => ("advice", remark),
            Conformity::Fault(remark) => ("FAULT ", remark),
        };
        write!(f, "{word} {}", self.what)?;
        if remark.is_empty() { Ok(()) } else { write!(f, ": {remark}") }
    }
}

/// Checks a program at a table: `games` games from every seat against random players, and everything that the
/// protocol asks for besides.
///
/// # Errors
/// If the spec makes no sense.
pub fn check(
    table: &dyn AnyRules,
    spec: &str,
    games: u64,
    seed: Seed,
) -> Result<Vec<Finding>, SpecError> {
    // As it runs where nobody has set a variable for it.
    let programs = Arc::new(Programs::with_usual_buffering());
    let (spec, program) = programs.get(spec)?;
    let mut findings = Vec::new();
    let mut find = |what: &str, verdict| findings.push(Finding { what: what.to_owned(), verdict });

    let session = match program.take() {
        Ok(session) => session,
        Err(reason) => {
            find("starts and says hello", Conformity::Fault(reason));
            return Ok(findings);
        }
    };
    let list =
        |words: Vec<String>| if words.is_empty() { "nothing".into() } else { words.join(", ") };
    let offers = session.offers.clone();
    find(
        "starts and says hello",
        Conformity::Good(format!(
            "`{}`; offers {}, wants {}",
            session.name,
            list(offers.iter().map(|offer| format!("{offer:?}").to_lowercase()).collect()),
            list(session.wants.iter().map(|want| format!("{want:?}").to_lowercase()).collect())
        )),
    );
    program.give_back(session);

    let examiner = Examiner { rules: table.allow_external(programs), spec, seed };
    for seat in 0..examiner.rules.seats() {
        let played = examiner.plays(seat, games)?;
        let failed = matches!(played, Conformity::Fault(_));
        find(&format!("plays {games} games from seat {seat}"), played);
        if failed {
            // Every other check would tell of the same fault.
            return Ok(findings);
        }
    }
    find("plays the same with the same seed", examiner.repeats()?);
    find("begins anew in the middle of a game", examiner.begins_anew()?);
    let offers = |offer| offers.contains(&offer);
    if offers(Offer::Analysis) || offers(Offer::Beliefs) {
        let (insight, live) = examiner.insight()?;
        let fault = program.fault("beliefs");
        // Beliefs are asked for first. A program that fails there is not asked for its analysis.
        if offers(Offer::Analysis) && fault.is_none() {
            find("gives its analysis", analysis(&insight, live.as_ref()));
        }
        if offers(Offer::Beliefs) {
            let verdict = fault.map_or_else(|| beliefs(&insight), Conformity::Fault);
            find("says what it believes", verdict);
        }
    }
    drop(examiner);
    let leaves = match program.take() {
        Err(reason) => Conformity::Fault(reason),
        Ok(session) => {
            if session.leave() {
                Conformity::Good(String::new())
            } else {
                Conformity::Advice("it was killed: exit on `quit`, or when input ends".into())
            }
        }
    };
    find("leaves when it is told to quit", leaves);
    Ok(findings)
}

struct Examiner {
    rules: Arc<dyn AnyRules>,
    spec: String,
    seed: Seed,
}

impl Examiner {
    /// The program at one seat, random players at the others.
    fn lineup(&self, seat: usize) -> Result<Box<dyn Lineup>, SpecError> {
        let mut specs = vec!["random"; self.rules.seats()];
        specs[seat] = &self.spec;
        self.rules.lineup(&specs)
    }

    fn game(&self, lineup: &dyn Lineup, n: u64) -> Result<Record, String> {
        let seating: Vec<usize> = (0..self.rules.seats()).collect();
        let keep = Keep { record: true, beliefs: false };
        let played = lineup.play(&seating, n, &self.seed.game(n, n), keep);
        let played = played.map_err(|error| error.to_string())?;
        match played.forfeit {
            Some((_, reason)) => {
                Err(format!("game {n}, after {} actions: {reason}", played.outcome.plies))
            }
            None => Ok(played.record.expect("it was asked for")),
        }
    }

    fn plays(&self, seat: usize, games: u64) -> Result<Conformity, SpecError> {
        let lineup = self.lineup(seat)?;
        let failed = (0..games).find_map(|n| self.game(lineup.as_ref(), n).err());
        Ok(failed.map_or(Conformity::Good(String::new()), Conformity::Fault))
    }

    fn repeats(&self) -> Result<Conformity, SpecError> {
        let lineup = self.lineup(0)?;
        let twice = [self.game(lineup.as_ref(), 0), self.game(lineup.as_ref(), 0)];
        Ok(match twice {
            [Ok(first), Ok(second)] if first == second => Conformity::Good(String::new()),
            [Ok(_), Ok(_)] => Conformity::Advice(
                "it does not: draw everything random from the seed in `new-game`, and results can be repeated".into(),
            ),
            [Err(reason), _] | [_, Err(reason)] => Conformity::Fault(reason),
        })
    }

    /// A live game with the program at a seat, played on for so many actions.
    fn live(&self, seat: usize, plies: usize) -> Result<Box<dyn AnyLive>, SpecError> {
        let mut specs = vec![Some("random"); self.rules.seats()];
        specs[seat] = Some(&self.spec);
        let seeds = self.seed.game(0, 0);
        let mut live =
            self.rules.live(&specs, 0, &seeds, "").map_err(|error| SpecError(error.to_string()))?;
        for _ in 0..plies {
            if live.to_act().is_some() && live.step().is_err() {
                break; // the forfeit is in its record
            }
        }
        Ok(live)
    }

    fn begins_anew(&self) -> Result<Conformity, SpecError> {
        // Enough for everybody to have moved at least once; the game is left there.
        let left = self.live(0, 2 * self.rules.seats())?;
        let reason = left.record().forfeit;
        drop(left);
        if let Some((_, reason)) = reason {
            return Ok(Conformity::Fault(reason));
        }
        self.plays(self.rules.seats() - 1, 1)
    }

    /// What the program thinks of a game that has begun, when it is to move, and the game.
    fn insight(&self) -> Result<(InsightReport, Box<dyn AnyLive>), SpecError> {
        let mut live = self.live(0, self.rules.seats() * 2)?;
        // Short games are over by then, and turns need not go round.
        while live.to_act() != Some(0) && live.plies() > 0 && live.take_back(1).is_ok() {}
        let insight = live
            .consult(0, &self.spec, &self.seed.game(0, 0))
            .map_err(|error| SpecError(error.to_string()))?;
        Ok((insight.run(&Stop::new()), live))
    }
}

fn analysis(insight: &InsightReport, live: &dyn AnyLive) -> Conformity {
    let Some(analysis) = &insight.analysis else {
        return Conformity::Fault("there is none".into());
    };
    if let Some(trouble) = &analysis.drawing {
        return Conformity::Fault(trouble.trim().to_owned());
    }
    let (given, legal) = (analysis.values.len(), live.actions().len());
    Conformity::Good(format!("{given} of {legal} actions weighed"))
}

fn beliefs(insight: &InsightReport) -> Conformity {
    if insight.beliefs.is_empty() && !insight.baseline.is_empty() {
        return Conformity::Advice("it offers beliefs and gave none".into());
    }
    let mut told: Vec<&str> = Vec::new();
    for belief in &insight.beliefs {
        if let Err(reason) = belief.check(&insight.baseline) {
            return Conformity::Fault(reason);
        }
        if told.contains(&belief.subject.as_str()) {
            return Conformity::Fault(format!("`{}` is told twice", belief.subject));
        }
        told.push(&belief.subject);
    }
    let unsaid = insight.baseline.iter().map(|secret| secret.subject.as_str());
    let unsaid: Vec<&str> = unsaid.filter(|subject| !told.contains(subject)).collect();
    if !unsaid.is_empty() {
        return Conformity::Advice(format!("it says nothing of {}", unsaid.join(", ")));
    }
    Conformity::Good(format!("all {} secrets", insight.baseline.len()))
}
