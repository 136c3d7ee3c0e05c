//! Whole games and a drawing, kept as text that a person can read. The games must be legal by today's
//! rules, and today's agents must still play them move for move.

use oboro_core::{
    AgentEntry, Factory, Game, GameWorld, Live, Record, Replay, Seed, Spec, from_pairs,
};
use oboro_labyrinth::{Labyrinth, agents};

const GAMES: [(&str, &str); 2] = [
    ("duel", include_str!("golden/duel.txt")),
    ("four players", include_str!("golden/four-players.txt")),
];

fn read(text: &str) -> (Labyrinth, Record) {
    let record: Record = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let spec: Spec = format!("labyrinth:{}", record.rules).parse().expect("rules as pairs");
    let rules = from_pairs("labyrinth", &spec.args, &[]).expect("rules of today");
    (rules, record)
}

#[test]
fn golden_games_are_legal_to_the_end() {
    for (name, text) in GAMES {
        let (rules, record) = read(text);
        let mut replay = Replay::new(&rules, &record).unwrap();
        while replay.step().unwrap_or_else(|error| panic!("{name}: {error}")).is_some() {}
    }
}

#[test]
fn agents_play_the_golden_games_again() {
    for (name, text) in GAMES {
        let (rules, record) = read(text);
        let (seed, _) = record.seed.split_once('/').expect("seed and game number");
        let seeds = seed.parse::<Seed>().unwrap().game(0, 0);
        let world = rules.deal(&mut seeds.deal());
        assert_eq!(rules.write_position(&world), record.start, "{name}");
        let build = |agent: &String| {
            let spec: Spec = agent.parse().unwrap();
            AgentEntry::resolve(&agents(), &rules, &spec).unwrap().1
        };
        let agents: Vec<Factory<Labyrinth>> = record.agents.iter().map(build).collect();
        let mut live = Live::among(&rules, world, &agents, &seeds);
        live.run().unwrap();
        assert_eq!(live.record().actions, record.actions, "{name}");
    }
}

#[test]
fn a_position_is_drawn_for_everybody_and_for_one_seat() {
    let golden = include_str!("golden/drawing.txt");
    let (position, drawings) = golden.split_once("\n\n").unwrap();
    let world = Labyrinth::default().parse_position(position).unwrap();
    let mover = world.to_act().unwrap();
    assert_eq!(format!("{world}\n{}", world.view(mover)), drawings);
}
