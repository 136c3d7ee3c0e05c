//! What may be true: worlds that agree with all that a seat saw, weighed by what the other seats did.
//!
//! Worlds are followed from the start of a game. An action that the seat saw only in part is every action that looks the same,
//! so one world becomes several. Where there are too many, some are drawn by their weights. Where too few are left, others are
//! imagined, of which nothing is known but the rules. In a game that can list its worlds or its deals neither
//! happens, unless there are too many.

use crate::evaluator::{Evaluator, Position};
use crate::opponents::{COMPONENTS, Component, MIXTURE, NEGLIGIBLE, likelihood_ratio};
use crate::particles::beliefs_of;
use crate::playable::Playable;
use oboro_core::{Belief, GameWorld, ObservationBuffer, Rng, Seat, SeatView};

/// So many worlds are kept at most.
const MOST: usize = 256;

/// Where fewer are left, new ones are imagined, unless there are no more.
const FEWEST: usize = MOST / 2;

/// Log odds beyond this are cut: a net is not that reliable.
const MOST_LOG_ODDS: f64 = 12.0;

/// A world that may be the true one.
#[derive(Clone)]
pub(crate) struct Hypothesis<G: Playable> {
    pub(crate) world: G::World,
    /// What each seat remembers in it.
    pub(crate) memories: Vec<G::Memory>,
    /// How many actions were played in it since the player was shown its first view.
    plies: u32,
    /// The logarithm of its weight by the rules alone.
    prior: f64,
    /// The logarithm of the likelihood of what the others did, for a component that follows the policy.
    likelihood: f64,
    /// The log odds by which the evaluator guessed it when it was last asked.
    guess: f64,
}

/// Worlds that may be the true one.
#[derive(Clone)]
pub(crate) struct Hypotheses<G: Playable> {
    game: G,
    seat: Seat,
    /// Whether these are all worlds there are.
    are_all: bool,
    worlds: Vec<Hypothesis<G>>,
    /// How many actions they have taken in.
    plies: u32,
    /// The posterior probability of each component of the mixture.
    components: [f64; COMPONENTS],
}

/// All worlds that agree with a view, each with its weight by the rules alone, where the game lists its worlds; at the start
/// of a game also where it lists its deals.
pub fn all_worlds<G: Playable>(game: &G, view: &G::View) -> Option<Vec<(f64, G::World)>> {
    if let Some(worlds) = G::worlds(view) {
        return Some(worlds.into_iter().map(|world| (1.0, world)).collect());
    }
    let agrees = |(_, world): &(f64, G::World)| world.view(view.seat()) == *view;
    let agreeing: Vec<_> = game.deals()?.into_iter().filter(agrees).collect();
    (!agreeing.is_empty()).then_some(agreeing)
}

impl<G: Playable> Hypothesis<G> {
    fn new(game: &G, world: G::World, plies: u32) -> Hypothesis<G> {
        let memories = Seat::all(game.seats()).map(|seat| game.memory(&world.view(seat))).collect();
        Hypothesis { world, memories, plies, prior: 0.0, likelihood: 0.0, guess: 0.0 }
    }

    /// The logarithm of its weight for a component.
    fn log_weight(&self, by: &Component) -> f64 {
        let likelihood = if by.follows_policy { self.likelihood } else { 0.0 };
        self.prior + likelihood + by.guess * self.guess
    }

    /// Becomes another world; nothing is allocated.
    pub(crate) fn become_copy_of(&mut self, other: &Hypothesis<G>) {
        self.world.clone_from(&other.world);
        self.memories.clone_from(&other.memories);
        self.plies = other.plies;
    }

    /// Plays an action in it; every seat remembers what it sees.
    pub(crate) fn play(&mut self, game: &G, action: G::Action) {
        for (seat, memory) in Seat::all(self.memories.len()).zip(&mut self.memories) {
            let event = self.world.event(action, seat);
            game.remember(memory, &self.world.view(seat), &event);
        }
        self.world.apply(action);
        self.plies += 1;
    }

    /// As the seat to move sees it.
    pub(crate) fn position(&self) -> Position<'_, G> {
        let seat = self.world.to_act().expect("a position to evaluate has somebody to move");
        let memory = &self.memories[seat.index()];
        Position { view: self.world.view(seat), memory, plies: self.plies }
    }

    /// How many legal actions it has, and those, by number, that a seat would see as this event.
    fn matching(&self, event: &G::Event, seat: Seat) -> (usize, Vec<(usize, G::Action)>) {
        let (mut legal, mut matching) = (0, Vec::new());
        self.world.for_each_legal(|action| {
            if self.world.event(action, seat) == *event {
                matching.push((legal, action));
            }
            legal += 1;
        });
        (legal, matching)
    }
}

