//! A game that writes none of its agents has five, and they see what there is to see.

use oboro_core::{
    ActionValue, AgentEntry, Analysis, Game, GameWorld, NoParams, NotationError, Player,
    RandomAgent, Rng, Scanner, Seat, SeatView, Spec, fresh,
};
use oboro_search::{Searchable, standard_agents, with_standard_agents};
use oboro_testkit::{Effort, check_game, check_standard_agents};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Five cards, 0 to 4, and one player with a card of its own: it keeps it, or takes another unseen.
/// Its last card is what it gets.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
struct Swap {}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Action {
    Keep,
    Take,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct World {
    own: u8,
    other: u8,
    done: Option<Action>,
}

/// The own card, and the one taken.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct View {
    own: u8,
    taken: Option<u8>,
    done: Option<Action>,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Action::Keep { "keep" } else { "take" })
    }
}

impl std::str::FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        match text {
            "keep" => Ok(Action::Keep),
            "take" => Ok(Action::Take),
            _ => Err(NotationError::new(text, 0, "expected keep or take")),
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl GameWorld for World {
    type Action = Action;
    type View = View;
    type Event = (Action, Option<u8>);

    fn to_act(&self) -> Option<Seat> {
        self.done.is_none().then_some(Seat::FIRST)
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.done.is_none() {
            [Action::Keep, Action::Take].into_iter().for_each(visit);
        }
    }

    fn apply(&mut self, action: Action) {
        self.done = Some(action);
    }

    fn payoff(&self, _: Seat) -> f64 {
        f64::from(if self.done == Some(Action::Take) { self.other } else { self.own })
    }

    fn view(&self, _: Seat) -> View {
        let taken = (self.done == Some(Action::Take)).then_some(self.other);
        View { own: self.own, taken, done: self.done }
    }

    fn event(&self, action: Action, _: Seat) -> (Action, Option<u8>) {
        (action, (action == Action::Take).then_some(self.other))
    }
}

impl SeatView for View {
    type Action = Action;
    type World = World;

    fn seat(&self) -> Seat {
        Seat::FIRST
    }

    fn to_act(&self) -> Option<Seat> {
        self.done.is_none().then_some(Seat::FIRST)
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        if self.done.is_none() {
            [Action::Keep, Action::Take].into_iter().for_each(visit);
        }
    }

    fn imagine(&self, rng: &mut Rng) -> World {
        let other = self.taken.unwrap_or_else(|| (self.own + 1 + rng.below(4) as u8) % 5);
        World { own: self.own, other, done: self.done }
    }
}

impl Game for Swap {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = (Action, Option<u8>);

    const NAME: &'static str = "swap";

    fn seats(&self) -> usize {
        1
    }

    fn deal(&self, rng: &mut Rng) -> World {
        View { own: rng.below(5) as u8, taken: None, done: None }.imagine(rng)
    }

    fn write_position(&self, world: &World) -> String {
        let done = world.done.map_or(String::new(), |done| done.to_string());
        format!("{}{} {done}", world.own, world.other).trim_end().to_owned()
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        let mut s = Scanner::new(text);
        let mut card = || {
            let card = s.peek().and_then(|c| c.to_digit(5));
            s.take();
            card.map(|card| card as u8).ok_or_else(|| s.error("expected two cards from 0 to 4"))
        };
        let (own, other) = (card()?, card()?);
        if own == other {
            return Err(s.error("there is one card of each number"));
        }
        let word = s.word();
        let done = if word.is_empty() { None } else { Some(word.parse()?) };
        s.finish()?;
        Ok(World { own, other, done })
    }

