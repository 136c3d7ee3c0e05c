/// The word of `known` that somebody who typed `word` probably meant.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// `unknown WHAT "word"` with a guess and the whole list: the one way to say it.
pub(crate) fn unknown(what: &str, word: &str, known: &[&str]) -> String {
    let guess = did_you_mean(word, known.iter().copied())
        .map(|guess| format!("; did you mean `{guess}`?"))
        .unwrap_or_default();
    let list = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("unknown {what} `{word}`{guess} (there is: {list})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_near_words_only() {
        assert_eq!(did_you_mean("playuots", ["playouts", "policy"]), Some("playouts"));
        assert_eq!(did_you_mean("xyz", ["playouts", "policy"]), None);
        assert_eq!(
            unknown("agent", "evla", &["eval", "rule"]),
            "unknown agent `evla`; did you mean `eval`? (there is: eval, rule)"
        );
    }
}
