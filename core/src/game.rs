use crate::{FastPath, NotationError, Params, Rng, Seat, SpecError, Toolbox};
use serde::Serialize;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

/// What decides who is stronger in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// Games won, drawn and lost; ratings are in Elo points.
    #[default]
    Outcomes,
    /// Payoffs, as in poker; ratings are mean differences of payoffs.
    Payoffs,
}

/// The rules of a game with all their options fixed.
///
/// The type is itself a parameter struct (see [`Params`]): its fields are the rule options, read from
/// `--rules key=value` and from experiment files, and its default is the published game.
///
/// All chance is resolved in [`deal`](Game::deal): a world carries its shuffled decks, and
/// [`GameWorld::apply`] is deterministic. A game is thus its deal and the list of its actions.
pub trait Game: Params + Clone + Debug {
    /// The whole truth of a game in progress.
    type World: GameWorld<Action = Self::Action, View = Self::View, Event = Self::Event>;
    /// All that one seat knows.
    type View: SeatView<Action = Self::Action, World = Self::World>;
    /// One complete decision; its text form is the game's move notation.
    type Action: Copy
        + Ord
        + Hash
        + Debug
        + Display
        + FromStr<Err = NotationError>
        + Send
        + Sync
        + 'static;
    /// What one seat sees of an action, with everything that is hidden from it taken out.
    type Event: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// The name used on the command line and in files.
    const NAME: &'static str;

    /// Whether a seat's view tells all that the seat has ever known and done (perfect recall), so that views are the
    /// information sets of the literature. Exact solutions need it and check it.
    const PERFECT_RECALL: bool = false;

    /// The rules for people, as Markdown in English and in Japanese: the game's name as a heading, a sentence about it, and
    /// a numbered list. Empty where nobody has written them.
    const RULES_TEXT: [&'static str; 2] = ["", ""];

    /// Puzzles, as a [`PuzzleBook`](crate::PuzzleBook) in its text form; empty where there are none.
    const PUZZLES: &'static str = "";

    /// What decides who is stronger: who wins more games, or who is paid more. Matches, leagues and sequential tests show
    /// what counts.
    const SCORING: Scoring = Scoring::Outcomes;

    /// How many seats these rules have.
    fn seats(&self) -> usize;

    /// Checks options that exclude each other or are out of range.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    fn validate(&self) -> Result<(), SpecError> {
        Ok(())
    }

    /// Draws the start of a game.
    fn deal(&self, rng: &mut Rng) -> Self::World;

    /// The start of deal `number` of a match. Rules that go through a list of starts (all pairs of
    /// placements, say) override it; for all others every deal is drawn afresh.
    fn deal_numbered(&self, number: u64, rng: &mut Rng) -> Self::World {
        let _ = number;
        self.deal(rng)
    }

    /// All starts of a game with their probabilities, for a game that has few enough to be solved exactly.
    fn deals(&self) -> Option<Vec<(f64, Self::World)>> {
        None
    }

    /// The text form of a position (what FEN is to chess), in one line.
    fn write_position(&self, world: &Self::World) -> String;

    /// Reads a position back. Any text at all may come in.
    ///
    /// # Errors
    /// The place and the reason, if the text is no position of this game under these rules.
    fn parse_position(&self, text: &str) -> Result<Self::World, NotationError>;

    /// What the payoffs of a finished game add up to, where the rules fix it.
    fn payoff_sum(&self) -> Option<f64>;

    /// The figures of a finished game that its worlds report ([`GameWorld::facts`]), so that whoever names one
    /// can be told before the first game whether it exists.
    fn facts(&self) -> &'static [FactInfo] {
        &[]
    }

    /// The work for which some processors have a quicker way, and whether this one does.
    fn fast_paths() -> Vec<FastPath> {
        Vec::new()
    }

    /// The commands that the game offers besides being played.
    fn toolboxes() -> Vec<Toolbox> {
        Vec::new()
    }

    /// What a game is worth to each seat when one seat gives it up: nothing to that seat, and to the others equal
    /// shares of what the rules fix, if they fix anything.
    fn forfeit_payoffs(&self, seat: Seat) -> Vec<f64> {
        let share = self.payoff_sum().unwrap_or(0.0) / (self.seats() - 1).max(1) as f64;
        Seat::all(self.seats()).map(|other| if other == seat { 0.0 } else { share }).collect()
    }
}

