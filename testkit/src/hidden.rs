use crate::limit_of_chi_squared;
use oboro_core::{Game, GameWorld, Rng, Seat, SeatView};
use std::collections::BTreeMap;

/// Deals whose imagined twins are compared with them.
const DEALS: u64 = 400;

/// Keeps track, over all positions checked, of which seats could imagine another world than the true one.
#[derive(Debug)]
pub(super) struct Doubts(Vec<bool>);

impl Doubts {
    pub(super) fn new(seats: usize) -> Doubts {
        Doubts(vec![false; seats])
    }

    pub(super) fn note(&mut self, seat: Seat, imagined_another: bool) {
        self.0[seat.index()] |= imagined_another;
    }

    /// Something must be hidden from every seat at some time: else the view shows what it should not, or
    /// `imagine` knows the truth.
    pub(super) fn check(&self) {
        if let Some(seat) = self.0.iter().position(|doubted| !doubted) {
            panic!(
                "nothing was ever hidden from seat {seat}: every world it imagined was the true one"
            );
        }
    }
}

/// The true world is among those that its seat can imagine. Where more than a few can be, that is not seen by drawing.
pub(super) fn check_support<V: SeatView>(
    world: &V::World,
    view: &V,
    rng: &mut Rng,
    place: &dyn Fn() -> String,
) where
    V::World: GameWorld,
{
    // One of twelve worlds is missed by 250 draws once in three thousand million times.
    const FEW: usize = 12;
    const DRAWS: usize = 250;
    let mut found: Vec<V::World> = Vec::new();
    for _ in 0..DRAWS {
        let imagined = view.imagine(rng);
        if imagined == *world {
            return;
        }
        if !found.contains(&imagined) {
            found.push(imagined);
            if found.len() > FEW {
                return;
            }
        }
    }
    panic!(
        "seat {} imagines {} worlds, and never the true one; {}",
        view.seat(),
        found.len(),
        place()
    );
}

/// Worlds that share everything go on alike, whatever single seats have found out.
pub(super) fn check_shared<G: Game>(
    game: &G,
    ours: &G::World,
    theirs: &G::World,
    place: &dyn Fn() -> String,
) {
    if ours == theirs || ours.shared().is_none() || ours.shared() != theirs.shared() {
        return;
    }
    let differs = |what: &str| {
        let other = game.write_position(theirs);
        panic!("worlds that share everything differ in {what}; {}; the other {other}", place())
    };
    let Some(mover) = ours.to_act().filter(|_| ours.to_act() == theirs.to_act()) else {
        let alike = |seat| ours.payoff(seat) == theirs.payoff(seat);
        if ours.to_act() != theirs.to_act() || !Seat::all(game.seats()).all(alike) {
            differs("how they ended");
        }
        return;
    };
    for action in ours.legal_actions().into_iter().filter(|action| theirs.is_legal(*action)) {
        let mut others = Seat::all(game.seats()).filter(|seat| *seat != mover);
        if others.any(|seat| ours.event(action, seat) != theirs.event(action, seat)) {
            differs(&format!("what others see of {action}"));
        }
        let after = |world: &G::World| {
            let mut next = world.clone();
            next.apply(action);
            next.shared()
        };
        if after(ours) != after(theirs) {
            differs(&format!("what {action} leads to"));
        }
    }
}

/// Where the rules list all deals, these are dealt, as often as they say.
pub(super) fn check_deals<G: Game>(game: &G) {
    let Some(deals) = game.deals() else { return };
    let sum: f64 = deals.iter().map(|(share, _)| share).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{}: the probabilities of all deals sum to {sum}", G::NAME);
    let mut rng = Rng::from_u64(0xdea1);
    let listed: BTreeMap<String, f64> =
        deals.iter().map(|(share, world)| (game.write_position(world), *share)).collect();
    assert_eq!(listed.len(), deals.len(), "{}: a deal is listed twice", G::NAME);
    let draws = 2000;
    let mut found: BTreeMap<&str, f64> = BTreeMap::new();
    for _ in 0..draws {
        let text = game.write_position(&game.deal(&mut rng));
        let known = listed.get_key_value(&text);
        let (text, _) =
            known.unwrap_or_else(|| panic!("{}: {text} is dealt and not listed", G::NAME));
        *found.entry(text).or_default() += 1.0;
    }
    // Deals that are rarer than five in all these draws count together with their neighbours in the list.
    let (mut chi2, mut cells, mut open) = (0.0, 0.0f64, [0.0; 2]);
    for (text, share) in &listed {
        open[0] += share * f64::from(draws);
        open[1] += found.get(text.as_str()).copied().unwrap_or(0.0);
        if open[0] >= 5.0 {
            chi2 += (open[1] - open[0]).powi(2) / open[0];
            cells += 1.0;
            open = [0.0; 2];
        }
    }
    let limit = limit_of_chi_squared((cells - 1.0).max(1.0));
    assert!(
        chi2 < limit,
        "{}: deals are not as likely as listed: χ² = {chi2:.1} over {limit:.1}",
        G::NAME
    );
}

/// The columns that are compared together, besides each alone.
const PAIRS: usize = 200;

