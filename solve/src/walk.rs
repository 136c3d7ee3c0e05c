use crate::sample::Measured;
use crate::side::hash_of;
use crate::tree::{Limits, TreeError};
use oboro_core::{Game, GameWorld, Seat};
use std::hash::{Hash, Hasher};

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
            let mut groups = Groups::new();
            for (chance, mut world) in deals.clone() {
                walk.histories += 1;
                let group = groups.of_view(hash_of(&world.view(seat)));
                world.forget();
                groups.groups[group].1.push(Possible { world, chance, ways: 1 });
            }
            let worth = walk.all(groups)?;
            best.push(worth.best);
            payoffs.push(worth.mean);
            (sets, histories) = (walk.sets, walk.histories);
        }
        let gains = best.iter().sum::<f64>() - payoffs.iter().sum::<f64>();
        let exploitability = gains / game.seats() as f64;
        let measured = Measured { exploitability, error: 0.0, sampled: false, best, payoffs };
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

/// Possible worlds by what the seat sees.
struct Groups<W: GameWorld> {
    /// The hash of a view, and the worlds that have it.
    groups: Vec<(u64, Vec<Possible<W>>)>,
    /// What the seat saw of an action, and the group that it led to.
    events: Vec<(W::Event, usize)>,
}

impl<W: GameWorld> Groups<W>
where
    W::Event: PartialEq,
{
    fn new() -> Groups<W> {
        Groups { groups: Vec::new(), events: Vec::new() }
    }

    /// The group of a view.
    fn of_view(&mut self, view: u64) -> usize {
        let known = self.groups.iter().position(|(other, _)| *other == view);
        known.unwrap_or_else(|| {
            self.groups.push((view, Vec::new()));
            self.groups.len() - 1
        })
    }

    /// The group of an event: what a seat saw before and the event say what it sees now, which is asked for only once.
    fn of_event(&mut self, event: W::Event, view: impl FnOnce() -> u64) -> usize {
        if let Some((_, group)) = self.events.iter().find(|(other, _)| *other == event) {
            return *group;
        }
        let group = self.of_view(view());
        self.events.push((event, group));
        group
    }
}

/// Makes equal worlds one.
fn merge<W: GameWorld>(worlds: &mut Vec<Possible<W>>) {
    worlds.sort_by_cached_key(|possible| {
        let mut mixer = Mixer(0);
        possible.world.hash(&mut mixer);
        mixer.0
    });
    worlds.dedup_by(|next, kept| {
        let same = next.world == kept.world;
        if same {
            kept.chance += next.chance;
            kept.ways += next.ways;
        }
        same
    });
}

/// A quick hash that brings equal worlds together; it need not tell all others apart.
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn finish(&self) -> u64 {
        self.0
    }
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
        W::Event: PartialEq,
        W::View: Hash,
    {
        let mut sum = Worth::default();
        for (_, mut worlds) in groups.groups {
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
        W::Event: PartialEq,
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
        W::Event: PartialEq,
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
            let mut groups = Groups::new();
            for possible in worlds {
                let (group, next) = self.play(possible, action, 1.0, &mut groups);
                groups.groups[group].1.push(next);
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
        W::Event: PartialEq,
        W::View: Hash,
    {
        let mut groups = Groups::new();
        let mut actions = Vec::new();
        // The first group is that of worlds in which the seat has noticed nothing.
        let unnoticed = groups.of_view(hash_of(&worlds[0].world.view(self.seat)));
        while let Some(possible) = worlds.pop() {
            actions.clear();
            possible.world.legal(&mut actions);
            for &action in &actions {
                let share = 1.0 / actions.len() as f64;
                let (group, next) = self.play(&possible, action, share, &mut groups);
                let worlds =
                    if group == unnoticed { &mut worlds } else { &mut groups.groups[group].1 };
                worlds.push(next);
            }
        }
        groups.groups.remove(unnoticed);
        groups
    }

    /// Plays an action, and forgets the past; in which group the world is then.
    fn play<W: GameWorld>(
        &mut self,
        Possible { world, chance, ways }: &Possible<W>,
        action: W::Action,
        share: f64,
        groups: &mut Groups<W>,
    ) -> (usize, Possible<W>)
    where
        W::Event: PartialEq,
        W::View: Hash,
    {
        let mut next = world.clone();
        next.apply(action);
        self.histories += ways;
        let event = world.event(action, self.seat);
        let group = groups.of_event(event, || hash_of(&next.view(self.seat)));
        next.forget();
        (group, Possible { world: next, chance: chance * share, ways: *ways })
    }
}
