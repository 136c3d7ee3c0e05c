//! `oboro`: its beliefs, its endgames, and its budget.

use oboro_core::{Agent, Belief, Game, GameScenes, GameWorld, Rng, Seat, SeatView, Stop};
use oboro_labyrinth::agents::{Exhaustive, ExhaustiveParams, GoalSearch, Oboro, OboroParams};
use oboro_labyrinth::{Action, Cell, Finish, Goal, Labyrinth, Treasure, View, World};

const OWN: Seat = Seat::FIRST;
const RIVAL: Seat = Seat::new(1);

fn oboro(nodes: u64) -> Oboro {
    Oboro::new(OboroParams { nodes, ..OboroParams::default() }).expect("in range")
}

/// Plays a turn and shows it to the agent in seat 0.
fn show(agent: &mut Oboro, world: &mut World, action: Action) {
    let before = world.view(OWN);
    let event = world.event(action, OWN);
    agent.observe_from(&|| before, &event);
    world.apply(action);
}

/// What is believed of the rival's goal, by the agent and by counting.
fn believed(agent: &mut Oboro, view: &View) -> Option<(Belief, Belief)> {
    let of_rival = |beliefs: Vec<Belief>| {
        let subject = format!("seeks:{RIVAL}");
        beliefs.into_iter().find(|belief| belief.subject == subject)
    };
    let counted = Labyrinth::default().secrets(view);
    of_rival(agent.beliefs(view, &mut Rng::from_u64(1))).zip(of_rival(counted))
}

fn id(treasure: Treasure) -> String {
    treasure.to_string().replace(' ', "-")
}

/// The treasures that a seat could end its turn on.
fn within_reach(world: &World, seat: Seat) -> Vec<Treasure> {
    let mut found: Vec<Treasure> = Vec::new();
    let actions = world.legal_actions();
    assert_eq!(world.to_act(), Some(seat));
    for action in actions {
        let mut board = *world.public().board();
        board.push(action.entry, action.rotation);
        found.extend(board.treasure_at(action.to));
    }
    found.sort();
    found.dedup();
    found
}

/// One card is enough to know that the rival looks for some.
#[test]
fn a_treasure_that_was_passed_up_becomes_an_unlikely_goal() {
    let rules = Labyrinth::default();
    let mut rival = Exhaustive::new(ExhaustiveParams::default()).unwrap();
    let (mut left, mut better, mut worse) = (0, 0, 0);
    for seed in 0..10 {
        let mut rng = Rng::from_u64(seed);
        let mut world = rules.deal(&mut rng);
        let mut agent = oboro(1);
        agent.begin(&world.view(OWN));
        for _ in 0..8 {
            let own = world.random_action(&mut rng);
            show(&mut agent, &mut world, own);
            let found = world.public().cards_found(RIVAL);
            let could_take = within_reach(&world, RIVAL);
            let action = rival.act(&world.view(RIVAL), &mut rng);
            show(&mut agent, &mut world, action);
            if found == 0 || world.public().cards_found(RIVAL) > found {
                continue;
            }
            let (mine, counted) = believed(&mut agent, &world.view(OWN)).unwrap();
            for treasure in could_take.into_iter().map(id) {
                let even = counted.probability(&treasure);
                let probability = mine.probability(&treasure);
                assert!(probability <= 0.4 * even, "seed {seed}: {treasure} {probability} {even}");
                left += u32::from(even > 0.0);
            }
            let Goal::Treasure(goal) = world.goal(RIVAL) else { panic!("it has cards left") };
            if mine.brier(&id(goal)) < counted.brier(&id(goal)) {
                better += 1;
            } else {
                worse += 1;
            }
        }
    }
    assert!(left > 30 && better > 4 * worse, "{left} {better} {worse}");
}

/// Games with the rival in seat 1; the mean Brier scores of the agent and of counting.
fn scores(rival: &mut dyn Agent<Labyrinth>, games: u64, turns: usize) -> (f64, f64) {
    let rules = Labyrinth::default();
    let (mut mine, mut counted, mut count) = (0.0, 0.0, 0.0);
    for seed in 100..100 + games {
        let mut rng = Rng::from_u64(seed);
        let mut world = rules.deal(&mut rng);
        let mut agent = oboro(1);
        agent.begin(&world.view(OWN));
        for _ in 0..turns {
            let Some(mover) = world.to_act() else { break };
            let view = world.view(mover);
            let action =
                if mover == OWN { agent.act(&view, &mut rng) } else { rival.act(&view, &mut rng) };
            show(&mut agent, &mut world, action);
            let view = world.view(OWN);
            let answers = rules.answers(&world, &view);
            if let Some((belief, even)) = believed(&mut agent, &view) {
                mine += belief.brier(&answers[0]);
                counted += even.brier(&answers[0]);
                count += 1.0;
            }
        }
    }
    (mine / count, counted / count)
}

#[test]
fn beliefs_beat_counting_against_exhaustive_and_match_it_against_random() {
    let mut exhaustive = Exhaustive::new(ExhaustiveParams::default()).unwrap();
    let (mine, counted) = scores(&mut exhaustive, 4, 30);
    assert!(mine < 0.75 * counted, "{mine} {counted}");
    let (mine, counted) = scores(&mut oboro_core::RandomAgent, 4, 30);
    assert!(mine < 1.03 * counted, "{mine} {counted}");
}

