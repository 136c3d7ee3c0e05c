//! Searches that take the actions of a position from its word find what those find that look at every action.

use oboro_core::{Game, GameWorld, RandomPolicy, Rng, Seat, SeatView};
use oboro_geister::{Action, Event, Geister, View, World};
use oboro_search::{Branch, Budget, Uct};
use std::fmt;

/// A world that has no word for its actions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Wordless(World);

impl fmt::Display for Wordless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl GameWorld for Wordless {
    type Action = Action;
    type View = View;
    type Event = Event;

    fn to_act(&self) -> Option<Seat> {
        self.0.to_act()
    }

    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        self.0.for_each_legal(visit);
    }

    fn apply(&mut self, action: Action) {
        self.0.apply(action);
    }

    fn payoff(&self, seat: Seat) -> f64 {
        self.0.payoff(seat)
    }

    fn view(&self, seat: Seat) -> View {
        self.0.view(seat)
    }

    fn event(&self, action: Action, seat: Seat) -> Event {
        self.0.event(action, seat)
    }

    fn play_out_randomly(&mut self, rng: &mut Rng) {
        self.0.play_out_randomly(rng);
    }
}

/// Before the placements, at the start, in the middle, with pieces on exits, and close to the end.
const POSITIONS: [&str; 4] = [
    "24 12B23R32B43R15B25R99B99R 22R33B42B13R40R99R20B10B",
    "30 12B23R42B43R15B25R99B99R 33R32B44B14R40R99R20B10B",
    "30 00R50R42B43R15B25B99B99R 05R55B44B14R40R99R20B10B",
    "40 14R99R99R99R43B99B99B99B 13R99R99R99R03B99B99B99B",
];

fn views() -> Vec<View> {
    let rules = Geister::default();
    let mut worlds: Vec<World> =
        POSITIONS.iter().map(|text| rules.parse_position(text).expect("a position")).collect();
    worlds.push(rules.deal(&mut Rng::from_u64(1)));
    worlds
        .push(World::placed(["ABCD", "BCEH"].map(|text| text.parse().expect("a placement")), 300));
    worlds.iter().map(|world| world.view(world.to_act().expect("not over"))).collect()
}

type Found = (Vec<Branch<Action>>, Rng);

fn by_words(uct: Uct, view: &View) -> Found {
    let mut rng = Rng::from_u64(7);
    (uct.search(|rng| view.imagine(rng), &mut RandomPolicy, &mut rng), rng)
}

fn one_by_one(uct: Uct, view: &View) -> Found {
    let mut rng = Rng::from_u64(7);
    (uct.search(|rng| Wordless(view.imagine(rng)), &mut RandomPolicy, &mut rng), rng)
}

#[test]
fn searches_by_words_and_by_actions_agree() {
    for view in views() {
        for (c, expand_after) in [(1.0, 4), (0.3, 0), (0.0, 1)] {
            let uct = Uct { budget: 3000.into(), c, expand_after };
            assert_eq!(by_words(uct, &view), one_by_one(uct, &view), "c={c}: {view}");
        }
    }
}

#[test]
fn batched_searches_by_words_and_by_actions_agree() {
    let budget = Budget::from(4000).in_batches(16).expect("a batch");
    for view in views() {
        let uct = Uct { budget, c: 1.0, expand_after: 4 };
        assert_eq!(by_words(uct, &view), one_by_one(uct, &view), "{view}");
    }
}

#[test]
fn legal_words_tell_a_red_on_its_exit_from_a_blue() {
    let word = |text: &str| Geister::default().parse_position(text).expect("it").legal_word();
    let red = "30 00R50B42B43R15R25B99B99R 05R55B44B14R40R99R20B10B";
    let blue = "30 00B50R42B43R15R25B99B99R 05R55B44B14R40R99R20B10B";
    let off_the_exits = "30 00R50B42R43B15R25B99B99R 05R55B44B14R40R99R20B10B";
    assert_ne!(word(red), word(blue));
    assert_eq!(word(red), word(off_the_exits), "colours elsewhere do not matter");
    assert!(word(red).is_some());
}
