//! Hands of the others that are consistent with their last actions.

use super::action_class::{PATH, RANDOM};
use crate::agents::foreman::{Foreman, RoleLogOdds};
use crate::{Action, Card, Cards, Event, Hand, Public, Saboteur, World};
use oboro_core::{Agent as _, GameWorld as _, Rng, Seat};

/// The probability that a player deviates from `foreman`.
const ERROR: f64 = 0.1;

/// The last action of a seat, and what everybody knew before it.
#[derive(Clone, Copy, Debug)]
struct LastAction {
    public: Public,
    log_odds: RoleLogOdds,
    action: Option<Action>,
}

/// The last action of each seat in this round.
#[derive(Clone, Debug, Default)]
pub(super) struct LastActions([Option<LastAction>; Saboteur::MAX_PLAYERS]);

impl LastActions {
    /// Notes an action, with the table and the log-odds of roles before it.
    pub(super) fn note(&mut self, public: &Public, log_odds: RoleLogOdds, event: &Event) {
        if event.round_end.is_some() {
            *self = LastActions::default();
            return;
        }
        let public = Public { turn: Some(event.seat), ..*public };
        self.0[event.seat.index()] = Some(LastAction { public, log_odds, action: event.action });
    }

    /// Resamples the hand of each player that plans, up to `times` times, until a `foreman` with that hand would take
    /// the player's last action.
    pub(super) fn redraw(
        &self,
        own: Seat,
        foreman: &Foreman,
        world: &mut World,
        policies: &[usize; Saboteur::MAX_PLAYERS],
        times: u32,
        rng: &mut Rng,
    ) {
        let mut foreman = foreman.clone();
        for seat in world.public.seats().filter(|&seat| seat != own) {
            let plans = !matches!(policies[seat.index()], PATH | RANDOM);
            let Some(last) = self.0[seat.index()].as_ref().filter(|_| plans) else {
                continue;
            };
            for _ in 0..times {
                if last.is_consistent(seat, &mut foreman, world, rng) || rng.unit() < ERROR {
                    break;
                }
                resample(seat, world, rng);
            }
        }
    }
}

impl LastAction {
    /// Whether a `foreman` with the seat's hand in this world would take the same action.
    fn is_consistent(
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
        // One card was drawn afterwards; all hands are random, so any card will do.
        let has_drawn = world.public.deck_left > 0 || hand.len() == world.public.rules.hand_size();
        if has_drawn {
            held.pop();
        }
        held.push(self.action.map_or_else(|| world.last_put_away(seat), Action::card));
        foreman.set_log_odds(self.log_odds);
        let would = foreman.act(&before.view(seat), rng);
        match self.action {
            Some(action) => would == action,
            None => matches!(would, Action::Discard { .. }),
        }
    }
}

/// Shuffles a hand into the deck and draws as many cards.
fn resample(seat: Seat, world: &mut World, rng: &mut Rng) {
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
    use crate::agents::foreman::ForemanParams;
    use crate::agents::oboro::tracker::RoundTracker;
    use oboro_core::{Game as _, SeatView as _, Seed};

    /// The share of last actions that are consistent with true hands, imagined hands and resampled hands.
    #[test]
    fn resampled_hands_are_more_consistent_than_imagined_ones() {
        let rules = Saboteur { rounds: 1, ..Saboteur::paper() };
        let own = Seat::FIRST;
        let plan = [1; Saboteur::MAX_PLAYERS];
        let (mut asked, mut consistent) = (0, [0; 3]);
        for number in 0..12 {
            let mut rng = Seed::from_u64(7).game(number, number).deal();
            let mut world = rules.deal(&mut rng);
            let foreman = Foreman::new(rules, ForemanParams::default()).unwrap();
            let mut players = vec![foreman.clone(); rules.seats()];
            let (mut observer, mut tracker) = (foreman.clone(), RoundTracker::new(rules));
            let mut last_actions = LastActions::default();
            while let Some(seat) = world.to_act() {
                let view = world.view(own);
                if seat == own {
                    tracker.update(&view);
                    let mut imagined = view.imagine(&mut rng);
                    imagined.saboteurs = world.saboteurs;
                    imagined.goals = world.goals;
                    let mut again = imagined.clone();
                    last_actions.redraw(own, &foreman, &mut again, &plan, 30, &mut rng);
                    for other in world.public.seats().filter(|&other| other != own) {
                        let Some(last) = &last_actions.0[other.index()] else { continue };
                        asked += 1;
                        for (count, world) in consistent.iter_mut().zip([&world, &imagined, &again])
                        {
                            let mut actor = foreman.clone();
                            *count +=
                                u32::from(last.is_consistent(other, &mut actor, world, &mut rng));
                        }
                    }
                }
                let action = players[seat.index()].act(&world.view(seat), &mut rng);
                let event = world.event(action, own);
                last_actions.note(tracker.public(), observer.log_odds(), &event);
                tracker.observe(&event);
                observer.observe(&event);
                let events: Vec<Event> =
                    world.public.seats().map(|seat| world.event(action, seat)).collect();
                world.apply(action);
                for (player, event) in players.iter_mut().zip(&events) {
                    player.observe(event);
                }
            }
        }
        let [truth, imagined, resampled] =
            consistent.map(|count| f64::from(count) / f64::from(asked));
        assert!(asked > 300, "{asked}");
        assert!(truth > 0.95, "{truth}");
        assert!(imagined < 0.7, "{imagined}");
        assert!(resampled > imagined + 0.2, "{imagined} {resampled}");
    }
}
