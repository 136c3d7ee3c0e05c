//! Exact answers for small games.

use crate::data::{SeatNumber, seed, to_python};
use crate::fault::Fault;
use crate::game::Game;
use crate::view::View;
use crate::work::{patiently, quickly};
use oboro_catalog::{AnyTree, Measured, Method, Solving};
use oboro_core::SpecError;
use pyo3::prelude::*;

/// The probabilities of a policy at every information set, in the order of the legal actions.
type Policy = Vec<Vec<f64>>;

/// A small game as a whole tree.
#[pyclass(frozen, module = "oboro._engine")]
pub(crate) struct Tree {
    tree: Box<dyn AnyTree>,
    game: &'static str,
}

/// How far a policy can be exploited, as data.
fn report<'py>(py: Python<'py>, measured: &Measured) -> PyResult<Bound<'py, PyAny>> {
    let Measured { exploitability, error, best, payoffs, .. } = measured;
    let report = serde_json::json!({
        "exploitability": exploitability, "error": error, "best": best, "payoffs": payoffs,
    });
    to_python(py, &report)
}

#[pymethods]
impl Tree {
    #[new]
    fn new(py: Python<'_>, game: &Game) -> PyResult<Tree> {
        let tree = patiently(py, |_| Ok(game.rules.tree()?))?;
        Ok(Tree { tree, game: game.rules.game() })
    }

    /// How many information sets there are.
    #[getter]
    fn sets(&self) -> usize {
        self.tree.sets()
    }

    /// How many histories there are, endings included.
    #[getter]
    fn histories(&self) -> u64 {
        self.tree.histories()
    }

    /// What the seat to move sees at an information set.
    fn view(&self, py: Python<'_>, set: usize) -> PyResult<View> {
        let turn = quickly(py, || Ok(self.tree.view(set)?))?;
        Ok(View::new(turn, self.game, 0, None))
    }

    /// How far a policy can be exploited that plays all seats.
    fn measure<'py>(&self, py: Python<'py>, policy: Policy) -> PyResult<Bound<'py, PyAny>> {
        let measured = quickly(py, || Ok(self.tree.measure_policy(&policy)?))?;
        report(py, &measured)
    }

    /// The same of an agent of the engine, which is asked so many times at each set if it does not know its probabilities.
    fn measure_agent<'py>(
        &self,
        py: Python<'py>,
        agent: &str,
        samples: u32,
        seed: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seed = self::seed(seed)?;
        let measured =
            patiently(py, |_| Ok(self.tree.measure(agent, samples, &seed, &mut |_| ())?))?;
        report(py, &measured)
    }

    /// What the best response of a seat to a policy of the others is worth, and the policy with that response.
    fn best_response(
        &self,
        py: Python<'_>,
        policy: Policy,
        seat: SeatNumber,
    ) -> PyResult<(f64, Policy)> {
        let seat = seat.0.index();
        quickly(py, || Ok(self.tree.best_response(&policy, seat)?))
    }

    /// Minimises regrets: the policy, how far it can be exploited, and the text of a strategy file.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        iterations: u32,
        last: bool,
        seed: &Bound<'py, PyAny>,
    ) -> PyResult<(Policy, Bound<'py, PyAny>, String)> {
        let seed = self::seed(seed)?;
        let known = Method::ALL.map(|(name, _)| name);
        let unknown = || Fault::from(SpecError::unknown("method", method, &known));
        let method = Method::named(method).ok_or_else(unknown)?;
        let (policy, measured, text) = patiently(py, |_| {
            let mut measured = None;
            let mut tell = |_: u32, now: Measured| measured = Some(now);
            let wanted = Solving { method, iterations, last };
            let solution = self.tree.solve(wanted, &seed, &mut tell)?;
            Ok((solution.policy(), measured, solution.text()))
        })?;
        let measured = measured.ok_or_else(|| Fault::new("EngineError", "nothing was measured"))?;
        Ok((policy, report(py, &measured)?, text))
    }

    fn __repr__(&self) -> String {
        format!("<{} as a tree of {} information sets>", self.game, self.tree.sets())
    }
}