impl<G: Playable> Hypotheses<G> {
    /// The worlds that agree with a view, in which its seat remembers something, as if nothing had been seen before it.
    pub(crate) fn of(game: &G, view: &G::View, memory: &G::Memory, rng: &mut Rng) -> Hypotheses<G> {
        let mut hypotheses = Hypotheses {
            game: game.clone(),
            seat: view.seat(),
            are_all: false,
            worlds: Vec::new(),
            plies: 0,
            components: MIXTURE.map(|component| component.prior),
        };
        hypotheses.imagine(view, rng);
        for one in &mut hypotheses.worlds {
            one.memories[view.seat().index()].clone_from(memory);
        }
        hypotheses
    }

    /// Begins anew with the worlds that agree with a view; what was learned about the opponents stays.
    fn imagine(&mut self, view: &G::View, rng: &mut Rng) {
        self.worlds.clear();
        let all = all_worlds(&self.game, view).filter(|worlds| worlds.len() <= MOST);
        self.are_all = all.is_some();
        let drawn = || (0..MOST).map(|_| (1.0, view.imagine(rng))).collect();
        for (weight, world) in all.unwrap_or_else(drawn) {
            self.add(world, weight);
        }
    }

    /// Adds to the weight of a world by the rules alone.
    fn add(&mut self, world: G::World, weight: f64) {
        if let Some(one) = self.worlds.iter_mut().find(|one| one.world == world) {
            one.prior = libm::log(libm::exp(one.prior) + weight);
        } else {
            let mut one = Hypothesis::new(&self.game, world, self.plies);
            one.prior = libm::log(weight);
            self.worlds.push(one);
        }
    }

    /// Takes in what the seat saw of an action.
    pub(crate) fn follow(
        &mut self,
        event: &G::Event,
        evaluator: &mut dyn Evaluator<G>,
        rng: &mut Rng,
    ) {
        let shares = self.shares();
        let mut seen = [0.0; COMPONENTS];
        let mut next = Vec::with_capacity(self.worlds.len());
        let asks = MIXTURE
            .iter()
            .zip(self.components)
            .any(|(component, weight)| component.follows_policy && weight > NEGLIGIBLE);
        let before = std::mem::take(&mut self.worlds);
        let continued: Vec<_> = before
            .iter()
            .enumerate()
            .map(|(place, one)| (place, one, one.matching(event, self.seat)))
            .filter(|(_, _, (_, matching))| !matching.is_empty())
            .collect();
        for together in continued.chunks(evaluator.batch()) {
            let seat = self.seat;
            let is_own = |one: &Hypothesis<G>| one.world.to_act() == Some(seat);
            let mut positions = together
                .iter()
                .filter(|(_, one, _)| asks && !is_own(one))
                .map(|(_, one, _)| one.position())
                .peekable();
            let mut predictions = match positions.peek() {
                Some(_) => evaluator.evaluate_all(&mut positions).iter(),
                None => [].iter(),
            };
            for (place, one, (legal, matching)) in together {
                let is_own = is_own(one);
                let prediction = (asks && !is_own).then(|| predictions.next()).flatten();
                let uniform = if is_own { 1.0 } else { 1.0 / *legal as f64 };
                for &(number, action) in matching {
                    let ratio = prediction.map_or(1.0, |of| likelihood_ratio(&of.policy, number));
                    for ((seen, component), shares) in seen.iter_mut().zip(&MIXTURE).zip(&shares) {
                        let ratio = if component.follows_policy { ratio } else { 1.0 };
                        *seen += shares[*place] * uniform * ratio;
                    }
                    let mut child = (*one).clone();
                    child.prior += libm::log(uniform);
                    child.likelihood += libm::log(ratio);
                    child.play(&self.game, action);
                    next.push(child);
                }
            }
        }
        self.worlds = next;
        self.plies += 1;
        let total: f64 = self.components.iter().zip(seen).map(|(weight, seen)| weight * seen).sum();
        if total > 0.0 {
            for (weight, seen) in self.components.iter_mut().zip(seen) {
                *weight *= seen / total;
            }
        }
        if self.worlds.len() > MOST {
            self.are_all = false;
            self.draw(rng);
        }
    }

