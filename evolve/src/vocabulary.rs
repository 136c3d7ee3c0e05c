use crate::{Token, Tree};
use oboro_core::Rng;

/// The tokens that programs are made of.
///
/// They come in groups: a group is drawn first, then one of its tokens, so that a family of
/// constants weighs no more than any other leaf.
#[derive(Clone, Debug)]
pub struct Vocabulary<T: Token> {
    root: T::Kind,
    groups: Vec<Vec<T>>,
}

/// A type for which a vocabulary has no leaf, so that no program could end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the vocabulary has no leaf of type {0}")]
pub struct VocabularyError(String);

impl<T: Token> Vocabulary<T> {
    /// The vocabulary of programs of type `root`. The tokens of a group have one signature.
    ///
    /// # Errors
    /// If some type that is asked for has no leaf.
    ///
    /// # Panics
    /// If a group is empty or mixes signatures.
    pub fn new(root: T::Kind, groups: Vec<Vec<T>>) -> Result<Vocabulary<T>, VocabularyError> {
        for group in &groups {
            let first = group.first().expect("a group has a token");
            let signature = |token: &T| (token.returns(), token.takes());
            assert!(
                group.iter().all(|t| signature(t) == signature(first)),
                "the tokens of a group have one signature: {group:?}"
            );
        }
        let vocabulary = Vocabulary { root, groups };
        let asked = vocabulary.groups.iter().flat_map(|group| group[0].takes());
        for &kind in asked.chain([&root]) {
            if vocabulary.fitting(kind, |takes| takes == 0).count() == 0 {
                return Err(VocabularyError(format!("{kind:?}")));
            }
        }
        Ok(vocabulary)
    }

    /// The type of whole programs.
    pub fn root(&self) -> T::Kind {
        self.root
    }

    /// Its groups.
    pub fn groups(&self) -> &[Vec<T>] {
        &self.groups
    }

    fn fitting(
        &self,
        wanted: T::Kind,
        arguments: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = &Vec<T>> {
        self.groups.iter().filter(move |group| {
            T::fits(group[0].returns(), wanted) && arguments(group[0].takes().len())
        })
    }

    fn draw(
        &self,
        wanted: T::Kind,
        arguments: impl Fn(usize) -> bool + Copy,
        rng: &mut Rng,
    ) -> Option<T> {
        let count = self.fitting(wanted, arguments).count();
        if count == 0 {
            return None;
        }
        let group = self.fitting(wanted, arguments).nth(rng.below(count))?;
        rng.choose(group).copied()
    }

    /// A random subtree of type `wanted`, no deeper than `depth`. If `full`, it uses functions down
    /// to that depth wherever there are any; if not, leaves may come earlier.
    pub(crate) fn subtree(
        &self,
        wanted: T::Kind,
        depth: usize,
        full: bool,
        rng: &mut Rng,
    ) -> Vec<T> {
        let mut tokens = Vec::new();
        self.grow(wanted, depth, full, rng, &mut tokens);
        tokens
    }

    fn grow(&self, wanted: T::Kind, depth: usize, full: bool, rng: &mut Rng, tokens: &mut Vec<T>) {
        let token = match (depth, full) {
            (0, _) => None,
            (_, true) => self.draw(wanted, |arguments| arguments > 0, rng),
            (_, false) => self.draw(wanted, |_| true, rng),
        };
        let token = token
            .or_else(|| self.draw(wanted, |arguments| arguments == 0, rng))
            .expect("every type has a leaf");
        tokens.push(token);
        for &argument in token.takes() {
            self.grow(argument, depth.saturating_sub(1), full, rng, tokens);
        }
    }

    /// A random program, no deeper than `depth`; its root is a function where there is one.
    pub fn program(&self, depth: usize, full: bool, rng: &mut Rng) -> Tree<T> {
        let functions = |arguments: usize| arguments > 0;
        let Some(root) = (depth > 0).then(|| self.draw(self.root, functions, rng)).flatten() else {
            return Tree::trusted(self.subtree(self.root, 0, full, rng));
        };
        let mut tokens = vec![root];
        for &argument in root.takes() {
            self.grow(argument, depth - 1, full, rng, &mut tokens);
        }
        Tree::trusted(tokens)
    }
}
