use crate::{Action, Cards, GapRule, Log, MAX_PLAYERS};
use oboro_core::Seat;

/// The public table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Public {
    /// The cards on the table.
    pub table: Cards,
    /// By seat, the cards it laid.
    pub laid: [Cards; MAX_PLAYERS],
    /// Passes left to each player.
    pub passes: [u8; MAX_PLAYERS],
    /// The final rank of those who are out, 0 the best; `Public::IN_PLAY` for the others.
    pub ranks: [u8; MAX_PLAYERS],
    /// The number of players.
    pub players: u8,
    /// The rule for gaps in a suit.
    pub gaps: GapRule,
    /// The log of turns.
    pub(crate) log: Log,
    /// Whose turn it is; [`Public::NOBODY`] when the game is over.
    pub(crate) turn: u8,
    /// The numbers of players that have gone out without cards, and that have retired.
    pub(crate) finished: u8,
    pub(crate) retired: u8,
}

impl Public {
    /// The rank of a player who is still in the game.
    pub(crate) const IN_PLAY: u8 = u8::MAX;
    pub(crate) const NOBODY: u8 = u8::MAX;

    /// Whose turn it is; `None` when the game is over.
    #[inline]
    pub fn to_act(&self) -> Option<Seat> {
        if self.turn == Self::NOBODY { None } else { Some(Seat::new(self.turn.into())) }
    }

    /// Whether a player is still in the game.
    #[inline]
    pub(crate) fn is_in_play(&self, seat: Seat) -> bool {
        self.ranks[seat.index()] == Self::IN_PLAY
    }

    /// The number of players still in the game.
    #[inline]
    pub(crate) fn in_play(&self) -> u8 {
        self.players - self.finished - self.retired
    }

    /// The cards that are not on the table.
    #[inline]
    pub(crate) fn unseen(&self) -> Cards {
        Cards::ALL.without(self.table)
    }

    /// The cards that somebody could lay now.
    #[inline]
    pub fn playable(&self) -> Cards {
        self.gaps.playable(self.table)
    }

    /// The cards that a retired player put on the table by retiring: those that the log does not name.
    pub(crate) fn shown_by_retiring(&self, seat: Seat, logged: Cards) -> Cards {
        self.laid[seat.index()].without(logged).without(Cards::SEVENS)
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
    pub(crate) fn pass_on(&mut self, seat: Seat) {
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
    pub(crate) fn points(&self, rank: u8) -> f64 {
        2.0 * f64::from(self.players - 1 - rank) / f64::from(self.players - 1)
    }
}
