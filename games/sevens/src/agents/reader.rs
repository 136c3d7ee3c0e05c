use super::mc::{analysis, at_least_one, candidates};
use super::{ByHand, Eval};
use crate::{Action, Cards, MAX_PLAYERS, Sevens, View, World};
use oboro_core::{Agent, Analysis, Factory, GameWorld, Rng, Seat, SeatView, SpecError, fresh};
use oboro_search::{Tally, best_tally, playout};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The parameters of our own player, which reads hands from passes.
///
/// Whoever passes probably holds none of the cards that were playable then. Each such pass multiplies the
/// weight with which those cards are dealt to that player by `doubt`. Every imagined world is played
/// out once for each action, so that actions are compared on the same deals.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Reader {
    /// Playouts a decision.
    pub playouts: u32,
    /// What a pass leaves of the belief that the player holds a card that was playable then: 1
    /// ignores passes, 0 takes them as proof.
    pub doubt: f64,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader { playouts: 2000, doubt: 0.3 }
    }
}

impl Reader {
    pub(super) fn factory(self) -> Result<Factory<Sevens>, SpecError> {
        at_least_one(self.playouts)?;
        if !(0.0..=1.0).contains(&self.doubt) {
            return Err(SpecError(format!("doubt={}: from 0 to 1", self.doubt)));
        }
        Ok(fresh(ReaderAgent { params: self }))
    }
}

#[derive(Clone, Copy, Debug)]
struct ReaderAgent {
    params: Reader,
}

/// For every card the weight of each player as its holder.
type Weights = [[f64; MAX_PLAYERS]; 64];

impl ReaderAgent {
    fn weights(self, view: &View) -> Weights {
        let mut weights = [[1.0; MAX_PLAYERS]; 64];
        for (seat, playable) in view.passes_made() {
            for card in playable {
                // Never quite 0: a deal must always be possible.
                let weight = &mut weights[card.index()][seat.index()];
                *weight = (*weight * self.params.doubt).max(1e-6);
            }
        }
        weights
    }

    /// Deals the unknown cards in random order, each to a player with room in proportion to
    /// weight × room.
    fn imagine(view: &View, weights: &Weights, rng: &mut Rng) -> World {
        let mut cards = [crate::Card::from_index(0); 52];
        let mut count = 0;
        for card in view.unknown() {
            cards[count] = card;
            count += 1;
        }
        rng.shuffle(&mut cards[..count]);
        let mut room = view.sizes();
        room[view.seat().index()] = 0;
        let mut hands = [Cards::NONE; MAX_PLAYERS];
        for &card in &cards[..count] {
            let share = |seat: usize| weights[card.index()][seat] * f64::from(room[seat]);
            let total: f64 = (0..MAX_PLAYERS).map(share).sum();
            let mut point = rng.unit() * total;
            let mut owner = 0;
            for seat in (0..MAX_PLAYERS).filter(|&seat| room[seat] > 0) {
                owner = seat;
                point -= share(seat);
                if point < 0.0 {
                    break;
                }
            }
            room[owner] -= 1;
            hands[owner] = hands[owner].with(card);
        }
        view.with_hands(hands)
    }

    fn search(self, view: &View, rng: &mut Rng) -> Vec<Tally<Action>> {
        let weights = self.weights(view);
        let seat: Seat = view.seat();
        let mut tallies: Vec<_> = candidates(view, true).into_iter().map(Tally::new).collect();
        let mut policy = ByHand(Eval::default());
        let worlds = self.params.playouts.div_ceil(tallies.len() as u32);
        for _ in 0..worlds {
            let imagined = Self::imagine(view, &weights, rng);
            for tally in &mut tallies {
                let mut world = imagined;
                world.apply(tally.action);
                playout(&mut world, &mut policy, rng);
                tally.add(world.payoff(seat));
            }
        }
        tallies
    }
}

impl Agent<Sevens> for ReaderAgent {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        if let [only] = view.legal_actions()[..] {
            return only;
        }
        let tallies = self.search(view, rng);
        best_tally(&tallies, rng)
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        let tallies = self.search(view, rng);
        analysis(tallies, rng)
    }
}