/// The whole truth of a game in progress: every hidden card, colour, role and deck order.
///
/// `Display` draws it for a terminal, with nothing hidden.
pub trait GameWorld: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// See [`Game::Action`].
    type Action: Copy + Eq + Debug + Display;
    /// See [`Game::View`].
    type View;
    /// See [`Game::Event`].
    type Event;

    /// Whose turn it is; `None` when the game is over.
    fn to_act(&self) -> Option<Seat>;

    /// Calls `visit` once for every legal action of the seat to move, in a fixed order; never
    /// when the game is over, at least once otherwise.
    fn for_each_legal(&self, visit: impl FnMut(Self::Action));

    /// Plays an action that is known to be legal. Use [`play`](GameWorld::play) for one that is not.
    fn apply(&mut self, action: Self::Action);

    /// What the finished game is worth to a seat. Meaningless before the end.
    fn payoff(&self, seat: Seat) -> f64;

    /// All that `seat` knows.
    fn view(&self, seat: Seat) -> Self::View;

    /// What `seat` sees when `action` is played here. Called before [`apply`](GameWorld::apply).
    ///
    /// The event carries exactly what the seat's view gains by the action (the test kit checks it).
    fn event(&self, action: Self::Action, seat: Seat) -> Self::Event;

    /// Drops what only the past was: from here on views tell what is seen from here on, while rules, events and payoffs
    /// stay as they are. Worlds that go on alike become equal. Without it the whole past is kept.
    fn forget(&mut self) {}

    /// The world without its past and without what single seats have found out for themselves, if what is left decides what
    /// every action leads to, what the other seats see of it and what the game is worth. What seats have found out, and only
    /// they know, may decide which actions they have. Exact solutions then walk through what each seat may have found out by
    /// itself, and not through all combinations. Nothing where that does not hold or nobody has looked.
    fn shared(&self) -> Option<Self> {
        None
    }

    /// Figures of a finished game, besides its payoffs, that experiments count.
    fn facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Appends the legal actions to a buffer that the caller owns and reuses.
    #[inline]
    fn legal(&self, out: &mut Vec<Self::Action>) {
        self.for_each_legal(|action| out.push(action));
    }

    /// The legal actions, in a list of their own.
    fn legal_actions(&self) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.legal(&mut actions);
        actions
    }

    /// A word that tells which actions are legal: worlds with the same word have the same legal actions in the same
    /// order. Nothing where no word can, or none is had in a few instructions; searches then look at the actions.
    #[inline]
    fn legal_word(&self) -> Option<u64> {
        None
    }

    /// Whether an action may be played now.
    fn is_legal(&self, action: Self::Action) -> bool {
        let mut found = false;
        self.for_each_legal(|a| found |= a == action);
        found
    }

    /// A uniformly random legal action. Games with a quicker way override it.
    ///
    /// # Panics
    /// If the game is over.
    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Self::Action {
        let mut count = 0;
        self.for_each_legal(|_| count += 1);
        let wanted = rng.below(count);
        let mut seen = 0;
        let mut chosen = None;
        self.for_each_legal(|action| {
            if seen == wanted {
                chosen = Some(action);
            }
            seen += 1;
        });
        chosen.expect("a game that is not over has a legal action")
    }

    /// Plays uniformly random legal actions to the end. Games with a quicker way override it.
    #[inline]
    fn play_out_randomly(&mut self, rng: &mut Rng) {
        while self.to_act().is_some() {
            let action = self.random_action(rng);
            self.apply(action);
        }
    }

    /// Plays every world to its end by uniformly random legal actions, each with a stream of its own that is
    /// [forked](Rng::fork) for it, in order. Games that can play several at once override it, and every world must
    /// end as it does here.
    fn play_out_all_randomly(worlds: &mut [Self], rng: &mut Rng) {
        for world in worlds {
            world.play_out_randomly(&mut rng.fork());
        }
    }

    /// Plays an action after checking it.
    ///
    /// # Errors
    /// If it is not legal here; the world is then as before.
    fn play(&mut self, action: Self::Action) -> Result<(), IllegalAction> {
        if self.is_legal(action) {
            self.apply(action);
            return Ok(());
        }
        let mut legal = Vec::new();
        self.for_each_legal(|a| legal.push(a.to_string()));
        Err(IllegalAction { action: action.to_string(), legal })
    }
}

