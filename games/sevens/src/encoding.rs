//! Views as planes and features, for programs that learn.
//!
//! A plane is the pack, a row per suit from ace to king. Players are counted from the observer: itself, then the next
//! to move, and so on; there are as many as the rules have, since every number of players is a game of its own.

use crate::{Action, Card, Cards, Event, LogEntry, MAX_PLAYERS, Sevens, Suit, View, World};
use oboro_core::{
    Channel, EncodingLayout, GameEncoding, ObservationBuffer, Seat, SeatView, Shape, Symmetry,
    player_channels,
};

const PACK: usize = 52;
/// Actions: a card each, then the pass.
const PASS: usize = PACK;

/// The planes before those of the players, which have [`SEAT_PLANES`] each.
const HAND: usize = 0;
const PLAYABLE: usize = 1;
const TIME: usize = 2;
const SEATS: usize = 3;
const SEAT_PLANES: usize = 2;

/// The features before those of the players.
const SEAT_FEATURES: usize = 1;
/// The features of a player before those of its passes.
const PASSES: usize = 6;

/// For every player and card, how often the player passed while the card could be laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Memory {
    passed: [[u8; PACK]; MAX_PLAYERS],
}

impl Memory {
    fn saw_pass(&mut self, seat: Seat, playable: Cards) {
        for card in playable {
            self.passed[seat.index()][cell(card)] += 1;
        }
    }
}

/// Where a card lies in a plane.
#[inline]
fn cell(card: Card) -> usize {
    13 * (card.index() / 16) + card.index() % 16 - 1
}

/// Marks cards in a plane.
#[inline]
fn show(cards: Cards, plane: &mut [u8]) {
    cards.iter().for_each(|card| plane[cell(card)] = 1);
}

fn card_at(cell: usize) -> Card {
    Card::new(Suit::ALL[cell / 13], (cell % 13) as u8 + 1)
}

impl Sevens {
    /// The longest game: every card but the 7s, every pass, and every retirement.
    fn longest(&self) -> u8 {
        48 + self.players * (self.passes + 1)
    }

    fn features_of_seat(&self) -> usize {
        PASSES + usize::from(self.passes)
    }
}

impl GameEncoding for Sevens {
    type Memory = Memory;

    fn layout(&self) -> EncodingLayout {
        EncodingLayout {
            observation: Shape::new([4, 13], self.planes(), self.features()),
            truth: Shape::new(
                [4, 13],
                (1..self.players)
                    .map(|i| Channel::flag(format!("hand {i}"), format!("the cards of player {i}")))
                    .collect(),
                vec![],
            ),
            actions: PASS + 1,
        }
    }

    fn memory(&self, start: &View) -> Memory {
        let mut memory = Memory { passed: [[0; PACK]; MAX_PLAYERS] };
        for (seat, playable) in start.passes_made() {
            memory.saw_pass(seat, playable);
        }
        memory
    }

    #[inline]
    fn remember(&self, memory: &mut Memory, before: &View, event: &Event) {
        if event.action == Action::Pass {
            memory.saw_pass(event.seat, before.public().playable());
        }
    }

    fn encode(&self, view: &View, memory: &Memory, out: ObservationBuffer<'_>) {
        let public = view.public();
        let players = usize::from(self.players);
        let own = view.seat();
        let (planes, by_seat) = out.planes.split_at_mut(SEATS * PACK);
        show(view.hand(), &mut planes[HAND * PACK..]);
        show(public.playable(), &mut planes[PLAYABLE * PACK..]);
        for (seat, planes) in own.round(players).zip(by_seat.chunks_exact_mut(SEAT_PLANES * PACK)) {
            let (laid, passed) = planes.split_at_mut(PACK);
            show(public.laid[seat.index()], laid);
            passed.copy_from_slice(&memory.passed[seat.index()]);
        }

        let block = self.features_of_seat();
        out.features[0] = public.log.len() as u8;
        let by_seat = &mut out.features[SEAT_FEATURES..];
        for (seat, features) in own.round(players).zip(by_seat.chunks_exact_mut(block)) {
            features[..PASSES - 1].copy_from_slice(&[
                view.sizes()[seat.index()],
                public.passes[seat.index()],
                u8::from(public.to_act() == Some(seat)),
                u8::from(seat == Seat::FIRST),
                public.ranks[seat.index()].wrapping_add(1),
            ]);
        }
        let mut passed = [PASSES; MAX_PLAYERS];
        for (time, entry) in (1..).zip(public.log.entries()) {
            let block_of = |seat: Seat| block * seat.turns_after(own, players);
            match entry {
                LogEntry::Laid(card) => planes[TIME * PACK + cell(card)] = time,
                LogEntry::Passed(seat) => {
                    by_seat[block_of(seat) + passed[seat.index()]] = time;
                    passed[seat.index()] += 1;
                }
                LogEntry::Retired(seat) => by_seat[block_of(seat) + PASSES - 1] = time,
            }
        }
    }

