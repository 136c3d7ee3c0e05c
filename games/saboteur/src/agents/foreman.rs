//! Our own player: it also lets rocks fall, breaks and mends tools, and watches what the others do.

mod field;
#[cfg(test)]
mod plain;
pub(super) mod prospect;
mod search;
pub(super) mod survey;
mod ways;

use crate::scene::beliefs;
use crate::{
    Action, Board, Bounds, Card, CardKind, Event, Goal, GoalCard, Goals, Role, Saboteur, Sides,
    View,
};
use oboro_core::{Agent, Analysis, Belief, Rng, Seat, SeatView as _, SpecError};
use prospect::{Outlook, Prospect, is_clearly_less};
use schemars::JsonSchema;
pub(crate) use search::fast_path;
use serde::{Deserialize, Serialize};
use survey::Survey;

/// The parameters of `foreman`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Habits {
    /// How much a way counts that is one card longer than another, between 0 (nothing) and 1 (as
    /// much).
    pub fade: f64,
    /// How many cards of progress a look at a goal is worth while the gold is not found.
    pub map: f64,
    /// How many cards of progress it is worth to break a tool of a certain opponent.
    pub tools: f64,
    /// How many cards of progress a rock fall must bring.
    pub rocks: f64,
    /// How strongly a play that helps or harms the diggers speaks for or against a player.
    pub suspicion: f64,
}

impl Default for Habits {
    fn default() -> Habits {
        Habits { fade: 0.2, map: 1.0, tools: 2.0, rocks: 0.2, suspicion: 1.0 }
    }
}

/// How many of the next cards may lead on from an open end.
pub(super) const TRIES: u32 = 3;

/// For each seat the logarithm of the odds that it is a saboteur.
pub(super) type Suspicions = [f64; Saboteur::MAX_PLAYERS];

/// A player that judges every action by what it does to the mine: diggers want good prospects,
/// saboteurs bad ones. What others do to the mine tells it who they are.
#[derive(Clone, Debug)]
pub struct Foreman {
    habits: Habits,
    rules: Saboteur,
    /// The mine as the events so far have left it.
    board: Board,
    goals: [Option<GoalCard>; 3],
    outlook: Outlook,
    /// The chance of the gold as the mine lies, once it is known: what one deed leaves is what the next
    /// one finds.
    chance: Option<f64>,
    /// What it has just decided to do, and the chance of the gold after that.
    plan: Option<(Action, f64)>,
    /// Its own place, once it has had a turn.
    seat: Option<Seat>,
    /// To be added to the prior.
    suspicion: Suspicions,
}

