//! The safety net itself: for every law of the test kit a game, an agent or a policy that breaks it, which the kit
//! must catch, and sound ones that it must let pass.

use crate::dice;

use dice::{Dice, Fault, Guess, View, World};
use oboro_core::{
    Agent, Belief, Factory, Game, GameWorld, Player, Policy, RandomAgent, RandomPolicy, Rng,
    SeatView, fresh,
};
use oboro_testkit::{
    Effort, census, check_agent, check_encoding, check_game, check_policy, check_scenes,
    check_standard_agents, check_symmetries, check_uniform,
};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What a check says when it fails; nothing if it passes.
fn complaint(check: impl FnOnce()) -> Option<String> {
    let fell = catch_unwind(AssertUnwindSafe(check)).err()?;
    let said = fell.downcast_ref::<String>().cloned();
    said.or_else(|| fell.downcast_ref::<&str>().map(|text| (*text).to_owned()))
}

fn must_complain(what: &dyn std::fmt::Debug, expected: &str, check: impl FnOnce()) {
    let said = complaint(check);
    let caught = said.as_ref().is_some_and(|said| said.contains(expected));
    assert!(caught, "{what:?} should be caught by `{expected}`, not by {said:?}");
}

/// Checks a list of faults, and names all that are not caught by what they break.
fn all_must_complain(faults: &[(Fault, &str)], check: impl Fn(Fault)) {
    let page = include_str!("../../docs/reference/laws.md");
    for (fault, _) in faults {
        let name = serde_json::to_value(fault).expect("a name");
        let row = format!("| {} | `check_", name.as_str().expect("a text"));
        let listed = page.lines().any(|line| line.starts_with(&row));
        assert!(listed, "docs/reference/laws.md lists {fault:?}");
    }
    let missed: Vec<String> = faults
        .iter()
        .filter_map(|(fault, expected)| {
            complaint(|| must_complain(fault, expected, || check(*fault)))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

const EFFORT: Effort = Effort { games: 40, max_plies: 100, every: 1 };

#[test]
fn a_sound_game_passes() {
    check_game(&Dice::default(), EFFORT);
    check_scenes(&Dice::default(), EFFORT);
    check_encoding(&Dice::default(), EFFORT);
    check_exchange(Fault::None);
}

#[test]
fn every_broken_law_of_games_is_caught() {
    let faults = [
        (Fault::NeverEnds, "goes on for ever"),
        (Fault::NoAction, "no legal action"),
        (Fault::ListsTwice, "listed twice"),
        (Fault::RefusesListed, "listed but refused"),
        (Fault::AcceptsUnlisted, "not listed but accepted"),
        (Fault::SameWord, "other actions have the same word"),
        (Fault::GoesOnAfterTheEnd, "legal after the end"),
        (Fault::ViewOffersOthers, "the mover's view"),
        (Fault::EverybodyMayMove, "may not move"),
        (Fault::ForgetsWhoseViewItIs, "whose view"),
        (Fault::ImaginesAnotherView, "imagined another view"),
        (Fault::ShowsAllDice, "nothing was ever hidden from seat 0"),
        (Fault::NeverImaginesASix, "and never the true one"),
        (Fault::ImaginesSixesTooOften, "distributed otherwise than deals are: columns [1]"),
        (Fault::ImaginesSixesLater, "after 1 random actions is distributed otherwise"),
        (Fault::EventSaysTooMuch, "events differ but the views after it agree"),
        (Fault::EventSaysTooLittle, "events agree but the views after it differ"),
        (Fault::LosesPositions, "a position changed by writing and reading"),
        (Fault::LosesActions, "Odd"),
        (Fault::PanicsOverNonsense, "that is no die"),
        (Fault::PayoffsDoNotAddUp, "payoffs sum to"),
        (Fault::UndeclaredFact, "facts reported and declared"),
        (Fault::ImaginesInStep, "distributed otherwise than deals are: columns [0, 1]"),
        (Fault::ImaginesOtherwiseLater, "and never the true one"),
        (Fault::NeverImaginesTheTruth, "and never the true one"),
        (Fault::ImaginesUnreadable, "refused: "),
        (Fault::ReadsImpossible, "and never the true one"),
        (Fault::LeaksBesideEquality, "printed or drawn differently: `leak:"),
        (Fault::HashDiffers, "equal views have different hashes"),
        (Fault::WorldHashDiffers, "equal worlds have different hashes"),
        (Fault::DrawsAtRandom, "printed or drawn differently"),
        (Fault::CannotBeDrawnAtTheEnd, "nothing to draw"),
        (Fault::DrawsNothing, "the world is drawn as nothing"),
        (Fault::ForgetsWords, "has forgotten something in spite of perfect recall"),
        (Fault::ViewMissesWords, "but its views after them agree"),
        (Fault::FactsVary, "facts are not what the record says"),
        (Fault::PayoffsOfMangled, "payoffs sum to"),
        (Fault::PaysForfeits, "for giving up"),
        (Fault::LosesForfeits, "payoffs of a forfeit of seat 0 sum to 0"),
        (Fault::DealsDoNotAddUp, "the probabilities of all deals sum to 3.6"),
        (Fault::ListsTooFewDeals, "is dealt and not listed"),
        (Fault::ListsOtherChances, "deals are not as likely as listed"),
        (Fault::SharesTooLittle, "worlds that share everything differ in what others see of"),
        (Fault::Allocates, "playouts take memory from the heap"),
    ];
    all_must_complain(&faults, |fault| {
        // A sound game has two plies.
        let max_plies = if fault == Fault::NeverEnds { 2 } else { EFFORT.max_plies };
        check_game(&Dice { fault }, Effort { max_plies, ..EFFORT });
    });
    let narrow = Dice { fault: Fault::RangeTooSmall };
    must_complain(&narrow.fault, "declared range of 0.5", || check_standard_agents(&narrow, 1));
}

/// A partial leak breaks no other law: view, event and imagined worlds agree on it.
#[test]
fn a_partial_leak_changes_the_census() {
    let leaky = Dice { fault: Fault::LeaksParity };
    check_game(&leaky, EFFORT);
    let [sound, leaky] = [Dice::default(), leaky].map(|dice| census(&dice));
    assert!(sound.contains("seed 0, ply 0, seat 0: 6, 2."), "six dice are 2.6 bits: {sound}");
    assert_ne!(sound, leaky);
}

/// A message says where: the rules, the seed, the ply and the position.
#[test]
fn messages_name_rules_seed_ply_and_position() {
    let forgetful = Dice { fault: Fault::ForgetsWords };
    let said = complaint(|| check_game(&forgetful, EFFORT)).expect("it is caught");
    for part in ["dice (fault=forgets-words)", ", seed ", ", ply 2: "] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn every_broken_law_of_scenes_is_caught() {
    let faults = [
        (Fault::SceneForgets, "are scenes as equal as views?"),
        (Fault::PublicSceneShows, "a spectator can tell what seat"),
        (Fault::SameParts, "have the same parts"),
        (Fault::NoJapanese, "no words"),
        (Fault::SilentStory, "seat 0"),
        (Fault::PublicEventSaysTooMuch, "a spectator of"),
        (Fault::OddProbabilities, "probability: 0.9"),
        (Fault::WrongProbabilities, "χ²"),
        (Fault::NoAnswers, "an answer to every secret"),
    ];
    all_must_complain(&faults, |fault| check_scenes(&Dice { fault }, EFFORT));
}

#[test]
fn every_broken_law_of_numbers_is_caught() {
    let faults = [
        (Fault::NumbersForget, "two views, the same numbers"),
        (Fault::NumbersForgetWhose, "two views, the same numbers"),
        (Fault::NumbersTooLarge, "own die is 2 > 1"),
        (Fault::SameNames, "two channels of one name"),
        (Fault::SameNumber, "have number 0"),
        (Fault::NumberBeyondAll, "has number 3 of 3"),
        (Fault::FindsIllegal, "the action numbered"),
        (Fault::FindsNothing, "the action numbered"),
        (Fault::SilentTruth, "does not tell this world from"),
        (Fault::TruthTellsHalf, "does not tell this world from"),
        (Fault::EncodingAllocates, "an observation takes memory from the heap"),
        (Fault::SymmetryLoses, "not one for one"),
        (Fault::UnequalSymmetry, "channels of different size"),
    ];
    all_must_complain(&faults, |fault| check_encoding(&Dice { fault }, EFFORT));
    must_complain(&Fault::WrongSymmetry, "one and three exchanged", || {
        check_exchange(Fault::WrongSymmetry);
    });
}

/// Plays games beside those in which one and three are exchanged.
fn check_exchange(fault: Fault) {
    let dice = Dice { fault };
    check_symmetries(&dice, 20, |_, start| {
        let exchanged = |digit| match digit {
            '1' => '3',
            '3' => '1',
            other => other,
        };
        let image: String = dice.write_position(start).chars().map(exchanged).collect();
        dice.parse_position(&image).expect("dice of six sides")
    });
}

/// Says high whatever was said before.
#[derive(Clone, Copy)]
struct Stubborn;

impl Agent<Dice> for Stubborn {
    fn act(&mut self, _: &View, _: &mut Rng) -> Guess {
        Guess::High
    }
}

impl Policy<World> for Stubborn {
    fn choose(&mut self, _: &World, _: &mut Rng) -> Guess {
        Guess::High
    }
}

/// Plays by how many of its kind have played before: no seed brings that back.
#[derive(Clone)]
struct Moody(Arc<AtomicU32>);

impl Agent<Dice> for Moody {
    fn act(&mut self, view: &View, _: &mut Rng) -> Guess {
        let mood = self.0.fetch_add(1, Ordering::Relaxed) as usize;
        let actions = view.legal_actions();
        actions[mood / 2 % actions.len()]
    }
}

/// Is put off by being asked what it believes.
#[derive(Clone, Copy, Default)]
struct Touchy {
    asked: bool,
}

impl Agent<Dice> for Touchy {
    fn act(&mut self, view: &View, _: &mut Rng) -> Guess {
        view.legal_actions()[usize::from(self.asked)]
    }

    fn beliefs(&mut self, _: &View, _: &mut Rng) -> Vec<Belief> {
        self.asked = true;
        Vec::new()
    }
}

/// Uses what a faulty view lets through: it is right about the other's die.
#[derive(Clone, Copy)]
struct Peeking;

impl Agent<Dice> for Peeking {
    fn act(&mut self, view: &View, _: &mut Rng) -> Guess {
        let actions = view.legal_actions();
        actions[usize::from(view.leak()) % actions.len()]
    }
}

/// Keeps what it saw in a static, where the next of its kind finds it.
#[derive(Clone, Copy)]
struct Stale;

impl Agent<Dice> for Stale {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Guess {
        static SEEN: AtomicU32 = AtomicU32::new(0);
        let own = view.imagine(rng);
        let before = SEEN
            .swap(own.payoff(view.seat()).to_bits() as u32 ^ rng.bits() as u32, Ordering::Relaxed);
        let actions = view.legal_actions();
        actions[before as usize % actions.len()]
    }
}

#[test]
fn agents_that_break_the_laws_are_caught() {
    let dice = Dice::default();
    let random: Factory<Dice> = fresh(RandomAgent);
    check_agent(&dice, &random, 10);
    let illegal: Factory<Dice> = fresh(Stubborn);
    must_complain(&"stubborn", "`high` is not legal here", || check_agent(&dice, &illegal, 1));
    let moody = Moody(Arc::default());
    let moody: Factory<Dice> = Arc::new(move || Player::Agent(Box::new(moody.clone())));
    must_complain(&"moody", "a second game with the same seed differs", || {
        check_agent(&dice, &moody, 3);
    });
    let leaky = Dice { fault: Fault::LeaksBesideEquality };
    let peeking: Factory<Dice> = fresh(Peeking);
    must_complain(&"peeking", "which looks the same to it", || check_agent(&leaky, &peeking, 5));
    let stale: Factory<Dice> = fresh(Stale);
    must_complain(&"stale", "differs", || check_agent(&dice, &stale, 5));
    let touchy: Factory<Dice> = fresh(Touchy::default());
    must_complain(&"touchy", "asked for its beliefs", || check_agent(&dice, &touchy, 1));
}

#[test]
fn policies_that_break_the_rules_are_caught() {
    check_policy(&Dice::default(), &mut RandomPolicy, 10);
    must_complain(&"stubborn", "high in", || check_policy(&Dice::default(), &mut Stubborn, 1));
}

#[test]
fn uneven_draws_are_caught() {
    check_uniform(&[0, 1, 2], 3000, |rng| rng.below(3));
    let uneven = || check_uniform(&[0, 1, 2], 3000, |rng| rng.below(4).min(2));
    must_complain(&"two of four", "χ²", uneven);
    let stray = || check_uniform(&[0, 1], 100, |rng| rng.below(3));
    must_complain(&"a third", "was drawn but not expected", stray);
}

/// The broken games are not broken otherwise: the sound world plays by the rules.
#[test]
fn the_second_may_not_repeat_the_first() {
    let mut world: World = Dice::default().parse_position("16").unwrap();
    world.play(Guess::High).unwrap();
    assert!(world.play(Guess::High).is_err());
}
