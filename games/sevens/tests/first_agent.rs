//! The agent of the tutorial `docs/tutorial/first-agent.md`, compiled and tried as the page has it.

use crate::Sevens;
use oboro_testkit::check_agent;

#[allow(unreachable_pub, reason = "the page has the agent as a module of the game")]
#[path = "../../../docs/tutorial/miser.rs"]
mod miser;

const PAGE: &str = include_str!("../../../docs/tutorial/first-agent.md");

#[test]
fn the_page_has_the_agent_as_it_is() {
    let code = include_str!("../../../docs/tutorial/miser.rs");
    assert!(PAGE.contains(&format!("```rust games/sevens/src/agents/miser.rs\n{code}```")));
}

#[test]
fn the_changes_of_the_page_fit_the_list_of_agents() {
    let list = include_str!("../src/agents/mod.rs");
    let change = PAGE.split("```diff\n").nth(1).unwrap().split("```").next().unwrap();
    let hunks: Vec<&str> = change.split(" @@\n").skip(1).collect();
    assert_eq!(hunks.len(), 2);
    for hunk in hunks {
        let lines = hunk.lines().filter(|line| !line.starts_with("@@"));
        let old: Vec<&str> = lines.filter_map(|line| line.strip_prefix([' ', '-'])).collect();
        assert!(list.contains(&old.join("\n")), "mod.rs has no\n{}", old.join("\n"));
    }
}

#[test]
fn the_agent_plays_by_the_rules() {
    let game = Sevens::default();
    let entry = miser::entry();
    let (canonical, factory) = entry.build(&game, &"miser:noise=0.2".parse().unwrap()).unwrap();
    assert_eq!(canonical.to_string(), "miser:noise=0.2");
    check_agent(&game, &factory, 5);
    let refused = entry.build(&game, &"miser:noise=2".parse().unwrap()).err().unwrap();
    assert!(refused.to_string().contains("from 0 to 1"), "{refused}");
}
