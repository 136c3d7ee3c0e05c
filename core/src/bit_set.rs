/// Defines a set of small items: one machine word with a bit for each, and the iterator over its items.
///
/// All sets made so have the same operations in the same words, most of them usable in constants.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// pub enum Suit { Spades, Hearts, Diamonds, Clubs }
/// const SUITS: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];
///
/// oboro_core::bit_set! {
///     /// A set of suits.
///     pub struct Suits(u8) of Suit, iterated by SuitsIter;
///     bit(suit) = suit as u8;
///     item(index) = SUITS[index];
/// }
///
/// let red = Suits::EMPTY.with(Suit::Hearts).with(Suit::Diamonds);
/// assert_eq!(red.iter().collect::<Vec<_>>(), [Suit::Hearts, Suit::Diamonds]);
/// assert!(red.without(Suit::Hearts.into()).is_within(red));
/// ```
#[macro_export]
macro_rules! bit_set {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Set:ident($word_vis:vis $word:ty) of $Item:ty, iterated by $Iter:ident;
        bit($item:ident) = $bit:expr;
        item($index:ident) = $from_index:expr;
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        $vis struct $Set($word_vis $word);

        #[allow(dead_code, reason = "every set has the same operations")]
        impl $Set {
            /// The empty set.
            pub const EMPTY: $Set = $Set(0);

            /// Whether an item is in the set.
            #[inline]
            pub const fn contains(self, $item: $Item) -> bool {
                self.0 >> ($bit) & 1 != 0
            }

            /// The number of items.
            #[inline]
            pub const fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether the set has no item.
            #[inline]
            pub const fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// Whether every item of this set is also in the other.
            #[inline]
            pub const fn is_within(self, other: $Set) -> bool {
                self.0 & !other.0 == 0
            }

            /// Adds an item.
            #[inline]
            pub const fn insert(&mut self, $item: $Item) {
                self.0 |= 1 << ($bit);
            }

            /// Removes an item.
            #[inline]
            pub const fn remove(&mut self, $item: $Item) {
                self.0 &= !(1 << ($bit));
            }

            /// The set with one more item.
            #[inline]
            #[must_use]
            pub const fn with(self, $item: $Item) -> $Set {
                $Set(self.0 | 1 << ($bit))
            }

            /// The items of this set that are not in the other.
            #[inline]
            #[must_use]
            pub const fn without(self, other: $Set) -> $Set {
                $Set(self.0 & !other.0)
            }

            /// The items in both sets.
            #[inline]
            #[must_use]
            pub const fn and(self, other: $Set) -> $Set {
                $Set(self.0 & other.0)
            }

            /// The items in either set.
            #[inline]
            #[must_use]
            pub const fn or(self, other: $Set) -> $Set {
                $Set(self.0 | other.0)
            }

            /// The items in the order of their bits.
            #[inline]
            pub const fn iter(self) -> $Iter {
                $Iter(self.0)
            }
        }

        impl From<$Item> for $Set {
            #[inline]
            fn from(item: $Item) -> $Set {
                $Set::EMPTY.with(item)
            }
        }

        impl FromIterator<$Item> for $Set {
            fn from_iter<I: IntoIterator<Item = $Item>>(items: I) -> $Set {
                items.into_iter().fold($Set::EMPTY, $Set::with)
            }
        }

        impl IntoIterator for $Set {
            type Item = $Item;
            type IntoIter = $Iter;

            #[inline]
            fn into_iter(self) -> $Iter {
                self.iter()
            }
        }

        /// The items of a set in the order of their bits.
        #[derive(Clone, Debug)]
        $vis struct $Iter($word);

        impl Iterator for $Iter {
            type Item = $Item;

            #[inline]
            fn next(&mut self) -> Option<$Item> {
                if self.0 == 0 {
                    return None;
                }
                let $index = self.0.trailing_zeros() as usize;
                self.0 &= self.0 - 1;
                Some($from_index)
            }
        }
    };
}
