use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// One node of a program: a function with typed arguments, or a leaf.
pub trait Token: Copy + Eq + Debug + Send + Sync + Serialize + DeserializeOwned + 'static {
    /// The types that values have.
    type Kind: Copy + Eq + Debug + Send + Sync + 'static;

    /// The type of its value.
    fn returns(self) -> Self::Kind;

    /// The types of its arguments; none for a leaf.
    fn takes(self) -> &'static [Self::Kind];

    /// Whether a value of type `given` may stand where `wanted` is asked for. Equal types may; a
    /// language with subtypes says more.
    fn fits(given: Self::Kind, wanted: Self::Kind) -> bool {
        given == wanted
    }
}

/// A program as a flat list: every function before its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tree<T>(Vec<T>);

/// Why a list of tokens is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    /// The list ends before the last argument.
    #[error("the program ends before its last argument")]
    TooShort,
    /// Tokens are left over.
    #[error("the program goes on after its end, at token {0}")]
    TooLong(usize),
    /// A value of another type is wanted: the token's place, the token, and the type.
    #[error("token {0}, {1}, gives a value where {2} is wanted")]
    WrongKind(usize, String, String),
}

/// Where a node stands: what is wanted of it, and how far from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slot<K> {
    pub(crate) wanted: K,
    pub(crate) level: usize,
}

impl<T: Token> Tree<T> {
    /// The program of these tokens, if they are one of type `root`.
    ///
    /// # Errors
    /// Where types or the number of arguments are wrong.
    pub fn new(tokens: Vec<T>, root: T::Kind) -> Result<Tree<T>, TreeError> {
        let tree = Tree(tokens);
        tree.check(root)?;
        Ok(tree)
    }

    /// Tokens that are known to be a program.
    pub(crate) fn trusted(tokens: Vec<T>) -> Tree<T> {
        Tree(tokens)
    }

    /// Its tokens, functions before their arguments.
    pub fn tokens(&self) -> &[T] {
        &self.0
    }

    /// The number of its nodes.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    /// The steps from the root to the deepest leaf: 0 for a leaf alone.
    pub fn depth(&self) -> usize {
        self.heights()[0]
    }

    /// The place after the last token of the subtree that starts at `at`.
    pub fn end(&self, at: usize) -> usize {
        let mut open = 1;
        let mut place = at;
        while open > 0 {
            open += self.0[place].takes().len();
            open -= 1;
            place += 1;
        }
        place
    }

    /// Checks types and numbers of arguments.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, root: T::Kind) -> Result<(), TreeError> {
        let mut wanted = vec![root];
        for (at, token) in self.0.iter().enumerate() {
            let Some(kind) = wanted.pop() else {
                return Err(TreeError::TooLong(at));
            };
            if !T::fits(token.returns(), kind) {
                return Err(TreeError::WrongKind(at, format!("{token:?}"), format!("{kind:?}")));
            }
            wanted.extend(token.takes().iter().rev());
        }
        if wanted.is_empty() { Ok(()) } else { Err(TreeError::TooShort) }
    }

    /// What is wanted at every node, and its level.
    pub(crate) fn slots(&self, root: T::Kind) -> Vec<Slot<T::Kind>> {
        let mut open = vec![Slot { wanted: root, level: 0 }];
        self.0
            .iter()
            .map(|token| {
                let slot = open.pop().expect("a program has a slot for every token");
                let below = token
                    .takes()
                    .iter()
                    .rev()
                    .map(|&wanted| Slot { wanted, level: slot.level + 1 });
                open.extend(below);
                slot
            })
            .collect()
    }

    /// The depth of the subtree at every node.
    pub(crate) fn heights(&self) -> Vec<usize> {
        let mut heights = vec![0; self.0.len()];
        // From the back, the subtrees that are not yet below a function lie on a stack.
        let mut roots: Vec<usize> = Vec::new();
        for at in (0..self.0.len()).rev() {
            let below = (0..self.0[at].takes().len())
                .map(|_| {
                    let child = roots.pop().expect("a program has all its arguments");
                    heights[child] + 1
                })
                .max();
            heights[at] = below.unwrap_or(0);
            roots.push(at);
        }
        heights
    }

    /// A copy with the subtree at `at` replaced.
    pub(crate) fn replaced(&self, at: usize, by: &[T]) -> Tree<T> {
        let mut tokens = self.0[..at].to_vec();
        tokens.extend_from_slice(by);
        tokens.extend_from_slice(&self.0[self.end(at)..]);
        Tree(tokens)
    }
}
