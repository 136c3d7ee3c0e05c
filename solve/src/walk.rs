use crate::sample::Measured;
use crate::side::hash_of;
use crate::tree::{Limits, TreeError};
use oboro_core::{Game, GameWorld, Seat};
use std::hash::Hash;

/// How far uniform play can be exploited, without a tree in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Uniform {
    /// The exact figures.
    pub measured: Measured,
    /// Information sets, all seats together.
    pub sets: usize,
    /// Histories, endings included; one is counted for every deal that it is possible in.
    pub histories: u64,
}

impl Uniform {
    /// Walks through the information sets of each seat depth first, with all worlds that are possible there. Worlds that
    /// differ only in their past are one ([`GameWorld::forget`]), since uniform play does not depend on it. That suits games
    /// with few worlds an information set and far too many histories for a [`Tree`](crate::Tree).
    ///
    /// # Errors
    /// If the game is too large, or its views are no information sets.
    pub fn measure<G: Game>(game: &G, limits: Limits) -> Result<Uniform, TreeError> {
        if !G::PERFECT_RECALL {
            return Err(TreeError::Forgets(G::NAME));
        }
        let deals = game.deals().ok_or(TreeError::NoDeals(G::NAME))?;
        let (mut best, mut payoffs) = (Vec::new(), Vec::new());
        let (mut sets, mut histories) = (0, 0);
        for seat in Seat::all(game.seats()) {
            let mut walk = Walk { game: G::NAME, seat, limits, sets, histories: 0 };
            let mut groups = Groups::default();
            for (chance, world) in deals.clone() {
                walk.histories += 1;
                groups.add(hash_of(&world.view(seat)), Possible { world, chance, ways: 1 });
            }
            let worth = walk.all(groups)?;
            best.push(worth.best);
            payoffs.push(worth.mean);
            (sets, histories) = (walk.sets, walk.histories);
        }
        let gains = best.iter().sum::<f64>() - payoffs.iter().sum::<f64>();
        let exploitability = gains / game.seats() as f64;
        let measured = Measured { exploitability, error: 0.0, best, payoffs };
        Ok(Uniform { measured, sets, histories })
    }
}

/// A world that is possible at an information set.
struct Possible<W> {
    world: W,
    /// How likely chance and the other seats lead to it.
    chance: f64,
    /// How many histories do.
    ways: u64,
}

/// What an information set is worth to its seat, by the best response and by uniform play.
#[derive(Clone, Copy, Default)]
struct Worth {
    best: f64,
    mean: f64,
}

/// Possible worlds by the hash of what the seat sees.
struct Groups<W>(Vec<(u64, Vec<Possible<W>>)>);

impl<W> Default for Groups<W> {
    fn default() -> Groups<W> {
        Groups(Vec::new())
    }
}

impl<W: GameWorld> Groups<W> {
    /// Forgets the past of a world and adds it to those that look the same.
    fn add(&mut self, view: u64, mut possible: Possible<W>) {
        possible.world.forget();
        match self.0.iter_mut().find(|(other, _)| *other == view) {
            Some((_, worlds)) => worlds.push(possible),
            None => self.0.push((view, vec![possible])),
        }
    }
}

/// Makes equal worlds one.
fn merge<W: GameWorld>(worlds: &mut Vec<Possible<W>>) {
    worlds.sort_by_cached_key(|possible| hash_of(&possible.world));
    worlds.dedup_by(|next, kept| {
        let same = next.world == kept.world;
        if same {
            kept.chance += next.chance;
            kept.ways += next.ways;
        }
        same
    });
}

/// A walk through the information sets of one seat.
struct Walk {
    game: &'static str,
    seat: Seat,
    limits: Limits,
    sets: usize,
    histories: u64,
}

impl Walk {
    /// What some groups are worth together.
    fn all<W: GameWorld>(&mut self, groups: Groups<W>) -> Result<Worth, TreeError>
    where
        W::View: Hash,
    {
        let mut sum = Worth::default();
        for (_, mut worlds) in groups.0 {
            merge(&mut worlds);
            let worth = self.group(worlds)?;
            sum.best += worth.best;
            sum.mean += worth.mean;
        }
        Ok(sum)
    }

    /// What worlds are worth that the seat cannot tell apart.
    fn group<W: GameWorld>(&mut self, worlds: Vec<Possible<W>>) -> Result<Worth, TreeError>
    where
        W::View: Hash,
    {
        match worlds[0].world.to_act() {
            None => {
                let payoff = |it: &Possible<W>| it.chance * it.world.payoff(self.seat);
                let sum = worlds.iter().map(payoff).sum();
                Ok(Worth { best: sum, mean: sum })
            }
            Some(seat) if seat == self.seat => self.decide(&worlds),
            Some(_) => {
                let groups = self.others(worlds);
                self.all(groups)
            }
        }
    }

    /// The seat's own decision.
    fn decide<W: GameWorld>(&mut self, worlds: &[Possible<W>]) -> Result<Worth, TreeError>
    where
        W::View: Hash,
    {
        self.sets += 1;
        if self.sets > self.limits.sets {
            return Err(TreeError::TooLarge(self.game, self.limits));
        }
        let mut actions = Vec::new();
        worlds[0].world.legal(&mut actions);
        let mut worth = Worth { best: f64::NEG_INFINITY, mean: 0.0 };
        for &action in &actions {
            let mut groups = Groups::default();
            for possible in worlds {
                let view = self.play(possible, action, 1.0);
                groups.add(view.0, view.1);
            }
            let found = self.all(groups)?;
            worth.best = worth.best.max(found.best);
            worth.mean += found.mean / actions.len() as f64;
        }
        Ok(worth)
    }

    /// Others act at random until the seat notices something.
    fn others<W: GameWorld>(&mut self, mut worlds: Vec<Possible<W>>) -> Groups<W>
    where
        W::View: Hash,
    {
        let mut groups = Groups::default();
        let mut actions = Vec::new();
        let before = hash_of(&worlds[0].world.view(self.seat));
        while let Some(possible) = worlds.pop() {
            actions.clear();
            possible.world.legal(&mut actions);
            for &action in &actions {
                let (view, next) = self.play(&possible, action, 1.0 / actions.len() as f64);
                if view == before {
                    let mut next = next;
                    next.world.forget();
                    worlds.push(next);
                } else {
                    groups.add(view, next);
                }
            }
        }
        groups
    }

    /// Plays an action; what the seat sees then.
    fn play<W: GameWorld>(
        &mut self,
        Possible { world, chance, ways }: &Possible<W>,
        action: W::Action,
        share: f64,
    ) -> (u64, Possible<W>)
    where
        W::View: Hash,
    {
        let mut world = world.clone();
        world.apply(action);
        self.histories += ways;
        (hash_of(&world.view(self.seat)), Possible { world, chance: chance * share, ways: *ways })
    }
}