#[test]
fn beliefs_equal_counting_before_the_first_turn() {
    for players in 2..=4 {
        let rules = Labyrinth { players, ..Labyrinth::default() };
        for seed in 0..5 {
            let world = rules.deal(&mut Rng::from_u64(seed));
            let view = world.view(OWN);
            let mut agent = oboro(1);
            agent.begin(&view);
            let (mine, counted) =
                (agent.beliefs(&view, &mut Rng::from_u64(1)), rules.secrets(&view));
            assert_eq!(mine.len(), counted.len());
            for (mine, counted) in mine.iter().zip(&counted) {
                assert_eq!(mine.subject, counted.subject);
                for value in &counted.values {
                    let difference = mine.probability(&value.value) - value.probability;
                    assert!(difference.abs() < 1e-9, "{}", value.value);
                }
            }
        }
    }
}

/// A duel in which seat 0 goes home and seat 1 has so many cards left, both anywhere.
fn going_home(seed: u64, rival_cards: usize) -> World {
    let rules = Labyrinth { cards: Some(2), ..Labyrinth::default() };
    let mut rng = Rng::from_u64(seed);
    let text = rules.write_position(&rules.deal(&mut rng));
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    let count = words.len();
    for (word, left) in [(count - 2, 0), (count - 1, rival_cards)] {
        let cards: String = words[word].split_once(":|").expect("nothing found yet").1.to_owned();
        let (found, rest) = cards.split_at(cards.len() - left);
        let pawn = Cell::all().nth(1 + rng.below(Cell::COUNT - 2)).expect("a cell");
        words[word] = format!("{pawn}:{found}|{rest}");
    }
    rules.parse_position(&words.join(" ")).expect("a position")
}

fn is_one_turn_from_the_goal(world: &World, seat: Seat) -> bool {
    GoalSearch::new(&world.view(seat)).distance(1).0.is_some()
}

/// Whether seat 0 has won, or will win in its next turn whatever seat 1 does.
fn is_forced(after: &World) -> bool {
    if after.to_act().is_none() {
        return after.payoff(OWN) == 1.0;
    }
    let mut replies = after.legal_actions();
    // Where the rival walks does not matter, unless it wins.
    replies.sort_by_key(|reply| (reply.entry, reply.rotation));
    let wins = |reply: &Action| {
        let mut world = *after;
        world.apply(*reply);
        world.to_act().is_none()
    };
    if replies.iter().any(wins) {
        return false;
    }
    replies.dedup_by_key(|reply| (reply.entry, reply.rotation));
    replies.into_iter().all(|reply| {
        let mut world = *after;
        world.apply(reply);
        is_one_turn_from_the_goal(&world, OWN)
    })
}

#[test]
fn forced_wins_are_played() {
    let (mut sure, mut unsure) = (0, 0);
    for seed in 0..24 {
        let world = going_home(seed, usize::from(seed % 2 == 0));
        let actions = world.legal_actions();
        let play = |action: Action| {
            let mut after = world;
            after.apply(action);
            after
        };
        let wins_now = actions.iter().any(|&action| play(action).to_act().is_none());
        let can = wins_now || actions.iter().any(|&action| is_forced(&play(action)));
        let choice = oboro(100_000).act(&world.view(OWN), &mut Rng::from_u64(seed));
        let after = play(choice);
        assert_eq!(after.to_act().is_none(), wins_now, "{world}");
        assert_eq!(is_forced(&after), can, "{world}");
        sure += i32::from(can && !wins_now);
        unsure += i32::from(!can);
    }
    assert!(sure > 2 && unsure > 2, "{sure} {unsure}");
}

#[test]
fn the_last_card_wins_where_the_rules_say_so() {
    let rules =
        Labyrinth { cards: Some(1), finish: Finish::LastCard, players: 3, ..Labyrinth::default() };
    let mut won = 0;
    for seed in 0..30 {
        let world = rules.deal(&mut Rng::from_u64(seed));
        let can = is_one_turn_from_the_goal(&world, OWN);
        let mut after = world;
        after.apply(oboro(300).act(&world.view(OWN), &mut Rng::from_u64(seed)));
        assert_eq!(after.to_act().is_none(), can, "{world}");
        won += i32::from(can);
    }
    assert!((3..28).contains(&won), "{won}");
}

/// A budget that would take days ends at once when the switch is pulled.
#[test]
fn a_stop_ends_the_search() {
    let rules = Labyrinth { players: 4, ..Labyrinth::default() };
    let view = rules.deal(&mut Rng::from_u64(3)).view(OWN);
    let stop = Stop::new();
    stop.pull();
    let mut agent = oboro(1_000_000_000);
    agent.begin(&view);
    let action = stop.watch(|| agent.act(&view, &mut Rng::from_u64(1)));
    assert!(view.legal_actions().contains(&action));
}

/// What was thought before does not change a decision: only what was seen does.
#[test]
fn asking_twice_gives_the_same_answer() {
    let rules = Labyrinth { players: 3, ..Labyrinth::default() };
    let view = rules.deal(&mut Rng::from_u64(4)).view(OWN);
    let mut agent = oboro(1500);
    agent.begin(&view);
    let first = agent.act(&view, &mut Rng::from_u64(1));
    let analysis = agent.analyse(&view, &mut Rng::from_u64(1));
    assert_eq!(analysis.choice, first);
    assert_eq!(oboro(1500).act(&view, &mut Rng::from_u64(1)), first);
    let best = analysis.values.iter().find(|value| value.action == first).unwrap();
    assert!((0.0..=1.0).contains(&best.value) && best.visits > Some(1));
}
