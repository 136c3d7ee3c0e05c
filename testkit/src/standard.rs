use crate::{check_agent, place};
use oboro_core::{AgentEntry, GameWorld, Player, Rng, Seat, Spec};
use oboro_search::{Searchable, standard_agents};

/// Lets every standard agent play whole games, with small budgets: by every way to search, by every
/// playout policy of the game, and broken off where the game has an estimate. Then every one analyses
/// a start, where it must list what it chose, and as many visits as it was allowed playouts. Payoffs of playouts from one
/// position lie within the [range](Searchable::payoff_range) that the game declares.
///
/// # Panics
/// If an agent breaks a law, or an analysis does not add up.
pub fn check_standard_agents<G: Searchable>(game: &G, games: u64) {
    let mut specs: Vec<String> = [
        "mc:9",
        "uct:9,expand-after=0,c=0.5",
        "ismcts:9",
        "ismcts:9,observers=all",
        "pimc:playouts=3,worlds=3",
        "uct:9,choice=mixed",
        "oos:9",
    ]
    .map(str::to_owned)
    .into();
    specs.extend(G::policies().iter().map(|policy| format!("uct:9,policy={}", policy.name)));
    if G::ESTIMATE.is_some() {
        specs.extend(["mc:9,depth=1", "ismcts:9,depth=3"].map(str::to_owned));
    }
    check_payoff_range(game);
    for text in specs {
        let spec: Spec = text.parse().expect("a spec");
        let (_, factory) = AgentEntry::resolve(&standard_agents(), game, &spec)
            .unwrap_or_else(|error| panic!("{error}"));
        check_agent(game, &factory, games);

        let mut rng = Rng::from_u64(1);
        let world = game.deal(&mut rng);
        let view = world.view(world.to_act().expect("somebody begins"));
        let Player::Agent(mut agent) = factory() else { panic!("{text} sees the world") };
        let analysis = agent.analyse(&view, &mut rng);
        let visits: u64 = analysis.values.iter().filter_map(|value| value.visits).sum();
        // What counts in regrets is no visit.
        assert_eq!(visits, if spec.name == "oos" { 0 } else { 9 }, "{text}");
        assert!(analysis.values.iter().any(|value| value.action == analysis.choice), "{text}");
        assert!(analysis.values.iter().all(|value| value.value.is_finite()), "{text}");
    }
}

fn check_payoff_range<G: Searchable>(game: &G) {
    const PLAYOUTS: usize = 100;
    let range = game.payoff_range();
    for number in 0..5 {
        let mut rng = Rng::from_u64(number);
        let world = game.deal(&mut rng);
        let seat = world.to_act().expect("somebody begins");
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for _ in 0..PLAYOUTS {
            let mut played = G::imagine(&world.view(seat), &mut rng);
            played.play_out_randomly(&mut rng);
            for seat in Seat::all(game.seats()) {
                low = low.min(played.payoff(seat));
                high = high.max(played.payoff(seat));
            }
        }
        assert!(
            high - low <= range + 1e-9,
            "payoffs from {low} to {high} are not within the declared range of {range}; {}",
            place(game, number, 0, &world)
        );
    }
}
