use crate::card::scan_card;
use crate::{Card, Cards, Entry, Gaps, Log, MAX_PLAYERS, Sevens, View};
use oboro_core::{Fact, FactInfo, Game, GameWorld, NotationError, Rng, Scanner, Seat, SpecError};
use std::fmt;
use std::str::FromStr;

/// A turn: one card, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Lay a card.
    Lay(Card),
    /// Pass; with none left, retire.
    Pass,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Lay(card) => card.fmt(f),
            Action::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        let mut s = Scanner::new(text);
        let action = if s.eat("pass") { Action::Pass } else { Action::Lay(scan_card(&mut s)?) };
        s.finish()?;
        Ok(action)
    }
}

/// What everybody sees of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Who moved.
    pub seat: Seat,
    /// What it did.
    pub action: Action,
    /// The cards it laid on the table: one, none, or all it had when it retired.
    pub laid: Cards,
}

/// What everybody knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Public {
    /// The cards on the table.
    pub table: Cards,
    /// Who put them there.
    pub laid: [Cards; MAX_PLAYERS],
    /// Passes left to each player.
    pub passes: [u8; MAX_PLAYERS],
    /// The final rank of those who are out, 0 the best; [`Public::IN_PLAY`] for the others.
    pub ranks: [u8; MAX_PLAYERS],
    /// How many players there are.
    pub players: u8,
    /// What is playable where a suit has holes.
    pub gaps: Gaps,
    /// What happened, in order.
    pub log: Log,
    /// Whose turn it is; [`Public::NOBODY`] when the game is over.
    pub(crate) turn: u8,
    /// How many have gone out with no card left, and how many have retired.
    pub(crate) finished: u8,
    pub(crate) retired: u8,
}

impl Public {
    /// The rank of a player who is still in the game.
    pub const IN_PLAY: u8 = u8::MAX;
    pub(crate) const NOBODY: u8 = u8::MAX;

    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn to_act(&self) -> Option<Seat> {
        if self.turn == Self::NOBODY { None } else { Some(Seat::new(self.turn.into())) }
    }

    /// Whether a player is still in the game.
    #[inline]
    pub fn is_in_play(&self, seat: Seat) -> bool {
        self.ranks[seat.index()] == Self::IN_PLAY
    }

    /// How many players are still in the game.
    #[inline]
    pub fn in_play(&self) -> u8 {
        self.players - self.finished - self.retired
    }

    /// The cards that somebody could lay now.
    #[inline]
    pub fn playable(&self) -> Cards {
        self.gaps.playable(self.table)
    }

    /// The cards of a hand that could be laid now.
    #[inline]
    pub(crate) fn playable_of(&self, hand: Cards) -> Cards {
        self.gaps.playable_of(hand, self.table)
    }

    /// The legal actions of a hand: its playable cards, and the pass while passes are left or
    /// nothing is playable.
    #[inline]
    pub(crate) fn legal(&self, seat: Seat, hand: Cards, mut visit: impl FnMut(Action)) {
        let cards = self.playable_of(hand);
        cards.iter().for_each(|card| visit(Action::Lay(card)));
        if cards.is_empty() || self.passes[seat.index()] > 0 {
            visit(Action::Pass);
        }
    }

    /// Gives the turn to the next player, or ends the game when one is left.
    fn pass_on(&mut self, seat: Seat) {
        let mut next = seat.next(self.players.into());
        while !self.is_in_play(next) {
            next = next.next(self.players.into());
        }
        if self.in_play() == 1 {
            self.end(next);
        } else {
            self.turn = next.index() as u8;
        }
    }

    /// Ends the game: one player is left and takes the rank that is left.
    pub(crate) fn end(&mut self, left: Seat) {
        self.ranks[left.index()] = self.finished;
        // All are out, and how no longer matters.
        (self.finished, self.retired) = (self.players, 0);
        self.turn = Self::NOBODY;
    }

    /// Points of a rank: 2 for the best down to 0 in even steps.
    fn points(&self, rank: u8) -> f64 {
        2.0 * f64::from(self.players - 1 - rank) / f64::from(self.players - 1)
    }
}

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
        hands = hands.map(|hand| hand.minus(Cards::SEVENS));
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

    /// What everybody knows.
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
            None => Cards::NONE,
        }
    }

    fn put_on_table(&mut self, seat: Seat, cards: Cards) {
        let seat = seat.index();
        self.hands[seat] = self.hands[seat].minus(cards);
        self.public.table = self.public.table.or(cards);
        self.public.laid[seat] = self.public.laid[seat].or(cards);
    }

    /// Lays a card for a player, or passes where there is none; tells whether the player is out then.
    #[inline]
    pub(crate) fn take_turn(&mut self, seat: Seat, laid: Cards) -> bool {
        let public = &mut self.public;
        if let Some(card) = laid.iter().next() {
            public.log.push(Entry::Laid(card));
            self.put_on_table(seat, laid);
            if !self.hand(seat).is_empty() {
                return false;
            }
            self.public.ranks[seat.index()] = self.public.finished;
            self.public.finished += 1;
        } else if public.passes[seat.index()] > 0 {
            public.passes[seat.index()] -= 1;
            public.log.push(Entry::Passed(seat));
            return false;
        } else {
            public.log.push(Entry::Retired(seat));
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
            Action::Lay(card) => Cards::NONE.with(card),
            Action::Pass => Cards::NONE,
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
            Action::Lay(card) => Cards::NONE.with(card),
            Action::Pass if self.public.passes[seat.index()] == 0 => self.hand(seat),
            Action::Pass => Cards::NONE,
        };
        Event { seat, action, laid }
    }

    fn facts(&self) -> Vec<Fact> {
        let players = usize::from(self.public.players);
        let retired = |seat: Seat| {
            let entry = Entry::Retired(seat);
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
            Action::Lay(card) => self.playable_hand().has(card),
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
}

impl Game for Sevens {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = Event;
    const NAME: &'static str = "sevens";

    fn seats(&self) -> usize {
        self.players.into()
    }

    fn validate(&self) -> Result<(), SpecError> {
        self.check()
    }

    fn deal(&self, rng: &mut Rng) -> World {
        self.shuffle_and_deal(rng)
    }

    fn write_position(&self, world: &World) -> String {
        crate::notation::write(world)
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        crate::notation::parse(self, text)
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(self.players.into())
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[
            FactInfo::seats("rank", "its final rank, 1 the best"),
            FactInfo::seats("retired", "1 if it passed with none left and retired, 0 otherwise"),
        ];
        FACTS
    }
}
