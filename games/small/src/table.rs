//! What the small games have in common: a world is its deal and its actions, a view is what its seat was dealt and
//! what it has seen since.

use arrayvec::ArrayVec;
use oboro_core::{
    Channel, DefaultEncoding, DefaultScenes, Game, GameWorld, Label, NotationError, Observed,
    Params, Phrase, Rng, Scoring, Seat, SeatView, SpecError, parse_history, write_history,
};
use oboro_search::{Defaults, Searchable};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Debug, Display, Write as _};
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

/// The most actions a game may have.
pub const MOST: usize = 32;

/// What a small game says of itself; the rest is the same for all.
pub trait Rules: Params + Copy + Ord + Hash + Debug {
    /// See [`Game::NAME`].
    const NAME: &'static str;
    /// How many codes actions have, at most 64.
    const CODES: u8;
    /// See [`Game::SCORING`].
    const SCORING: Scoring = Scoring::Outcomes;
    /// By how much the best payoff is above the worst.
    const RANGE: f64 = 2.0;
    /// The default factor C of exploration, for payoffs scaled by the range.
    const EXPLORATION: f64 = 1.0;
    /// What chance decides; its text has no colon.
    type Deal: Copy + Eq + Hash + Debug + Display + Send + Sync + 'static;
    /// All that matters of a game in progress.
    type Table: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The text of an action.
    fn name(code: u8) -> String;

    /// See [`Game::validate`].
    ///
    /// # Errors
    /// What is wrong and what would be right.
    fn validate(&self) -> Result<(), SpecError> {
        Ok(())
    }

    /// All deals, equally likely.
    fn deals(&self) -> Vec<Self::Deal>;

    /// One of them, at random.
    fn draw(&self, rng: &mut Rng) -> Self::Deal;

    /// The table at the start.
    fn start(&self, deal: Self::Deal) -> Self::Table;

    /// Whose turn it is.
    fn to_act(&self, table: &Self::Table) -> Option<Seat>;

    /// The legal actions while somebody is to move, as a set of codes.
    fn legal(&self, table: &Self::Table) -> u64;

    /// Plays a legal action.
    fn apply(&self, table: &mut Self::Table, code: u8);

    /// What the finished game is worth to seat 0; the other has the opposite, or the rest of [`sum`](Rules::sum).
    fn payoff(&self, table: &Self::Table) -> f64;

    /// The table without what single seats have found out; see [`GameWorld::shared`].
    fn shared(&self, table: &Self::Table) -> Option<Self::Table> {
        let _ = table;
        None
    }

    /// What the payoffs add up to.
    fn sum(&self) -> f64 {
        0.0
    }

    /// What a seat was dealt; 0 for nothing.
    fn secret(&self, deal: Self::Deal, seat: Seat) -> u8;

    /// What an observer, or a spectator, sees of an action: nothing at all, or whether it sees the action itself, and a
    /// note on what it led to.
    fn seen(
        &self,
        before: &Self::Table,
        code: u8,
        after: &Self::Table,
        observer: Option<Seat>,
    ) -> Option<(bool, u8)>;

    /// What a note says, in both languages; nothing for 0.
    fn note(&self, note: u8) -> Phrase {
        let _ = note;
        Phrase::default()
    }

    /// What a seat was dealt, in words.
    fn secret_name(secret: u8) -> String {
        secret.to_string()
    }

