//! Who meets whom at tables of any size, round by round.

use oboro_core::Rng;

/// Who sits at a table, by seat; nobody means that the house plays there.
pub type Table = Vec<Option<usize>>;

/// Who has met whom in earlier rounds, and where everybody sat.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct History {
    met: Vec<Vec<u32>>,
    /// How often everybody played against the house.
    house: Vec<u32>,
    /// How often everybody has sat at each seat.
    seats: Vec<Vec<u32>>,
}

/// No game has more seats.
const SEATS: usize = 16;
/// Arrangements that are begun with; the best of them is taken.
const BEGINNINGS: usize = 12;

/// What it costs that two meet again, where a point of difference costs 1: to meet at all weighs more than how often.
fn repeat_cost(met: u32) -> f64 {
    if met == 0 { 0.0 } else { 1e6 * f64::from(10 + met * met) }
}

impl History {
    /// Nobody has met anybody.
    pub(crate) fn new(players: usize) -> History {
        History {
            met: vec![vec![0; players]; players],
            house: vec![0; players],
            seats: vec![vec![0; SEATS]; players],
        }
    }

    /// Notes that these have met at a table.
    pub(crate) fn add(&mut self, table: &Table) {
        let houses = table.iter().filter(|player| player.is_none()).count() as u32;
        for (seat, &player) in table.iter().enumerate() {
            let Some(i) = player else { continue };
            self.house[i] += houses;
            self.seats[i][seat.min(SEATS - 1)] += 1;
            for &j in table.iter().flatten().filter(|&&j| j != i) {
                self.met[i][j] += 1;
            }
        }
    }

    /// How often two have met.
    pub(crate) fn met(&self, player: usize, other: usize) -> u32 {
        self.met[player][other]
    }

    /// Tables of `size` for everybody in `players`: nobody meets the same person again where that can be avoided, and
    /// those with equal `points` meet, where there are any. Seats that are left over are the house's, spread over the
    /// tables and given to those who have played against it least. Everybody sits where they have sat least.
    pub(crate) fn tables(
        &self,
        players: &[usize],
        size: usize,
        points: Option<&[f64]>,
        rng: &mut Rng,
    ) -> Vec<Table> {
        let count = players.len().div_ceil(size);
        let mut best: Option<(f64, Vec<Vec<usize>>)> = None;
        for beginning in 0..BEGINNINGS {
            let mut order = players.to_vec();
            rng.shuffle(&mut order);
            if let (0, Some(points)) = (beginning, points) {
                order.sort_by(|&i, &j| points[j].total_cmp(&points[i]));
            }
            let mut groups = cut(&order, count);
            let cost = self.improve(&mut groups, size, points);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, groups));
            }
        }
        let mut groups = best.map_or_else(Vec::new, |(_, groups)| groups);
        if let Some(points) = points {
            let most = |group: &Vec<usize>| {
                group.iter().map(|&i| points[i]).fold(f64::NEG_INFINITY, f64::max)
            };
            groups.sort_by(|a, b| most(b).total_cmp(&most(a)));
        }
        groups.iter().map(|group| self.seated(group, size)).collect()
    }

    /// Exchanges players between tables for as long as that makes the round better; what it costs then.
    fn improve(&self, groups: &mut [Vec<usize>], size: usize, points: Option<&[f64]>) -> f64 {
        let cost = |group: &[usize]| self.cost(group, size, points);
        loop {
            let mut better = false;
            for a in 0..groups.len() {
                for b in a + 1..groups.len() {
                    for i in 0..groups[a].len() {
                        for j in 0..groups[b].len() {
                            let before = cost(&groups[a]) + cost(&groups[b]);
                            exchange(groups, (a, i), (b, j));
                            if cost(&groups[a]) + cost(&groups[b]) < before - 1e-9 {
                                better = true;
                            } else {
                                exchange(groups, (a, i), (b, j));
                            }
                        }
                    }
                }
            }
            if !better {
                return groups.iter().map(|group| cost(group)).sum();
            }
        }
    }

    /// How far a table is from what it should be.
    fn cost(&self, group: &[usize], size: usize, points: Option<&[f64]>) -> f64 {
        let houses = (size - group.len()) as f64;
        let mut cost = 0.0;
        for (place, &i) in group.iter().enumerate() {
            cost += houses * repeat_cost(self.house[i]);
            for &j in &group[place + 1..] {
                let apart = points.map_or(0.0, |points| points[i] - points[j]);
                cost += repeat_cost(self.met[i][j]) + apart * apart;
            }
            // Whoever stands lowest plays against the house.
            cost += houses * points.map_or(0.0, |points| points[i]);
        }
        cost
    }

    /// A group at its seats, turned so that everybody sits where they have sat least.
    fn seated(&self, group: &[usize], size: usize) -> Table {
        let mut table: Table = group.iter().copied().map(Some).collect();
        table.resize(size, None);
        let sat = |table: &Table| -> u32 {
            let seats = table.iter().enumerate();
            seats
                .filter_map(|(seat, player)| player.map(|i| self.seats[i][seat.min(SEATS - 1)]))
                .sum()
        };
        let turns = (0..size).map(|by| rotated(&table, by));
        turns.min_by_key(|table| sat(table)).unwrap_or(table)
    }
}

/// A table at which everybody sits so many seats further on.
pub(crate) fn rotated(table: &Table, by: usize) -> Table {
    let mut table = table.clone();
    let seats = table.len().max(1);
    table.rotate_right(by % seats);
    table
}

/// All pairs of so many players, in order.
pub fn all_pairs(players: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..players).flat_map(move |i| (i + 1..players).map(move |j| [i, j]))
}

