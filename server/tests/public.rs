//! What strangers may ask for is bounded: every public parameter by its schema, every public agent in memory.

#![allow(clippy::print_stdout, reason = "what agents take is printed")]

use oboro_catalog::{AgentInfo, AnyRules, games};
use oboro_core::{Seed, is_bounded};
use oboro_testkit::memory;
use serde_json::Value;

/// Parameters of these names cost time or memory: they are tried at their upper bounds.
const EFFORTS: [&str; 6] = ["playouts", "nodes", "worlds", "exchanges", "hands", "batch"];

#[test]
fn every_public_parameter_is_bounded_and_none_is_a_file_a_table_or_a_time() {
    for game in games() {
        let form = game.public_form();
        let schemas = form.agents.iter().map(|agent| (agent.name, &agent.schema));
        for (owner, schema) in schemas.chain([("rules", &form.rules)]) {
            for (name, property) in schema["properties"].as_object().into_iter().flatten() {
                let place = format!("{} {owner} {name}", game.name());
                assert!(is_bounded(property), "{place}: {property}");
                assert!(name != "table" && !name.ends_with("seconds"), "{place}");
                assert!(name != "file" || property.get("enum").is_some(), "{place}");
            }
        }
        let rules = game.rules(&[]).expect("the defaults");
        for agent in &form.agents {
            assert_eq!(rules.public(agent.name).expect(agent.name).as_str(), agent.name);
        }
        assert!(rules.public(game.champion()).is_ok());
    }
}

#[test]
fn files_tables_times_and_oracles_have_no_public_form() {
    let geister =
        oboro_catalog::game("geister").expect("it is there").rules(&[]).expect("defaults");
    for spec in [
        "gp:/etc/passwd",
        "gp:file=/dev/zero",
        "gp:algorithm-1/../../x",
        "mcts:policy=gp:/etc/passwd",
        "mcts:policy=(rules:x)",
        "mcts:enemy-policy=gp:/dev/zero",
        "mcts:playouts=100000000",
        "mcts:seconds=1",
        "mcts:seconds=nan",
        "mcts:c=nan",
        "oboro:playouts=10000000000",
        "oboro:seconds=1",
        "naotti:information=perfect",
        "naotti:depth=20",
        "net:/etc/passwd",
        "net:games/geister/nets/policy.safetensors",
        "exec:/bin/true",
        "tcp:127.0.0.1:80",
    ] {
        assert!(geister.public(spec).is_err(), "{spec}");
    }
    let long = geister.public(&"a".repeat(4 << 20)).expect_err("too long");
    assert!(long.to_string().len() < 100, "a long name is not quoted");
    assert_eq!(geister.public("gp:algorithm-2").expect("included").as_str(), "gp:file=algorithm-2");
}

/// The spec of an agent with whatever costs time or memory at a share of its upper bound.
fn greedy(agent: &AgentInfo, share: u64) -> String {
    // `oos` plays one playout at a time.
    let costs = |name: &str| EFFORTS.contains(&name) && !(agent.name == "oos" && name == "batch");
    let most = |(name, property): (&String, &Value)| {
        let most = property.get("maximum")?.as_u64().filter(|_| costs(name))?;
        Some(format!("{name}={}", (most / share).max(1)))
    };
    let properties = agent.schema["properties"].as_object().into_iter().flatten();
    let args: Vec<String> = properties.filter_map(most).collect();
    if args.is_empty() {
        agent.name.to_owned()
    } else {
        format!("{}:{}", agent.name, args.join(","))
    }
}

fn check_memory(rules: &dyn AnyRules, spec: &str, plies: usize) {
    let public = rules.public(spec).expect(spec);
    let most = public.footprint();
    let seeds = Seed::from_u64(1).game(0, 0);
    let seats = vec![Some("random"); rules.seats()];
    let after = |plies: usize| {
        let mut live = rules.live(&seats, 0, &seeds, "").expect("random players");
        (0..plies).try_for_each(|_| live.step().map(drop)).ok()?;
        Some((live.to_act()?, live))
    };
    // Some games are over sooner.
    let (seat, mut live) = (0..=plies).rev().find_map(after).expect("a game begins");
    // What all agents of a kind share does not count.
    live.reseat(seat, Some(spec), &seeds).expect(spec);
    live.reseat(seat, Some("random"), &seeds).expect("random");
    let mut peak = 0;
    let (kept, _) = memory(|| {
        live.reseat(seat, Some(spec), &seeds).expect(spec);
        (_, peak) = memory(|| drop(live.step().expect("a move")));
    });
    let kilobytes = |bytes: i64| u32::try_from(bytes.max(0) / 1024).unwrap_or(u32::MAX);
    let (kept, peak) = (kilobytes(kept), kilobytes(peak));
    println!("{} {spec}: {kept} kB held, {peak} kB thinking", rules.game());
    // A few kilobytes are the game's own.
    assert!(kept <= most.held + 64, "{spec} keeps {kept} kB, and not {}", most.held);
    assert!(peak <= most.thinking + 64, "{spec} takes {peak} kB, and not {}", most.thinking);
}

/// A share of the bounds is tried in every run, the bounds themselves where `OBORO_FUZZ` is 20 or more.
#[test]
fn public_agents_stay_within_their_footprints() {
    let share = 20 / oboro_testkit::fuzz_factor().clamp(1, 20);
    for game in games() {
        let rules = game.rules(&[]).expect("the defaults");
        for agent in game.public_form().agents {
            check_memory(rules.as_ref(), &greedy(&agent, share), 8);
        }
    }
}