    /// Draws as many worlds as are kept, by their weights.
    fn draw(&mut self, rng: &mut Rng) {
        let step = 1.0 / MOST as f64;
        let (mut next, mut sum) = (step * rng.unit(), 0.0);
        let weights = self.weights();
        let mut drawn = Vec::with_capacity(MOST);
        for (mut one, weight) in std::mem::take(&mut self.worlds).into_iter().zip(weights) {
            sum += weight;
            let mut copies: u32 = 0;
            while next < sum {
                copies += 1;
                next += step;
            }
            if copies > 0 {
                // What is drawn has its weight by being there.
                one.prior = libm::log(f64::from(copies));
                (one.likelihood, one.guess) = (0.0, 0.0);
                drawn.push(one);
            }
        }
        self.worlds = drawn;
    }

    /// Makes sure that there are enough worlds, and that they agree with a view.
    pub(crate) fn agree_with(&mut self, view: &G::View, rng: &mut Rng) {
        let seat = self.seat;
        self.worlds.retain(|one| one.world.view(seat) == *view);
        if self.worlds.is_empty() {
            self.imagine(view, rng);
        } else if !self.are_all && self.worlds.len() < FEWEST {
            self.refresh(view, rng);
        }
    }

    /// Adds imagined worlds, each as likely as the worlds there are on average.
    fn refresh(&mut self, view: &G::View, rng: &mut Rng) {
        let (weights, there) = (self.weights(), self.worlds.len());
        for (one, weight) in self.worlds.iter_mut().zip(weights) {
            one.prior = libm::log(weight * there as f64);
            (one.likelihood, one.guess) = (0.0, 0.0);
        }
        for _ in there..MOST {
            let world = view.imagine(rng);
            if self.worlds.iter().all(|one| one.world != world) {
                self.worlds.push(Hypothesis::new(&self.game, world, self.plies));
            }
        }
    }

