//! Names that cannot be guessed, and secrets of which only a fingerprint is kept.

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What is kept of the secret of a seat: enough to recognise it, and nothing that opens it. Whoever reads the database
/// or a backup of it cannot move for anybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KeyHash([u8; 32]);

/// Secrets that people's browsers make up have at least so many letters.
const SHORTEST: usize = 20;
/// And at most so many.
const LONGEST: usize = 64;

impl KeyHash {
    /// A new secret and its lock.
    pub(crate) fn new() -> (String, KeyHash) {
        let key = random_text(24);
        let lock = KeyHash::of(&key);
        (key, lock)
    }

    /// The lock that a secret opens.
    pub(crate) fn of(key: &str) -> KeyHash {
        KeyHash(Sha256::digest(key.as_bytes()).into())
    }

    /// The lock of a secret that a browser made up; nothing if it could be guessed.
    pub(crate) fn of_new_key(key: &str) -> Option<KeyHash> {
        let sound = key.bytes().all(|byte| byte.is_ascii_alphanumeric());
        ((SHORTEST..=LONGEST).contains(&key.len()) && sound).then(|| KeyHash::of(key))
    }

    /// Whether a secret opens this; takes as long for a wrong one as for the right one.
    pub(crate) fn opens(&self, given: &str) -> bool {
        let given = KeyHash::of(given);
        self.0.iter().zip(given.0).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
    }
}

impl Serialize for KeyHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for KeyHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<KeyHash, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom("a lock is 64 hexadecimal digits");
        if text.len() != 64 || !text.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(KeyHash(bytes))
    }
}

/// A text of letters and digits that are hard to mistake for each other, drawn from the system's randomness.
pub(crate) fn random_text(length: usize) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system gives random numbers");
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_opens_for_its_own_key_only_and_does_not_tell_it() {
        let (key, lock) = KeyHash::new();
        assert!(lock.opens(&key));
        assert!(!lock.opens("") && !lock.opens(&KeyHash::new().0) && !lock.opens(&key[1..]));
        let kept = serde_json::to_string(&lock).unwrap();
        assert!(!kept.contains(&key));
        assert_eq!(serde_json::from_str::<KeyHash>(&kept).unwrap(), lock);
        assert!(serde_json::from_str::<KeyHash>("\"12\"").is_err());
    }

    #[test]
    fn keys_that_could_be_guessed_are_not_taken() {
        assert!(KeyHash::of_new_key("short").is_none());
        assert!(KeyHash::of_new_key(&"a b".repeat(10)).is_none());
        assert!(KeyHash::of_new_key(&"x".repeat(1000)).is_none());
        assert!(KeyHash::of_new_key(&random_text(24)).is_some());
    }
}
