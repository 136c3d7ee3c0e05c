use crate::gold::Bundle;
use crate::public::{FinishedRound, Public, Seats};
use crate::view::View;
use crate::{Action, Card, Cards, Event, Goal, GoalCard, Goals, Hand, Maps, Saboteur};
use crate::{Role, RoundEnd};
use oboro_core::{Fact, GameWorld, Rng, Seat};

/// The whole truth of a game of Saboteur: the table and every hidden card.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World {
    pub(crate) public: Public,
    pub(crate) saboteurs: Seats,
    pub(crate) goals: [GoalCard; 3],
    pub(crate) hands: [Hand; Saboteur::MAX_PLAYERS],
    /// The last card is drawn first.
    pub(crate) deck: Cards<{ Card::DECK }>,
    /// The cards of the face-down pile; who put them there is public.
    pub(crate) pile: [Card; Card::DECK],
    /// The gold the diggers shared, by finished round.
    pub(crate) bundles: [Bundle; Saboteur::MAX_ROUNDS],
    /// The seed of the gold cards and the later rounds.
    pub(crate) chance: u64,
}

impl World {
    /// The public table.
    #[inline]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The role of a seat in this round.
    #[inline]
    pub fn role(&self, seat: Seat) -> Role {
        Role::of(self.saboteurs, seat)
    }

