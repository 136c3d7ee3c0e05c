use oboro_core::Rng;

/// In which order hidden items are dealt; it matters because owners run out of room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealOrder {
    /// A new random order each time.
    Random,
    /// The order in which the items are given.
    Fixed,
}

/// The beliefs of UPP: a weight for every pair of a hidden item and a possible owner of it.
///
/// UPP (Mishio 2013, as described by Ishikawa and Fujita 2018, 4.5) looks back at the playouts of
/// its last decision. Those that began as play really went on vote for the worlds they were played
/// in: an item's owner gains what that playout scored above the average. Items are cards and owners
/// players in Sevens; pieces and colours in Geister.
///
/// ```
/// use oboro_core::Rng;
/// use oboro_search::{DealOrder, OwnerWeights};
/// let mut weights = OwnerWeights::new(3, 2);
/// weights.credit(0, 1, 2.0); // a playout in which item 0 belonged to owner 1 did well
/// let mut rng = Rng::from_u64(1);
/// let mut owners = [0; 3];
/// weights.deal(&[0, 1, 2], &[2, 1], 5.0, DealOrder::Fixed, &mut owners, &mut rng);
/// assert_eq!(owners.iter().filter(|&&owner| owner == 1).count(), 1);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OwnerWeights {
    owners: usize,
    /// The paper's t, item by item, owner by owner.
    t: Vec<f64>,
}

/// Never more owners than this: what fits a stack buffer.
const MAX_OWNERS: usize = 16;
/// Nor more items.
const MAX_ITEMS: usize = 64;

impl OwnerWeights {
    /// Every pair starts with t = 0, that is with weight 1.
    ///
    /// # Panics
    /// If there are more than 16 owners or 64 items.
    pub fn new(items: usize, owners: usize) -> OwnerWeights {
        assert!(owners <= MAX_OWNERS && items <= MAX_ITEMS, "a small table of beliefs");
        OwnerWeights { owners, t: vec![0.0; items * owners] }
    }

    /// The paper's equation 4-3: a matching playout adds its score above the average to t.
    pub fn credit(&mut self, item: usize, owner: usize, above_average: f64) {
        self.t[item * self.owners + owner] += above_average;
    }

    /// The paper's equation 4-2: W = 1 + t·c. A negative weight counts as 0.
    #[inline]
    pub fn weight(&self, item: usize, owner: usize, c: f64) -> f64 {
        (1.0 + self.t[item * self.owners + owner] * c).max(0.0)
    }

    /// The paper's equation 4-4: deals `items` one by one, each to an owner with room left, with
    /// probability proportional to its weight; evenly over the room left if all weights are 0.
    /// `owners_of[i]` becomes the owner of `items[i]`.
    ///
    /// # Panics
    /// If the room does not fit the items.
    pub fn deal(
        &self,
        items: &[usize],
        room: &[usize],
        c: f64,
        order: DealOrder,
        owners_of: &mut [usize],
        rng: &mut Rng,
    ) {
        assert_eq!(room.iter().sum::<usize>(), items.len(), "as much room as items");
        let mut left = [0; MAX_OWNERS];
        left[..room.len()].copy_from_slice(room);
        let mut sequence = [0; MAX_ITEMS];
        let sequence = &mut sequence[..items.len()];
        for (i, slot) in sequence.iter_mut().enumerate() {
            *slot = i;
        }
        if order == DealOrder::Random {
            rng.shuffle(sequence);
        }
        for &at in sequence.iter() {
            let owner = self.draw(items[at], &left[..room.len()], c, rng);
            left[owner] -= 1;
            owners_of[at] = owner;
        }
    }

    fn draw(&self, item: usize, left: &[usize], c: f64, rng: &mut Rng) -> usize {
        let mut weights = [0.0; MAX_OWNERS];
        let mut total = 0.0;
        for (owner, weight) in weights.iter_mut().enumerate().take(left.len()) {
            if left[owner] > 0 {
                *weight = self.weight(item, owner, c);
                total += *weight;
            }
        }
        if total <= 0.0 {
            for (weight, &room) in weights.iter_mut().zip(left) {
                *weight = room as f64;
                total += *weight;
            }
        }
        let mut point = rng.unit() * total;
        let mut last = 0;
        for owner in (0..left.len()).filter(|&owner| weights[owner] > 0.0) {
            last = owner;
            point -= weights[owner];
            if point < 0.0 {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_evidence_every_deal_is_equally_likely_in_random_order() {
        let weights = OwnerWeights::new(3, 3);
        let deals = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        oboro_testkit::check_uniform(&deals, 6000, |rng| {
            let mut owners = [9; 3];
            weights.deal(&[0, 1, 2], &[1, 1, 1], 5.0, DealOrder::Random, &mut owners, rng);
            owners
        });
    }

    #[test]
    fn weights_follow_the_formula_and_rule_out_negative_ones() {
        let mut weights = OwnerWeights::new(2, 2);
        weights.credit(0, 0, 0.5);
        weights.credit(0, 0, 0.5);
        weights.credit(1, 1, -1.0);
        assert_eq!(weights.weight(0, 0, 3.0), 4.0);
        assert_eq!(weights.weight(0, 1, 3.0), 1.0);
        assert_eq!(weights.weight(1, 1, 3.0), 0.0);
        let mut rng = Rng::from_u64(2);
        for _ in 0..100 {
            let mut owners = [9; 1];
            weights.deal(&[1], &[1, 0], 3.0, DealOrder::Random, &mut owners, &mut rng);
            assert_eq!(owners, [0]);
        }
    }

    #[test]
    fn room_is_respected_even_against_all_weights() {
        let mut weights = OwnerWeights::new(1, 2);
        weights.credit(0, 1, -9.0);
        let mut owners = [9; 1];
        weights.deal(&[0], &[0, 1], 1.0, DealOrder::Fixed, &mut owners, &mut Rng::from_u64(1));
        assert_eq!(owners, [1]);
    }
}
