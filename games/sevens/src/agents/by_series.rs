//! A small number for each series of cards, in one word.

use crate::{Card, Cards};

/// Eight small numbers in one word, one a series, each in the byte that has the bits of the series' cards in [`Cards`]
/// (7s aside). No number is above 127, so that none runs into the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BySeries(u64);

impl BySeries {
    /// The number of cards of each series.
    #[inline]
    pub(super) fn of_cards(cards: Cards) -> BySeries {
        let ones = cards.without(Cards::SEVENS).0;
        let pairs = ones - (ones >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        BySeries((fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F)
    }

    /// The same number for every series.
    #[inline]
    pub(super) const fn all(number: u8) -> BySeries {
        BySeries(EACH_BYTE * number as u64)
    }

    /// r·a − b + c, series by series.
    #[inline]
    pub(super) fn weigh(self, r: u8, less: BySeries, more: BySeries) -> BySeries {
        BySeries(self.0 * u64::from(r) + more.0 - less.0)
    }

    /// The number of a card's series.
    #[inline]
    pub(super) fn of(self, card: Card) -> u8 {
        (self.0 >> (card.index() & 0x38)) as u8
    }

    /// The greatest number of the series of some cards, and those of the cards that have it; 0 for none.
    #[inline]
    pub(super) fn greatest(self, cards: Cards) -> (u8, Cards) {
        // The sign of a byte tells whether it was 0; 7s are no cards of a series.
        let is_not_zero = |bytes: u64| ((bytes + EACH_BYTE * 0x7F) & (EACH_BYTE * 0x80)) >> 7;
        let there = self.0 & (is_not_zero(cards.without(Cards::SEVENS).0) * 0xFF);
        let greatest = there.to_le_bytes().into_iter().fold(0, u8::max);
        let others = is_not_zero(there ^ BySeries::all(greatest).0) * 0xFF;
        (greatest, cards.without(Cards(others)))
    }
}

/// A factor that copies a byte to all eight.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::tests::some_sets;

    #[test]
    fn numbers_by_series_are_those_of_its_cards() {
        let mut all = some_sets();
        while let (Some(own), Some(others)) = (all.next(), all.next()) {
            let numbers =
                BySeries::of_cards(own).weigh(3, BySeries::of_cards(others), BySeries::all(6));
            let reference = |card: Card| {
                let count = |set: Cards| set.and(card.series()).len() as u8;
                3 * count(own) + 6 - count(others)
            };
            let cards = own.without(Cards::SEVENS);
            assert!(cards.iter().all(|card| numbers.of(card) == reference(card)), "{own} {others}");
            let max = cards.iter().map(reference).max().unwrap_or(0);
            let best: Cards = cards.iter().filter(|&card| reference(card) == max).collect();
            assert_eq!(numbers.greatest(cards), (max, best), "{own} {others}");
        }
    }
}