/// Every round of a round robin at tables of `size`. Two at a table: everybody meets everybody once. More: rounds go on
/// until everybody has met everybody, as evenly as that can be arranged.
pub(crate) fn round_robin(players: usize, size: usize, rng: &mut Rng) -> Vec<Vec<Table>> {
    let mut history = History::new(players);
    let everybody: Vec<usize> = (0..players).collect();
    let mut rounds = Vec::new();
    if size == 2 {
        return circle(players);
    }
    let strangers = |history: &History| all_pairs(players).any(|[i, j]| history.met(i, j) == 0);
    // A round always brings strangers together here; the limit only guards against one that does not.
    while strangers(&history) && rounds.len() < 2 * players {
        let tables = history.tables(&everybody, size, None, rng);
        for table in &tables {
            history.add(table);
        }
        rounds.push(tables);
    }
    rounds
}

/// The rounds of a round robin of pairs, by the circle: one stays, the others move on, and sit first every other time.
/// Whoever is alone plays the house.
fn circle(players: usize) -> Vec<Vec<Table>> {
    let others = (players + players % 2).saturating_sub(1);
    let pair = |round: usize, place: usize| {
        let at = |offset: usize| (round + offset) % others;
        let (pair, swapped) = match place {
            0 => ([others, at(0)], round % 2 == 1),
            _ => ([at(place), at(others - place)], place % 2 == 1),
        };
        let mut table: Table = pair.map(|one| (one < players).then_some(one)).into();
        table.rotate_right(usize::from(swapped));
        table
    };
    let round = |round: usize| (0..=others / 2).map(|place| pair(round, place)).collect();
    (0..others).map(round).collect()
}

/// A list in so many pieces of nearly equal length, the longer ones first.
fn cut(order: &[usize], count: usize) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    let mut rest = order;
    for left in (1..=count).rev() {
        let (group, more) = rest.split_at(rest.len().div_ceil(left));
        groups.push(group.to_vec());
        rest = more;
    }
    groups
}

fn exchange(groups: &mut [Vec<usize>], (a, i): (usize, usize), (b, j): (usize, usize)) {
    let one = groups[a][i];
    groups[a][i] = std::mem::replace(&mut groups[b][j], one);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(tables: &[Table]) -> Vec<usize> {
        let mut people: Vec<usize> = tables.iter().flatten().flatten().copied().collect();
        people.sort_unstable();
        people
    }

    #[test]
    fn in_a_round_robin_of_pairs_everybody_meets_everybody_once_and_sits_first_about_half_the_time()
    {
        for players in 2..12 {
            let rounds = round_robin(players, 2, &mut Rng::from_u64(1));
            assert_eq!(rounds.len(), players - 1 + players % 2, "{players}");
            let mut history = History::new(players);
            for tables in &rounds {
                assert_eq!(people(tables), (0..players).collect::<Vec<_>>(), "{tables:?}");
                for table in tables {
                    history.add(table);
                }
            }
            for i in 0..players {
                assert!(
                    (0..players).all(|j| history.met(i, j) == u32::from(i != j)),
                    "{history:?}"
                );
                assert_eq!(history.house[i], (players % 2) as u32);
                let [first, second, ..] = history.seats[i][..] else { panic!() };
                assert!(first.abs_diff(second) <= 1, "{players}: {i} sits {first} and {second}");
            }
        }
    }

    #[test]
    fn at_larger_tables_everybody_meets_everybody_and_house_seats_are_spread() {
        for (players, size, most) in
            [(8, 4, 3), (16, 4, 6), (10, 5, 5), (11, 10, 3), (3, 3, 1), (4, 3, 3)]
        {
            let rounds = round_robin(players, size, &mut Rng::from_u64(2));
            assert!(rounds.len() <= most, "{players} at {size}: {} rounds", rounds.len());
            let mut history = History::new(players);
            for tables in &rounds {
                assert_eq!(people(tables), (0..players).collect::<Vec<_>>());
                assert!(tables.iter().all(|table| table.len() == size));
                let alone = tables.iter().map(|table| table.iter().flatten().count()).min();
                assert_eq!(alone, Some(players / tables.len()), "{tables:?}");
                for table in tables {
                    history.add(table);
                }
            }
            assert!((0..players).all(|i| (0..i).all(|j| history.met(i, j) > 0)));
        }
    }

    #[test]
    fn in_a_swiss_event_equals_meet_and_nobody_twice() {
        for players in [6, 8, 13, 16, 33] {
            let (mut history, mut rng) = (History::new(players), Rng::from_u64(3));
            let everybody: Vec<usize> = (0..players).collect();
            let mut points = vec![0.0; players];
            for _ in 0..5 {
                let tables = history.tables(&everybody, 2, Some(&points), &mut rng);
                assert_eq!(people(&tables), everybody);
                for table in &tables {
                    history.add(table);
                }
                for table in &tables {
                    // The lower number is the stronger player.
                    let winner = table.iter().flatten().min().copied().unwrap();
                    points[winner] += 1.0;
                }
            }
            for i in 0..players {
                assert!(history.house[i] <= 1, "{players}: {i} met the house too often");
                assert!((0..players).all(|j| history.met(i, j) <= 1), "{players}: a meeting twice");
            }
            assert!(points[0] >= 5.0, "the strongest of {players} won everything");
        }
    }

    #[test]
    fn whoever_has_left_is_not_seated() {
        let history = History::new(6);
        let tables = history.tables(&[0, 2, 5], 2, Some(&[0.0; 6]), &mut Rng::from_u64(4));
        assert_eq!((people(&tables), tables.len()), (vec![0, 2, 5], 2));
        assert!(history.tables(&[], 4, None, &mut Rng::from_u64(4)).is_empty());
        assert_eq!(rotated(&vec![Some(1), None, Some(2)], 4), [Some(2), Some(1), None]);
    }
}
