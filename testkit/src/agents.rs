use crate::{difference, place};
use oboro_core::{
    Factory, Game, GameWorld, Live, Player, Record, Replay, Rng, Seat, SeatView, Seed,
};

/// Plays games among agents of one kind and checks that
///
/// - every action is legal;
/// - equal seeds give equal games;
/// - saying what they believe does not change how they play;
/// - the record replays;
/// - **nobody peeks**: with the same story and the same random stream an agent acts alike in the true world and in one
///   that its seat imagines, whatever others of its kind have looked at in between.
///
/// # Panics
/// If a law is broken.
pub fn check_agent<G: Game>(game: &G, factory: &Factory<G>, games: u64) {
    let play = |number: u64, inquisitive: bool| {
        let seeds = Seed::from_u64(number).game(0, 0);
        let world = game.deal(&mut seeds.deal());
        let agents = vec![Some(factory.clone()); game.seats()];
        let mut live = Live::new(game.clone(), world, agents, &seeds);
        let mut asides = Rng::from_u64(number);
        while let Some(seat) = live.to_act() {
            if inquisitive {
                live.beliefs(seat, &mut asides);
            }
            live.step().unwrap_or_else(|error| panic!("{}, seed {number}: {error}", G::NAME));
        }
        live.record()
    };
    for number in 0..games {
        let (record, asked) = (play(number, false), play(number, true));
        if record != asked {
            let again = play(number, false);
            let (other, why) = if again == record {
                (asked, "a game in which the agent was asked for its beliefs differs")
            } else {
                (again, "a second game with the same seed differs")
            };
            panic!("{}, seed {number}: {why}: {}", G::NAME, difference(&record, &other));
        }
        let read: Record = record.to_string().parse().expect("a record reads back");
        let replay = Replay::new(game, &read).expect("a record of this game");
        replay.finish().unwrap_or_else(|error| panic!("{}, seed {number}: {error}", G::NAME));
        check_honesty(game, factory, number);
    }
}

/// What a seat saw: its first view, and every event with its view before.
struct Story<G: Game> {
    start: G::View,
    seen: Vec<(G::View, G::Event)>,
}

impl<G: Game> Story<G> {
    /// What a fresh agent does after it; `None` for one that sees worlds.
    fn decision(&self, factory: &Factory<G>, view: &G::View, seed: u64) -> Option<G::Action> {
        let Player::Agent(mut agent) = factory() else { return None };
        agent.seed(seed);
        agent.begin(&self.start);
        for (before, event) in &self.seen {
            agent.observe_from(&|| before.clone(), event);
        }
        Some(agent.act(view, &mut Rng::from_u64(seed)))
    }
}

/// Asks agents at a few decisions of a random game.
fn check_honesty<G: Game>(game: &G, factory: &Factory<G>, number: u64) {
    const DECISIONS: u32 = 4;
    let mut rng = Rng::from_u64(number);
    let mut world = game.deal(&mut rng);
    let mut stories: Vec<Story<G>> = Seat::all(game.seats())
        .map(|seat| Story { start: world.view(seat), seen: Vec::new() })
        .collect();
    // Every other game is asked later, so that many games see all of a game.
    let from = if number.is_multiple_of(2) { 0 } else { 3 * number };
    let (mut plies, mut asked) = (0, 0);
    while let Some(seat) = world.to_act()
        && asked < DECISIONS
    {
        if u64::from(plies) >= from {
            asked += 1;
            let view = world.view(seat);
            let imagined = view.imagine(&mut rng);
            let story = &stories[seat.index()];
            let Some(ours) = story.decision(factory, &view, number) else { return };
            distract(game, factory, &mut rng);
            let theirs = story.decision(factory, &imagined.view(seat), number);
            assert!(
                theirs == Some(ours),
                "the agent plays {ours} in the true world and {theirs:?} in {}, which looks the same to it; {}",
                game.write_position(&imagined),
                place(game, number, plies, &world)
            );
        }
        let action = world.random_action(&mut rng);
        for (seat, story) in Seat::all(game.seats()).zip(&mut stories) {
            story.seen.push((world.view(seat), world.event(action, seat)));
        }
        world.apply(action);
        plies += 1;
    }
}

/// An agent of the same kind decides in another game: what it leaves behind must not matter.
fn distract<G: Game>(game: &G, factory: &Factory<G>, rng: &mut Rng) {
    let other = game.deal(rng);
    let mover = other.to_act().expect("somebody begins");
    let view = other.view(mover);
    Story { start: view.clone(), seen: Vec::new() }.decision(factory, &view, 0);
}
