use oboro_core::{GameEncoding, SeatView as _};

/// What an evaluator says of a position to the seat to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Prediction<A> {
    /// Every legal action with its probability, in the order of the view's legal actions.
    pub policy: Vec<(A, f64)>,
    /// The expected payoff of the seat to move. Where an evaluator does not know it, games are played out by its policy.
    pub value: Option<f64>,
    /// For each cell of the board, row after row as the seat sees it, the log odds that what is hidden there is what the
    /// evaluator was trained to guess. Only those of the cells that its belief plane marks mean anything. Empty where the
    /// evaluator says nothing of cells.
    pub belief_logits: Vec<f64>,
}

impl<A> Default for Prediction<A> {
    fn default() -> Prediction<A> {
        Prediction { policy: Vec::new(), value: None, belief_logits: Vec::new() }
    }
}

impl<A> Prediction<A> {
    /// Raises the probabilities to the power of one over a temperature and scales them to add up to 1.
    pub fn sharpen(&mut self, temperature: f64) {
        if temperature == 1.0 {
            return;
        }
        let most = self.policy.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        let mut total = 0.0;
        for (_, share) in &mut self.policy {
            *share = libm::pow(*share / most, 1.0 / temperature);
            total += *share;
        }
        self.policy.iter_mut().for_each(|(_, share)| *share /= total);
    }
}

/// A position that is to be evaluated.
#[derive(Debug)]
pub struct Position<'a, G: GameEncoding> {
    /// What the seat to move knows.
    pub view: G::View,
    /// What it remembers of the events up to it.
    pub memory: &'a G::Memory,
    /// How many actions were played since the player was shown its first view.
    pub plies: u32,
}

/// Says what to play in a position and what it is worth, from what the seat to move knows.
pub trait Evaluator<G: GameEncoding>: Send {
    /// Evaluates the position of a view whose seat is to move; `memory` is what the seat remembers of the events up to it.
    /// The answer is written where the last one was: nothing is allocated.
    fn evaluate(&mut self, view: &G::View, memory: &G::Memory) -> &mut Prediction<G::Action>;

    /// How many positions are best evaluated together: from 1 to 10 000.
    fn batch(&self) -> usize {
        1
    }

    /// Evaluates positions, at least one and not more than [`batch`](Evaluator::batch): a prediction for each. Rollouts ask here.
    fn evaluate_all(
        &mut self,
        positions: &mut dyn Iterator<Item = Position<'_, G>>,
    ) -> &mut [Prediction<G::Action>] {
        let Position { view, memory, .. } = positions.next().expect("a position");
        std::slice::from_mut(self.evaluate(&view, memory))
    }

    /// Whether any action is as likely as any other wherever it is asked, so that games can be played out without asking.
    fn is_uniform(&self) -> bool {
        false
    }

    /// Whether its policy solves the game, so that no rollouts make it better.
    fn is_solution(&self) -> bool {
        false
    }
}

/// Knows nothing: any action is as likely as any other.
#[derive(Clone, Debug)]
pub(crate) struct Uniform<A>(Prediction<A>);

impl<A> Default for Uniform<A> {
    fn default() -> Uniform<A> {
        Uniform(Prediction::default())
    }
}

impl<G: GameEncoding> Evaluator<G> for Uniform<G::Action> {
    fn evaluate(&mut self, view: &G::View, _: &G::Memory) -> &mut Prediction<G::Action> {
        let policy = &mut self.0.policy;
        policy.clear();
        view.for_each_legal(|action| policy.push((action, 1.0)));
        let share = 1.0 / policy.len().max(1) as f64;
        for (_, of) in policy {
            *of = share;
        }
        &mut self.0
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
