//! Judges actions by the ways they open or close, uses rocks and tools, and infers roles.

mod field;
pub(super) mod prospect;
#[cfg(test)]
mod reference;
mod search;
pub(super) mod survey;
mod ways;

use crate::scene::beliefs;
use crate::{
    Action, Board, Bounds, Card, CardKind, Event, Goal, GoalCard, Goals, Role, Saboteur, Sides,
    View,
};
use oboro_core::{Agent, Analysis, Belief, Rng, Seat, SeatView as _, SpecError, params};
use prospect::{DrawOdds, Prospect, is_clearly_less};
pub(crate) use search::fast_path;
use survey::Survey;

params! {
    /// The parameters of `foreman`.
    pub struct ForemanParams {
        /// Discount factor per card of distance to the gold, 0 to 0.99.
        pub discount: f64 = 0.2 => {"minimum": 0, "maximum": 10},
        /// Value of a look at a goal while the gold is not found, in cards of progress, 0 to 10.
        pub map_value: f64 = 1.0 => {"minimum": 0, "maximum": 10},
        /// Value of breaking a tool of a certain opponent, in cards of progress, 0 to 10.
        pub break_value: f64 = 2.0 => {"minimum": 0, "maximum": 10},
        /// Progress that a rock fall must bring, in cards, 0 to 10.
        pub rock_threshold: f64 = 0.2 => {"minimum": 0, "maximum": 10},
        /// Weight of an action that helps or harms the diggers as evidence about a role, in log-odds, 0 to 10.
        pub evidence_weight: f64 = 1.0 => {"minimum": 0, "maximum": 10},
    }
}

/// The number of draws among which a card that leads on from an open end may come.
pub(super) const TRIES: u32 = 3;

/// By seat the log-odds of being a saboteur that its actions add to the prior.
pub(super) type RoleLogOdds = [f64; Saboteur::MAX_PLAYERS];

/// Evaluates every action by its effect on the mine: diggers want a high chance of the gold, saboteurs a low one. The
/// effects of the others' actions are evidence of their roles.
#[derive(Clone, Debug)]
pub struct Foreman {
    params: ForemanParams,
    rules: Saboteur,
    /// The mine as the events so far have left it.
    board: Board,
    goals: [Option<GoalCard>; 3],
    odds: DrawOdds,
    /// The chance of the gold in the present mine, once it is computed.
    chance: Option<f64>,
    /// The action it has just chosen, and the chance of the gold after it.
    plan: Option<(Action, f64)>,
    /// Its own seat, once it has had a turn.
    seat: Option<Seat>,
    log_odds: RoleLogOdds,
}

