use crate::{Action, Cards, Event, Log, LogEntry, MAX_PLAYERS, Public, Sevens, View};
use oboro_core::{Fact, GameWorld, Rng, Seat};

/// The whole truth: what everybody knows, and every hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct World {
    pub(crate) public: Public,
    pub(crate) hands: [Cards; MAX_PLAYERS],
}

// A playout copies a world; it should stay a few cache lines.
const _: () = assert!(size_of::<World>() <= 256);

impl World {
    /// The start of a game: the 7s leave the hands.
    pub(crate) fn start(rules: &Sevens, mut hands: [Cards; MAX_PLAYERS]) -> World {
        let laid = hands.map(|hand| hand.and(Cards::SEVENS));
        hands = hands.map(|hand| hand.without(Cards::SEVENS));
        let public = Public {
            table: Cards::SEVENS,
            laid,
            passes: [rules.passes; MAX_PLAYERS],
            ranks: [Public::IN_PLAY; MAX_PLAYERS],
            players: rules.players,
            gaps: rules.gaps,
            log: Log::EMPTY,
            turn: 0,
            finished: 0,
            retired: 0,
        };
        World { public, hands }
    }

    /// The public table.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// A player's cards.
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat.index()]
    }

    /// The cards the player to move can lay; none when the game is over.
    #[inline]
    pub fn playable_hand(&self) -> Cards {
        match self.public.to_act() {
            Some(seat) => self.public.playable_of(self.hand(seat)),
            None => Cards::EMPTY,
        }
    }

    fn put_on_table(&mut self, seat: Seat, cards: Cards) {
        let seat = seat.index();
        self.hands[seat] = self.hands[seat].without(cards);
        self.public.table = self.public.table.or(cards);
        self.public.laid[seat] = self.public.laid[seat].or(cards);
    }

    /// Lays a card for a player, or passes where there is none; tells whether the player is out then.
    #[inline]
    pub(crate) fn take_turn(&mut self, seat: Seat, laid: Cards) -> bool {
        let public = &mut self.public;
        if let Some(card) = laid.iter().next() {
            public.log.push(LogEntry::Laid(card));
            self.put_on_table(seat, laid);
            if !self.hand(seat).is_empty() {
                return false;
            }
            self.public.ranks[seat.index()] = self.public.finished;
            self.public.finished += 1;
        } else if public.passes[seat.index()] > 0 {
            public.passes[seat.index()] -= 1;
            public.log.push(LogEntry::Passed(seat));
            return false;
        } else {
            public.log.push(LogEntry::Retired(seat));
            public.retired += 1;
            public.ranks[seat.index()] = public.players - public.retired;
            self.put_on_table(seat, self.hand(seat));
        }
        true
    }
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.public.to_act()
    }

    #[inline]
    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if let Some(seat) = self.to_act() {
            self.public.legal(seat, self.hand(seat), visit);
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let seat = Seat::new(self.public.turn.into());
        let laid = match action {
            Action::Lay(card) => card.into(),
            Action::Pass => Cards::EMPTY,
        };
        self.take_turn(seat, laid);
        self.public.pass_on(seat);
    }

    #[inline]
    fn payoff(&self, seat: Seat) -> f64 {
        let rank = self.public.ranks[seat.index()];
        if rank == Public::IN_PLAY { 0.0 } else { self.public.points(rank) }
    }

    fn view(&self, seat: Seat) -> View {
        View::new(self, seat)
    }

    fn event(&self, action: Action, _seat: Seat) -> Event {
        let seat = Seat::new(self.public.turn.into());
        let laid = match action {
            Action::Lay(card) => card.into(),
            Action::Pass if self.public.passes[seat.index()] == 0 => self.hand(seat),
            Action::Pass => Cards::EMPTY,
        };
        Event { seat, action, laid }
    }

    fn facts(&self) -> Vec<Fact> {
        let players = usize::from(self.public.players);
        let retired = |seat: Seat| {
            let entry = LogEntry::Retired(seat);
            f64::from(u8::from(self.public.log.entries().any(|e| e == entry)))
        };
        let ranks = &self.public.ranks[..players];
        vec![
            Fact::seats("rank", ranks.iter().map(|&rank| f64::from(rank) + 1.0)),
            Fact::seats("retired", Seat::all(players).map(retired)),
        ]
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        let Some(seat) = self.to_act() else {
            return false;
        };
        match action {
            Action::Lay(card) => self.playable_hand().contains(card),
            Action::Pass => self.public.passes[seat.index()] > 0 || self.playable_hand().is_empty(),
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Action {
        let cards = self.playable_hand();
        let may_pass = usize::from(self.is_legal(Action::Pass));
        let n = rng.below(cards.len() + may_pass);
        cards.iter().nth(n).map_or(Action::Pass, Action::Lay)
    }

    fn play_out_all_randomly(worlds: &mut [World], rng: &mut Rng) {
        crate::playout::play_out_all_randomly::<true>(worlds, rng);
    }
}