/// All that one seat knows: its own secrets, the public board, what it has been shown.
///
/// `Display` draws it for a terminal. Equal views mean equal knowledge: `Eq` and `Hash` identify the
/// information set.
pub trait SeatView: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// See [`Game::Action`].
    type Action: Copy;
    /// See [`Game::World`].
    type World;

    /// Whose view it is.
    fn seat(&self) -> Seat;

    /// Whose turn it is; `None` when the game is over.
    fn to_act(&self) -> Option<Seat>;

    /// The legal actions of this seat if it is to move, in the order of
    /// [`GameWorld::for_each_legal`]; none otherwise.
    fn for_each_legal(&self, visit: impl FnMut(Self::Action));

    /// Draws a world, uniformly from those that agree with this view.
    ///
    /// "Agree" means by the rules alone: which actions the others would have preferred is for
    /// agents to judge.
    fn imagine(&self, rng: &mut Rng) -> Self::World;

    /// The legal actions in a new list.
    fn legal_actions(&self) -> Vec<Self::Action> {
        let mut out = Vec::new();
        self.for_each_legal(|action| out.push(action));
        out
    }
}

/// A figure of a finished game: one number for the game, or one for each seat.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// Its name in result files and experiment tables.
    pub name: &'static str,
    /// Its value.
    pub value: FactValue,
}

/// A figure that the finished games of a game report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FactInfo {
    /// Its name in result files and experiment tables.
    pub name: &'static str,
    /// Whether it has one number for each seat, or one for the game.
    pub per_seat: bool,
    /// What it counts.
    pub about: &'static str,
}

impl FactInfo {
    /// A fact with one number for the game.
    pub const fn game(name: &'static str, about: &'static str) -> FactInfo {
        FactInfo { name, per_seat: false, about }
    }

    /// A fact with one number for each seat.
    pub const fn seats(name: &'static str, about: &'static str) -> FactInfo {
        FactInfo { name, per_seat: true, about }
    }
}

/// The value of a [`Fact`].
#[derive(Clone, PartialEq, Debug)]
pub enum FactValue {
    /// One number for the game.
    Game(f64),
    /// One number for each seat, in seat order.
    Seats(Vec<f64>),
}

impl Fact {
    /// A fact about the whole game.
    pub fn game(name: &'static str, value: impl Into<f64>) -> Fact {
        Fact { name, value: FactValue::Game(value.into()) }
    }

    /// A fact with one number for each seat.
    pub fn seats(name: &'static str, values: impl IntoIterator<Item = f64>) -> Fact {
        Fact { name, value: FactValue::Seats(values.into_iter().collect()) }
    }
}

/// An action that the rules do not allow here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{action}` is not legal here; legal: {}", shorten(.legal))]
pub struct IllegalAction {
    /// What was tried.
    pub action: String,
    /// What would have been allowed.
    pub legal: Vec<String>,
}

fn shorten(legal: &[String]) -> String {
    const SHOWN: usize = 12;
    if legal.is_empty() {
        return "nothing, the game is over".to_owned();
    }
    let mut text = legal.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(" ");
    if legal.len() > SHOWN {
        use std::fmt::Write as _;
        write!(text, " … and {} more", legal.len() - SHOWN).expect("writing to a string");
    }
    text
}
