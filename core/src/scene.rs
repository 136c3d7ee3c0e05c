use crate::{Belief, Game, Seat};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Plain data for screens and programs: it has a JSON form with a schema, and no bit boards.
pub trait SceneData:
    Serialize + DeserializeOwned + JsonSchema + Clone + PartialEq + Debug + Send + Sync + 'static
{
}

impl<T> SceneData for T where
    T: Serialize
        + DeserializeOwned
        + JsonSchema
        + Clone
        + PartialEq
        + Debug
        + Send
        + Sync
        + 'static
{
}

/// How a game shows itself to screens and to programs in other languages.
///
/// A scene is a view as data. It is built from the view alone, so nothing else can get into it, and two
/// scenes are equal exactly when the views are; `check_scenes` of the test kit tests that and
/// the other laws stated here.
pub trait GameScenes: Game {
    /// A position as data: seats, squares, cards, what is hidden and how many there are.
    type Scene: SceneData;
    /// An action taken apart: piece, from, to; card; tile, rotation, entry, walk.
    type ActionData: SceneData;
    /// What somebody saw happen, taken apart.
    type EventData: SceneData;

    /// What one seat knows.
    fn scene(&self, view: &Self::View) -> Self::Scene;

    /// What everybody knows, and nothing else: what a spectator sees. It is a part of every seat's view.
    fn public_scene(&self, world: &Self::World) -> Self::Scene;

    /// The whole truth, for replays and for looking at a game after its end.
    fn full_scene(&self, world: &Self::World) -> Self::Scene;

    /// Describes a legal action of the seat that `view` belongs to. Different actions have different parts.
    fn describe(&self, view: &Self::View, action: Self::Action) -> Described<Self::ActionData>;

    /// Describes legal actions of one turn, one after the other, each as [`describe`](GameScenes::describe) does. A game
    /// whose turns have hundreds of them works out once what neighbours in `actions` have in common.
    fn describe_all(
        &self,
        view: &Self::View,
        actions: &[Self::Action],
        mut tell: impl FnMut(Self::Action, Described<Self::ActionData>),
    ) {
        for &action in actions {
            tell(action, self.describe(view, action));
        }
    }

    /// What a spectator sees when `action` is played in `world`; called before it is applied. It is to
    /// [`public_scene`](GameScenes::public_scene) what [`event`](crate::GameWorld::event) is to a view.
    fn public_event(&self, world: &Self::World, action: Self::Action) -> Self::Event;

    /// Tells an event; `before` is the scene of the same observer before it. Different events are told
    /// with different data.
    fn narrate(&self, before: &Self::Scene, event: &Self::Event) -> Described<Self::EventData>;

    /// The event that was [told](GameScenes::narrate) with these data, for an agent of ours that plays at somebody else's
    /// table. `None` if there is no such event, and for a game that does not say.
    fn recall(&self, told: &Self::EventData) -> Option<Self::Event> {
        let _ = told;
        None
    }

    /// Why a finished game ended as it did, in sentences; `viewer` is called "you". Nothing for a game that does not say.
    fn ending(&self, world: &Self::World, viewer: Option<Seat>) -> Vec<Phrase> {
        let _ = (world, viewer);
        Vec::new()
    }

    /// What is hidden from the seat that `view` belongs to, with the probabilities that the rules alone
    /// give: the share of the worlds that agree with the view. The baseline for whoever believes more.
    fn secrets(&self, view: &Self::View) -> Vec<Belief> {
        let _ = view;
        Vec::new()
    }

    /// The truth about the [`secrets`](GameScenes::secrets) of a seat, in the same order.
    fn answers(&self, world: &Self::World, view: &Self::View) -> Vec<String> {
        let _ = (world, view);
        Vec::new()
    }
}

/// Something described for people and for programs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Described<P> {
    /// Its parts as data.
    pub parts: P,
    /// Its parts in a few words.
    pub text: Phrase,
}

/// A short phrase in the languages we speak.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Phrase {
    /// English.
    pub en: String,
    /// Japanese.
    pub ja: String,
}

impl Phrase {
    /// A phrase in both languages.
    pub fn new(en: impl Into<String>, ja: impl Into<String>) -> Phrase {
        Phrase { en: en.into(), ja: ja.into() }
    }

    /// What people call a player: seat 0 is `Player 1` and `プレイヤー1`.
    pub fn player(seat: Seat) -> Phrase {
        let number = seat.index() + 1;
        Phrase::new(format!("Player {number}"), format!("プレイヤー{number}"))
    }

    /// A player as the subject of a sentence; `viewer` is `You` and `あなた`.
    pub fn who(seat: Seat, viewer: Option<Seat>) -> Phrase {
        if viewer == Some(seat) { Phrase::new("You", "あなた") } else { Phrase::player(seat) }
    }

    /// Whose something is; `viewer`'s is `your` and `あなたの`.
    pub fn whose(seat: Seat, viewer: Option<Seat>) -> Phrase {
        if viewer == Some(seat) {
            return Phrase::new("your", "あなたの");
        }
        Phrase::player(seat).and("'s", "の")
    }

    /// Something that can be done, or, where `by` is somebody, what that seat did. English begins with the
    /// verb, given as it is said in a choice and of somebody else.
    ///
    /// ```
    /// use oboro_core::{Phrase, Seat};
    /// let pass = |by| Phrase::action(by, ["pass", "passes"], "with two left", "パス（残り2回）");
    /// assert_eq!(pass(None), Phrase::new("Pass with two left", "パス（残り2回）"));
    /// let told = Phrase::new("Player 1 passes with two left", "プレイヤー1：パス（残り2回）");
    /// assert_eq!(pass(Some(Seat::FIRST)), told);
    /// ```
    pub fn action(by: Option<Seat>, verb: [&str; 2], rest: &str, ja: &str) -> Phrase {
        let [choice, told] = verb;
        match by {
            None => {
                let (first, others) = choice.split_at(choice.len().min(1));
                let en = format!("{}{others} {rest}", first.to_uppercase());
                Phrase::new(en.trim_end(), ja)
            }
            Some(seat) => {
                let who = Phrase::player(seat);
                let en = format!("{} {told} {rest}", who.en);
                Phrase::new(en.trim_end(), format!("{}：{ja}", who.ja))
            }
        }
    }

    /// The phrase with a further clause in each language.
    #[must_use]
    pub fn and(mut self, en: &str, ja: &str) -> Phrase {
        self.en.push_str(en);
        self.ja.push_str(ja);
        self
    }
}

/// Who looks at a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Perspective {
    /// One seat's: its view.
    Seat(Seat),
    /// A spectator's: what everybody knows.
    Spectator,
    /// Nothing is hidden.
    Everything,
}