    /// The rules for people; see [`Game::RULES_TEXT`].
    const RULES_TEXT: [&'static str; 2];

    /// What a seat was dealt is called this.
    const SECRET: [&'static str; 2] = ["Your card", "あなたの札"];

    /// Whether what a seat is dealt is hidden from the other.
    const DEALT: bool = true;

    /// An action in words.
    fn phrase(code: u8) -> Phrase {
        let name = Self::name(code);
        Phrase::new(name.clone(), name)
    }

    /// What an observer should see at a glance: what a seat was dealt.
    fn labels(&self, sight: &Looked<'_, Self>) -> Vec<Label> {
        let label = |[en, ja]: [&str; 2], secret: u8| {
            (secret != 0).then(|| Label::new(en, ja, Self::secret_name(secret)))
        };
        match sight {
            Looked::Seat(view) => label(Self::SECRET, view.secret).into_iter().collect(),
            Looked::All(world) => {
                let of = |seat: Seat| {
                    let Phrase { en, ja } = Phrase::player(seat);
                    label([&en, &ja], self.secret(world.deal, seat))
                };
                Seat::all(2).filter_map(of).collect()
            }
        }
    }

    /// A board to draw, from what a seat has seen or (without a view) from a table.
    fn draw_board(&self, sight: &Looked<'_, Self>) -> String {
        let _ = sight;
        String::new()
    }

    /// Draws a world uniformly from those that agree with a view, where trying at random is not uniform.
    fn imagine(&self, view: &View<Self>, rng: &mut Rng) -> Option<World<Self>> {
        let _ = (view, rng);
        None
    }
}

/// Who looks at a board.
pub type Looked<'a, R> = Observed<'a, Small<R>>;

/// An action of a small game, by its code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move<R> {
    code: u8,
    rules: PhantomData<fn() -> R>,
}

impl<R> Move<R> {
    /// The action with this code.
    pub fn new(code: u8) -> Move<R> {
        Move { code, rules: PhantomData }
    }

    /// Its code.
    pub fn code(self) -> u8 {
        self.code
    }
}

impl<R: Rules> Display for Move<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&R::name(self.code))
    }
}

impl<R: Rules> Debug for Move<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl<R: Rules> FromStr for Move<R> {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Move<R>, NotationError> {
        let found = (0..R::CODES).find(|&code| R::name(code) == text);
        found.map(Move::new).ok_or_else(|| {
            let example = R::name(0);
            NotationError::new(text, 0, format!("expected an action such as `{example}`"))
        })
    }
}

impl<R: Rules> Serialize for Move<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, R: Rules> Deserialize<'de> for Move<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Move<R>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl<R: Rules> JsonSchema for Move<R> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}-action", R::NAME).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "An action in the game's notation." })
    }
}

/// What was seen of an action.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(bound = "R: Rules")]
pub struct Seen<R: Rules> {
    /// Who acted.
    pub seat: Seat,
    /// What it did, if that was seen.
    pub action: Option<Move<R>>,
    /// What was learned besides, as a number; 0 for nothing.
    pub note: u8,
}

/// See [`Game::Event`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(bound = "R: Rules")]
pub struct Event<R: Rules> {
    /// What was seen; absent if nothing was.
    pub seen: Option<Seen<R>>,
}

/// See [`Game::World`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct World<R: Rules> {
    pub(crate) rules: R,
    pub(crate) deal: R::Deal,
    pub(crate) table: R::Table,
    /// Where the actions begin.
    start: R::Table,
    pub(crate) actions: ArrayVec<Move<R>, MOST>,
}

/// See [`Game::View`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct View<R: Rules> {
    pub(crate) rules: R,
    pub(crate) seat: Seat,
    pub(crate) secret: u8,
    pub(crate) seen: ArrayVec<Seen<R>, MOST>,
    to_act: Option<Seat>,
    legal: u64,
}

/// What an observer knows, as data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(bound = "")]
#[schemars(bound = "R: Rules")]
pub struct Sight<R: Rules> {
    /// What the seat was dealt, in words; absent if nothing was.
    pub secret: Option<String>,
    /// What it has seen since.
    pub seen: Vec<Seen<R>>,
}

impl<R: Rules> World<R> {
    pub(crate) fn new(rules: R, deal: R::Deal) -> World<R> {
        let table = rules.start(deal);
        World { rules, deal, table, start: table, actions: ArrayVec::new() }
    }

    /// The actions played so far.
    pub fn actions(&self) -> &[Move<R>] {
        &self.actions
    }

    fn watch(&self, code: u8, observer: Option<Seat>) -> Option<Seen<R>> {
        let mut after = self.table;
        self.rules.apply(&mut after, code);
        let seat = self.to_act().expect("somebody is to move");
        let (shown, note) = self.rules.seen(&self.table, code, &after, observer)?;
        Some(Seen { seat, action: shown.then(|| Move::new(code)), note })
    }

