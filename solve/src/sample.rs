use crate::file::Strategy;
use crate::tree::{Profile, Tree};
use oboro_core::{Decision, Factory, Game, GameWorld, Live, Rng, Seat};

/// How an agent's policy is found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// How often the agent is asked at each information set, unless it gives the same probabilities twice.
    pub samples: u32,
}

/// How far a profile can be exploited.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// See [`Tree::exploitability`].
    pub exploitability: f64,
    /// The standard error of sampling; 0 if all probabilities are known. Best responses answer the noise of the samples, too,
    /// so that few of them make exploitability look larger than it is.
    pub error: f64,
    /// Whether some probabilities are not known but sampled: one sample alone has no error that could be told.
    pub sampled: bool,
    /// What the best response is worth to each seat.
    pub best: Vec<f64>,
    /// What the profile is worth to each seat.
    pub payoffs: Vec<f64>,
}

/// By seat and information set, how many samples the probabilities rest on; 0 where they are known.
type Counts = Vec<Vec<u32>>;

/// An agent that is asked for its policy.
pub(crate) struct Question<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) agent: &'a Factory<G>,
    pub(crate) sampling: Sampling,
}

impl<G: Game> Question<'_, G> {
    /// Asks a fresh agent for the probabilities of its legal actions after a start and a history; how many samples they
    /// rest on, 0 if it knows them.
    pub(crate) fn ask(
        &self,
        (start, history): (&G::World, &[G::Action]),
        actions: &[G::Action],
        shares: &mut [f64],
        rng: &mut Rng,
    ) -> Result<u32, String> {
        let mut live = Live::open(self.game.clone(), start.clone());
        for &action in history {
            let mover = live.to_act().ok_or("a history goes on")?;
            live.play(mover, action).map_err(|error| error.to_string())?;
        }
        let seat = live.to_act().ok_or("an information set is somebody's turn")?;
        let mut samples = self.sampling.samples.max(1);
        shares.fill(0.0);
        let mut first = None;
        let mut sample = 0;
        while sample < samples {
            let consulted = live.consult(seat, self.agent, rng.fork());
            let decision = consulted.map_err(|error| error.to_string())?.decide()?;
            let policy = match &decision {
                Decision::Policy(policy) => &policy[..],
                Decision::Action(action) => &[(*action, 1.0)],
            };
            let total: f64 = policy.iter().map(|(_, share)| share).sum();
            for (action, share) in policy {
                let place = actions.iter().position(|other| other == action);
                let place = place.ok_or_else(|| format!("{action} is not legal here"))?;
                shares[place] += share / total;
            }
            if matches!(decision, Decision::Policy(_)) {
                // Whether it always gives the same is seen the second time.
                samples = samples.max(2);
                if sample == 1 && first.as_ref() == Some(&decision) {
                    for share in shares.iter_mut() {
                        *share /= 2.0;
                    }
                    return Ok(0);
                }
            }
            first.get_or_insert(decision);
            sample += 1;
        }
        let all: f64 = shares.iter().sum();
        for share in shares.iter_mut() {
            *share /= all;
        }
        Ok(samples)
    }
}

impl<G: Game> Tree<G> {
    /// How far a profile whose probabilities are known can be exploited.
    pub fn measure(&self, profile: &Profile) -> Measured {
        self.measure_sampled(profile, None)
    }

    /// How far an agent can be exploited that plays all seats. A fresh agent is shown the way to every information set and
    /// asked there for its probabilities or, if it does not know them, for actions. `tell` is called with the share of
    /// the sets that are done.
    ///
    /// # Errors
    /// If the agent fails or sees hidden things.
    pub fn measure_agent(
        &self,
        agent: &Factory<G>,
        sampling: Sampling,
        rng: &mut Rng,
        tell: &mut dyn FnMut(f64),
    ) -> Result<Measured, String> {
        let (all, mut done) = (self.sets() as f64, 0.0);
        let mut profile = self.uniform();
        let mut counts: Counts = self.sides().iter().map(|side| vec![0; side.len()]).collect();
        for (seat, counts) in counts.iter_mut().enumerate() {
            for (set, count) in counts.iter_mut().enumerate() {
                let range = self.sides()[seat].sequences_of(set);
                if range.len() > 1 {
                    let question = Question { game: self.game(), agent, sampling };
                    let actions = self.sides()[seat].actions_of(set);
                    let shares = &mut profile.0[seat][range];
                    *count = question.ask(self.history(seat, set), actions, shares, rng)?;
                }
                done += 1.0;
                tell(done / all);
            }
        }
        Ok(self.measure_sampled(&profile, Some(&counts)))
    }

    fn measure_sampled(&self, profile: &Profile, counts: Option<&Counts>) -> Measured {
        let seats = self.sides().len();
        let mut reaches = self.reaches(profile);
        let (mut best, mut variance) = (Vec::new(), 0.0);
        for seat in 0..seats {
            let (worth, response) = self.respond(&reaches, seat);
            best.push(worth);
            let Some(counts) = counts else { continue };
            // What the response gains by each action of the others, itself left as it is.
            let mut answer = Vec::new();
            self.sides()[seat].reaches(&response, &mut answer);
            let kept = std::mem::replace(&mut reaches[seat], answer);
            for other in (0..seats).filter(|&other| other != seat) {
                variance += self.variance(seat, other, profile, &reaches, &counts[other]);
            }
            reaches[seat] = kept;
        }
        let payoffs = self.payoffs(profile);
        let gains = best.iter().sum::<f64>() - payoffs.iter().sum::<f64>();
        let exploitability = gains / seats as f64;
        let error = variance.sqrt() / seats as f64;
        let sampled = counts.is_some_and(|counts| counts.iter().flatten().any(|&count| count > 0));
        Measured { exploitability, error, sampled, best, payoffs }
    }

    /// The variance of what is worth something to the seat `to`, by the sampling of another seat's actions, to first order.
    fn variance(
        &self,
        to: usize,
        seat: usize,
        profile: &Profile,
        reaches: &[Vec<f64>],
        counts: &[u32],
    ) -> f64 {
        let (side, strategy) = (&self.sides()[seat], &profile.0[seat]);
        let mut values = Vec::new();
        self.values_to(to, seat, reaches, &mut values);
        let mut variance = 0.0;
        let mut set = side.len();
        side.fold_up(&mut values, |range, values| {
            set -= 1;
            let (shares, values) = (&strategy[range.clone()], &values[range]);
            let moment = |power: i32| -> f64 {
                shares.iter().zip(values).map(|(share, value)| share * value.powi(power)).sum()
            };
            let mean = moment(1);
            if counts[set] > 0 {
                let reach = reaches[seat][side.sets[set].parent as usize];
                let spread = (moment(2) - mean * mean).max(0.0);
                variance += reach * reach * spread / f64::from(counts[set]);
            }
            mean
        });
        variance
    }

    /// The profile of a strategy; equal probabilities where it knows nothing.
    pub fn profile_of(&self, strategy: &Strategy<G>) -> Profile {
        let mut profile = self.uniform();
        for (seat, side) in self.sides().iter().enumerate() {
            for set in 0..side.len() {
                let view = self.world_of(side, set).view(Seat::new(seat));
                let Some(policy) = strategy.policy(&view) else { continue };
                let shares = &mut profile.0[seat][side.sequences_of(set)];
                for (share, action) in shares.iter_mut().zip(side.actions_of(set)) {
                    let known = policy.iter().find(|(other, _)| other == action);
                    *share = known.map_or(0.0, |(_, share)| *share);
                }
            }
        }
        profile
    }
}
