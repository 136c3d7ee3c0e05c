//! One game in progress.

use crate::data::{SeatNumber, action_index, eyes, number, to_python, whole};
use crate::fault::Fault;
use crate::game::Game;
use crate::own_game::OwnGame;
use crate::view::View;
use crate::work::{guarded, patiently, quickly};
use oboro_catalog::{AnyLive, CatalogError, OutcomeReport};
use oboro_core::{Game as _, LiveError, Perspective, Seed};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::{Mutex, MutexGuard};

/// The game of a record, replayed to where it ends and checked; all seats are left to the caller of `play`. A game written in
/// Python is needed to replay its records.
#[pyfunction]
#[pyo3(signature = (text, game = None))]
pub(crate) fn open_record(py: Python<'_>, text: &str, game: Option<&Game>) -> PyResult<Live> {
    let own = game.filter(|game| game.is_own());
    quickly(py, || {
        let live = match own {
            Some(game) => game.replay(text)?,
            None => oboro_catalog::open_record(text)?,
        };
        Ok(Live::new(live, Seed::from_u64(1)))
    })
}

/// The game of a record with agents at its seats again: for pickles.
#[pyfunction]
pub(crate) fn _restore(
    py: Python<'_>,
    record: &str,
    agents: Vec<Option<String>>,
    seed: &Bound<'_, PyAny>,
) -> PyResult<Live> {
    let seed = crate::data::seed(seed)?;
    quickly(py, || {
        let mut live = oboro_catalog::open_record(record)?;
        let seeds = seed.game(0, 0);
        if live.outcome().is_none() {
            for (seat, agent) in agents.iter().enumerate() {
                live.reseat(seat, agent.as_deref(), &seeds)?;
            }
        }
        Ok(Live::new(live, seed))
    })
}

/// One game in progress with its players.
#[pyclass(frozen, module = "oboro")]
pub(crate) struct Live {
    live: Mutex<Box<dyn AnyLive>>,
    seed: Seed,
}

impl Live {
    pub(crate) fn new(live: Box<dyn AnyLive>, seed: Seed) -> Live {
        Live { live: Mutex::new(live), seed }
    }

    fn lock(&self) -> Result<MutexGuard<'_, Box<dyn AnyLive>>, Fault> {
        let broken = |_| Fault::new("EngineError", "this game broke in an earlier call");
        self.live.lock().map_err(broken)
    }

    /// Looks at the game.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dyn AnyLive) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        quickly(py, || question(self.lock()?.as_ref()))
    }

    /// Looks at something that is there at once: to let go of Python's lock would take longer. Where another thread holds the game,
    /// it is waited for like anything else.
    fn glance<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dyn AnyLive) -> T + Send,
    ) -> PyResult<T> {
        if let Ok(live) = self.live.try_lock() {
            return Ok(guarded(|| Ok(question(live.as_ref())))?);
        }
        self.ask(py, |live| Ok(question(live)))
    }

    /// Does a single step in the same way, unless an agent sits there: it may think about what it is shown.
    fn at_once<T: Send>(
        &self,
        py: Python<'_>,
        step: impl FnOnce(&mut dyn AnyLive) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        if let Ok(mut live) = self.live.try_lock()
            && !live.has_agents()
        {
            // The task owns the lock: what breaks in the middle of it is not used again.
            return Ok(guarded(move || step(live.as_mut()))?);
        }
        self.tell(py, step)
    }

    /// Changes the game.
    fn tell<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut dyn AnyLive) -> Result<T, Fault> + Send,
    ) -> PyResult<T> {
        quickly(py, || change(self.lock()?.as_mut()))
    }

    /// Asks agents until `enough` of what they did; Ctrl-C takes back what was played in haste.
    fn let_play(
        &self,
        py: Python<'_>,
        enough: impl Fn(&dyn AnyLive) -> bool + Send + Sync,
    ) -> PyResult<Vec<(usize, String)>> {
        patiently(py, |stop| {
            let mut live = self.lock()?;
            let mut played = Vec::new();
            while !enough(live.as_ref()) {
                let step = live.step()?;
                if stop.is_pulled() {
                    live.take_back(1)?;
                    break;
                }
                played.push(step);
            }
            Ok(played)
        })
    }
}