    /// The hand of a seat.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat.index()]
    }

    /// The card of a goal.
    #[inline]
    pub fn goal(&self, goal: Goal) -> GoalCard {
        self.goals[goal.index()]
    }

    /// The cards that can still be drawn, the next one last.
    pub fn deck(&self) -> &[Card] {
        &self.deck
    }

    /// The face-down pile, the oldest card first.
    pub fn pile(&self) -> &[Card] {
        &self.pile[..usize::from(self.public.pile_len)]
    }

    /// The card that a seat put away last.
    pub(crate) fn last_put_away(&self, seat: Seat) -> Card {
        let place = self.public.pile().rposition(|by| by == seat);
        self.pile[place.expect("it has put one away")]
    }

    /// The gold the diggers shared, by finished round.
    pub(crate) fn bundles(&self) -> &[Bundle] {
        &self.bundles[..self.public.past().len()]
    }

    /// The goals whose cards a seat knows.
    pub(crate) fn known_goals(&self, seat: Seat) -> Goals {
        self.goals_shown(Some(seat)).or(self.public.looks(seat))
    }

    /// The goals whose cards everybody knows.
    pub(crate) fn goals_shown_to_all(&self) -> Goals {
        self.goals_shown(None)
    }

    /// The goals that were turned up, or shown to an observer by the maps of others.
    fn goals_shown(&self, observer: Option<Seat>) -> Goals {
        let mut shown = self.public.face_down().complement();
        if self.is_told(observer) {
            for other in self.public.seats() {
                shown = shown.or(self.public.looks(other));
            }
        }
        shown
    }

    /// Whether an observer learns what the maps of others show; `None` is a spectator.
    fn is_told(&self, observer: Option<Seat>) -> bool {
        match self.public.rules.maps {
            Maps::Private => false,
            Maps::Public => true,
            Maps::Diggers => observer.is_some_and(|seat| self.role(seat) == Role::Digger),
        }
    }

    /// The number of cards in all hands once the deck is out; `None` before.
    #[inline]
    fn last_cards(&self) -> Option<u8> {
        (self.public.deck_left == 0).then(|| self.public.hand_sizes.iter().sum())
    }

    fn draw(&mut self, seat: Seat) {
        match self.deck.pop() {
            Some(card) => {
                self.hands[seat.index()].push(card);
                self.public.deck_left -= 1;
            }
            None => self.public.hand_sizes[seat.index()] -= 1,
        }
    }

    /// Plays an action of the seat to move.
    #[allow(
        clippy::inline_always,
        reason = "playouts are compiled for more than one kind of processor"
    )]
    #[inline(always)]
    pub(crate) fn take_turn(&mut self, mover: Seat, action: Action) {
        let card = action.card();
        let held = self.hands[mover.index()].remove(card);
        debug_assert!(held, "{card} is not in the hand");
        if let Action::Discard { .. } = action {
            self.pile[usize::from(self.public.pile_len)] = card;
        }
        let goals = self.goals;
        let turned_up = self.public.change(mover, Some(action), |goal| Some(goals[goal.index()]));
        let is_gold = turned_up.iter().any(|goal| goals[goal.index()] == GoalCard::Gold);
        self.draw(mover);
        if is_gold {
            return self.finish_round(mover, Some(mover));
        }
        let seats = self.public.rules.players.into();
        let mut next = mover.next(seats);
        while self.public.hand_size(next) == 0 {
            if next == mover {
                return self.finish_round(mover, None);
            }
            next = next.next(seats);
        }
        self.public.turn = Some(next);
    }

    /// The nuggets a seat has won, in rounds in which it had a role.
    fn nuggets(&self, seat: Seat, as_role: impl Fn(Role) -> bool) -> u32 {
        let players = usize::from(self.public.rules.players);
        let rounds = self.public.past().iter().zip(&self.bundles);
        rounds
            .filter(|(past, _)| as_role(Role::of(past.saboteurs, seat)))
            .map(|(past, bundle)| past.nuggets(players, bundle, seat))
            .sum()
    }

    /// Whether an action shows more than its card: it turns a goal up or ends the round.
    fn has_consequences(&self, action: Action) -> bool {
        self.last_cards() == Some(1)
            || matches!(action, Action::Dig { tile, at } if self.public.board.joins_more(at, tile))
    }

    /// The end of the round that `past` sums up, as an observer sees it; this world is the one after it.
    fn round_end(&self, past: FinishedRound, observer: Option<Seat>) -> RoundEnd {
        let round = usize::from(self.public.past_len) - 1;
        let players = self.public.rules.players.into();
        let taken = observer.map_or(usize::MAX, |seat| past.taken_before(players, seat));
        let dealt = |seat| (self.role(seat), *self.hand(seat));
        RoundEnd {
            past,
            bundle: self.bundles[round].seen_after(taken),
            next: self.public.turn.and(observer).map(dealt),
        }
    }

    /// The event of `action` for an observer; `None` is a spectator.
    pub(crate) fn seen(&self, action: Action, observer: Option<Seat>) -> Event {
        let mover = self.public.turn.expect("the game is not over");
        let own = observer == Some(mover);
        let mut event = Event {
            seat: mover,
            action: (own || !matches!(action, Action::Discard { .. })).then_some(action),
            drawn: if own { self.deck.last().copied() } else { None },
            shown: [None; 3],
            round_end: None,
        };
        if let Action::Look { goal } = action
            && (own || self.is_told(observer))
        {
            event.shown[goal.index()] = Some(self.goal(goal));
        }
        if self.has_consequences(action) {
            let mut after = self.clone();
            after.apply(action);
            let rounds = self.public.past_len;
            if after.public.past_len > rounds {
                let past = after.public.past[usize::from(rounds)];
                event.round_end = Some(after.round_end(past, observer));
            }
            if after.public.turn.is_some() && event.round_end.is_some() {
                // The cards of this round are gathered up; nobody needs to remember them.
                event.drawn = None;
                event.shown = [None; 3];
            } else {
                for goal in self.public.face_down() {
                    let shown = &mut event.shown[goal.index()];
                    *shown = shown.or(after.public.turned_up(goal));
                }
            }
        }
        event
    }
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.turn
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if let Some(seat) = self.public.turn {
            self.public.for_each_legal(*self.hand(seat), visit);
        }
    }

    fn is_legal(&self, action: Action) -> bool {
        self.public.turn.is_some_and(|seat| self.public.is_legal(*self.hand(seat), action))
    }

    fn random_action(&self, rng: &mut Rng) -> Action {
        let seat = self.public.turn.expect("the game is not over");
        self.public.random_action(seat, *self.hand(seat), rng)
    }

    fn apply(&mut self, action: Action) {
        let mover = self.public.turn.expect("the game is not over");
        self.take_turn(mover, action);
    }

    #[inline]
    fn play_out_randomly(&mut self, rng: &mut Rng) {
        crate::playout::play_out(self, rng);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        self.nuggets(seat, |_| true).into()
    }

    fn view(&self, seat: Seat) -> View {
        View::of(self, seat)
    }

    fn event(&self, action: Action, seat: Seat) -> Event {
        self.seen(action, Some(seat))
    }

    fn facts(&self) -> Vec<Fact> {
        let rules = self.public.rules;
        let rounds = self.public.past();
        let as_saboteur = |seat| rounds.iter().filter(|past| past.saboteurs.contains(seat)).count();
        let reached = rounds.iter().filter(|past| past.reached_by.is_some());
        let diggers = rounds.iter().map(|past| usize::from(rules.players) - past.saboteurs.len());
        let each =
            |name, value: &dyn Fn(Seat) -> f64| Fact::seats(name, self.public.seats().map(value));
        vec![
            Fact::game("gold", reached.count() as f64),
            Fact::game("diggers", diggers.sum::<usize>() as f64),
            each("saboteur", &|seat| as_saboteur(seat) as f64),
            each("nuggets", &|seat| self.payoff(seat)),
            each("nuggets-as-digger", &|seat| {
                self.nuggets(seat, |role| role == Role::Digger).into()
            }),
            each("nuggets-as-saboteur", &|seat| {
                self.nuggets(seat, |role| role == Role::Saboteur).into()
            }),
        ]
    }
}