    /// All that an observer has seen since the deal.
    fn history(&self, observer: Option<Seat>) -> ArrayVec<Seen<R>, MOST> {
        let mut world = World {
            table: self.start,
            actions: ArrayVec::new(),
            ..World::new(self.rules, self.deal)
        };
        let mut seen = ArrayVec::new();
        for &action in &self.actions {
            seen.extend(world.watch(action.code, observer));
            world.apply(action);
        }
        seen
    }

    fn set(&self) -> u64 {
        if self.to_act().is_some() { self.rules.legal(&self.table) } else { 0 }
    }
}

fn each<R>(mut set: u64, mut visit: impl FnMut(Move<R>)) {
    while set != 0 {
        visit(Move::new(set.trailing_zeros() as u8));
        set &= set - 1;
    }
}

impl<R: Rules> GameWorld for World<R> {
    type Action = Move<R>;
    type View = View<R>;
    type Event = Event<R>;

    fn to_act(&self) -> Option<Seat> {
        self.rules.to_act(&self.table)
    }

    fn for_each_legal(&self, visit: impl FnMut(Move<R>)) {
        each(self.set(), visit);
    }

    fn legal_word(&self) -> Option<u64> {
        Some(self.set())
    }

    fn is_legal(&self, action: Move<R>) -> bool {
        self.set() >> action.code & 1 == 1
    }

    fn apply(&mut self, action: Move<R>) {
        self.rules.apply(&mut self.table, action.code);
        self.actions.push(action);
    }

    fn forget(&mut self) {
        self.start = self.table;
        self.actions.clear();
    }

    fn shared(&self) -> Option<World<R>> {
        let table = self.rules.shared(&self.table)?;
        Some(World { table, start: table, actions: ArrayVec::new(), ..*self })
    }

    fn random_action(&self, rng: &mut Rng) -> Move<R> {
        let bit = rng.choose_bit(self.set()).expect("a game that is not over has a legal action");
        Move::new(bit as u8)
    }

    fn payoff(&self, seat: Seat) -> f64 {
        let first = self.rules.payoff(&self.table);
        if seat == Seat::FIRST { first } else { self.rules.sum() - first }
    }

    fn view(&self, seat: Seat) -> View<R> {
        let to_act = self.to_act();
        View {
            rules: self.rules,
            seat,
            secret: self.rules.secret(self.deal, seat),
            seen: self.history(Some(seat)),
            to_act,
            legal: if to_act == Some(seat) { self.set() } else { 0 },
        }
    }

    fn event(&self, action: Move<R>, seat: Seat) -> Event<R> {
        Event { seen: self.watch(action.code, Some(seat)) }
    }
}

impl<R: Rules> SeatView for View<R> {
    type Action = Move<R>;
    type World = World<R>;

    fn seat(&self) -> Seat {
        self.seat
    }

    fn to_act(&self) -> Option<Seat> {
        self.to_act
    }

    fn for_each_legal(&self, visit: impl FnMut(Move<R>)) {
        each(self.legal, visit);
    }

    /// Tries at random until everything agrees. That is uniform where the number of choices does not depend on what
    /// was chosen before.
    fn imagine(&self, rng: &mut Rng) -> World<R> {
        if let Some(world) = self.rules.imagine(self, rng) {
            return world;
        }
        loop {
            let deal = self.rules.draw(rng);
            if self.rules.secret(deal, self.seat) == self.secret
                && let Some(world) = self.replay(World::new(self.rules, deal), rng)
            {
                return world;
            }
        }
    }
}

impl<R: Rules> View<R> {
    /// Plays what was seen, and at random what was not; nothing as soon as something disagrees.
    fn replay(&self, mut world: World<R>, rng: &mut Rng) -> Option<World<R>> {
        for seen in &self.seen {
            if world.to_act() != Some(seen.seat) {
                return None;
            }
            let action = seen.action.unwrap_or_else(|| world.random_action(rng));
            if !world.is_legal(action) || world.watch(action.code, Some(self.seat)) != Some(*seen) {
                return None;
            }
            world.apply(action);
        }
        (world.to_act() == self.to_act).then_some(world)
    }
}

impl<R: Rules> Display for World<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", write_history(&self.deal, &self.actions))?;
        f.write_str(&self.rules.draw_board(&Looked::All(self)))?;
        if let Some(seat) = self.to_act() {
            write!(f, "seat {seat} to move")
        } else {
            let payoffs = [0, 1].map(|seat| self.payoff(Seat::new(seat)));
            write!(f, "over: {} and {}", payoffs[0], payoffs[1])
        }
    }
}