#[pymethods]
impl Live {
    /// The game's name.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.glance(py, |live| live.game())
    }

    /// All rule options.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rules = self.ask(py, |live| Ok(live.rules()))?;
        to_python(py, &rules)
    }

    /// Who sits where.
    #[getter]
    fn seats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let seats = self.ask(py, |live| Ok(live.seats()))?;
        to_python(py, &seats)
    }

    /// Whose turn it is; None when the game is over.
    #[getter]
    fn to_act(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        self.glance(py, |live| live.to_act())
    }

    /// Whether it has ended.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        self.glance(py, |live| live.to_act().is_none())
    }

    /// How many actions have been played.
    #[getter]
    fn plies(&self, py: Python<'_>) -> PyResult<usize> {
        self.glance(py, |live| live.plies())
    }

    /// How the game ended: payoffs, plies, facts; None while it goes on.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let outcome = self.ask(py, |live| Ok(live.outcome()))?;
        to_python(py, &outcome.as_ref().map(OutcomeReport::from))
    }

    /// The legal actions of the seat to move, as text.
    #[getter]
    fn actions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.glance(py, |live| live.actions())
    }

    /// The indices of the legal actions of the seat to move, in the order of `actions`: the quickest way to choose and play.
    #[getter]
    fn action_indices(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        self.glance(py, |live| live.action_indices())
    }

    /// The legal actions of the seat to move, taken apart and in words.
    fn described_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let actions = self.ask(py, |live| Ok(live.described_actions()))?;
        to_python(py, &actions)
    }

    /// The position as data, through the eyes of a seat, of a "spectator", or with the "truth" shown.
    fn scene<'py>(&self, py: Python<'py>, who: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let eyes = eyes(who)?;
        let scene = self.ask(py, |live| Ok(live.scene(eyes)?))?;
        to_python(py, &scene)
    }

    /// The position as a terminal shows it, through somebody's eyes.
    fn drawing(&self, py: Python<'_>, who: &Bound<'_, PyAny>) -> PyResult<String> {
        let eyes = eyes(who)?;
        self.ask(py, |live| Ok(live.drawing(eyes)?))
    }

    /// What a seat knows now, as an agent is handed it.
    fn view(&self, py: Python<'_>, seat: SeatNumber) -> PyResult<View> {
        let seat = seat.0.index();
        let (game, turn) = self.at_once(py, |live| Ok((live.game(), live.view(seat)?)))?;
        Ok(View::new(turn, game, 0, None))
    }

    /// What the seat to move knows, with all that it has seen, for searches by the player.
    fn _seen(&self, py: Python<'_>) -> PyResult<View> {
        let (game, turn) = self.ask(py, |live| {
            let seat = live.to_act().ok_or(LiveError::Over)?;
            Ok((live.game(), live.view_with_past(seat)?))
        })?;
        Ok(View::new(turn, game, 0, None))
    }

    /// What happened since action `since`, as seen by somebody.
    #[pyo3(signature = (who, since = 0))]
    fn story<'py>(
        &self,
        py: Python<'py>,
        who: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = number)] since: i128,
    ) -> PyResult<Bound<'py, PyAny>> {
        let eyes = eyes(who)?;
        let since = whole("since", since)?;
        let story = self.ask(py, |live| Ok(live.story(eyes, since)?))?;
        to_python(py, &story)
    }

    /// What is hidden from a seat, with what the rules alone say of it.
    fn secrets<'py>(&self, py: Python<'py>, seat: SeatNumber) -> PyResult<Bound<'py, PyAny>> {
        let seat = seat.0.index();
        let secrets = self.ask(py, |live| Ok(live.secrets(seat)?))?;
        to_python(py, &secrets)
    }

    /// Plays an action, by its text or its number, for the seat to move, which must be held from outside.
    #[pyo3(signature = (action, seat = None))]
    fn play(
        &self,
        py: Python<'_>,
        action: &Bound<'_, PyAny>,
        seat: Option<SeatNumber>,
    ) -> PyResult<()> {
        let text = action.cast::<PyString>().ok().map(|text| text.to_str()).transpose()?;
        let index = if text.is_none() { action_index(action)? } else { 0 };
        self.at_once(py, |live| {
            let turn = || live.to_act().ok_or(LiveError::Over);
            let seat = seat.map_or_else(turn, |seat| Ok(seat.0.index()))?;
            let _: () = match (text, usize::try_from(index)) {
                (Some(text), _) => live.play(seat, text)?,
                (None, Ok(index)) => live.play_index(seat, index)?,
                (None, Err(_)) => return Err(CatalogError::NoAction { index, seat }.into()),
            };
            Ok(())
        })
    }

    /// A copy that goes its own way. Agents at its seats are built afresh and shown what their seats saw; their random
    /// streams begin anew.
    fn clone(&self, py: Python<'_>) -> PyResult<Live> {
        let seeds = self.seed.game(0, 0);
        self.at_once(py, |live| Ok(Live::new(live.copy(&seeds)?, self.seed)))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Live> {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Live> {
        self.clone(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (record, agents) = self.ask(py, |live| {
            if live.game() == OwnGame::NAME {
                let said = "a game written in Python is kept as its record: live.record(), and oboro.open_record(text, game)";
                return Err(Fault::new("RecordError", said));
            }
            let seats = live.seats();
            let agents: Vec<_> = seats.into_iter().map(|s| s.agent.then_some(s.name)).collect();
            Ok((live.record().to_string(), agents))
        })?;
        let make = py.import("oboro._engine")?.getattr("_restore")?;
        Ok((make, (record, agents, self.seed.to_string())).into_pyobject(py)?.into_any())
    }

    /// Asks the agent whose turn it is and plays what it chooses: the seat and the action.
    fn step(&self, py: Python<'_>) -> PyResult<(usize, String)> {
        let before = self.plies(py)?;
        let played = self.let_play(py, |live| live.plies() > before)?;
        played.into_iter().next().ok_or_else(|| Fault::from(LiveError::Over).into())
    }

    /// Asks agents until somebody outside is to move or the game is over: what they played.
    fn run(&self, py: Python<'_>) -> PyResult<Vec<(usize, String)>> {
        self.let_play(py, |live| live.to_act().is_none_or(|seat| !live.seats()[seat].agent))
    }

    /// What an agent thinks of the game from a seat, the one to move unless said, after it was shown everything that
    /// seat saw: values of actions, beliefs, and what the rules alone say of hidden things.
    #[pyo3(signature = (agent, seat = None, *, seed = None))]
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        agent: &str,
        seat: Option<SeatNumber>,
        seed: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seeds = seed.map_or(Ok(Seed::from_u64(1)), crate::data::seed)?.game(0, 0);
        let report = patiently(py, |stop| {
            let consultation = {
                let live = self.lock()?;
                let turn = || live.to_act().ok_or(LiveError::Over);
                let seat = seat.map_or_else(turn, |seat| Ok(seat.0.index()))?;
                live.consult(seat, agent, &seeds)?
            };
            Ok(consultation.run(stop))
        })?;
        to_python(py, &report)
    }

    /// Takes the last actions back.
    #[pyo3(signature = (plies = 1))]
    fn take_back(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = number)] plies: i128,
    ) -> PyResult<()> {
        let plies = whole("plies", plies)?;
        self.tell(py, |live| Ok(live.take_back(plies)?))
    }

    /// A seat gives the game up.
    #[pyo3(signature = (seat, reason = ""))]
    fn forfeit(&self, py: Python<'_>, seat: SeatNumber, reason: &str) -> PyResult<()> {
        let seat = seat.0.index();
        self.tell(py, |live| Ok(live.forfeit(seat, reason)?))
    }

    /// Gives a seat to the agent of a spec, or with None to the caller of `play`.
    fn reseat(&self, py: Python<'_>, seat: SeatNumber, agent: Option<&str>) -> PyResult<()> {
        let seat = seat.0.index();
        let seeds = self.seed.game(0, 0);
        self.tell(py, |live| Ok(live.reseat(seat, agent, &seeds)?))
    }

    /// Says who plays from outside at a seat; it stands in the record.
    fn rename(&self, py: Python<'_>, seat: SeatNumber, name: &str) -> PyResult<()> {
        let seat = seat.0.index();
        self.tell(py, |live| Ok(live.rename(seat, name)?))
    }

    /// The same game after its first `plies` actions, all seats left to the caller of `play`.
    fn at(&self, py: Python<'_>, #[pyo3(from_py_with = number)] plies: i128) -> PyResult<Live> {
        let plies = whole("plies", plies)?;
        self.ask(py, |live| Ok(Live::new(live.at(plies)?, self.seed)))
    }

    /// The game written down as far as it has gone, so that it can be replayed and checked.
    fn record(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |live| Ok(live.record().to_string()))
    }

    /// The position as its only player outside sees it, or with nothing hidden if there is no such.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |live| Ok(live.drawing(onlooker(live))?))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |live| {
            let turn =
                live.to_act().map_or("over".to_owned(), |seat| format!("seat {seat} to move"));
            Ok(format!("<oboro.Live {}, {} actions, {turn}>", live.game(), live.plies()))
        })
    }

    /// The drawing for notebooks, through the same eyes as `str`.
    fn _repr_svg_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (game, scene) = self.ask(py, |live| Ok((live.game(), live.scene(onlooker(live))?)))?;
        py.import("oboro.drawing")?.call_method1("svg", (game, to_python(py, &scene)?))
    }
}

/// Through whose eyes a game is drawn if nobody says.
fn onlooker(live: &dyn AnyLive) -> Perspective {
    let seats = live.seats();
    let mut outside = seats.iter().filter(|seat| !seat.agent);
    match (outside.next(), outside.next()) {
        (Some(only), None) if live.to_act().is_some() => {
            Perspective::Seat(oboro_core::Seat::new(only.seat))
        }
        _ => Perspective::Everything,
    }
}
