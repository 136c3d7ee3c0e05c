use oboro_core::Rng;

/// The variable that makes every [`fuzz`] target run so many times as long: `cargo xtask fuzz 1000`.
pub const FUZZ_VARIABLE: &str = "OBORO_FUZZ";

/// Runs a fuzz target: `rounds` times, briefly, as a test, or as many times longer as [`FUZZ_VARIABLE`] says. Each round has a
/// stream of its own, so that one that panics can be run again by its number, which is printed.
///
/// # Panics
/// If the target does, or the variable is no number.
#[allow(clippy::print_stderr, reason = "the number of the round that failed is for people")]
pub fn fuzz(rounds: u64, mut target: impl FnMut(&mut Rng)) {
    struct Round(u64);
    impl Drop for Round {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("it was round {} of the fuzz target", self.0);
            }
        }
    }
    for number in 0..rounds.saturating_mul(fuzz_factor()) {
        let round = Round(number);
        target(&mut Rng::from_u64(number));
        drop(round);
    }
}

/// How many times as long fuzz targets run.
///
/// # Panics
/// If [`FUZZ_VARIABLE`] is no number.
pub fn fuzz_factor() -> u64 {
    std::env::var(FUZZ_VARIABLE)
        .map_or(1, |times| times.parse().expect("OBORO_FUZZ is a whole number"))
}

/// A sound text with a few things wrong: parts lost, doubled, exchanged for words and numbers that readers stumble over, cut off, or
/// nothing but noise.
pub fn damaged(sound: &str, rng: &mut Rng) -> Vec<u8> {
    const WORDS: [&str; 24] = [
        "null",
        "true",
        "-1",
        "0",
        "1e999",
        "NaN",
        "9999999999999999999999",
        "[]",
        "{}",
        "\"\"",
        "[[",
        "\"",
        "=",
        ",",
        ":",
        "/",
        " ",
        "\n",
        "\r\n",
        "\0",
        "\u{fffd}",
        "朧",
        "\"type\":",
        "{\"type\":\"resign\"}\n",
    ];
    let mut bytes = sound.as_bytes().to_vec();
    for _ in 0..[1, 1, 2, 5][rng.below(4)] {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.below(8)).min(bytes.len());
        match rng.below(20) {
            0..=3 => drop(bytes.splice(at..at, WORDS[rng.below(WORDS.len())].bytes())),
            4..=7 => drop(bytes.splice(at..end, WORDS[rng.below(WORDS.len())].bytes())),
            8..=11 => drop(bytes.drain(at..end)),
            12 => bytes.truncate(at),
            13..=14 => bytes.insert(at, rng.bits() as u8),
            15..=16 => bytes.extend_from_within(..end),
            17..=18 if at < bytes.len() => bytes[at] = b'0' + rng.below(10) as u8,
            19 if rng.chance(0.2) => {
                bytes = (0..rng.below(300)).map(|_| rng.bits() as u8).collect();
            }
            _ => bytes.reverse(),
        }
    }
    bytes
}

/// The same for readers of text: what is no text any more is replaced.
pub fn damaged_text(sound: &str, rng: &mut Rng) -> String {
    String::from_utf8_lossy(&damaged(sound, rng)).into_owned()
}