    fn encode_truth(&self, world: &World, seat: Seat, out: ObservationBuffer<'_>) {
        let mut other = seat;
        for plane in out.planes.chunks_exact_mut(PACK) {
            other = other.next(self.players.into());
            show(world.hand(other), plane);
        }
    }

    #[inline]
    fn action_index(&self, _view: &View, action: Action) -> usize {
        match action {
            Action::Lay(card) => cell(card),
            Action::Pass => PASS,
        }
    }

    #[inline]
    fn action_at(&self, view: &View, number: usize) -> Option<Action> {
        if view.to_act() != Some(view.seat()) || number > PASS {
            return None;
        }
        let playable = view.playable_hand();
        if number == PASS {
            let may = playable.is_empty() || view.public().passes[view.seat().index()] > 0;
            return may.then_some(Action::Pass);
        }
        let card = card_at(number);
        playable.contains(card).then_some(Action::Lay(card))
    }

    /// The suits can be exchanged, and in each suit low and high cards. All rules for gaps treat both sides of a 7
    /// alike. Any two series could be exchanged without their 7s, too; these 383 symmetries are enough for a learner.
    fn symmetries(&self) -> Vec<Symmetry> {
        let orders = (0..256).map(|n: usize| [n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3]);
        let orders = orders.filter(|to| (0..4).all(|suit| to.contains(&suit)));
        let ways = orders.flat_map(|to| (0..16).map(move |turned| (to, turned)));
        ways.filter(|&way| way != ([0, 1, 2, 3], 0))
            .map(|(to, turned)| self.way(to, turned))
            .collect()
    }
}

impl Sevens {
    /// The symmetry that takes each suit to another; in those of the set `turned` low and high cards are exchanged.
    fn way(&self, to: [usize; 4], turned: usize) -> Symmetry {
        let image = |cell: usize| {
            let (suit, rank) = (cell / 13, cell % 13);
            13 * to[suit] + if turned >> suit & 1 == 0 { rank } else { 12 - rank }
        };
        let packs = |planes: usize, features: usize| -> Vec<u32> {
            let mut from: Vec<u32> = (0..(planes * PACK + features) as u32).collect();
            for place in 0..planes * PACK {
                from[place - place % PACK + image(place % PACK)] = place as u32;
            }
            from
        };
        let players = usize::from(self.players);
        let mut name = "the suits SHDC become ".to_owned();
        for (suit, &to) in to.iter().enumerate() {
            name.push(Suit::ALL[to].letter());
            name.push_str(if turned >> suit & 1 == 0 { "" } else { "'" });
        }
        Symmetry {
            name,
            observation: packs(
                SEATS + SEAT_PLANES * players,
                SEAT_FEATURES + players * self.features_of_seat(),
            ),
            truth: packs(players - 1, 0),
            actions: (0..PASS).map(image).chain([PASS]).map(|number| number as u32).collect(),
        }
    }