/// Imagined worlds agree in distribution with dealt ones.
///
/// Whoever sees a fresh deal and imagines the rest gets a world that is distributed as deals are. The two
/// are compared by the texts of their positions, column by column and by pairs of columns, with a χ² test of two samples.
pub(super) fn check_imagined_like_dealt<G: Game>(game: &G) {
    for seat in Seat::all(game.seats()) {
        let mut rng = Rng::from_u64(0x5ea7 + seat.index() as u64);
        let texts: Vec<[Vec<char>; 2]> = (0..DEALS)
            .map(|_| {
                let dealt = game.deal(&mut rng);
                let other = game.deal(&mut rng).view(seat).imagine(&mut rng);
                [dealt, other].map(|world| game.write_position(&world).chars().collect())
            })
            .collect();
        let width = texts.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let mut sets: Vec<Vec<usize>> = (0..width).map(|column| vec![column]).collect();
        sets.extend((0..PAIRS).map(|_| {
            let (one, other) = (rng.below(width), rng.below(width));
            vec![one.min(other), one.max(other)]
        }));
        for columns in sets {
            // By characters: how often in dealt and in imagined worlds.
            let mut counts: BTreeMap<Vec<char>, [f64; 2]> = BTreeMap::new();
            for pair in &texts {
                for (which, text) in pair.iter().enumerate() {
                    let found = columns.iter().filter_map(|&column| text.get(column).copied());
                    counts.entry(found.collect()).or_default()[which] += 1.0;
                }
            }
            check_columns::<G>(seat, &columns, &counts);
        }
    }
}

/// Whether random games have an action that leaves some seat's view as it was.
fn has_unnoticed_actions<G: Game>(game: &G) -> bool {
    let mut rng = Rng::from_u64(0x0b5e);
    (0..200).any(|_| {
        let mut world = game.deal(&mut rng);
        (0..12).any(|_| {
            let mut actions = Vec::new();
            world.legal(&mut actions);
            let Some(&action) = rng.choose(&actions) else { return false };
            let views = |world: &G::World| -> Vec<G::View> {
                Seat::all(game.seats()).map(|seat| world.view(seat)).collect()
            };
            let before = views(&world);
            world.apply(action);
            before.iter().zip(views(&world)).any(|(before, after)| *before == after)
        })
    })
}

/// Imagined worlds agree in distribution with those that random play leads to.
///
/// Random play leads to a world with a probability that falls with the number of actions that its players could choose
/// from. Weighted by these numbers, the worlds that agree with a view are equally likely, as those that are imagined.
/// So in every column of the position the weighted differences between the true world and an imagined one have mean 0.
/// That needs every seat to know how many actions were played; games in which some are not noticed are left out.
pub(super) fn check_imagined_like_played<G: Game>(game: &G) {
    // Two-sided, once in 5 · 10⁸ times.
    const LIMIT: f64 = 6.0;
    if has_unnoticed_actions(game) {
        return;
    }
    for (seat, plies) in Seat::all(game.seats()).flat_map(|seat| [(seat, 1), (seat, 3), (seat, 6)])
    {
        let mut rng = Rng::from_u64(0x91a7 + seat.index() as u64);
        // By column and character: how many pairs differ, the sum of the differences and of their squares.
        let mut sums: BTreeMap<(usize, char), [f64; 3]> = BTreeMap::new();
        'games: for _ in 0..DEALS {
            let mut world = game.deal(&mut rng);
            let mut weight = 1.0;
            for _ in 0..plies {
                let mut actions = Vec::new();
                world.legal(&mut actions);
                weight *= actions.len() as f64;
                let Some(&action) = rng.choose(&actions) else { continue 'games };
                world.apply(action);
            }
            let imagined = world.view(seat).imagine(&mut rng);
            let texts = [&world, &imagined]
                .map(|world| game.write_position(world).chars().collect::<Vec<_>>());
            for (text, other, sign) in [(&texts[0], &texts[1], 1.0), (&texts[1], &texts[0], -1.0)] {
                for (column, character) in text.iter().enumerate() {
                    if other.get(column) != Some(character) {
                        let sum = sums.entry((column, *character)).or_default();
                        *sum = [sum[0] + 1.0, sum[1] + sign * weight, sum[2] + weight * weight];
                    }
                }
            }
        }
        for ((column, character), [pairs, sum, squares]) in sums {
            let z = sum / squares.sqrt();
            assert!(
                pairs < 40.0 || z.abs() < LIMIT,
                "{}: what seat {seat} imagines after {plies} random actions is distributed otherwise than what is so: \
                 `{character}` in column {column} of the position, z = {z:.1}",
                G::NAME
            );
        }
    }
}

fn check_columns<G: Game>(
    seat: Seat,
    columns: &[usize],
    characters: &BTreeMap<Vec<char>, [f64; 2]>,
) {
    // Characters too rare for the test count as one.
    const RARE: f64 = 10.0;
    let mut cells: Vec<[f64; 2]> = Vec::new();
    let mut rare = [0.0; 2];
    for count in characters.values() {
        if count[0] + count[1] < RARE {
            rare = [rare[0] + count[0], rare[1] + count[1]];
        } else {
            cells.push(*count);
        }
    }
    if rare[0] + rare[1] >= RARE {
        cells.push(rare);
    }
    let totals = cells.iter().fold([0.0; 2], |sum, c| [sum[0] + c[0], sum[1] + c[1]]);
    if cells.len() < 2 || totals.contains(&0.0) {
        return;
    }
    let all = totals[0] + totals[1];
    let chi2: f64 = cells
        .iter()
        .flat_map(|cell| (0..2).map(move |which| (cell[which], cell[0] + cell[1], which)))
        .map(|(found, both, which)| {
            let expected = both * totals[which] / all;
            (found - expected).powi(2) / expected
        })
        .sum();
    let limit = limit_of_chi_squared((cells.len() - 1) as f64);
    assert!(
        chi2 < limit,
        "{}: what seat {seat} imagines is distributed otherwise than deals are: columns {columns:?} of the \
         position, χ² = {chi2:.1} over {limit:.1}: {characters:?} (dealt, imagined)",
        G::NAME
    );
}
