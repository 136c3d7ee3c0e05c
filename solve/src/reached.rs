use crate::sample::{Measured, Question, Sampling};
use crate::side::hash_of;
use crate::tree::{Limits, TreeError};
use oboro_core::{Factory, Game, GameWorld, Rng, Seat};
use std::collections::BTreeMap;

/// How far an agent can be exploited that is asked only where its own policy leads, without a tree in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// The figures, exact but for sampling.
    pub measured: Measured,
    /// Information sets with a choice that the agent's own policy reaches: there it was asked.
    pub asked: usize,
    /// Information sets of the best responses, all seats together.
    pub sets: usize,
    /// Histories that the agent's policy leads to whatever the best response does, endings included.
    pub histories: u64,
}

impl Reached {
    /// Walks through the information sets of each seat depth first, while the agent plays the others. It is asked, as by
    /// [`Tree::measure_agent`](crate::Tree::measure_agent), when an information set is met for the first time. What it never
    /// plays is never walked through, so that an agent whose play is almost pure is measured in games whose
    /// tree does not fit anywhere. `tell` is called with the number of sets at which it was asked.
    ///
    /// # Errors
    /// If the agent fails or sees hidden things, if its policy leads further than the limits, or if the game's views are no
    /// information sets.
    pub fn measure<G: Game>(
        game: &G,
        agent: &Factory<G>,
        sampling: Sampling,
        limits: Limits,
        rng: &mut Rng,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Reached, String> {
        if !G::PERFECT_RECALL {
            return Err(TreeError::Forgets(G::NAME).to_string());
        }
        let deals = game.deals().ok_or(TreeError::NoDeals(G::NAME)).map_err(|e| e.to_string())?;
        let starts: Vec<Line<G>> = deals
            .into_iter()
            .enumerate()
            .map(|(deal, (weight, world))| Line { world, deal, history: Vec::new(), weight })
            .collect();
        let seats = game.seats();
        let mut walk = Walk {
            question: Question { game, agent, sampling },
            starts: &starts,
            limits,
            rng,
            tell,
            numbers: BTreeMap::new(),
            policies: Vec::new(),
            response: BTreeMap::new(),
            asked: 0,
            sets: 0,
            histories: 0,
        };
        let payoffs = walk.play_all(None, &mut Gains::new())?;
        let (mut best, mut variance) = (Vec::new(), 0.0);
        for seat in Seat::all(seats) {
            walk.response.clear();
            let mut groups = Groups::new();
            for start in &starts {
                groups.add(hash_of(&start.world.view(seat)), start.clone());
            }
            best.push(walk.all(seat, groups)?);
            let mut gains = Gains::new();
            walk.play_all(Some(seat), &mut gains)?;
            variance += walk.variance(&gains);
        }
        let gains = best.iter().sum::<f64>() - payoffs.iter().sum::<f64>();
        let exploitability = gains / seats as f64;
        let error = variance.sqrt() / seats as f64;
        let sampled = walk.policies.iter().any(|known| known.samples > 0);
        let measured = Measured { exploitability, error, sampled, best, payoffs };
        let Walk { asked, sets, histories, .. } = walk;
        Ok(Reached { measured, asked, sets, histories })
    }
}

/// A game in progress that is possible: how it came about, and how likely chance and the agent lead to it.
#[derive(Clone)]
struct Line<G: Game> {
    world: G::World,
    deal: usize,
    history: Vec<G::Action>,
    weight: f64,
}

impl<G: Game> Line<G> {
    fn after(&self, action: G::Action, share: f64) -> Line<G> {
        let mut next = self.clone();
        next.world.apply(action);
        next.history.push(action);
        next.weight *= share;
        next
    }
}

/// Lines by the hash of what the seat sees that answers.
struct Groups<G: Game>(Vec<(u64, Vec<Line<G>>)>);

impl<G: Game> Groups<G> {
    fn new() -> Groups<G> {
        Groups(Vec::new())
    }

    fn add(&mut self, view: u64, line: Line<G>) {
        match self.0.iter_mut().find(|(other, _)| *other == view) {
            Some((_, lines)) => lines.push(line),
            None => self.0.push((view, vec![line])),
        }
    }
}

/// What the agent does at an information set.
struct Known<A> {
    policy: Vec<(A, f64)>,
    /// How many samples that rests on; 0 if the agent knows its probabilities.
    samples: u32,
}

/// By the number of a policy, what each of its actions is worth to the seat that answers, weighted by how likely it is met.
type Gains = BTreeMap<usize, Vec<f64>>;

struct Walk<'a, G: Game> {
    question: Question<'a, G>,
    starts: &'a [Line<G>],
    limits: Limits,
    rng: &'a mut Rng,
    tell: &'a mut dyn FnMut(usize),
    /// By seat and view, the number of the policy there.
    numbers: BTreeMap<(usize, u64), usize>,
    policies: Vec<Known<G::Action>>,
    /// By view of the seat that answers, the number of its best action.
    response: BTreeMap<u64, usize>,
    asked: usize,
    sets: usize,
    histories: u64,
}

