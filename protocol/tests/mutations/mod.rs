//! Lines with a few things wrong.

use oboro_core::Rng;

/// A sound line (with its end, or without), damaged.
pub(crate) fn line(sound: &str, rng: &mut Rng) -> Vec<u8> {
    const WORDS: [&str; 14] = [
        "null",
        "true",
        "-1",
        "1e999",
        "[]",
        "{}",
        "\"\"",
        "\n",
        "\r\n",
        "\0",
        "\"type\":",
        "\u{fffd}",
        "{\"type\":\"resign\"}\n",
        "9999999999999999999999",
    ];
    let mut bytes = sound.as_bytes().to_vec();
    for _ in 0..[1, 1, 2, 5][rng.below(4)] {
        let at = rng.below(bytes.len() + 1);
        let end = (at + rng.below(8)).min(bytes.len());
        match rng.below(7) {
            0 => drop(bytes.splice(at..at, WORDS[rng.below(WORDS.len())].bytes())),
            1 => drop(bytes.splice(at..end, WORDS[rng.below(WORDS.len())].bytes())),
            2 => drop(bytes.drain(at..end)),
            3 => bytes.truncate(at),
            4 => bytes.insert(at, rng.bits() as u8),
            5 => bytes.extend_from_within(..end),
            _ => bytes = (0..rng.below(300)).map(|_| rng.bits() as u8).collect(),
        }
    }
    bytes
}
