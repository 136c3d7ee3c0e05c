//! Moves tried out before they are played: each is played on for a few plies in worlds that may be the true one, both sides
//! moving as the net would, and the net judges where that leads.

use crate::Geister;
use crate::action::{Action, Event};
use crate::brain::{Mind, draw};
use crate::encoding::Memory;
use crate::piece::Placement;
use crate::view::View;
use crate::world::World;
use oboro_core::{GameEncoding, GameWorld, Rng, Seat, SeatView};
use oboro_search::{Budget, Tally, halve};

/// What both seats remember of a game, as far as one of them can tell: the other's memory as if all its pieces were blue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Memories {
    pub(crate) own: Memory,
    enemy: Memory,
}

impl Memories {
    /// Those of seats who have seen nothing but this.
    pub(crate) fn of(view: &View) -> Memories {
        let rules = Geister::default();
        let enemy = View { seat: view.enemy(), reds: 0, shown_reds: 0, shown_blues: 0, ..*view };
        Memories { own: rules.memory(view), enemy: rules.memory(&enemy) }
    }

    /// Takes in what the seat saw happen.
    pub(crate) fn follow(&mut self, before: &View, event: Event) {
        let rules = Geister::default();
        rules.remember(&mut self.own, before, &event);
        if !matches!(event, Event::Placed { .. }) {
            rules.remember(&mut self.enemy, before, &event);
        }
    }

    /// Both, by seat, in a world that may be the true one.
    fn within(&self, view: &View, world: &World) -> [Memory; 2] {
        let enemy = self.enemy_within(view, world);
        if view.seat().index() == 0 { [self.own, enemy] } else { [enemy, self.own] }
    }

    /// The other's in a world that may be the true one.
    pub(crate) fn enemy_within(&self, view: &View, world: &World) -> Memory {
        let mut enemy = self.enemy;
        let placement = Placement::from_reds(world.reds(view.enemy()));
        let event = Event::Placed { seat: view.enemy(), placement };
        Geister::default().remember(&mut enemy, view, &event);
        enemy
    }
}

/// How moves are tried out.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Rehearsal {
    /// Lines that are played, all moves together.
    pub(crate) budget: Budget,
    /// Plies after the move; where that is the other's turn, one more.
    pub(crate) plies: u32,
    /// Moves that a side likes less than this share of its favourite are not played.
    pub(crate) least: f64,
}

impl Rehearsal {
    /// What each of some actions is worth, 0 to 1, in worlds drawn from colourings of the other's pieces and their weights; `liking` is
    /// what speaks for an action anyway.
    pub(crate) fn weigh(
        &self,
        mind: &mut Mind,
        (view, memories): (&View, &Memories),
        colourings: &[(u8, f64)],
        actions: Vec<Action>,
        liking: impl Fn(Action) -> f64,
        rng: &mut Rng,
    ) -> Vec<Tally<Action>> {
        let imagine = |rng: &mut Rng| {
            let world = view.with_reds(draw(colourings, rng));
            (world, memories.within(view, &world))
        };
        let play = |start: &mut (World, [Memory; 2]), action, stream: &mut Rng| {
            let (world, memories) = *start;
            self.play(mind, view.seat(), world, memories, action, stream)
        };
        halve(self.budget, actions, imagine, play, liking, rng)
    }

    /// What an action leads to in a world, to the seat that takes it.
    fn play(
        &self,
        mind: &mut Mind,
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
                let opinion = mind.consider(&own, &memories[seat.index()]);
                if plies >= self.plies && seat == mover {
                    return opinion.value;
                }
                draw(&opinion.shares(|_| true, 1.0, self.least), rng)
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
    fn what_the_other_remembers_is_known_once_its_colours_are() {
        let rules = Geister::default();
        for seed in 0..20 {
            let mut rng = Rng::from_u64(seed);
            let mut world = rules.deal(&mut rng);
            let seats = [Seat::new(0), Seat::new(1)];
            let mut true_ones = seats.map(|seat| rules.memory(&world.view(seat)));
            let mut guessed = seats.map(|seat| Memories::of(&world.view(seat)));
            while world.to_act().is_some() {
                let action = world.random_action(&mut rng);
                for seat in seats {
                    let (view, event) = (world.view(seat), world.event(action, seat));
                    rules.remember(&mut true_ones[seat.index()], &view, &event);
                    guessed[seat.index()].follow(&view, event);
                }
                world.apply(action);
                if world.public().has_placed(seats[1]) {
                    for seat in seats {
                        let within = guessed[seat.index()].within(&world.view(seat), &world);
                        assert_eq!(within, true_ones, "seed {seed}, {seat:?}");
                    }
                }
            }
        }
    }

    /// Where a blue of the other's stands on an exit, every move but its capture loses at once.
    #[test]
    fn a_playout_sees_who_leaves() {
        let rules = Geister::default();
        let (mut mind, mut seen) = (Mind::new(0), 0);
        let rehearsal = Rehearsal { budget: Budget::from(60), plies: 2, least: 0.05 };
        for seed in 0..200 {
            let mut rng = Rng::from_u64(seed);
            let mut world = rules.deal(&mut rng);
            while let Some(seat) = world.to_act() {
                let (view, enemy) = (world.view(seat), seat.next(2));
                let danger = Piece::of_set(world.public().alive(enemy) & !world.reds(enemy))
                    .find(|&piece| world.public().is_on_exit(enemy, piece));
                if let Some(danger) = danger.filter(|_| view.own_blues().count_ones() > 1) {
                    let told = [(world.reds(enemy) & view.hidden(), 1.0)];
                    let actions = view.legal_actions();
                    let tallies = rehearsal.weigh(
                        &mut mind,
                        (&view, &Memories::of(&view)),
                        &told,
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
