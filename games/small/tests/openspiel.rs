//! Random games of `OpenSpiel` (version 2.0.2), replayed: the same legal actions before every action, the same payoffs.

use oboro_core::{Game, GameWorld, Seat, SeatView, from_pairs};
use oboro_small::{DarkHex, Goofspiel, Kuhn, Leduc, LiarsDice, PhantomTtt, Rules, Small};

fn agrees<R: Rules>(rules: &str, position: &str, legal: &str, payoff: &str) {
    let pairs: Vec<(Option<String>, String)> = rules
        .split_once('=')
        .map(|(k, v)| (Some(k.to_owned()), v.to_owned()))
        .into_iter()
        .collect();
    let game: Small<R> = from_pairs(R::NAME, &pairs, &[]).expect("rules");
    let (deal, actions) = position.split_once(':').expect("a deal and actions");
    let mut world = game.parse_position(&format!("{deal}:")).expect("a deal");
    for (action, legal) in actions.split_whitespace().zip(legal.split(',')) {
        let seat = world.to_act().expect("it goes on");
        let ours: Vec<String> =
            world.view(seat).legal_actions().iter().map(ToString::to_string).collect();
        assert_eq!(ours.join(" "), legal, "{position} before {action}");
        world.play(action.parse().expect("an action")).expect("a legal action");
    }
    assert_eq!(world.to_act(), None, "{position}");
    assert_eq!(world.payoff(Seat::FIRST).to_string(), payoff, "{position}");
    assert_eq!(game.write_position(&world), position);
}

fn of<R: Rules>(_: &Small<R>) -> fn(&str, &str, &str, &str) {
    agrees::<R>
}

#[test]
fn the_rules_are_those_of_openspiel() {
    let games = include_str!("openspiel.txt").lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for line in games {
        let parts: Vec<&str> = line.split('|').collect();
        let [name, rules, position, legal, payoff] = parts[..] else { panic!("{line}") };
        let check = match name {
            "kuhn" => of(&Kuhn::default()),
            "leduc" => of(&Leduc::default()),
            "liars-dice" => of(&LiarsDice::default()),
            "goofspiel" => of(&Goofspiel::default()),
            "phantom-ttt" => of(&PhantomTtt::default()),
            "dark-hex" => of(&DarkHex::default()),
            other => panic!("{other}"),
        };
        check(rules, position, legal, payoff);
        count += 1;
    }
    assert_eq!(count, 186);
}
