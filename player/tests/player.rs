//! The player keeps the laws of agents with and without a net, and refuses what cannot be.

use oboro_core::{AgentEntry, Factory, Game, GameWorld as _, Player, Rng, Seat, SeatView, Spec};
use oboro_player::{GameNet, Playable, ShippedNet, net_agent, oboro, plain_oboro};
use oboro_small::{Kuhn, Leduc, LiarsDice, PhantomTtt};
use oboro_solve::{Limits, Sampling, Tree};
use oboro_testkit::check_agent;

/// The path from this package.
const KUHN_FILE: &str = "../models/kuhn/policy.safetensors";
static KUHN: ShippedNet = ShippedNet::new(include_bytes!("../../models/kuhn/policy.safetensors"));

fn resolve<G: Playable>(game: &G, entry: AgentEntry<G>, spec: &str) -> Result<Factory<G>, String> {
    let spec: Spec = spec.parse().expect("a spec");
    let found = AgentEntry::resolve(&[entry], game, &spec);
    found.map(|(_, factory)| factory).map_err(|error| error.to_string())
}

#[test]
fn the_player_without_a_net_keeps_the_laws() {
    fn check<G: Playable>(game: &G) {
        let factory = resolve(game, plain_oboro(), "oboro:20").expect("an agent");
        check_agent(game, &factory, 4);
    }
    check(&Kuhn::default());
    check(&Leduc::default());
    check(&LiarsDice::default());
    check(&PhantomTtt::default());
}

#[test]
fn a_net_from_a_file_and_one_of_the_program_play_alike_and_keep_the_laws() {
    let game = Kuhn::default();
    for playouts in [0, 8] {
        let file = format!("net:{KUHN_FILE},playouts={playouts}");
        let from_file = resolve(&game, net_agent(), &file).expect("an agent");
        let shipped =
            resolve(&game, oboro(&KUHN), &format!("oboro:playouts={playouts}")).expect("an agent");
        check_agent(&game, &from_file, 6);
        let view = game.deal(&mut Rng::from_u64(1)).view(Seat::FIRST);
        let policies = [from_file, shipped].map(|factory| {
            let Player::Agent(mut agent) = factory() else { panic!("no oracle") };
            agent.policy(&view, &mut Rng::from_u64(2)).expect("it knows")
        });
        assert_eq!(policies[0], policies[1]);
        assert_eq!(policies[0].len(), view.legal_actions().len());
    }
}

#[test]
fn a_small_game_is_solved_and_the_more_playouts_the_better() {
    let game = Leduc::default();
    let tree = Tree::new(&game, Limits::default()).expect("it is small");
    let measured = ["oboro:2", "oboro:20", "oboro:200"].map(|spec| {
        let agent = resolve(&game, plain_oboro(), spec).expect("an agent");
        let (once, rng) = (Sampling { samples: 1 }, &mut Rng::from_u64(1));
        let measured = tree.measure_agent(&agent, once, rng, &mut |_| {}).expect("it plays");
        assert!(!measured.sampled, "it knows its probabilities");
        measured.exploitability
    });
    assert!(measured[0] > 2.0 * measured[1] && measured[1] > 2.0 * measured[2], "{measured:?}");
    assert!(measured[2] < 0.01, "{measured:?}");
}

#[test]
fn what_cannot_be_is_refused_with_the_reason() {
    let game = Kuhn::default();
    let of_file = |spec: &str| resolve(&game, net_agent(), spec).map(|_| ()).expect_err(spec);
    assert!(of_file("net").contains("net:FILE"));
    assert!(of_file("net:none.safetensors").contains("none.safetensors"));
    assert!(of_file("net:Cargo.toml").contains("Cargo.toml"));
    assert!(of_file(&format!("net:{KUHN_FILE},seconds=1")).contains("playouts=0"));
    assert!(of_file(&format!("net:{KUHN_FILE},candidates=1")).contains("candidates"));
    let other = resolve(&Leduc::default(), net_agent(), &format!("net:{KUHN_FILE}"));
    assert!(other.map(|_| ()).expect_err("another game").contains("kuhn"));
    assert!(resolve(&game, plain_oboro(), "oboro:0").is_err());
    assert!(GameNet::read(&game, &[0; 100]).is_err());
}