    fn planes(&self) -> Vec<Channel> {
        let mut planes = vec![
            Channel::flag("hand", "a card in the observer's hand"),
            Channel::flag("playable", "a card that its holder could lay now"),
            Channel::count(
                "laid at",
                self.longest(),
                "the turn in which the card was laid, from 1; 0 for 7s, cards laid by retiring, and others",
            ),
        ];
        let passes = self.passes + 1;
        planes.extend((0..self.players).flat_map(|i| {
            player_channels(
                i,
                &[
                    ("laid by #", 1, "a card that player # laid"),
                    (
                        "passed by #",
                        passes,
                        "how often player # passed while the card could be laid",
                    ),
                ],
            )
        }));
        planes
    }

    fn features(&self) -> Vec<Channel> {
        let longest = self.longest();
        let mut features =
            vec![Channel::count("turns", longest, "how many turns have been taken, up to now")];
        // A learner divides by the largest value.
        let passes = self.passes.max(1);
        let channels = [
            ("cards #", 48, "cards in the hand of player #"),
            ("passes #", passes, "passes left to player #"),
            ("to act #", 1, "it is the turn of player #"),
            ("first #", 1, "player # had the first turn"),
            (
                "rank #",
                self.players,
                "the final rank of player #, 1 the best; 0 while it is in the game",
            ),
            (
                "retired at #",
                longest,
                "the turn in which player # retired, from 1; 0 if it did not",
            ),
        ];
        for i in 0..self.players {
            features.extend(player_channels(i, &channels));
            features.extend((1..=self.passes).map(|n| {
                let about = format!(
                    "the turn of pass number {n} of player {i}, from 1; 0 if there was none"
                );
                Channel::count(format!("pass {n} of {i} at"), longest, about)
            }));
        }
        features
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GapRule;
    use crate::card::RANKS;
    use oboro_core::{Game, GameWorld, Rng};
    use oboro_testkit::{Effort, check_encoding, check_symmetry};

    #[test]
    fn encodings_keep_their_laws() {
        for players in 3..=6 {
            let game = Sevens { players, ..Sevens::default() };
            check_encoding(&game, Effort { games: 3, every: 3, ..Effort::default() });
        }
        for (passes, gaps) in [(0, GapRule::Strict), (7, GapRule::Either), (1, GapRule::Ends)] {
            let game = Sevens { passes, gaps, ..Sevens::default() };
            check_encoding(&game, Effort { games: 3, every: 3, ..Effort::default() });
        }
    }

    #[test]
    fn exchanged_suits_and_sides_exchange_the_encoding() {
        let mut rng = Rng::from_u64(5);
        for gaps in GapRule::ALL {
            let game = Sevens { gaps, ..Sevens::default() };
            let symmetries = game.symmetries();
            assert_eq!(symmetries.len(), 24 * 16 - 1);
            for symmetry in symmetries.iter().step_by(19) {
                let start = game.deal(&mut rng);
                let image = Seat::all(MAX_PLAYERS).map(|seat| -> Cards {
                    let dealt = start.hand(seat).or(start.public().laid[seat.index()]);
                    dealt.iter().map(|c| card_at(symmetry.actions[cell(c)] as usize)).collect()
                });
                let mut hands = [Cards::EMPTY; MAX_PLAYERS];
                hands.iter_mut().zip(image).for_each(|(hand, cards)| *hand = cards);
                let image = World::start(&game, hands);
                check_symmetry(&game, symmetry, [start, image], &mut rng);
            }
        }
    }

    #[test]
    fn memory_can_be_rebuilt_from_the_log() {
        let game = Sevens { players: 5, passes: 2, ..Sevens::default() };
        let mut rng = Rng::from_u64(6);
        for _ in 0..20 {
            let mut world = game.deal(&mut rng);
            let seat = Seat::new(2);
            let mut memory = game.memory(&world.view(seat));
            while world.to_act().is_some() {
                let action = world.random_action(&mut rng);
                game.remember(&mut memory, &world.view(seat), &world.event(action, seat));
                world.apply(action);
                assert_eq!(memory, game.memory(&world.view(seat)), "{world}");
            }
        }
    }

    #[test]
    fn cards_and_cells_correspond() {
        for (i, card) in Cards::ALL.iter().enumerate() {
            assert_eq!((cell(card), card_at(i)), (i, card));
            assert_eq!(card.to_string().chars().nth(1), Some(RANKS[i % 13]));
        }
    }
}
