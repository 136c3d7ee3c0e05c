//! The small games on which methods of the field are compared: Kuhn and Leduc poker, Liar's Dice, Goofspiel, phantom
//! tic-tac-toe, dark hex, and Geister on small boards. Rules are those of `OpenSpiel`, with its parameters named at each
//! game. All but the largest are solved exactly by the package `oboro-solve`.
//!
//! A game of this folder says what is dealt, what is legal, what an action does and who sees it ([`Rules`]); worlds,
//! views, notation, scenes and encodings are the same for all.
#![forbid(unsafe_code)]

mod geister;
mod goofspiel;
mod grid;
mod kuhn;
mod leduc;
mod liars_dice;
mod table;

pub use geister::{GeisterRules, Runner};
pub use goofspiel::{GoofspielRules, PointsOrder};
pub use grid::{GridRules, Hex, TicTacToe, Version};
pub use kuhn::KuhnRules;
pub use leduc::LeducRules;
pub use liars_dice::LiarsDiceRules;
pub use table::{Event, Looked, MOST, Move, Rules, Seen, Sight, Small, View, World};

use oboro_core::{AgentEntry, Checksum, Game, GameWorld, Kernel, NoParams, Rng, Seat, Work, fresh};
use oboro_search::with_standard_agents;

/// Kuhn poker.
pub type Kuhn = Small<KuhnRules>;
/// Leduc hold'em.
pub type Leduc = Small<LeducRules>;
/// Liar's Dice.
pub type LiarsDice = Small<LiarsDiceRules>;
/// Goofspiel with hidden bids.
pub type Goofspiel = Small<GoofspielRules>;
/// Phantom tic-tac-toe.
pub type PhantomTtt = Small<GridRules<TicTacToe>>;
/// Dark hex.
pub type DarkHex = Small<GridRules<Hex>>;
/// Geister on a small board.
pub type GeisterSmall = Small<GeisterRules>;

/// The agents of a small game: those that every game has.
pub fn agents<R: Rules>() -> Vec<AgentEntry<Small<R>>> {
    with_standard_agents(Vec::new())
}

/// The agents of Geister on small boards.
pub fn geister_agents() -> Vec<AgentEntry<GeisterSmall>> {
    let runner = AgentEntry::new(
        "runner",
        "Oboro",
        "Runs for the exits with its blues",
        |game: &GeisterSmall, _: &NoParams| Ok(fresh(Runner(game.0))),
    );
    with_standard_agents(vec![runner.public(1, 1)])
}

/// Random games, whose speed bounds that of every search.
pub fn kernels<R: Rules>() -> Vec<Kernel> {
    let checksum = match R::NAME {
        "dark-hex" => 0x81b9_fbe4_8468_44cd,
        "geister-small" => 0xafec_1f8e_4d93_1c05,
        "goofspiel" => 0xf9cd_2e88_e2aa_3fc4,
        "kuhn" => 0xb46a_da40_3554_d79e,
        "leduc" => 0x7f1d_3fc2_74fe_0287,
        "liars-dice" => 0x6ea4_4ba3_dedd_0916,
        _ => 0x0411_b55f_f9b5_2f13,
    };
    vec![Kernel { name: "random games", unit: "games", run: random_games::<R>, checksum }]
}

fn random_games<R: Rules>() -> Work {
    const GAMES: u64 = 20_000;
    let game = Small::<R>::default();
    let mut rng = Rng::from_u64(1);
    let mut checksum = Checksum::default();
    for _ in 0..GAMES {
        let mut world = game.deal(&mut rng);
        world.play_out_randomly(&mut rng);
        checksum.add(world.payoff(Seat::FIRST).to_bits());
    }
    Work { count: GAMES, checksum: checksum.value() }
}
