//! How other seats may play, and so how much their actions tell of what is hidden: a mixture that is updated while a game is
//! played.
//!
//! There are two kinds of evidence. The evaluator guesses what is hidden, from all that the seat has seen; and an action of
//! another seat is likelier under the evaluator's policy in some worlds than in others. Both hold for opponents that play like
//! the evaluator. A stranger's actions may mean less, or nothing. So every component of the mixture scales the evidence by
//! factors of its own. Its weight is multiplied by the probability that it gave to what was seen: to actions, where it says
//! how likely they are, and to what they reveal. No component is a particular agent.

/// An opponent of one kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Component {
    /// How likely it is at the start of a game.
    pub(crate) prior: f64,
    /// The factor of what the evaluator guesses, in log odds.
    pub(crate) guess: f64,
    /// Whether it plays by the evaluator's policy, but for a share of actions that is uniform. If not, any action is as likely
    /// as any other.
    pub(crate) follows_policy: bool,
}

/// How many components there are.
pub(crate) const COMPONENTS: usize = 5;

/// The mixture. The component that follows the policy needs no guesses: its actions are the evidence.
///
/// The first four were chosen for the Brier score of beliefs about `naotti`, `ssm`, `gp`, `keeper`, `random` and `upp` in
/// Geister (30 games each). The fifth makes the difference against opponents that play like the evaluator.
pub(crate) const MIXTURE: [Component; COMPONENTS] = [
    Component { prior: 0.30, guess: 0.0, follows_policy: false },
    Component { prior: 0.20, guess: 0.25, follows_policy: false },
    Component { prior: 0.15, guess: 0.5, follows_policy: false },
    Component { prior: 0.15, guess: 1.0, follows_policy: false },
    Component { prior: 0.20, guess: 0.0, follows_policy: true },
];

/// The share of uniform actions of the component that follows the policy. Nets trained by self-play are nearly deterministic:
/// without it one unusual move would count for more than a whole game.
const UNIFORM: f64 = 0.5;

/// A component that is less likely than this is given up: it need not be asked about further actions.
pub(crate) const NEGLIGIBLE: f64 = 1e-3;

/// The likelihood of an action for a component that follows the policy, as a multiple of the uniform likelihood.
pub(crate) fn likelihood_ratio<A>(policy: &[(A, f64)], chosen: usize) -> f64 {
    (1.0 - UNIFORM) * policy[chosen].1 * policy.len() as f64 + UNIFORM
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixture_adds_up_and_ratios_have_the_mean_of_one() {
        let total: f64 = MIXTURE.iter().map(|component| component.prior).sum();
        assert!((total - 1.0).abs() < 1e-12);
        let policy = [('a', 0.7), ('b', 0.3), ('c', 0.0)];
        let ratios: f64 = (0..3).map(|chosen| likelihood_ratio(&policy, chosen)).sum();
        assert!((ratios / 3.0 - 1.0).abs() < 1e-12);
        assert_eq!(likelihood_ratio(&policy, 2), UNIFORM);
    }
}
