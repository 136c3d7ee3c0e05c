//! What the others hold, by what each of them did last: whoever put a card away had nothing better.

use super::deed::{PATH, RANDOM};
use crate::agents::foreman::{Foreman, Suspicions};
use crate::{Action, Card, Cards, Event, Hand, Public, Saboteur, World};
use oboro_core::{Agent as _, GameWorld as _, Rng, Seat};

/// How likely somebody who plays like a `foreman` does something else now and then.
const SLIP: f64 = 0.1;

/// What a seat did last, and what everybody knew before it did.
#[derive(Clone, Copy, Debug)]
struct Moment {
    public: Public,
    suspicions: Suspicions,
    action: Option<Action>,
}

/// The last moment of each seat in this round.
#[derive(Clone, Debug, Default)]
pub(super) struct Moments([Option<Moment>; Saboteur::MAX_PLAYERS]);

impl Moments {
    /// Keeps in mind what somebody does, with the table and everybody's suspicions before it.
    pub(super) fn note(&mut self, public: &Public, suspicions: Suspicions, event: &Event) {
        if event.round_end.is_some() {
            *self = Moments::default();
            return;
        }
        let public = Public { turn: Some(event.seat), ..*public };
        self.0[event.seat.index()] = Some(Moment { public, suspicions, action: event.action });
    }

    /// Draws the hand of each player with a plan anew, up to so many times, until a `foreman` with that hand would have done
    /// what this player did last.
    pub(super) fn redraw(
        &self,
        own: Seat,
        foreman: &Foreman,
        world: &mut World,
        kinds: &[usize; Saboteur::MAX_PLAYERS],
        times: u32,
        rng: &mut Rng,
    ) {
        let mut foreman = foreman.clone();
        for seat in world.public.seats().filter(|&seat| seat != own) {
            let has_a_plan = !matches!(kinds[seat.index()], PATH | RANDOM);
            let Some(moment) = self.0[seat.index()].as_ref().filter(|_| has_a_plan) else {
                continue;
            };
            for _ in 0..times {
                if moment.is_explained(seat, &mut foreman, world, rng) || rng.unit() < SLIP {
                    break;
                }
                draw_again(seat, world, rng);
            }
        }
    }
}

impl Moment {
    /// Whether a `foreman` in place of a seat would have done the same, holding what it holds in this world.
    fn is_explained(
        &self,
        seat: Seat,
        foreman: &mut Foreman,
        world: &World,
        rng: &mut Rng,
    ) -> bool {
        let hand = world.hand(seat);
        let past_len = world.public.past_len;
        let mut before = World { public: Public { past_len, ..self.public }, ..world.clone() };
        let held = &mut before.hands[seat.index()];
        // The card that was drawn afterwards was not there yet: any of them, as all are drawn at random.
        let has_drawn = world.public.deck_left > 0 || hand.len() == world.public.rules.hand_size();
        if has_drawn {
            held.pop();
        }
        held.push(self.action.map_or_else(|| world.last_put_away(seat), Action::card));
        foreman.suspect(self.suspicions);
        let would = foreman.act(&before.view(seat), rng);
        match self.action {
            Some(action) => would == action,
            None => matches!(would, Action::Discard { .. }),
        }
    }
}

/// Shuffles a hand into the deck and draws as many cards from it.
fn draw_again(seat: Seat, world: &mut World, rng: &mut Rng) {
    let size = world.hand(seat).len();
    let mut cards = [Card::default(); Card::DECK];
    let all = size + world.deck.len();
    cards[..size].copy_from_slice(world.hand(seat));
    cards[size..all].copy_from_slice(&world.deck);
    rng.shuffle(&mut cards[..all]);
    let (hand, deck) = cards[..all].split_at(size);
    world.hands[seat.index()] = Hand::from_slice(hand).expect("as many as before");
    world.deck = Cards::from_slice(deck).expect("as many as before");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::foreman::Habits;
    use crate::agents::oboro::watcher::Watcher;
    use oboro_core::{Game as _, SeatView as _, Seed};

    /// How many of the last deeds are explained by what seats really hold, by hands as imagined, and by hands drawn again.
    #[test]
    fn what_foremen_hold_explains_what_they_did() {
        let rules = Saboteur { rounds: 1, ..Saboteur::paper() };
        let own = Seat::FIRST;
        let plan = [1; Saboteur::MAX_PLAYERS];
        let (mut asked, mut explained) = (0, [0; 3]);
        for number in 0..12 {
            let mut rng = Seed::from_u64(7).game(number, number).deal();
            let mut world = rules.deal(&mut rng);
            let foreman = Foreman::new(rules, Habits::default()).unwrap();
            let mut players = vec![foreman.clone(); rules.seats()];
            let (mut crew, mut watcher) = (foreman.clone(), Watcher::new(rules));
            let mut moments = Moments::default();
            while let Some(seat) = world.to_act() {
                let view = world.view(own);
                if seat == own {
                    watcher.look_around(&view);
                    let mut imagined = view.imagine(&mut rng);
                    imagined.saboteurs = world.saboteurs;
                    imagined.goals = world.goals;
                    let mut again = imagined.clone();
                    moments.redraw(own, &foreman, &mut again, &plan, 30, &mut rng);
                    for other in world.public.seats().filter(|&other| other != own) {
                        let Some(moment) = &moments.0[other.index()] else { continue };
                        asked += 1;
                        for (count, world) in explained.iter_mut().zip([&world, &imagined, &again])
                        {
                            let mut actor = foreman.clone();
                            *count +=
                                u32::from(moment.is_explained(other, &mut actor, world, &mut rng));
                        }
                    }
                }
                let action = players[seat.index()].act(&world.view(seat), &mut rng);
                let event = world.event(action, own);
                moments.note(watcher.public(), crew.suspicions(), &event);
                watcher.observe(&event);
                crew.observe(&event);
                let events: Vec<Event> =
                    world.public.seats().map(|seat| world.event(action, seat)).collect();
                world.apply(action);
                for (player, event) in players.iter_mut().zip(&events) {
                    player.observe(event);
                }
            }
        }
        let [truly, at_first, again] = explained.map(|count| f64::from(count) / f64::from(asked));
        assert!(asked > 300, "{asked}");
        assert!(truly > 0.95, "{truly}");
        assert!(at_first < 0.7, "{at_first}");
        assert!(again > at_first + 0.2, "{at_first} {again}");
    }
}