impl<R: Rules> Display for View<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.seat)?;
        if self.secret != 0 {
            write!(f, ", holding {}", R::secret_name(self.secret))?;
        }
        writeln!(f)?;
        for seen in &self.seen {
            writeln!(f, "{}", words(&self.rules, *seen).en)?;
        }
        f.write_str(&self.rules.draw_board(&Looked::Seat(self)))?;
        match self.to_act {
            Some(seat) if seat == self.seat => write!(f, "your move"),
            Some(seat) => write!(f, "seat {seat} to move"),
            None => write!(f, "the game is over"),
        }
    }
}

/// What was seen, in words.
fn words<R: Rules>(rules: &R, seen: Seen<R>) -> Phrase {
    let action = seen.action.map(|action| action.to_string());
    let en = action.unwrap_or_else(|| "something hidden".to_owned());
    let ja = seen.action.map(|action| R::phrase(action.code).ja);
    let ja = ja.unwrap_or_else(|| "非公開の行動".to_owned());
    let told = Phrase::action(Some(seen.seat), ["play", "plays"], &en, &ja);
    let note = rules.note(seen.note);
    if note.en.is_empty() {
        return told;
    }
    told.and(&format!(": {}", note.en), &format!("：{}", note.ja))
}

/// A game of this folder with its rules chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Small<R>(pub R);

impl<R: Rules> Game for Small<R> {
    type World = World<R>;
    type View = View<R>;
    type Action = Move<R>;
    type Event = Event<R>;
    const NAME: &'static str = R::NAME;
    const PERFECT_RECALL: bool = true;
    const SCORING: Scoring = R::SCORING;
    const RULES_TEXT: [&'static str; 2] = R::RULES_TEXT;

    fn seats(&self) -> usize {
        2
    }

    fn validate(&self) -> Result<(), SpecError> {
        self.0.validate()
    }

    fn deal(&self, rng: &mut Rng) -> World<R> {
        World::new(self.0, self.0.draw(rng))
    }

    fn deals(&self) -> Option<Vec<(f64, World<R>)>> {
        let deals = self.0.deals();
        let share = 1.0 / deals.len() as f64;
        Some(deals.into_iter().map(|deal| (share, World::new(self.0, deal))).collect())
    }

    fn write_position(&self, world: &World<R>) -> String {
        write_history(&world.deal, &world.actions)
    }

    fn parse_position(&self, text: &str) -> Result<World<R>, NotationError> {
        parse_history(text, |text| {
            let deals = self.0.deals();
            let deal = deals.iter().find(|deal| deal.to_string() == text).ok_or_else(|| {
                format!("expected a deal such as `{}`", deals.first().expect("there is a deal"))
            })?;
            Ok(World::new(self.0, *deal))
        })
    }

    fn payoff_sum(&self) -> Option<f64> {
        Some(self.0.sum())
    }

    /// The worst there is, and the best for the other.
    fn forfeit_payoffs(&self, seat: Seat) -> Vec<f64> {
        let (low, high) = ((self.0.sum() - R::RANGE) / 2.0, f64::midpoint(self.0.sum(), R::RANGE));
        Seat::all(2).map(|other| if other == seat { low } else { high }).collect()
    }
}

impl<R: Rules> Searchable for Small<R> {
    const DEFAULTS: Defaults = Defaults { c: R::EXPLORATION, ..Defaults::GENERAL };

    fn payoff_range(&self) -> f64 {
        R::RANGE
    }
}

impl<R: Rules> DefaultScenes for Small<R> {
    type Sight = Sight<R>;

    fn sight(&self, view: &View<R>) -> Sight<R> {
        let secret = (view.secret != 0).then(|| R::secret_name(view.secret));
        Sight { secret, seen: view.seen.to_vec() }
    }

    fn public_sight(&self, world: &World<R>) -> Sight<R> {
        Sight { secret: None, seen: world.history(None).to_vec() }
    }

    fn public_event(&self, world: &World<R>, action: Move<R>) -> Event<R> {
        Event { seen: world.watch(action.code, None) }
    }

