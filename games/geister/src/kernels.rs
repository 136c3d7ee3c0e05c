use crate::agents::naotti;
use crate::gp::StrategySource;
use crate::piece::Placement;
use crate::purple::Purple;
use crate::solver::Solver;
use crate::{Geister, View, World};
use oboro_core::{
    Checksum, Game, GameWorld, Kernel, Policy, RandomPolicy, Rng, Seat, SeatView, Work,
};
use oboro_search::Uct;

/// Pieces in contact, two captured on either side.
const MIDDLE: &str = "24 12B23R32B43R15B25R99B99R 22R33B42B13R40R99R20B10B";
/// Blues of both sides close to their exits.
const SHARP: &str = "30 12B23R42B43R15B25R99B99R 33R32B44B14R40R99R20B10B";

/// The two of 173 positions from games of `naotti` with itself that take longest to prove.
const HARD: [&str; 2] = [
    "43 03B14B22R53B99R45B34R99R 51B33R99R01B42B32R21R10B",
    "43 04B99R54B99R13R24B53R55B 99R45R02B99R52R33B21B11B",
];

/// The work whose speed matters: random games, tree search, the worst-case search and proofs.
pub fn kernels() -> Vec<Kernel> {
    vec![
        Kernel {
            name: "random games from random placements",
            unit: "games",
            run: random_games,
            checksum: 0x9367_8444_4ba1_5ff9,
        },
        Kernel {
            name: "moves of random playouts",
            unit: "moves",
            run: || playouts(&mut RandomPolicy, 1000),
            checksum: 0xf559_4601_5624_9887,
        },
        Kernel {
            name: "moves of playouts by algorithm 1",
            unit: "moves",
            run: || strategy_playouts("algorithm-1", 1000),
            checksum: 0xb1f9_9695_a7cc_8b2e,
        },
        Kernel {
            name: "moves of playouts by algorithm 2",
            unit: "moves",
            run: || strategy_playouts("algorithm-2", 1000),
            checksum: 0xaa3f_ba96_7697_e20f,
        },
        Kernel {
            name: "moves of playouts by evolved policies",
            unit: "moves",
            run: || strategy_playouts("imperfect-agreement-all-50", 400),
            checksum: 0xbe53_5f8a_c643_e811,
        },
        Kernel {
            name: "move sequences, 5 plies",
            unit: "moves",
            run: sequences,
            checksum: 118_488,
        },
        Kernel {
            name: "tree search playouts from the start",
            unit: "playouts",
            run: || tree_search(&start()),
            checksum: 0x82b3_f024_d8c4_2341,
        },
        Kernel {
            name: "tree search playouts in the middle game",
            unit: "playouts",
            run: || tree_search(&view(MIDDLE)),
            checksum: 0x1795_8683_90bc_42eb,
        },
        Kernel { name: "worst case, 6 plies", unit: "nodes", run: worst_case, checksum: 0x7d8 },
        Kernel {
            name: "proofs, 9 plies",
            unit: "nodes",
            run: proof,
            checksum: 0x98fa_894c_9953_d657,
        },
    ]
}

fn view(text: &str) -> View {
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
        checksum.add(world.board().ply().into());
        checksum.add(world.payoff(Seat::FIRST).to_bits());
    }
    Work { count: GAMES, checksum: checksum.value() }
}

/// Playouts from random placements, counted in moves: what a policy costs a move.
fn playouts(policy: &mut impl Policy<World>, games: u64) -> Work {
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    let mut count = 0;
    for _ in 0..games {
        let pair = [Placement::random(&mut rng), Placement::random(&mut rng)];
        let mut world = World::placed(pair, 300);
        policy.play_out(&mut world, &mut rng);
        count += u64::from(world.board().ply());
        checksum.add(world.payoff(Seat::FIRST).to_bits());
    }
    checksum.add(count);
    Work { count, checksum: checksum.value() }
}

/// The same by all policies of a name, so many games each.
fn strategy_playouts(name: &str, games: u64) -> Work {
    let squad = StrategySource::Named(name.to_owned()).load().expect("it comes with the game");
    let mut checksum = Checksum::default();
    let mut count = 0;
    for strategy in squad.strategies() {
        let work = playouts(&mut strategy.playouts(), games);
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

fn tree_search(view: &View) -> Work {
    let uct = Uct { budget: 10_000.into(), c: 1.0, expand_after: 4 };
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for branch in uct.search(|rng| view.imagine(rng), &mut RandomPolicy, &mut rng) {
        checksum.add(branch.visits);
    }
    Work { count: uct.budget.most().into(), checksum: checksum.value() }
}

fn worst_case() -> Work {
    let (count, value) = naotti::search_nodes(&view(MIDDLE), 6);
    Work { count, checksum: u64::from(value.unsigned_abs()) }
}

fn proof() -> Work {
    let mut solver = Solver::new(16);
    let mut checksum = Checksum::default();
    let mut count = 0;
    for text in [MIDDLE, SHARP].into_iter().chain(HARD) {
        let verdict = solver.prove(&Purple::of(&view(text)), 9, u64::MAX);
        checksum.add(format!("{verdict:?}").len() as u64);
        count += solver.nodes();
    }
    checksum.add(count);
    Work { count, checksum: checksum.value() }
}
