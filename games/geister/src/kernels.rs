//! The work whose speed is measured, with checksums of its results.

use crate::agents::gp::{GpPlayouts, StrategySource};
use crate::agents::search::{Position, Proof, Prover};
use crate::agents::{NET, naotti};
use crate::piece::Placement;
use crate::{Geister, View, World};
use oboro_core::{
    Checksum, Game, GameEncoding, GameWorld, Kernel, Policy, RandomPolicy, Rng, Seat, SeatView,
    Work,
};
use oboro_player::{Evaluator as _, Prediction};
use oboro_search::{Budget, Uct};
use std::sync::LazyLock;

/// Pieces in contact, two captured on either side.
const MIDDLE: &str = "24 12B23R32B43R15B25R99B99R 22R33B42B13R40R99R20B10B";
/// Puzzles with wins in 13 plies.
const PUZZLES: [&str; 4] = [
    "40 42R41R15R54R05B21B44B99B 20R04R03R43R22B52B99B99B",
    "40 40R99R99R99R55B02B25B42B 14R11R52R21R43B35B00B99B",
    "40 15R14R99R99R21B54B44B34B 02R11R45R99R01B99B99B99B",
    "40 14R99R99R99R43B99B99B99B 13R99R99R99R03B99B99B99B",
];

/// The work whose speed matters: random games, tree search, the worst-case search and proofs.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::new(
            "random games from random placements",
            "games",
            0x796f_4855_15d9_bdcf,
            random_games,
        ),
        Kernel::new(
            "random games from random placements, many together",
            "games",
            0x66f1_bcbe_56e5_03cc,
            random_games_together,
        ),
        Kernel::new("steps of random playouts", "steps", 0xb7fc_7e35_8f37_d04b, random_playouts),
        Kernel::new("steps of playouts by algorithm 1", "steps", 0xdc60_e3f4_ad90_a61f, || {
            strategy_playouts("algorithm-1", playouts, 1000)
        }),
        Kernel::new(
            "steps of playouts by algorithm 1, many together",
            "steps",
            0x58a6_3fd4_6238_73b2,
            || strategy_playouts("algorithm-1", playouts_together, 1000),
        ),
        Kernel::new("steps of playouts by algorithm 2", "steps", 0xeb14_e33f_d6b4_087d, || {
            strategy_playouts("algorithm-2", playouts, 1000)
        }),
        Kernel::new(
            "steps of playouts by algorithm 2, many together",
            "steps",
            0xcd0a_dd00_82a4_36c9,
            || strategy_playouts("algorithm-2", playouts_together, 1000),
        ),
        Kernel::new(
            "steps of playouts by evolved policies",
            "steps",
            0xb7dd_3e2a_62f2_5d33,
            || evolved_playouts(playouts, 20),
        ),
        Kernel::new(
            "steps of playouts by evolved policies, many together",
            "steps",
            0x8e38_9026_c46c_38e4,
            || evolved_playouts(playouts_together, 200),
        ),
        Kernel::new("move sequences, 5 plies", "moves", 118_488, sequences),
        Kernel::new(
            "tree search playouts from the start",
            "playouts",
            0x3638_f4c3_d210_4774,
            || tree_search(&start(), 1),
        ),
        Kernel::new(
            "tree search playouts in the middle game",
            "playouts",
            0xc367_e3c3_f756_1045,
            || tree_search(&view(MIDDLE), 1),
        ),
        Kernel::new(
            "tree search playouts in the middle game, 16 at a leaf",
            "playouts",
            0x8f6e_fcd1_895b_2f7d,
            || tree_search(&view(MIDDLE), 16),
        ),
        Kernel::new("positions judged by a net", "positions", 0xb363_eb7b_d5b6_526d, evaluated),
        Kernel::new("worst case, 6 plies", "nodes", 0x7d8, worst_case),
        Kernel::new("puzzles of 13 plies proved", "puzzles", 0xa695_42ef_c555_8820, puzzles),
    ]
}

/// A position as the seat to move sees it.
pub(crate) fn view(text: &str) -> View {
    let world = Geister::default().parse_position(text).expect("a position");
    world.view(world.to_act().expect("not over"))
}

fn start() -> View {
    World::placed([Placement::numbered(0), Placement::numbered(69)], 300).view(Seat::FIRST)
}

fn random_games() -> Work {
    const GAMES: u64 = 1000;
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for _ in 0..GAMES {
        let pair = [Placement::random(&mut rng), Placement::random(&mut rng)];
        let mut world = World::placed(pair, 300);
        world.play_out_randomly(&mut rng);
        checksum.add(world.public().ply().into());
        checksum.add(world.payoff(Seat::FIRST).to_bits());
    }
    Work { count: GAMES, checksum: checksum.value() }
}

fn random_games_together() -> Work {
    const GAMES: u64 = 1000;
    Work { count: GAMES, ..playouts_together(&mut RandomPolicy, GAMES) }
}

