//! The compiler keeps the world from agents, in every game: these agents must not compile, and for the reason given.

#[test]
fn an_agent_cannot_reach_a_world() {
    trybuild::TestCases::new().compile_fail("tests/peek/*.rs");
}
