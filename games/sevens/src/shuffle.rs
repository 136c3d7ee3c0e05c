use crate::{Card, Cards};
use oboro_core::Rng;

/// Cards being shuffled, handed out one by one from the end of the shuffled order: [`Rng::shuffle`] settles the last
/// place first. The draws are the same, but nothing is walked through twice, and what goes to one hand as a whole is
/// not put in order.
pub(crate) struct Shuffle {
    /// The numbers of the cards; more places than cards, so that a masked index needs no check.
    cards: [u8; 64],
    left: usize,
    /// A copy of the stream, which the processor's registers can hold.
    rng: Rng,
}

const MASK: usize = 63;

impl Shuffle {
    #[inline]
    pub(crate) fn of(set: Cards, rng: &Rng) -> Shuffle {
        let mut shuffle = Shuffle { cards: [0; 64], left: 0, rng: rng.clone() };
        for (i, byte) in set.0.to_le_bytes().into_iter().enumerate() {
            let (numbers, count) = BITS[usize::from(byte)];
            let numbers = numbers + 0x0808_0808_0808_0808 * i as u64;
            shuffle.cards[shuffle.left..shuffle.left + 8].copy_from_slice(&numbers.to_le_bytes());
            shuffle.left += usize::from(count);
        }
        shuffle
    }

    /// As [`of`](Shuffle::of) with all cards.
    #[inline]
    pub(crate) fn of_pack(rng: &Rng) -> Shuffle {
        Shuffle { cards: PACK, left: Cards::ALL.len(), rng: rng.clone() }
    }

    /// The number of cards not handed out.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// Hands out the next card from the end, while more than one is left: for the last there is nothing to draw.
    #[inline]
    pub(crate) fn draw(&mut self) -> Card {
        let drawn = self.rng.below(self.left);
        self.left -= 1;
        let card = Card::from_index(self.cards[drawn & MASK].into());
        self.cards[drawn & MASK] = self.cards[self.left & MASK];
        card
    }

    /// Ends the shuffle: the stream stands where the whole of it would have left it.
    #[inline]
    pub(crate) fn finish(mut self, rng: &mut Rng) {
        for left in (2..=self.left).rev() {
            self.rng.below(left);
        }
        *rng = self.rng;
    }
}

/// The numbers of all cards.
static PACK: [u8; 64] = {
    let mut pack = [0; 64];
    let (mut number, mut left) = (0, 0);
    while number < 64 {
        if Cards::ALL.contains(Card::from_index(number)) {
            pack[left] = number as u8;
            left += 1;
        }
        number += 1;
    }
    pack
};

/// For every byte the numbers of its set bits, one to a byte from the lowest, and how many there are.
static BITS: [(u64, u8); 256] = {
    let mut bits = [(0, 0); 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                bits[byte].0 |= bit << (8 * bits[byte].1);
                bits[byte].1 += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    bits
};

#[cfg(test)]
mod tests {
    use super::*;

    fn any_set(rng: &mut Rng) -> Cards {
        Cards::ALL.and(Cards(rng.bits() & rng.bits() | rng.bits()))
    }

    #[test]
    fn draws_equal_a_full_shuffle_taken_from_its_end() {
        let mut rng = Rng::from_u64(1);
        for n in 0..200 {
            let set = match n {
                0 => Cards::EMPTY,
                1 => Cards::ALL,
                _ => any_set(&mut rng),
            };
            // Some stop before the last card: what is left is the beginning of the shuffled order.
            let kept = 1.max(rng.below(4));
            let mut reference = rng.clone();
            let mut cards: Vec<Card> = set.iter().collect();
            reference.shuffle(&mut cards);
            let mut shuffle = Shuffle::of(set, &rng);
            while shuffle.left() > kept {
                assert_eq!(Some(shuffle.draw()), cards.pop());
            }
            assert_eq!(shuffle.left(), cards.len());
            shuffle.finish(&mut rng);
            assert_eq!(rng, reference, "both streams stand at the same place");
        }
    }
}
