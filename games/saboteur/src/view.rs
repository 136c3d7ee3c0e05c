use crate::gold::{Bundle, draw_roles, imagine_bundles};
use crate::public::{FinishedRound, Public, Seats};
use crate::{Action, Card, Cards, Goal, GoalCard, Hand, Saboteur, World};
use oboro_core::{Rng, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The role of a player in a round.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Wins with the others when a way to the gold is dug.
    Digger,
    /// Wins when it is not.
    Saboteur,
}

impl Role {
    pub(crate) fn of(saboteurs: Seats, seat: Seat) -> Role {
        if saboteurs.contains(seat) { Role::Saboteur } else { Role::Digger }
    }

    /// Its name in scenes and beliefs.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Digger => "digger",
            Role::Saboteur => "saboteur",
        }
    }
}

/// An action as one seat sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// The seat that moved.
    pub seat: Seat,
    /// Its action; `None` for a discard that this seat does not see.
    pub action: Option<Action>,
    /// The card this seat drew.
    pub drawn: Option<Card>,
    /// Goal cards that this seat has now been shown: turned up, or by a map.
    pub shown: [Option<GoalCard>; 3],
    /// How the round ended, if it did.
    pub round_end: Option<RoundEnd>,
}

/// The end of a round as one seat sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RoundEnd {
    /// How it ended, and the roles.
    pub past: FinishedRound,
    /// The gold cards this seat saw.
    pub bundle: Bundle,
    /// Its role and hand in the next round, if there is one.
    pub next: Option<(Role, Hand)>,
}

/// All that one seat knows: the table, its own role and hand, the goals it has been shown, what it
/// put away itself, and the gold that passed through its hands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View {
    public: Public,
    seat: Seat,
    role: Role,
    hand: Hand,
    goals: [Option<GoalCard>; 3],
    /// The cards of the pile that are this seat's own; the default card elsewhere.
    pile: [Card; Card::DECK],
    bundles: [Bundle; Saboteur::MAX_ROUNDS],
}

impl View {
    pub(crate) fn of(world: &World, seat: Seat) -> View {
        let public = &world.public;
        let players = public.rules.players.into();
        let mut pile = [Card::default(); Card::DECK];
        for (place, by) in public.pile().enumerate() {
            if by == seat {
                pile[place] = world.pile[place];
            }
        }
        let mut bundles = world.bundles;
        for (bundle, past) in bundles.iter_mut().zip(public.past()) {
            *bundle = bundle.seen_after(past.taken_before(players, seat));
        }
        let known = world.known_goals(seat);
        let mut goals = [None; 3];
        for goal in known {
            goals[goal.index()] = Some(world.goal(goal));
        }
        View {
            public: *public,
            seat,
            role: world.role(seat),
            hand: *world.hand(seat),
            goals,
            pile,
            bundles,
        }
    }

    /// The public table.
    #[inline]
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// Its role in this round.
    #[inline]
    pub fn role(&self) -> Role {
        self.role
    }

    /// Its hand, in the order in which the cards were drawn.
    #[inline]
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// The card of a goal, if it has been shown to this seat.
    #[inline]
    pub fn goal(&self, goal: Goal) -> Option<GoalCard> {
        self.goals[goal.index()]
    }

    /// The goals that may be the gold by all that this seat knows.
    #[inline]
    pub fn candidates(&self) -> crate::Goals {
        let gold = Goal::ALL.into_iter().find(|&goal| self.goal(goal) == Some(GoalCard::Gold));
        match gold {
            Some(goal) => [goal].into_iter().collect(),
            None => Goal::ALL.into_iter().filter(|&goal| self.goal(goal).is_none()).collect(),
        }
    }

    /// The cards this seat has put away in this round.
    pub fn own_discards(&self) -> impl Iterator<Item = Card> {
        self.public
            .pile()
            .zip(&self.pile)
            .filter(move |(by, _)| *by == self.seat)
            .map(|(_, &card)| card)
    }

    /// The gold cards of finished rounds; 0 for those this seat did not see.
    pub fn bundles(&self) -> &[Bundle] {
        &self.bundles[..self.public.past().len()]
    }

    /// How many copies of each card are out of this seat's sight: in other hands, in the deck, or
    /// put away by others.
    pub fn unseen(&self) -> [u8; Card::KINDS] {
        let seen = self.public.seen();
        let mut unseen = [0; Card::KINDS];
        for card in Card::all() {
            unseen[card.index()] = card.copies() - seen[card.index()];
        }
        for card in self.own_discards().chain(self.hand.iter().copied()) {
            unseen[card.index()] -= 1;
        }
        unseen
    }
}

impl SeatView for View {
    type Action = Action;
    type World = World;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn to_act(&self) -> Option<Seat> {
        self.public.turn
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.public.turn == Some(self.seat) {
            self.public.for_each_legal(self.hand, visit);
        }
    }

    fn imagine(&self, rng: &mut Rng) -> World {
        let public = self.public;
        let mut unseen = [Card::default(); Card::DECK];
        let mut count = 0;
        for (index, &copies) in self.unseen().iter().enumerate() {
            let copies = usize::from(copies);
            unseen[count..count + copies].fill(Card::from_index(index));
            count += copies;
        }
        rng.shuffle(&mut unseen[..count]);
        let mut drawn = unseen[..count].iter().copied();
        let mut next = || drawn.next().expect("as many unseen cards as unseen places");

        let mut hands = [Hand::default(); Saboteur::MAX_PLAYERS];
        hands[self.seat.index()] = self.hand;
        for seat in public.seats().filter(|&seat| seat != self.seat) {
            for _ in 0..public.hand_size(seat) {
                hands[seat.index()].push(next());
            }
        }
        let mut deck = Cards::default();
        for _ in 0..public.deck_left() {
            deck.push(next());
        }
        let mut pile = self.pile;
        for (place, by) in public.pile().enumerate() {
            if by != self.seat {
                pile[place] = next();
            }
        }
        let mut bundles = self.bundles;
        let rounds = public.past().len();
        imagine_bundles(public.past(), &mut bundles[..rounds], rng);
        World {
            saboteurs: self.imagine_roles(rng),
            goals: self.imagine_goals(rng),
            hands,
            deck,
            pile,
            bundles,
            chance: rng.bits(),
            public,
        }
    }
}

impl View {
    fn imagine_roles(&self, rng: &mut Rng) -> Seats {
        // After the last round the roles lie open.
        if let (None, Some(past)) = (self.public.turn, self.public.past().last()) {
            return past.saboteurs;
        }
        let own = (self.seat, self.role == Role::Saboteur);
        draw_roles(self.public.rules, Some(own), rng)
    }

    fn imagine_goals(&self, rng: &mut Rng) -> [GoalCard; 3] {
        let mut rest = GoalCard::ALL;
        let mut count = 0;
        for card in GoalCard::ALL {
            if !self.goals.contains(&Some(card)) {
                rest[count] = card;
                count += 1;
            }
        }
        rng.shuffle(&mut rest[..count]);
        let mut rest = rest[..count].iter().copied();
        self.goals
            .map(|goal| goal.unwrap_or_else(|| rest.next().expect("three cards for three goals")))
    }
}