impl Foreman {
    /// An agent with these parameters.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    pub fn new(rules: Saboteur, params: ForemanParams) -> Result<Foreman, SpecError> {
        super::check_ranges(&[
            ("discount", params.discount, 0.99),
            ("map-value", params.map_value, 10.0),
            ("break-value", params.break_value, 10.0),
            ("rock-threshold", params.rock_threshold, 10.0),
            ("evidence-weight", params.evidence_weight, 10.0),
        ])?;
        Ok(Foreman {
            params,
            rules,
            board: Board::new(rules),
            goals: [None; 3],
            odds: DrawOdds::new(params.discount, TRIES, &fresh_paths()),
            chance: None,
            plan: None,
            seat: None,
            log_odds: [0.0; Saboteur::MAX_PLAYERS],
        })
    }

    fn prospect(&self) -> Prospect<'_> {
        let gold_is_known = self.goals.contains(&Some(GoalCard::Gold));
        let likely = |goal: &Option<GoalCard>| match goal {
            Some(GoalCard::Gold) => 1.0,
            None if !gold_is_known => 1.0,
            _ => 0.0,
        };
        let weights = [0, 1, 2].map(|i: usize| likely(&self.goals[i]));
        let sum: f64 = weights.iter().sum();
        Prospect {
            rules: self.rules,
            gold: weights.map(|weight| weight / sum.max(1.0)),
            odds: &self.odds,
        }
    }

    /// The posterior probability that a seat is a saboteur.
    fn saboteur_probability(&self, view: &View, seat: Seat) -> f64 {
        let own = usize::from(view.role() == Role::Saboteur);
        let saboteurs = (self.rules.saboteur_cards() - own) as f64;
        let others = (self.rules.saboteur_cards() + self.rules.digger_cards() - 1) as f64;
        let odds = saboteurs / (others - saboteurs) * libm::exp(self.log_odds[seat.index()]);
        odds / (1.0 + odds)
    }

    /// The value of an action in cards of progress for the own side. `progress` is that of the diggers, if the action
    /// changes the mine.
    fn value(&self, view: &View, action: Action, progress: impl FnOnce() -> f64) -> f64 {
        let sign = match view.role() {
            Role::Digger => 1.0,
            Role::Saboteur => -1.0,
        };
        let public = view.public();
        let friend = |seat: Seat| {
            let saboteur = self.saboteur_probability(view, seat);
            match view.role() {
                Role::Digger => 1.0 - 2.0 * saboteur,
                Role::Saboteur => 2.0 * saboteur - 1.0,
            }
        };
        match action {
            Action::Dig { .. } => sign * progress(),
            Action::RockFall { .. } => sign * progress() - self.params.rock_threshold,
            Action::Look { goal } => {
                if view.candidates().len() > 1 && view.candidates().contains(goal) {
                    self.params.map_value
                } else {
                    0.0
                }
            }
            Action::Break { seat, .. } => {
                // One broken tool stops a player; a second one only makes mending harder.
                let effect = if public.broken(seat).is_empty() { 1.0 } else { 0.2 };
                -friend(seat) * effect * self.params.break_value
            }
            Action::Mend { seat, .. } if seat == view.seat() => self.params.break_value,
            Action::Mend { seat, .. } => friend(seat) * 0.5 * self.params.break_value,
            Action::Discard { card } => -card_value(view, card),
        }
    }

    /// Updates the mine to an action, and the role of another player by it. `plan` is the own choice before it.
    fn see(&mut self, action: Action, event: &Event, plan: Option<(Action, f64)>) {
        let is_own = self.seat == Some(event.seat);
        if !is_own && self.chance.is_none() {
            self.chance = Some(self.prospect().chance(&self.board, Goals::EMPTY));
        }
        let before = self.chance.take();
        let touched = self.board.change(self.rules, action);
        if is_own {
            let plan = plan.filter(|(planned, _)| *planned == action);
            self.chance = plan.map(|(_, after)| after);
        } else if let Some(before) = before {
            let after = self.prospect().chance(&self.board, touched);
            self.judge(event.seat, action, self.odds.is_nearer(before, after));
            self.chance = Some(after);
        }
        if !touched.is_empty() {
            self.board.turn_up_all(self.rules, touched, |goal| event.shown[goal.index()]);
            self.chance = None;
        }
    }

    /// Updates the log-odds of another player by its effect on the mine.
    fn judge(&mut self, seat: Seat, action: Action, is_progress: bool) {
        let blocked = matches!(action, Action::Dig { tile, .. } if !tile.is_passable());
        let evidence = if is_progress {
            -1.0
        } else if blocked {
            3.0
        } else {
            1.0
        };
        self.log_odds[seat.index()] += self.params.evidence_weight * evidence;
    }

    pub(super) fn log_odds(&self) -> RoleLogOdds {
        self.log_odds
    }

    pub(super) fn set_log_odds(&mut self, log_odds: RoleLogOdds) {
        self.log_odds = log_odds;
    }

    fn start_round(&mut self) {
        self.board = Board::new(self.rules);
        self.goals = [None; 3];
        self.odds.update(&fresh_paths());
        self.chance = None;
        self.log_odds = [0.0; Saboteur::MAX_PLAYERS];
    }

    /// Takes over what the view knows beyond the events so far.
    fn update(&mut self, view: &View) {
        self.seat = Some(view.seat());
        self.board = *view.public().board();
        self.goals = Goal::ALL.map(|goal| view.goal(goal));
        self.odds.update(&paths_left(view));
        self.chance = None;
    }

    fn values(&mut self, view: &View) -> Vec<(Action, f64)> {
        self.update(view);
        match self.rules.bounds {
            Bounds::Paper => self.values_by::<1>(view),
            Bounds::Three => self.values_by::<2>(view),
            Bounds::None => self.values_by::<3>(view),
        }
    }

    /// The values of all actions, by a survey of so many words.
    fn values_by<const W: usize>(&self, view: &View) -> Vec<(Action, f64)> {
        let prospect = self.prospect();
        let mut mine = Survey::<W>::new(&prospect, &self.board);
        let mut values = Vec::with_capacity(64);
        view.for_each_legal(|action| {
            values.push((action, self.value(view, action, || mine.progress(action))));
        });
        values
    }

    /// The first of the actions with the highest value, by a survey of so many words.
    fn best_by<const W: usize>(&mut self, view: &View) -> Action {
        let prospect = self.prospect();
        let mut mine = Survey::<W>::new(&prospect, &self.board);
        let mut choice = BestAction {
            foreman: self,
            view,
            mine: &mut mine,
            best_chance: None,
            best: None,
            best_value: None,
        };
        view.for_each_legal(|action| choice.consider(action));
        let plan = choice.best;
        (self.chance, self.plan) = (Some(mine.value()), plan);
        plan.expect("there is a legal action").0
    }
}

/// The first of the actions with the highest value, among those seen so far.
struct BestAction<'a, 's, const W: usize> {
    foreman: &'a Foreman,
    view: &'a View,
    mine: &'a mut Survey<'s, W>,
    /// The best chance of the gold for this player after laying a card. A clearly worse chance cannot have a higher
    /// value, since a rock fall has to pass a threshold besides.
    best_chance: Option<f64>,
    /// The action, and the chance of the gold after it.
    best: Option<(Action, f64)>,
    /// Its value, once it is computed.
    best_value: Option<f64>,
}