    fn tell(&self, event: &Event<R>) -> Phrase {
        let nothing = || Phrase::new("Nothing is seen", "何も見えない");
        event.seen.as_ref().map_or_else(nothing, |seen| words(&self.0, *seen))
    }

    fn phrase(&self, action: Move<R>) -> Phrase {
        R::phrase(action.code)
    }

    fn labels(&self, observed: &Looked<'_, R>) -> Vec<Label> {
        self.0.labels(observed)
    }

    fn board(&self, observed: &Looked<'_, R>) -> String {
        self.0.draw_board(observed)
    }

    /// What both were dealt.
    fn ending(&self, world: &World<R>, viewer: Option<Seat>) -> Vec<Phrase> {
        let held = |seat: Seat| {
            let (who, secret) = (Phrase::who(seat, viewer), self.0.secret(world.deal, seat));
            let name = (secret != 0 && R::DEALT).then(|| R::secret_name(secret))?;
            Some(Phrase::new(
                format!("{} held {name}.", who.en),
                format!("{}は{name}でした。", who.ja),
            ))
        };
        Seat::all(2).filter_map(held).collect()
    }
}

/// The longest text of a deal.
const LETTERS: usize = 16;

/// A text written letter by letter into numbers.
struct Letters<'a>(&'a mut [u8]);

impl fmt::Write for Letters<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let here = std::mem::take(&mut self.0);
        let (now, rest) = here.split_at_mut_checked(text.len()).ok_or(fmt::Error)?;
        now.copy_from_slice(text.as_bytes());
        self.0 = rest;
        Ok(())
    }
}

/// What is written of each action: who acted, what it did, what was learned.
const TOKENS: usize = 3;

impl<R: Rules> DefaultEncoding for Small<R> {
    fn action_count(&self) -> usize {
        R::CODES.into()
    }

    fn action_index(&self, action: Move<R>) -> usize {
        action.code.into()
    }

    fn view_channels(&self) -> Vec<Channel> {
        let mut channels = vec![
            Channel::flag("second", "the observer has seat 1"),
            Channel::count("secret", u8::MAX, "what the observer was dealt; 0 for nothing"),
            Channel::count("turn", 2, "0 if the game is over, 1 own turn, 2 the other's"),
        ];
        for n in 1..=MOST {
            channels.extend([
                Channel::count(format!("mover {n}"), 2, "who acted: 1 the observer, 2 the other"),
                Channel::count(format!("action {n}"), R::CODES, "its code plus 1; 0 if hidden"),
                Channel::count(format!("note {n}"), u8::MAX, "what was learned besides"),
            ]);
        }
        channels
    }

    fn write_view(&self, view: &View<R>, out: &mut [u8]) {
        let who = |seat: Seat| if seat == view.seat { 1 } else { 2 };
        out[0] = view.seat.index() as u8;
        out[1] = view.secret;
        out[2] = view.to_act.map_or(0, who);
        for (seen, out) in view.seen.iter().zip(out[TOKENS..].chunks_mut(TOKENS)) {
            let code = seen.action.map_or(0, |action| action.code + 1);
            out.copy_from_slice(&[who(seen.seat), code, seen.note]);
        }
    }

    fn hidden_channels(&self) -> Vec<Channel> {
        let mut channels = vec![Channel::count("secret", u8::MAX, "what the other was dealt")];
        let letter = "a letter of what was dealt, as positions write it";
        channels
            .extend((1..=LETTERS).map(|n| Channel::count(format!("deal {n}"), u8::MAX, letter)));
        channels.extend((1..=MOST).map(|n| {
            Channel::count(format!("action {n}"), R::CODES, "the code of what was played plus 1")
        }));
        channels
    }

    fn write_hidden(&self, world: &World<R>, seat: Seat, out: &mut [u8]) {
        out[0] = self.0.secret(world.deal, seat.next(2));
        let (deal, actions) = out[1..].split_at_mut(LETTERS);
        let mut letters = Letters(deal);
        write!(letters, "{}", world.deal).expect("the text of a deal is short");
        for (out, action) in actions.iter_mut().zip(&world.actions) {
            *out = action.code + 1;
        }
    }
}
