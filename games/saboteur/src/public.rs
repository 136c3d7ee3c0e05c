use crate::{
    Action, Board, Card, CardKind, Goal, GoalCard, Goals, Hand, Saboteur, Tiles, Tool, Tools,
};
use oboro_core::{Seat, bit_set};

/// All that everybody at the table sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Public {
    pub(crate) rules: Saboteur,
    pub(crate) board: Board,
    /// Path cards in the mine, by card.
    pub(crate) laid: [u8; Card::PATHS],
    /// Cards that were used up openly in this round: action cards, and path cards under rocks.
    pub(crate) used: [u8; Card::KINDS],
    pub(crate) broken: [Tools; Saboteur::MAX_PLAYERS],
    /// The goals each seat has looked at with a map.
    pub(crate) looks: [Goals; Saboteur::MAX_PLAYERS],
    pub(crate) hand_sizes: [u8; Saboteur::MAX_PLAYERS],
    pub(crate) deck_left: u8,
    /// Who put away the cards of the face-down pile, the oldest first.
    pub(crate) pile: [u8; Card::DECK],
    pub(crate) pile_len: u8,
    pub(crate) turned_up: [Option<GoalCard>; 3],
    pub(crate) turn: Option<Seat>,
    pub(crate) past: [FinishedRound; Saboteur::MAX_ROUNDS],
    pub(crate) past_len: u8,
}

/// How a finished round ended, as everybody knows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FinishedRound {
    /// Who joined the gold to the start; `None` if nobody did and the saboteurs won.
    pub reached_by: Option<Seat>,
    /// Who was a saboteur.
    pub saboteurs: Seats,
}

bit_set! {
    /// A set of seats.
    pub struct Seats(u16) of Seat, iterated by SeatsIter;
    bit(seat) = seat.index();
    item(index) = Seat::new(index);
}

impl Seats {
    /// Every set of the first `players` seats.
    pub(crate) fn all(players: usize) -> impl Iterator<Item = Seats> {
        (0..1 << players).map(Seats)
    }
}

impl Public {
    /// The table of a round before its first card.
    #[inline]
    pub(crate) fn new(rules: Saboteur, starter: Seat) -> Public {
        let seats = usize::from(rules.players);
        let mut hand_sizes = [0; Saboteur::MAX_PLAYERS];
        hand_sizes[..seats].fill(rules.hand_size() as u8);
        Public {
            rules,
            board: Board::new(rules),
            laid: [0; Card::PATHS],
            used: [0; Card::KINDS],
            broken: [Tools::EMPTY; Saboteur::MAX_PLAYERS],
            looks: [Goals::EMPTY; Saboteur::MAX_PLAYERS],
            hand_sizes,
            deck_left: (Card::DECK - seats * rules.hand_size()) as u8,
            pile: [0; Card::DECK],
            pile_len: 0,
            turned_up: [None; 3],
            turn: Some(starter),
            past: [FinishedRound::default(); Saboteur::MAX_ROUNDS],
            past_len: 0,
        }
    }