impl<const W: usize> BestAction<'_, '_, W> {
    /// Considers one more action. Those that lay a card come before all others.
    #[inline]
    fn consider(&mut self, action: Action) {
        match action {
            Action::Dig { .. } => self.consider_card(action),
            Action::RockFall { .. } => {
                let chance = self.mine.after(action);
                if self.best_chance.is_none_or(|best| !self.is_worse(chance, best)) {
                    self.compare(action, chance);
                }
            }
            // The value of a discard is never positive.
            Action::Discard { .. } if self.best_value() >= 0.0 => {}
            _ => self.compare(action, self.mine.value()),
        }
    }

    fn consider_card(&mut self, action: Action) {
        let chance = self.mine.after(action);
        match self.best_chance {
            Some(best) if chance == best || self.is_worse(chance, best) => return,
            Some(best) if !self.is_better(chance, best) => {
                self.compare(action, chance);
                if self.best != Some((action, chance)) {
                    return;
                }
            }
            _ => (self.best, self.best_value) = (Some((action, chance)), None),
        }
        self.best_chance = Some(chance);
    }

    /// Whether one chance of the gold is clearly worse than another for this player.
    #[inline]
    fn is_worse(&self, chance: f64, other: f64) -> bool {
        match self.view.role() {
            Role::Digger => is_clearly_less(chance, other),
            Role::Saboteur => is_clearly_less(other, chance),
        }
    }

    /// Whether one chance of the gold is so much better than another for this player that the values
    /// differ.
    #[inline]
    fn is_better(&self, chance: f64, other: f64) -> bool {
        let odds = &self.foreman.odds;
        match self.view.role() {
            Role::Digger => odds.is_clearly_nearer(other, chance),
            Role::Saboteur => odds.is_clearly_nearer(chance, other),
        }
    }

    /// Compares an action that leaves this chance of the gold by its value.
    fn compare(&mut self, action: Action, chance: f64) {
        let value = self.value(action, chance);
        if value > self.best_value() {
            (self.best, self.best_value) = (Some((action, chance)), Some(value));
        }
    }

    #[inline]
    fn best_value(&mut self) -> f64 {
        let Some((action, chance)) = self.best else {
            return f64::NEG_INFINITY;
        };
        let value = self.best_value.unwrap_or_else(|| self.value(action, chance));
        self.best_value = Some(value);
        value
    }

    fn value(&self, action: Action, chance: f64) -> f64 {
        self.foreman.value(self.view, action, || self.mine.progress_to(chance))
    }
}

/// The value of keeping a card, so that the least useful one is discarded.
pub(super) fn card_value(view: &View, card: Card) -> f64 {
    let is_digger = view.role() == Role::Digger;
    let points = match card.kind() {
        CardKind::Path(sides, true) => {
            let open = Sides::bits(sides).count_ones();
            if is_digger { open } else { 4 - open }
        }
        CardKind::Path(_, false) => {
            if is_digger {
                0
            } else {
                5
            }
        }
        CardKind::RockFall | CardKind::Break(_) => 6,
        CardKind::Map if view.candidates().len() > 1 => 5,
        CardKind::Map => 0,
        CardKind::Mend(_) => 1,
    };
    // Small beside any change of the mine.
    f64::from(points) * 1e-4
}

/// The path cards that may still be laid by what a seat knows, by card.
pub(super) fn paths_left(view: &View) -> [u8; Card::PATHS] {
    let public = view.public();
    let mut left = fresh_paths();
    for (left, (laid, used)) in left.iter_mut().zip(public.laid.iter().zip(public.used)) {
        *left -= laid + used;
    }
    for card in view.own_discards().filter(|card| card.is_path()) {
        left[card.index()] -= 1;
    }
    left
}

/// All path cards of the deck, by card.
pub(super) fn fresh_paths() -> [u8; Card::PATHS] {
    std::array::from_fn(|card| Card::from_index(card).copies())
}

impl Agent<Saboteur> for Foreman {
    fn observe(&mut self, event: &Event) {
        if event.round_end.is_some() {
            self.start_round();
            return;
        }
        let plan = self.plan.take();
        if let Some(action @ (Action::Dig { .. } | Action::RockFall { .. })) = event.action
            // An agent that joins a game in progress does not know the mine before its first turn.
            && self.board.allows(action)
        {
            self.see(action, event, plan);
        }
        for (known, shown) in self.goals.iter_mut().zip(event.shown) {
            if shown.is_some() {
                (*known, self.chance) = (shown, None);
            }
        }
    }

    fn beliefs(&mut self, view: &View, _: &mut Rng) -> Vec<Belief> {
        beliefs(view, |seat| self.saboteur_probability(view, seat), [1.0; 3])
    }

    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        self.update(view);
        match self.rules.bounds {
            Bounds::Paper => self.best_by::<1>(view),
            Bounds::Three => self.best_by::<2>(view),
            Bounds::None => self.best_by::<3>(view),
        }
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        super::by_progress(self.act(view, rng), self.values(view))
    }
}
