use crate::{Rng, Seat};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng};
use std::fmt;
use std::str::FromStr;

/// The one seed an experiment or match grows from.
///
/// It is written as a whole number, or as 64 hexadecimal digits after `0x`. Everything random is derived
/// from it by name or number, never by order of execution, so results do not depend on threads.
///
/// ```
/// use oboro_core::{Seat, Seed};
/// let seed: Seed = "1".parse().unwrap();
/// let table_1 = seed.child("table 1");
/// let game_7 = table_1.game(7, 7);
/// assert_eq!(game_7.deal(), table_1.game(7, 7).deal());
/// assert_ne!(game_7.deal(), game_7.agent(Seat::FIRST));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seed([u8; 32]);

impl Seed {
    /// The seed written as a whole number.
    pub fn from_u64(number: u64) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_le_bytes());
        Seed(bytes)
    }

    /// The seed of a named part, such as one match of an experiment.
    #[must_use]
    pub fn child(&self, name: &str) -> Seed {
        // FNV-1a gives the stream number; ChaCha does the mixing.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        // Word positions of children lie far above those that games use.
        Seed(self.bytes_at(hash, 1 << 20))
    }

    /// The streams of one game: `deal` numbers the deal (shared by the games of one duplicate
    /// set), `game` the game itself.
    #[must_use]
    pub fn game(&self, deal: u64, game: u64) -> GameSeeds {
        GameSeeds { seed: *self, deal, game }
    }

    fn bytes_at(&self, stream: u64, block: u64) -> [u8; 32] {
        let mut chacha = ChaCha8Rng::from_seed(self.0);
        chacha.set_stream(stream);
        chacha.set_word_pos(u128::from(block) * 16);
        let mut bytes = [0; 32];
        chacha.fill_bytes(&mut bytes);
        bytes
    }
}

/// The independent random streams of one game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameSeeds {
    seed: Seed,
    deal: u64,
    game: u64,
}

impl GameSeeds {
    /// The stream that deals: cards, tiles, roles. No agent ever gets it.
    pub fn deal(&self) -> Rng {
        Rng::from_seed(self.seed.bytes_at(self.deal, 0))
    }

    /// The stream that assigns seats.
    pub fn seating(&self) -> Rng {
        Rng::from_seed(self.seed.bytes_at(self.game, 1))
    }

    /// The stream of the agent that sits at `seat`.
    pub fn agent(&self, seat: Seat) -> Rng {
        Rng::from_seed(self.seed.bytes_at(self.game, 2 + seat.index() as u64))
    }

    /// A stream for a question beside the game, such as what an agent believes; nothing in play uses it.
    pub fn aside(&self, number: u64) -> Rng {
        // Above the blocks of the seats, below those of children.
        Rng::from_seed(self.seed.bytes_at(self.game, 1024 + number % (1 << 19)))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0[8..].iter().all(|&b| b == 0) {
            let low: [u8; 8] = self.0[..8].try_into().expect("eight of 32 bytes");
            return write!(f, "{}", u64::from_le_bytes(low));
        }
        write!(f, "0x")?;
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

/// A seed's text was neither a number nor 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no seed: write a whole number below 2^64, or 0x and 64 hexadecimal digits")]
pub struct ParseSeedError(String);

impl FromStr for Seed {
    type Err = ParseSeedError;

    fn from_str(text: &str) -> Result<Seed, ParseSeedError> {
        let error = || ParseSeedError(text.to_owned());
        let Some(digits) = text.strip_prefix("0x") else {
            return text.parse().map(Seed::from_u64).map_err(|_| error());
        };
        if digits.len() != 64 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).map_err(|_| error())?;
        }
        Ok(Seed(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for seed in [Seed::from_u64(0), Seed::from_u64(u64::MAX), Seed::from_u64(5).child("x")] {
            assert_eq!(seed.to_string().parse(), Ok(seed));
        }
        for bad in
            ["", "-1", "0x12", "seven", "18446744073709551616", &format!("0x{}", "é".repeat(32))]
        {
            assert!(bad.parse::<Seed>().is_err(), "{bad}");
        }
    }

    #[test]
    fn streams_of_a_game_differ_and_duplicates_share_the_deal() {
        let seed = Seed::from_u64(1);
        let (a, b) = (seed.game(4, 8), seed.game(4, 9));
        assert_eq!(a.deal(), b.deal());
        assert_ne!(a.agent(Seat::FIRST), b.agent(Seat::FIRST));
        assert_ne!(a.agent(Seat::new(0)), a.agent(Seat::new(1)));
        assert_ne!(a.seating(), a.deal());
        assert_ne!(seed.child("a"), seed.child("b"));
    }
}