    fn payoff_sum(&self) -> Option<f64> {
        None
    }
}

impl Searchable for Swap {
    fn payoff_range(&self) -> f64 {
        4.0
    }
}

fn build(text: &str) -> Result<(Spec, oboro_core::Factory<Swap>), String> {
    let spec: Spec = text.parse().map_err(|error: NotationError| error.to_string())?;
    AgentEntry::resolve(&standard_agents(), &Swap {}, &spec).map_err(|error| error.to_string())
}

fn analyse(text: &str, own: u8) -> Analysis<Action> {
    let Player::Agent(mut agent) = build(text).expect("an agent").1() else {
        panic!("{text} is an oracle")
    };
    let view = View { own, taken: None, done: None };
    let mut rng = Rng::from_u64(1);
    let analysis = agent.analyse(&view, &mut rng);
    assert_eq!(agent.act(&view, &mut Rng::from_u64(1)), analysis.choice, "{text}");
    analysis
}

#[test]
fn the_game_itself_and_its_agents_keep_the_laws() {
    check_game(&Swap {}, Effort::default());
    check_standard_agents(&Swap {}, 3);
}

#[test]
fn every_search_knows_what_a_card_is_worth() {
    for text in [
        "mc:2000",
        "mc:2000,batch=64",
        "uct:2000",
        "uct:2000,batch=4",
        "ismcts:2000",
        "ismcts:2000,batch=3",
        "ismcts:2000,observers=all",
        "pimc:20,worlds=20",
    ] {
        for own in 0..5 {
            let analysis = analyse(text, own);
            let value = |wanted| {
                let found = analysis.values.iter().find(|v: &&ActionValue<_>| v.action == wanted);
                found.expect("both actions were tried").value
            };
            assert_eq!(
                value(Action::Keep),
                f64::from(own),
                "{text}: payoffs are shown as they are"
            );
            // The others' mean; each tree of `pimc` visits the card more where it is better.
            let mean = f64::from(10 - own) / 4.0;
            if !text.starts_with("pimc") {
                assert!((value(Action::Take) - mean).abs() < 0.5, "{text} with {own}");
            }
            if own != 2 {
                let right = if own > 2 { Action::Keep } else { Action::Take };
                assert_eq!(analysis.choice, right, "{text} with {own}");
            }
        }
    }
}

#[test]
fn a_games_own_agent_stands_for_the_standard_one() {
    let own: AgentEntry<Swap> =
        AgentEntry::new("mc", "a paper", "", |_, _: &NoParams| Ok(fresh(RandomAgent)));
    let agents = with_standard_agents(vec![own]);
    let names: Vec<&str> = agents.iter().map(|entry| entry.name).collect();
    assert_eq!(names, ["mc", "random", "uct", "ismcts", "pimc", "oos"]);
    assert_eq!(agents[0].source, "a paper");
}

#[test]
fn parameters_explain_themselves() {
    for entry in standard_agents::<Swap>() {
        assert!(entry.params().iter().all(|p| !p.about.is_empty()), "{}", entry.name);
    }
    let entries = standard_agents::<Swap>();
    let ismcts = entries.iter().find(|entry| entry.name == "ismcts").unwrap().params();
    let shown: Vec<_> =
        ismcts.iter().map(|p| (p.name.as_str(), p.kind.as_str(), p.default.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("playouts", "whole number", "2000"),
            ("observers", "own | all", "own"),
            ("c", "number", "1.0"),
            ("expand-after", "whole number", "4"),
            ("seconds", "number", "none"),
            ("policy", "random", "random"),
            ("depth", "whole number", "0"),
            ("batch", "whole number", "1"),
            ("choice", "best | mixed", "best"),
        ]
    );
    let canonical = build("ismcts:30,policy=random,c=0.5,observers=all").unwrap().0;
    assert_eq!(canonical.to_string(), "ismcts:playouts=30,observers=all,c=0.5");
    assert_eq!(build("uct:playouts=2000").unwrap().0.to_string(), "uct");
}

#[test]
fn what_cannot_be_is_refused() {
    for (text, said) in [
        ("uct:0", "uct: playouts=0: from 1 to 100000000"),
        ("uct:c=-1", "uct: c=-1: from 0 to 1000000"),
        ("mc:seconds=0", "mc: seconds=0: from 0.001 to 3600"),
        ("pimc:worlds=0", "pimc: worlds=0: from 1 to 10000"),
        ("mc:depth=3", "mc: depth=3: only 0, swap has no estimate"),
        ("uct:batch=0", "uct: batch=0: from 1 to 10000"),
        ("oos:batch=2", "oos: batch=2: oos plays one at a time"),
        ("oos:target=1", "oos: target=1: from 0 to 0.99"),
        ("oos:explore=0", "oos: explore=0: from 0.01 to 1"),
    ] {
        assert_eq!(build(text).err().as_deref(), Some(said), "{text}");
    }
    for (text, word) in [
        ("mc:policy=randm", "did you mean `random`"),
        ("mc:worlds=3", "unknown key"),
        ("uct:observers=own", "unknown key"),
        ("ismcts:observers=some", "own"),
        ("ismcts:playouts=many", "playouts=many"),
        ("uct:expand-after=-1", "expand-after=-1"),
        ("mcc", "did you mean `mc`"),
    ] {
        let error = build(text).err().unwrap_or_else(|| panic!("{text} is refused"));
        assert!(error.contains(word), "{text}: {error}");
    }
}