    /// Takes in what the evaluator guesses of hidden cells.
    pub(crate) fn guess(&mut self, logits: &[f64]) {
        let shape = self.game.layout().truth;
        if logits.is_empty() || shape.planes.is_empty() || shape.cells() != logits.len() {
            return;
        }
        let mut bytes = vec![0; shape.len()];
        for one in &mut self.worlds {
            bytes.fill(0);
            let buffer = ObservationBuffer::split(&shape, &mut bytes);
            self.game.encode_truth(&one.world, self.seat, buffer);
            let hidden = bytes.iter().zip(logits).filter(|(byte, _)| **byte > 0);
            one.guess = hidden.map(|(_, logit)| logit.clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS)).sum();
        }
    }

    /// The probability that each component gives to each world.
    fn shares(&self) -> [Vec<f64>; COMPONENTS] {
        MIXTURE.map(|component| {
            let logs = || self.worlds.iter().map(|one| one.log_weight(&component));
            let most = logs().fold(f64::NEG_INFINITY, f64::max);
            let mut shares: Vec<f64> = logs().map(|log| libm::exp(log - most)).collect();
            let total: f64 = shares.iter().sum();
            for share in &mut shares {
                *share /= total;
            }
            shares
        })
    }

    /// The probability of each world.
    pub(crate) fn weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.worlds.len()];
        for (shares, component) in self.shares().iter().zip(self.components) {
            weights.iter_mut().zip(shares).for_each(|(weight, share)| *weight += component * share);
        }
        weights
    }

    pub(crate) fn worlds(&self) -> &[Hypothesis<G>] {
        &self.worlds
    }

    /// What is believed of everything hidden, in the words of the game.
    pub(crate) fn beliefs(&self, view: &G::View) -> Vec<Belief> {
        let weights = self.weights();
        beliefs_of(&self.game, view, self.worlds.iter().map(|one| &one.world).zip(weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluator::{Prediction, Uniform};
    use oboro_core::{Game, GameEncoding as _};
    use oboro_small::{Kuhn, Leduc, LiarsDice};

    /// The posterior of worlds by playing a history again from every deal: the other seats choose
    /// uniformly.
    fn by_enumeration<G: Playable>(
        game: &G,
        start: &G::View,
        seen: &[G::Event],
    ) -> Vec<(f64, G::World)> {
        let seat = start.seat();
        let deals = game.deals().unwrap().into_iter();
        let mut lines: Vec<(f64, G::World)> =
            deals.filter(|(_, world)| world.view(seat) == *start).collect();
        for event in seen {
            let mut next = Vec::new();
            for (share, world) in lines {
                let mut legal = Vec::new();
                world.for_each_legal(|action| legal.push(action));
                let chance =
                    if world.to_act() == Some(seat) { 1.0 } else { 1.0 / legal.len() as f64 };
                for action in
                    legal.into_iter().filter(|action| world.event(*action, seat) == *event)
                {
                    let mut after = world.clone();
                    after.apply(action);
                    next.push((share * chance, after));
                }
            }
            lines = next;
        }
        let total: f64 = lines.iter().map(|(share, _)| share).sum();
        for (share, _) in &mut lines {
            *share /= total;
        }
        lines
    }

    fn check_beliefs<G: Playable>(game: &G, games: u64) {
        let mut compared = 0;
        for number in 0..games {
            let mut rng = Rng::from_u64(number);
            let mut world = game.deal(&mut rng);
            let seat = Seat::new(number as usize % game.seats());
            let (start, mut seen) = (world.view(seat), Vec::new());
            let mut hypotheses = Hypotheses::of(game, &start, &game.memory(&start), &mut rng);
            while world.to_act().is_some() {
                let action = world.random_action(&mut rng);
                seen.push(world.event(action, seat));
                world.apply(action);
                hypotheses.follow(seen.last().unwrap(), &mut Uniform::default(), &mut rng);
                let view = world.view(seat);
                hypotheses.agree_with(&view, &mut rng);
                let expected = by_enumeration(game, &start, &seen);
                let weights = hypotheses.weights();
                assert_eq!(weights.len(), expected.len());
                for (weight, one) in weights.into_iter().zip(&hypotheses.worlds) {
                    let (share, _) =
                        expected.iter().find(|(_, world)| *world == one.world).unwrap();
                    assert!((weight - share).abs() < 1e-9, "{weight}, not {share}: {view}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 100, "{compared} probabilities compared");
    }

    #[test]
    fn beliefs_are_those_of_enumeration() {
        check_beliefs(&Kuhn::default(), 60);
        check_beliefs(&Leduc::default(), 40);
        check_beliefs(&LiarsDice::default(), 20);
    }

    /// Plays the first legal action in half of the worlds of Kuhn poker, by the card, and the last in the others.
    #[derive(Default)]
    struct ByCard(Prediction<<Kuhn as Game>::Action>);

    impl Evaluator<Kuhn> for ByCard {
        fn evaluate(
            &mut self,
            view: &<Kuhn as Game>::View,
            (): &<Kuhn as oboro_core::GameEncoding>::Memory,
        ) -> &mut Prediction<<Kuhn as Game>::Action> {
            let legal = view.legal_actions();
            let last = view.to_string().contains('K');
            let chosen = if last { legal.len() - 1 } else { 0 };
            let share = |number| f64::from(u8::from(number == chosen));
            self.0.policy = legal.into_iter().enumerate().map(|(n, a)| (a, share(n))).collect();
            &mut self.0
        }
    }

    /// What an action says of a card is believed as far as the mixture believes that the policy is followed, and the
    /// mixture learns from what fits.
    #[test]
    fn actions_are_evidence_for_components_that_follow_the_policy() {
        let game = Kuhn::default();
        let deals = game.deals().unwrap().into_iter().map(|(_, world)| world);
        let mut seen = 0;
        for world in deals {
            let view = world.view(Seat::new(1));
            let mut rng = Rng::from_u64(1);
            let mut hypotheses = Hypotheses::of(&game, &view, &game.memory(&view), &mut rng);
            if hypotheses.worlds.len() != 2 {
                continue;
            }
            let bet = *world.view(Seat::FIRST).legal_actions().last().unwrap();
            let before = hypotheses.weights();
            hypotheses.follow(&world.event(bet, Seat::new(1)), &mut ByCard::default(), &mut rng);
            let has_king =
                |one: &Hypothesis<Kuhn>| one.world.view(Seat::FIRST).to_string().contains('K');
            let Some(king) = hypotheses.worlds.iter().position(has_king) else { continue };
            let after = hypotheses.weights();
            // Of the component that follows: a king bets with .75, another card with .25.
            let follows =
                MIXTURE.iter().filter(|one| one.follows_policy).map(|one| one.prior).sum::<f64>();
            let expected = follows * 0.75 + (1.0 - follows) * 0.5;
            assert!((before[king] - 0.5).abs() < 1e-12 && (after[king] - expected).abs() < 1e-12);
            seen += 1;
        }
        assert!(seen > 0);
    }
}
