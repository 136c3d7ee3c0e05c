//! Names that cannot be guessed.

/// The secret of a seat: whoever has it may move there.
#[derive(Clone)]
pub(crate) struct Key(String);

impl std::fmt::Debug for Key {
    /// Secrets do not get into logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// A new secret.
    pub(crate) fn new() -> Key {
        Key(random_text(24))
    }

    /// The text that opens it.
    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is this key; takes as long for a wrong one as for the right one.
    pub(crate) fn opens(&self, given: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), given.as_bytes());
        own.len() == given.len()
            && own.iter().zip(given).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
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
    fn a_key_opens_for_its_own_text_only() {
        let key = Key::new();
        assert!(key.opens(key.text()));
        assert!(!key.opens("") && !key.opens(Key::new().text()));
        assert!(!format!("{key:?}").contains(key.text()));
    }
}
