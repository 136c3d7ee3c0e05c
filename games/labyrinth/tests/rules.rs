//! The rules, on positions made by hand.

use oboro_core::{FactValue, Game, GameWorld, Rng, Seat, SeatView};
use oboro_labyrinth::agents::GoalSearch;
use oboro_labyrinth::{Action, Cell, Corner, Entry, Finish, Goal, Labyrinth, Treasure, World};
use oboro_testkit::check_uniform;

const RULES: Labyrinth = Labyrinth {
    players: 2,
    cards: Some(2),
    first_corner: Corner::TopLeft,
    finish: Finish::Home,
    turn_limit: 1000,
};

/// A board on which row 1 is one corridor from a1 to g1, and little else is open. The extra tile is a
/// straight.
const BOARD: &str = "┌─┬─┬─┐/│││││││/├│├┌┬┌┤/┌┌┌┌┌┌┌/├┌┴┌┤┌┤/├├├├├├┌/└┌┴┌┴┌┘ S \
    b4,c4,d4,e4,f4,g4,a6,b6,c6,d6,e6,f6";

fn world(state: &str) -> World {
    let text = format!("{BOARD} {state}");
    RULES.parse_position(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn play(world: &mut World, action: &str) {
    let action: Action = action.parse().expect("a turn");
    world.play(action).unwrap_or_else(|error| panic!("{error}"));
}

fn seat(number: usize) -> Seat {
    Seat::new(number)
}

#[test]
fn a_pawn_walks_any_distance_or_stays() {
    // A push into row 6 moves nothing of row 1.
    let world = world("last=- ply=0 a1:|AB g7:|CD");
    let mut cells: Vec<String> = Vec::new();
    world.for_each_legal(|action| {
        if action.to_string().starts_with("5/0/") {
            cells.push(action.to.to_string());
        }
    });
    for reached in ["a1", "c1", "g1", "a2", "a3", "b1"] {
        assert!(cells.contains(&reached.to_owned()), "{reached} in {cells:?}");
    }
    assert!(!cells.contains(&"g7".to_owned()));
}

#[test]
fn only_the_entry_opposite_to_the_last_push_is_forbidden() {
    let mut world = world("last=- ply=0 a1:|AB g7:|CD");
    play(&mut world, "3/0/a1");
    let opposite = Entry::new(3).unwrap().opposite();
    let mut used = [false; Entry::COUNT];
    world.for_each_legal(|action| used[action.entry.index()] = true);
    for entry in Entry::all() {
        assert_eq!(used[entry.index()], entry != opposite, "entry {entry}");
    }
    assert!(world.play("11/0/g7".parse().unwrap()).is_err());
}

#[test]
fn a_treasure_counts_when_the_own_turn_ends_on_it() {
    let mut world = world("last=- ply=0 a1:|AB g7:|CD");
    assert_eq!(world.goal(seat(0)), Goal::Treasure(Treasure::Helmet));
    play(&mut world, "5/0/c1");
    assert_eq!(world.public().cards_found(seat(0)), 1);
    assert_eq!(world.goal(seat(0)), Goal::Treasure(Treasure::Candles));
}

#[test]
fn only_one_treasure_counts_in_a_turn_and_only_the_wanted_one() {
    // The candles on e1 are on the way to nothing: the helmet is wanted first.
    let mut world = world("last=- ply=0 a1:|AB g7:|CD");
    play(&mut world, "5/0/e1");
    assert_eq!(world.public().cards_found(seat(0)), 0);
    assert!(world.public().refused(seat(0)).contains(Treasure::Candles));
    // Everybody saw it, so nobody imagines the candles on top of that pile any more.
    let mut rng = Rng::from_u64(1);
    for _ in 0..200 {
        let imagined = world.view(seat(1)).imagine(&mut rng);
        assert_ne!(imagined.goal(seat(0)), Goal::Treasure(Treasure::Candles));
    }
}

#[test]
fn a_treasure_under_a_pawn_pushed_there_on_another_turn_does_not_count() {
    // Pawns travel with their tiles, so a push brings a treasure under a pawn in one way only: the pawn
    // falls off and comes back on the extra tile.
    let text = "┌─┬─┬─┐/│││││││/├│├┌┬┌┤/┌┌┌┌┌┌┌/├┌┴┌┤┌┤/├├├├├┌─/└┌┴┌┴┌┘ T \
        b4,c4,d4,e4,f4,g4,a6,b6,c6,d6,e6,+ last=- ply=0 a1:|AB g4:|XD";
    let mut world = RULES.parse_position(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(world.goal(seat(1)), Goal::Treasure(Treasure::Troll));
    // Row 4 goes right, seat 1 falls off g4 and comes back on a4, on the troll.
    play(&mut world, "10/0/a1");
    assert_eq!(world.public().pawn(seat(1)).to_string(), "a4");
    assert_eq!(world.public().board().place(Treasure::Troll), Some("a4".parse().unwrap()));
    assert_eq!(world.public().cards_found(seat(1)), 0);
    // Staying there through the own turn makes it count.
    play(&mut world, "0/0/a4");
    assert_eq!(world.public().cards_found(seat(1)), 1);
}

#[test]
fn all_pawns_on_the_pushed_line_travel_and_may_share_a_tile() {
    let mut world = world("last=- ply=0 g4:|AB g4:|CD");
    play(&mut world, "10/0/a4");
    assert_eq!(world.public().pawn(seat(0)).to_string(), "a4");
    assert_eq!(world.public().pawn(seat(1)).to_string(), "a4");
}

#[test]
fn after_the_last_card_the_way_home_wins() {
    let mut world = world("last=- ply=0 a1:A|B g7:|CD");
    // Leaving and coming back without the last card is nothing.
    play(&mut world, "5/0/e1");
    assert_eq!(world.goal(seat(0)), Goal::Home(Cell::new(0, 0)));
    assert_eq!(world.to_act(), Some(seat(1)));
    play(&mut world, "5/0/g7");
    play(&mut world, "5/0/a1");
    assert_eq!(world.to_act(), None);
    assert_eq!([world.payoff(seat(0)), world.payoff(seat(1))], [1.0, 0.0]);
    let facts = world.facts();
    let fact = |name: &str| &facts.iter().find(|fact| fact.name == name).unwrap().value;
    assert_eq!(*fact("won"), FactValue::Seats(vec![1.0, 0.0]));
    assert_eq!(*fact("turns"), FactValue::Seats(vec![2.0, 1.0]));
    assert_eq!(*fact("cards-left"), FactValue::Seats(vec![0.0, 2.0]));
    assert_eq!(*fact("first-won"), FactValue::Game(1.0));
    assert_eq!(*fact("draw"), FactValue::Game(0.0));
}

#[test]
fn where_the_last_card_is_enough_nobody_goes_home() {
    let rules = Labyrinth { finish: Finish::LastCard, ..RULES };
    let state = "last=- ply=0 a1:A|B g7:|CD";
    let mut world = rules.parse_position(&format!("{BOARD} {state}")).unwrap();
    play(&mut world, "5/0/e1");
    assert_eq!(world.to_act(), None);
    assert_eq!([world.payoff(seat(0)), world.payoff(seat(1))], [1.0, 0.0]);
    assert_eq!(rules.parse_position(&rules.write_position(&world)).unwrap(), world);
    // Who has all cards has won, wherever the pawn is, and so cannot have to wait for another's turn.
    let late = format!("{BOARD} last=5 ply=2 e1:AB| g7:|CD");
    assert!(rules.parse_position(&late).is_err());
    assert!(RULES.parse_position(&late).is_ok());
}

#[test]
fn being_at_home_before_the_last_card_is_nothing() {
    let mut world = world("last=- ply=0 a1:A|B g7:|CD");
    play(&mut world, "5/0/a1");
    assert_eq!(world.to_act(), Some(seat(1)));
}

#[test]
fn the_turn_limit_makes_a_draw() {
    let rules = Labyrinth { turn_limit: 3, ..RULES };
    let mut world = rules.parse_position(&format!("{BOARD} last=- ply=0 a1:|AB g7:|CD")).unwrap();
    for _ in 0..3 {
        play(&mut world, "5/0/a1");
        play(&mut world, "5/0/g7");
    }
    assert_eq!(world.to_act(), None);
    assert_eq!([world.payoff(seat(0)), world.payoff(seat(1))], [0.5, 0.5]);
    assert_eq!(world.facts()[0].value, FactValue::Seats(vec![0.0, 0.0]), "nobody won");
    assert_eq!(world.facts()[1].name, "draw");
    assert_eq!(world.facts()[1].value, FactValue::Game(1.0));
}

#[test]
fn nobody_knows_the_own_next_card() {
    let rules = Labyrinth { cards: None, ..RULES };
    let world = rules.deal(&mut Rng::from_u64(8));
    let view = world.view(seat(0));
    let next = |world: &World| world.pile(seat(0)).nth(1).unwrap();
    // All 23 other cards come next equally often, whatever the true one is.
    let others: Vec<Treasure> = view.unseen().iter().collect();
    assert_eq!(others.len(), 23);
    check_uniform(&others, 23 * 100, |rng| next(&view.imagine(rng)));
}

#[test]
fn imagined_worlds_are_uniform_over_those_that_agree() {
    // Seat 0 seeks A and has B or one of the unknown below it; seat 1 has walked upon C and E in vain.
    // With 20 cards out of the game by name only four are unknown: B, C, D and E.
    let rules = Labyrinth { cards: None, ..RULES };
    let text = format!("{BOARD} last=4 ply=40 a1:FGHIJKLMNO|AB g7:PQRSTUVWX|DCE-CE");
    let world = rules.parse_position(&text).unwrap_or_else(|error| panic!("{error}"));
    let view = world.view(seat(0));
    let unknown = |world: &World| -> Vec<Treasure> {
        world.pile(seat(0)).skip(11).chain(world.pile(seat(1)).skip(9)).collect()
    };
    let four = [Treasure::Candles, Treasure::Sword, Treasure::Gem, Treasure::Chest];
    let mut expected = Vec::new();
    for a in four {
        for b in four {
            for c in four {
                for d in four {
                    let order = vec![a, b, c, d];
                    let mut sorted = order.clone();
                    sorted.sort();
                    // The second is seat 1's top card: neither C nor E.
                    if sorted == four && b != Treasure::Sword && b != Treasure::Chest {
                        expected.push(order);
                    }
                }
            }
        }
    }
    assert_eq!(expected.len(), 12);
    check_uniform(&expected, 2400, |rng| unknown(&view.imagine(rng)));
}

#[test]
fn states_are_counted_by_the_shapes_that_fall_off() {
    let world = world("last=- ply=0 a1:|AB g7:|CD");
    let search = GoalSearch::new(&world.view(seat(0)));
    // A straight goes in two ways at 12 entries. At five of them a straight falls off, at seven a
    // tile that goes in four ways; 11 entries are open then: 2 × 11 × (5 × 2 + 7 × 4) = 836.
    assert_eq!([1, 2, 3].map(|turns| search.count_states(turns)), [24, 836, 29_128]);
}

/// Legal turns, and legal pairs of turns, of the first deals.
#[test]
fn game_trees_have_the_counted_number_of_leaves() {
    let rules = Labyrinth { cards: None, ..RULES };
    let count = |world: &World| {
        let mut turns = 0u64;
        world.for_each_legal(|_| turns += 1);
        turns
    };
    let perft = |number| {
        let world = rules.deal(&mut Rng::from_u64(number));
        let mut pairs = 0;
        world.for_each_legal(|action| {
            let mut after = world;
            after.apply(action);
            pairs += count(&after);
        });
        (count(&world), pairs)
    };
    assert_eq!([0, 1, 2].map(perft), [(298, 89_638), (357, 168_381), (62, 17_117)]);
}