impl Foreman {
    /// A player with these habits.
    ///
    /// # Errors
    /// If a habit is not a number in its range.
    pub fn new(rules: Saboteur, habits: Habits) -> Result<Foreman, SpecError> {
        super::check_ranges(&[
            ("fade", habits.fade, 0.99),
            ("map", habits.map, 10.0),
            ("tools", habits.tools, 10.0),
            ("rocks", habits.rocks, 10.0),
            ("suspicion", habits.suspicion, 10.0),
        ])?;
        Ok(Foreman {
            habits,
            rules,
            board: Board::new(rules),
            goals: [None; 3],
            outlook: Outlook::new(habits.fade, TRIES, &fresh_paths()),
            chance: None,
            plan: None,
            seat: None,
            suspicion: [0.0; Saboteur::MAX_PLAYERS],
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
            outlook: &self.outlook,
        }
    }

    /// The probability that a seat is a saboteur, by the role cards and by what it has done.
    fn doubt(&self, view: &View, seat: Seat) -> f64 {
        let own = usize::from(view.role() == Role::Saboteur);
        let saboteurs = (self.rules.saboteur_cards() - own) as f64;
        let others = (self.rules.saboteur_cards() + self.rules.digger_cards() - 1) as f64;
        let odds = saboteurs / (others - saboteurs) * libm::exp(self.suspicion[seat.index()]);
        odds / (1.0 + odds)
    }

    /// What an action is worth to this player, in cards of progress for its side; `progress` is that
    /// of the diggers, if it changes the mine.
    fn worth(&self, view: &View, action: Action, progress: impl FnOnce() -> f64) -> f64 {
        let sign = match view.role() {
            Role::Digger => 1.0,
            Role::Saboteur => -1.0,
        };
        let public = view.public();
        let friend = |seat: Seat| {
            let doubt = self.doubt(view, seat);
            match view.role() {
                Role::Digger => 1.0 - 2.0 * doubt,
                Role::Saboteur => 2.0 * doubt - 1.0,
            }
        };
        match action {
            Action::Dig { .. } => sign * progress(),
            Action::RockFall { .. } => sign * progress() - self.habits.rocks,
            Action::Look { goal } => {
                if view.candidates().count() > 1 && view.candidates().has(goal) {
                    self.habits.map
                } else {
                    0.0
                }
            }
            Action::Break { seat, .. } => {
                // One broken tool stops a player; a second one only makes mending harder.
                let effect = if public.broken(seat).is_empty() { 1.0 } else { 0.2 };
                -friend(seat) * effect * self.habits.tools
            }
            Action::Mend { seat, .. } if seat == view.seat() => self.habits.tools,
            Action::Mend { seat, .. } => friend(seat) * 0.5 * self.habits.tools,
            Action::Discard { card } => -use_of(view, card),
        }
    }

    /// Sees a card laid or taken out, and learns from it if another player did so. If it did so itself
    /// it may have had this plan.
    fn see(&mut self, action: Action, event: &Event, plan: Option<(Action, f64)>) {
        let is_own = self.seat == Some(event.seat);
        if !is_own && self.chance.is_none() {
            self.chance = Some(self.prospect().chance(&self.board, Goals::NONE));
        }
        let before = self.chance.take();
        let touched = self.board.change(self.rules, action);
        if is_own {
            let plan = plan.filter(|(planned, _)| *planned == action);
            self.chance = plan.map(|(_, after)| after);
        } else if let Some(before) = before {
            let after = self.prospect().chance(&self.board, touched);
            self.judge(event.seat, action, self.outlook.is_nearer(before, after));
            self.chance = Some(after);
        }
        if !touched.is_empty() {
            self.board.turn_up_all(self.rules, touched, |goal| event.shown[goal.index()]);
            self.chance = None;
        }
    }

    /// Learns from what another player did to the mine.
    fn judge(&mut self, seat: Seat, action: Action, is_progress: bool) {
        let blocked = matches!(action, Action::Dig { tile, .. } if !tile.is_passable());
        let evidence = if is_progress {
            -1.0
        } else if blocked {
            3.0
        } else {
            1.0
        };
        self.suspicion[seat.index()] += self.habits.suspicion * evidence;
    }

    /// Whom it suspects.
    pub(super) fn suspicions(&self) -> Suspicions {
        self.suspicion
    }

    /// Suspects whom another suspects.
    pub(super) fn suspect(&mut self, suspicions: Suspicions) {
        self.suspicion = suspicions;
    }

    fn start_round(&mut self) {
        self.board = Board::new(self.rules);
        self.goals = [None; 3];
        self.outlook.update(&fresh_paths());
        self.chance = None;
        self.suspicion = [0.0; Saboteur::MAX_PLAYERS];
    }

    /// Takes over what the view knows better than the events so far.
    fn look_around(&mut self, view: &View) {
        self.seat = Some(view.seat());
        self.board = *view.public().board();
        self.goals = Goal::ALL.map(|goal| view.goal(goal));
        self.outlook.update(&paths_left(view));
        self.chance = None;
    }

    fn values(&mut self, view: &View) -> Vec<(Action, f64)> {
        self.look_around(view);
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
            values.push((action, self.worth(view, action, || mine.progress(action))));
        });
        values
    }

    /// The first of the actions with the highest value, by a survey of so many words.
    fn best_by<const W: usize>(&mut self, view: &View) -> Action {
        let prospect = self.prospect();
        let mut mine = Survey::<W>::new(&prospect, &self.board);
        let mut choice = Choice {
            foreman: self,
            view,
            mine: &mut mine,
            best_chance: None,
            best: None,
            best_value: None,
        };
        view.for_each_legal(|action| choice.weigh(action));
        let plan = choice.best;
        (self.chance, self.plan) = (Some(mine.value()), plan);
        plan.expect("whoever is asked has an action").0
    }
}

/// The first of the actions with the highest value, among those seen so far.
struct Choice<'a, 's, const W: usize> {
    foreman: &'a Foreman,
    view: &'a View,
    mine: &'a mut Survey<'s, W>,
    /// The best chance of the gold, in the eyes of this player, after a card is laid. What is clearly
    /// worse is not worth more than that card; rocks must bring something besides.
    best_chance: Option<f64>,
    /// The action, and the chance of the gold after it.
    best: Option<(Action, f64)>,
    /// Its value, once it is asked for.
    best_value: Option<f64>,
}

impl<const W: usize> Choice<'_, '_, W> {
    /// Looks at one more action. Those that lay a card come before all others.
    #[inline]
    fn weigh(&mut self, action: Action) {
        match action {
            Action::Dig { .. } => self.weigh_card(action),
            Action::RockFall { .. } => {
                let chance = self.mine.after(action);
                if self.best_chance.is_none_or(|best| !self.is_worse(chance, best)) {
                    self.compare(action, chance);
                }
            }
            // Putting a card away is worth nothing at most.
            Action::Discard { .. } if self.best_value() >= 0.0 => {}
            _ => self.compare(action, self.mine.value()),
        }
    }

    fn weigh_card(&mut self, action: Action) {
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
        let outlook = &self.foreman.outlook;
        match self.view.role() {
            Role::Digger => outlook.is_clearly_nearer(other, chance),
            Role::Saboteur => outlook.is_clearly_nearer(chance, other),
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
        self.foreman.worth(self.view, action, || self.mine.progress_to(chance))
    }
}

/// What keeping a card is worth, so that the least useful one is put away.
pub(super) fn use_of(view: &View, card: Card) -> f64 {
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
        CardKind::Map if view.candidates().count() > 1 => 5,
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
            // Who joins a game in progress has not seen the mine before its first turn.
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
        beliefs(view, |seat| self.doubt(view, seat), [1.0; 3])
    }

    fn act(&mut self, view: &View, _: &mut Rng) -> Action {
        self.look_around(view);
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
