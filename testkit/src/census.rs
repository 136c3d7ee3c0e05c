use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use std::collections::BTreeMap;

/// How much each seat can imagine in a few random games, for [`check_golden`](crate::check_golden): of worlds imagined at
/// some plies, how many differ, and how many bits of entropy the columns of their positions have together. A view that
/// gives away a part of what is hidden breaks no law by itself; here it changes the numbers.
pub fn census<G: Game>(game: &G) -> String {
    const GAMES: u64 = 2;
    const DRAWS: usize = 100;
    let mut text =
        format!("Of {DRAWS} worlds imagined: how many differ, and the bits of their positions\n");
    for number in 0..GAMES {
        let mut rng = Rng::from_u64(number);
        let mut world = game.deal(&mut rng);
        for ply in 0u32.. {
            // At plies 0, 1, 2, 4, 8 and so on, and at the end.
            if ply == 0 || ply.is_power_of_two() || world.to_act().is_none() {
                for seat in Seat::all(game.seats()) {
                    let view = world.view(seat);
                    let draws = (0..DRAWS).map(|_| game.write_position(&view.imagine(&mut rng)));
                    let (worlds, bits) = measure(&draws.collect::<Vec<_>>());
                    text +=
                        &format!("seed {number}, ply {ply}, seat {seat}: {worlds}, {bits:.1}\n");
                }
            }
            if world.to_act().is_none() {
                break;
            }
            world.apply(world.random_action(&mut rng));
        }
    }
    text
}

/// How many texts differ, and the sum of the entropies of their columns.
fn measure(texts: &[String]) -> (usize, f64) {
    let mut columns: Vec<BTreeMap<char, f64>> = Vec::new();
    for text in texts {
        for (column, character) in text.chars().enumerate() {
            if column == columns.len() {
                columns.push(BTreeMap::new());
            }
            *columns[column].entry(character).or_default() += 1.0;
        }
    }
    let entropy = |column: &BTreeMap<char, f64>| {
        let all: f64 = column.values().sum();
        column.values().map(|count| -count / all * libm::log2(count / all)).sum::<f64>()
    };
    let mut distinct = texts.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    // No column varies where nothing is hidden: the sum of nothing is 0, not −0.
    (distinct.len(), columns.iter().map(entropy).sum::<f64>() + 0.0)
}