impl<G: Game> Walk<'_, G> {
    /// The number of the agent's policy where it is to move.
    fn policy(&mut self, line: &Line<G>, mover: Seat) -> Result<usize, String> {
        let key = (mover.index(), hash_of(&line.world.view(mover)));
        if let Some(number) = self.numbers.get(&key) {
            return Ok(*number);
        }
        let actions = line.world.legal_actions();
        let mut shares = vec![1.0; actions.len()];
        let mut samples = 0;
        if actions.len() > 1 {
            let history = (&self.starts[line.deal].world, &line.history[..]);
            samples = self.question.ask(history, &actions, &mut shares, self.rng)?;
            self.asked += 1;
            (self.tell)(self.asked);
        }
        let number = self.policies.len();
        self.policies.push(Known { policy: actions.into_iter().zip(shares).collect(), samples });
        self.numbers.insert(key, number);
        Ok(number)
    }

    /// One more history is walked through.
    fn count(&mut self) -> Result<(), String> {
        self.histories += 1;
        let Limits { sets, histories } = self.limits;
        if self.sets > sets || self.histories > histories {
            return Err(format!(
                "its policy leads to more than {sets} information sets or {histories} histories of {}",
                G::NAME
            ));
        }
        Ok(())
    }

    /// What some groups are worth together to the seat that answers.
    fn all(&mut self, seat: Seat, groups: Groups<G>) -> Result<f64, String> {
        let mut sum = 0.0;
        for (view, lines) in groups.0 {
            sum += self.group(seat, view, lines)?;
        }
        Ok(sum)
    }

    /// What lines are worth that the seat cannot tell apart.
    fn group(&mut self, seat: Seat, view: u64, lines: Vec<Line<G>>) -> Result<f64, String> {
        match lines[0].world.to_act() {
            None => Ok(lines.iter().map(|line| line.weight * line.world.payoff(seat)).sum()),
            Some(mover) if mover == seat => self.decide(seat, view, &lines),
            Some(mover) => {
                let groups = self.others(seat, mover, view, lines)?;
                self.all(seat, groups)
            }
        }
    }

    /// The best action of the seat that answers.
    fn decide(&mut self, seat: Seat, view: u64, lines: &[Line<G>]) -> Result<f64, String> {
        self.sets += 1;
        let (mut best, mut chosen) = (f64::NEG_INFINITY, 0);
        for (number, action) in lines[0].world.legal_actions().into_iter().enumerate() {
            let mut groups = Groups::new();
            for line in lines {
                self.count()?;
                let next = line.after(action, 1.0);
                groups.add(hash_of(&next.world.view(seat)), next);
            }
            let worth = self.all(seat, groups)?;
            if worth > best {
                (best, chosen) = (worth, number);
            }
        }
        self.response.insert(view, chosen);
        Ok(best)
    }

    /// The agent acts until the seat that answers notices something.
    fn others(
        &mut self,
        seat: Seat,
        mover: Seat,
        view: u64,
        mut lines: Vec<Line<G>>,
    ) -> Result<Groups<G>, String> {
        let mut groups = Groups::new();
        while let Some(line) = lines.pop() {
            let number = self.policy(&line, mover)?;
            for choice in 0..self.policies[number].policy.len() {
                let (action, share) = self.policies[number].policy[choice];
                if share > 0.0 {
                    self.count()?;
                    let next = line.after(action, share);
                    let seen = hash_of(&next.world.view(seat));
                    if seen == view {
                        lines.push(next);
                    } else {
                        groups.add(seen, next);
                    }
                }
            }
        }
        Ok(groups)
    }

    /// What the game is worth to each seat if the agent plays all seats, or all but one that answers best.
    fn play_all(&mut self, answers: Option<Seat>, gains: &mut Gains) -> Result<Vec<f64>, String> {
        let mut sum = vec![0.0; self.question.game.seats()];
        for start in self.starts {
            let worth = self.play(start, answers, gains)?;
            for (sum, worth) in sum.iter_mut().zip(worth) {
                *sum += start.weight * worth;
            }
        }
        Ok(sum)
    }

    fn play(
        &mut self,
        line: &Line<G>,
        answers: Option<Seat>,
        gains: &mut Gains,
    ) -> Result<Vec<f64>, String> {
        let seats = Seat::all(self.question.game.seats());
        let Some(mover) = line.world.to_act() else {
            return Ok(seats.map(|seat| line.world.payoff(seat)).collect());
        };
        if answers == Some(mover) {
            let chosen = self.response[&hash_of(&line.world.view(mover))];
            let action = line.world.legal_actions()[chosen];
            return self.play(&line.after(action, 1.0), answers, gains);
        }
        let number = self.policy(line, mover)?;
        let choices = self.policies[number].policy.len();
        let mut mean = vec![0.0; seats.count()];
        for choice in 0..choices {
            let (action, share) = self.policies[number].policy[choice];
            if share > 0.0 {
                let worth = self.play(&line.after(action, share), answers, gains)?;
                if let Some(seat) = answers {
                    let gains = gains.entry(number).or_insert_with(|| vec![0.0; choices]);
                    gains[choice] += line.weight * worth[seat.index()];
                }
                for (mean, worth) in mean.iter_mut().zip(worth) {
                    *mean += share * worth;
                }
            }
        }
        Ok(mean)
    }

    /// The variance of what a best response is worth, by the sampling of the agent's actions, to first order.
    fn variance(&self, gains: &Gains) -> f64 {
        let of = |(number, gains): (&usize, &Vec<f64>)| {
            let Known { policy, samples } = &self.policies[*number];
            if *samples == 0 {
                return 0.0;
            }
            let moment = |power: i32| -> f64 {
                policy.iter().zip(gains).map(|((_, share), gain)| share * gain.powi(power)).sum()
            };
            (moment(2) - moment(1).powi(2)).max(0.0) / f64::from(*samples)
        };
        gains.iter().map(of).sum()
    }
}