/// Playouts from random placements, counted in moves: what a policy costs a step. Every placement
/// is played several times, as in a search, so that setting up counts for little even in short games.
fn playouts(policy: &mut impl Policy<World>, games: u64) -> Work {
    const REPEATS: u64 = 20;
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    let mut count = 0;
    for _ in 0..games / REPEATS {
        let pair = [Placement::random(&mut rng), Placement::random(&mut rng)];
        let start = World::placed(pair, 300);
        for _ in 0..REPEATS {
            let mut world = start;
            policy.play_out(&mut world, &mut rng);
            count += u64::from(world.public().ply());
            checksum.add(world.payoff(Seat::FIRST).to_bits());
        }
    }
    checksum.add(count);
    Work { count, checksum: checksum.value() }
}

/// Playouts from random placements, all in one batch, counted in moves.
fn playouts_together(policy: &mut impl Policy<World>, games: u64) -> Work {
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    let placed = |rng: &mut Rng| [Placement::random(rng), Placement::random(rng)];
    let mut worlds: Vec<World> = (0..games).map(|_| World::placed(placed(&mut rng), 300)).collect();
    policy.play_out_all(&mut worlds, &mut rng);
    let mut count = 0;
    for world in &worlds {
        count += u64::from(world.public().ply());
        checksum.add(world.public().ply().into());
        checksum.add(world.payoff(Seat::FIRST).to_bits());
    }
    Work { count, checksum: checksum.value() }
}

fn random_playouts() -> Work {
    playouts(&mut RandomPolicy, 1000)
}

/// How playouts of a policy are made and counted, so many games.
type Playouts = fn(&mut GpPlayouts, u64) -> Work;

/// Those by a policy that comes with the game.
fn strategy_playouts(name: &str, playouts: Playouts, games: u64) -> Work {
    let policies = StrategySource::Named(name.to_owned()).load().expect("it comes with the game");
    playouts(&mut policies.strategies()[0].playouts(), games)
}

/// Those by the first policy of every evolved name that comes with the game, so many games each.
fn evolved_playouts(playouts: Playouts, games: u64) -> Work {
    // Reading them is no part of the work: the first of several runs does it.
    static EVOLVED: LazyLock<Vec<GpPlayouts>> = LazyLock::new(|| {
        let names = StrategySource::names().into_iter();
        let evolved = names.filter(|name| !name.starts_with("algorithm"));
        let loaded = evolved.map(|name| StrategySource::Named(name.to_owned()).load());
        loaded
            .map(|policies| policies.expect("it comes with the game").strategies()[0].playouts())
            .collect()
    });
    let mut checksum = Checksum::default();
    let mut count = 0;
    for policy in &*EVOLVED {
        let work = playouts(&mut policy.clone(), games);
        count += work.count;
        checksum.add(work.checksum);
    }
    Work { count, checksum: checksum.value() }
}

fn sequences() -> Work {
    let count = perft(&start().with_reds(0xf0), 5);
    Work { count, checksum: count }
}

/// Counts the sequences of legal moves of a length, both sides' colours known.
pub fn perft(world: &World, depth: u32) -> u64 {
    let mut count = 0;
    world.for_each_legal(|action| {
        count += if depth <= 1 {
            1
        } else {
            let mut next = *world;
            next.apply(action);
            perft(&next, depth - 1)
        };
    });
    count
}

fn tree_search(view: &View, batch: u32) -> Work {
    let budget = Budget::from(10_000).in_batches(batch).expect("a batch");
    let uct = Uct { budget, c: 1.0, expand_after: 4 };
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for branch in uct.search(|rng| view.imagine(rng), &mut RandomPolicy, &mut rng) {
        checksum.add(branch.visits);
    }
    Work { count: uct.budget.max_playouts().into(), checksum: checksum.value() }
}

/// The positions of a random game, each as the seat whose turn it is sees it.
fn evaluated() -> Work {
    let (rules, mut rng) = (Geister::default(), Rng::from_u64(1));
    let mut world = World::placed([Placement::random(&mut rng), Placement::random(&mut rng)], 300);
    let mut memories = [0, 1].map(|seat| rules.memory(&world.view(Seat::new(seat))));
    let mut net = NET.get(&rules).expect("it is a net of the game");
    let (mut count, mut checksum) = (0, Checksum::default());
    while let Some(seat) = world.to_act() {
        let Prediction { policy, value, belief_logits } =
            net.evaluate(&world.view(seat), &memories[seat.index()]);
        let numbers = policy.iter().map(|(_, share)| share).chain(&*belief_logits).chain(&*value);
        numbers.for_each(|number| checksum.add(number.to_bits()));
        count += 1;
        let action = world.random_action(&mut rng);
        for (seat, memory) in Seat::all(2).zip(&mut memories) {
            rules.remember(memory, &world.view(seat), &world.event(action, seat));
        }
        world.apply(action);
    }
    Work { count, checksum: checksum.value() }
}

fn worst_case() -> Work {
    let (count, value) = naotti::Search::new(6).cost(&view(MIDDLE));
    Work { count, checksum: u64::from(value.unsigned_abs()) }
}

fn puzzles() -> Work {
    let mut checksum = Checksum::default();
    for text in PUZZLES {
        let mut prover = Prover::new(16);
        let verdict = prover.prove(&Position::of(&view(text)), 13, u64::MAX);
        assert_eq!(verdict, Proof::Win(13), "{text}");
        checksum.add(prover.nodes());
    }
    Work { count: PUZZLES.len() as u64, checksum: checksum.value() }
}