    /// Does to the table what a seat does with a card, drawing left out; `None` is a card put away unseen. Returns the goals
    /// that are turned up, whose cards `card_of` tells.
    #[allow(
        clippy::inline_always,
        reason = "playouts are compiled for more than one kind of processor"
    )]
    #[inline(always)]
    pub(crate) fn change(
        &mut self,
        mover: Seat,
        action: Option<Action>,
        card_of: impl Fn(Goal) -> Option<GoalCard>,
    ) -> Goals {
        let card = action.map_or(Card::default(), Action::card).index();
        match action {
            Some(Action::Dig { tile, at }) => {
                self.laid[card] += 1;
                let turned_up = self.board.dig(self.rules, at, tile, &card_of);
                for goal in turned_up {
                    self.turned_up[goal.index()] = card_of(goal);
                }
                return turned_up;
            }
            Some(Action::RockFall { at }) => {
                let fallen = self.board.tile(at).expect("rocks fall on a card").card();
                self.board.clear(self.rules, at);
                self.laid[fallen.index()] -= 1;
                self.used[fallen.index()] += 1;
                self.used[card] += 1;
            }
            Some(Action::Look { goal }) => {
                self.looks[mover.index()].insert(goal);
                self.used[card] += 1;
            }
            // A broken tool lies before its owner until it is mended.
            Some(Action::Break { tool, seat }) => self.broken[seat.index()].insert(tool),
            Some(Action::Mend { tool, seat, .. }) => {
                self.broken[seat.index()].remove(tool);
                self.used[Card::breaking(tool).index()] += 1;
                self.used[card] += 1;
            }
            Some(Action::Discard { .. }) | None => {
                self.pile[usize::from(self.pile_len)] = mover.index() as u8;
                self.pile_len += 1;
            }
        }
        Goals::EMPTY
    }

    /// The rules played by.
    pub fn rules(&self) -> Saboteur {
        self.rules
    }

    /// The mine.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn turn(&self) -> Option<Seat> {
        self.turn
    }

    /// The seats, in order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + Clone + use<> {
        Seat::all(self.rules.players.into())
    }

    /// How many copies of a path card lie in the mine.
    #[inline]
    pub fn laid(&self, card: Card) -> u8 {
        self.laid.get(card.index()).copied().unwrap_or(0)
    }

    /// How many copies of a card were used up openly in this round.
    pub fn used(&self, card: Card) -> u8 {
        self.used[card.index()]
    }

    /// The tools of a seat that are broken.
    #[inline]
    pub fn broken(&self, seat: Seat) -> Tools {
        self.broken[seat.index()]
    }

    /// The goals a seat has looked at with a map.
    pub fn looks(&self, seat: Seat) -> Goals {
        self.looks[seat.index()]
    }

    /// How many cards a seat holds.
    pub fn hand_size(&self, seat: Seat) -> usize {
        self.hand_sizes[seat.index()].into()
    }

    /// How many cards can still be drawn.
    #[inline]
    pub fn deck_left(&self) -> usize {
        self.deck_left.into()
    }

    /// Who put away the cards of the face-down pile, the oldest first.
    pub fn pile(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        self.pile[..usize::from(self.pile_len)].iter().map(|&seat| Seat::new(seat.into()))
    }

    /// The card of a goal that has been turned up.
    #[inline]
    pub fn turned_up(&self, goal: Goal) -> Option<GoalCard> {
        self.turned_up[goal.index()]
    }

    /// The goals that still lie face down.
    #[inline]
    pub(crate) fn face_down(&self) -> Goals {
        Goal::ALL.into_iter().filter(|&goal| self.turned_up(goal).is_none()).collect()
    }

    /// The finished rounds.
    pub fn past(&self) -> &[FinishedRound] {
        &self.past[..usize::from(self.past_len)]
    }

    /// The cards of a hand that can be laid, in every way they can lie.
    #[inline]
    fn tiles(&self, seat: Seat, hand: Hand) -> Tiles {
        if !self.broken(seat).is_empty() {
            return Tiles::EMPTY;
        }
        hand.iter().fold(Tiles::EMPTY, |tiles, &card| tiles.or(Tiles::of_card(card)))
    }

    /// Whether the seat to move may do this with this hand.
    pub(crate) fn is_legal(&self, hand: Hand, action: Action) -> bool {
        let Some(mover) = self.turn else {
            return false;
        };
        let exists = |seat: Seat| seat.index() < usize::from(self.rules.players);
        hand.contains(&action.card())
            && match action {
                Action::Dig { .. } => self.broken(mover).is_empty() && self.board.allows(action),
                Action::RockFall { .. } => self.board.allows(action),
                Action::Look { goal } => self.turned_up(goal).is_none(),
                Action::Break { tool, seat } => exists(seat) && self.can_break(mover, seat, tool),
                Action::Mend { card, tool, seat } => {
                    exists(seat)
                        && self.broken(seat).contains(tool)
                        && matches!(card.kind(), CardKind::Mend(tools) if tools.contains(tool))
                }
                Action::Discard { .. } => true,
            }
    }

    /// Calls `visit` for everything the seat to move may do with this hand: path cards by cell,
    /// then for each different card its use as an action, then the discards.
    pub(crate) fn for_each_legal(&self, hand: Hand, mut visit: impl FnMut(Action)) {
        let Some(mover) = self.turn else {
            return;
        };
        let tiles = self.tiles(mover, hand);
        if !tiles.is_empty() {
            for at in self.board.open_ends().iter() {
                for tile in self.board.fitting(at).and(tiles) {
                    visit(Action::Dig { tile, at });
                }
            }
        }
        let different: CardSet = hand.iter().copied().collect();
        for card in different.iter().filter(|card| !card.is_path()) {
            self.for_each_use(mover, card, &mut visit);
        }
        for card in different {
            visit(Action::Discard { card });
        }
    }

    /// The ways to play an action card.
    fn for_each_use(&self, mover: Seat, card: Card, visit: &mut impl FnMut(Action)) {
        match card.kind() {
            CardKind::Path(..) => {}
            CardKind::RockFall => {
                for at in self.board.paths().iter() {
                    visit(Action::RockFall { at });
                }
            }
            CardKind::Map => {
                for goal in self.face_down() {
                    visit(Action::Look { goal });
                }
            }
            CardKind::Break(tool) => {
                for seat in self.seats().filter(|&seat| self.can_break(mover, seat, tool)) {
                    visit(Action::Break { tool, seat });
                }
            }
            CardKind::Mend(tools) => {
                for seat in self.seats() {
                    for tool in self.broken(seat).and(tools) {
                        visit(Action::Mend { card, tool, seat });
                    }
                }
            }
        }
    }

    pub(crate) fn can_break(&self, mover: Seat, seat: Seat, tool: Tool) -> bool {
        seat != mover && !self.broken(seat).contains(tool)
    }

    /// The cards whose place everybody knows: in the mine, used up, or before a player.
    pub fn seen(&self) -> [u8; Card::KINDS] {
        let mut counts = self.used;
        for (card, laid) in self.laid.iter().enumerate() {
            counts[card] += laid;
        }
        for seat in self.seats() {
            for tool in self.broken(seat) {
                counts[Card::breaking(tool).index()] += 1;
            }
        }
        counts
    }
}

bit_set! {
    /// A set of different cards.
    pub(crate) struct CardSet(u32) of Card, iterated by CardSetIter;
    bit(card) = card.index();
    item(index) = Card::from_index(index);
}
