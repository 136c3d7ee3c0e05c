//! Truncated rollouts: a move is played on for some plies in sampled worlds, both sides following the net's policy, and the
//! net's value of the last position is its result.

use super::policy_net::{PolicyNet, sample};
use crate::Geister;
use crate::action::{Action, Event};
use crate::encoding::Memory;
use crate::piece::Placement;
use crate::view::View;
use crate::world::World;
use oboro_core::{GameEncoding, GameWorld, Rng, Seat, SeatView};
use oboro_search::{Budget, Tally, halve};

/// The memories of both seats as far as one of them knows: the enemy's is kept as if all its pieces were blue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct SeatMemories {
    pub(super) own: Memory,
    enemy: Memory,
}

impl SeatMemories {
    /// The memories of seats that have seen nothing but this.
    pub(crate) fn of(view: &View) -> SeatMemories {
        let rules = Geister::default();
        let enemy = View { seat: view.enemy(), reds: 0, shown_reds: 0, shown_blues: 0, ..*view };
        SeatMemories { own: rules.memory(view), enemy: rules.memory(&enemy) }
    }

    /// Takes in what the seat saw happen.
    pub(crate) fn follow(&mut self, before: &View, event: Event) {
        let rules = Geister::default();
        rules.remember(&mut self.own, before, &event);
        if !matches!(event, Event::Placed { .. }) {
            rules.remember(&mut self.enemy, before, &event);
        }
    }

    /// Both memories, by seat, in a sampled world.
    fn within(&self, view: &View, world: &World) -> [Memory; 2] {
        let enemy = self.enemy_within(view, world);
        if view.seat().index() == 0 { [self.own, enemy] } else { [enemy, self.own] }
    }

    /// The enemy's memory in a sampled world.
    pub(crate) fn enemy_within(&self, view: &View, world: &World) -> Memory {
        let mut enemy = self.enemy;
        let placement = Placement::from_reds(world.reds(view.enemy()));
        let event = Event::Placed { seat: view.enemy(), placement };
        Geister::default().remember(&mut enemy, view, &event);
        enemy
    }
}

/// The settings of rollouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Rollouts {
    /// Rollouts of all moves together.
    pub(super) budget: Budget,
    /// Plies after the move; one more where the enemy would be to move.
    pub(super) plies: u32,
    /// Moves less likely than this share of the likeliest are not played.
    pub(super) min_relative: f64,
}

impl Rollouts {
    /// The mean result, 0 to 1, of each of some actions in worlds drawn from weighted colourings of the enemy's pieces; `prior`
    /// is added to it when candidates are compared.
    pub(super) fn evaluate(
        &self,
        net: &mut PolicyNet,
        (view, memories): (&View, &SeatMemories),
        colourings: &[(u8, f64)],
        actions: Vec<Action>,
        prior: impl Fn(Action) -> f64,
        rng: &mut Rng,
    ) -> Vec<Tally<Action>> {
        let imagine = |rng: &mut Rng| {
            let world = view.with_reds(sample(colourings, rng));
            (world, memories.within(view, &world))
        };
        let play = |start: &mut (World, [Memory; 2]), action, stream: &mut Rng| {
            let (world, memories) = *start;
            self.play(net, view.seat(), world, memories, action, stream)
        };
        halve(self.budget, actions, imagine, play, prior, rng)
    }

    /// The result of one rollout to the seat that takes the action.
    fn play(
        &self,
        net: &mut PolicyNet,
        mover: Seat,
        mut world: World,
        mut memories: [Memory; 2],
        mut action: Action,
        rng: &mut Rng,
    ) -> f64 {
        let rules = Geister::default();
        let mut plies = 0;
        loop {
            for (seat, memory) in Seat::all(2).zip(&mut memories) {
                rules.remember(memory, &world.view(seat), &world.event(action, seat));
            }
            world.apply(action);
            let Some(seat) = world.to_act() else { return world.payoff(mover) };
            let own = world.view(seat);
            action = if let Some(piece) = own.leaver() {
                Action::Escape(piece)
            } else {
                let prediction = net.evaluate(&own, &memories[seat.index()]);
                if plies >= self.plies && seat == mover {
                    return prediction.value;
                }
                sample(&prediction.probabilities(|_| true, 1.0, self.min_relative), rng)
            };
            plies += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Piece;
    use oboro_core::Game;

    #[test]
    fn the_memory_of_the_enemy_is_exact_once_its_colours_are_known() {
        let rules = Geister::default();
        for seed in 0..20 {
            let mut rng = Rng::from_u64(seed);
            let mut world = rules.deal(&mut rng);
            let seats = [Seat::new(0), Seat::new(1)];
            let mut exact = seats.map(|seat| rules.memory(&world.view(seat)));
            let mut guessed = seats.map(|seat| SeatMemories::of(&world.view(seat)));
            while world.to_act().is_some() {
                let action = world.random_action(&mut rng);
                for seat in seats {
                    let (view, event) = (world.view(seat), world.event(action, seat));
                    rules.remember(&mut exact[seat.index()], &view, &event);
                    guessed[seat.index()].follow(&view, event);
                }
                world.apply(action);
                if world.public().has_placed(seats[1]) {
                    for seat in seats {
                        let within = guessed[seat.index()].within(&world.view(seat), &world);
                        assert_eq!(within, exact, "seed {seed}, {seat:?}");
                    }
                }
            }
        }
    }

    /// Where an enemy blue stands on an exit, every move but its capture loses at once.
    #[test]
    fn rollouts_see_that_an_enemy_escapes() {
        let rules = Geister::default();
        let (mut net, mut seen) = (PolicyNet::new(0), 0);
        let rollouts = Rollouts { budget: Budget::from(60), plies: 2, min_relative: 0.05 };
        for seed in 0..200 {
            let mut rng = Rng::from_u64(seed);
            let mut world = rules.deal(&mut rng);
            while let Some(seat) = world.to_act() {
                let (view, enemy) = (world.view(seat), seat.next(2));
                let danger = Piece::of_set(world.public().alive(enemy) & !world.reds(enemy))
                    .find(|&piece| world.public().is_on_exit(enemy, piece));
                if let Some(danger) = danger.filter(|_| view.own_blues().count_ones() > 1) {
                    let known = [(world.reds(enemy) & view.hidden(), 1.0)];
                    let actions = view.legal_actions();
                    let tallies = rollouts.evaluate(
                        &mut net,
                        (&view, &SeatMemories::of(&view)),
                        &known,
                        actions,
                        |_| 0.0,
                        &mut rng,
                    );
                    for tally in tallies {
                        let saves = match tally.action {
                            Action::Move(piece, way) => {
                                world.public().capture(seat, piece, way) == Some(danger)
                            }
                            Action::Escape(_) => true,
                            Action::Place(_) => unreachable!("both have placed"),
                        };
                        assert_eq!(tally.mean() > 0.0, saves, "{} seed {seed}", tally.action);
                        seen += usize::from(saves);
                    }
                }
                world.apply(world.random_action(&mut rng));
            }
        }
        assert!(seen > 2, "somebody could be saved: {seen}");
    }
}
