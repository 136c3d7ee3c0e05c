//! Faults put into a game that is not made for them: Leduc poker with one thing wrong, and which law finds it. The faults of the
//! test kit's own game are in `testkit/tests/laws.rs`; `docs/reference/laws.md` lists all.

use oboro_core::{Phrase, Rng, Seat};
use oboro_small::{LeducRules, Rules, Small};
use oboro_testkit::{
    Effort, census, check_encoding, check_game, check_scenes, check_standard_agents,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
enum Fault {
    #[default]
    None,
    /// Only some of the listed deals are dealt.
    DealsFew,
    /// The public card is dealt from the jacks more often.
    DrawsJacks,
    /// A seat is shown the other's card as well.
    ShowsBoth,
    /// A seat is shown nothing of its card.
    ShowsNothing,
    /// A seat is shown the rank without the suit.
    ShowsRank,
    /// A seat is shown the other's card.
    ShowsTheWrongCard,
    /// The public card is shown from the start, by the first note.
    ShowsThePublicCardEarly,
    /// The public card is not shown.
    HidesThePublicCard,
    /// Only one seat is shown the public card.
    ShowsThePublicCardToOne,
    /// The note of a raise tells the raiser's card.
    TellsTheCardOfARaise,
    /// The spectator is told it.
    TellsSpectators,
    /// Actions of the other are not seen.
    HidesActions,
    /// Nothing is legal after the second raise.
    NothingLegal,
    /// A fourth action is written like the third.
    SameName,
    /// Raising is all there is, and nobody wins.
    RaisesForEver,
    /// Nobody is to move at the start.
    OverAtOnce,
    /// The payoff is not a number for a fold.
    PaysNothing,
    /// Payoffs go beyond the declared range.
    PaysMore,
    /// The sum that is declared is another.
    DeclaresASum,
    /// A pair does not beat the king. The field plays otherwise, and no law knows.
    PairsAreNothing,
}

#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
struct Mutant {
    fault: Fault,
}

type Deal = <LeducRules as Rules>::Deal;

const LEDUC: LeducRules = LeducRules {};
const CALL: u8 = 1;
const RAISE: u8 = 2;

/// The game in progress, and what a fault needs to know besides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Table {
    leduc: <LeducRules as Rules>::Table,
    deal: Deal,
    raises: u8,
    plies: u8,
}

impl Mutant {
    fn cards(deal: Deal) -> [u8; 2] {
        [0, 1].map(|seat| LEDUC.secret(deal, Seat::new(seat)))
    }
}

impl Rules for Mutant {
    const NAME: &'static str = "leduc";
    const CODES: u8 = 4;
    const RANGE: f64 = 26.0;
    const RULES_TEXT: [&'static str; 2] = LeducRules::RULES_TEXT;
    type Deal = Deal;
    type Table = Table;

    fn name(code: u8) -> String {
        // A fourth action is named like the third.
        LeducRules::name(code.min(RAISE))
    }

    fn deals(&self) -> Vec<Deal> {
        LEDUC.deals()
    }

    fn draw(&self, rng: &mut Rng) -> Deal {
        loop {
            let deal = LEDUC.draw(rng);
            let [first, second] = Mutant::cards(deal);
            let jack = first > 2 && second > 2;
            match self.fault {
                Fault::DealsFew if first != second + 1 => {}
                Fault::DrawsJacks if jack && rng.chance(0.5) => {}
                _ => return deal,
            }
        }
    }

    fn start(&self, deal: Deal) -> Table {
        Table { leduc: LEDUC.start(deal), deal, raises: 0, plies: 0 }
    }

    fn to_act(&self, table: &Table) -> Option<Seat> {
        match self.fault {
            Fault::OverAtOnce if table.plies == 0 => None,
            _ => LEDUC.to_act(&table.leduc),
        }
    }

    fn legal(&self, table: &Table) -> u64 {
        let legal = LEDUC.legal(&table.leduc);
        match self.fault {
            Fault::NothingLegal if table.raises == 2 => 0,
            Fault::SameName => legal | 0b1000,
            Fault::RaisesForEver => 1 << RAISE,
            _ => legal,
        }
    }

    fn apply(&self, table: &mut Table, code: u8) {
        table.plies += 1;
        table.raises += u8::from(code == RAISE);
        if self.fault == Fault::RaisesForEver {
            return;
        }
        LEDUC.apply(&mut table.leduc, code.min(RAISE));
    }

    fn payoff(&self, table: &Table) -> f64 {
        let payoff = LEDUC.payoff(&table.leduc);
        match self.fault {
            Fault::PaysNothing if table.plies < 3 => f64::NAN,
            Fault::PaysMore => 3.0 * payoff,
            Fault::PairsAreNothing => payoff.clamp(-5.0, 5.0),
            _ => payoff,
        }
    }

    fn sum(&self) -> f64 {
        if self.fault == Fault::DeclaresASum { 1.0 } else { 0.0 }
    }

    fn secret(&self, deal: Deal, seat: Seat) -> u8 {
        let [own, other] = if seat == Seat::FIRST {
            Mutant::cards(deal)
        } else {
            let [first, second] = Mutant::cards(deal);
            [second, first]
        };
        match self.fault {
            Fault::ShowsBoth => own * 10 + other,
            Fault::ShowsNothing => 0,
            Fault::ShowsRank => own.div_ceil(2),
            Fault::ShowsTheWrongCard => other,
            _ => own,
        }
    }

    fn seen(
        &self,
        before: &Table,
        code: u8,
        after: &Table,
        observer: Option<Seat>,
    ) -> Option<(bool, u8)> {
        let (_, note) = LEDUC.seen(&before.leduc, code, &after.leduc, observer)?;
        let mover = LEDUC.to_act(&before.leduc)?;
        let card = LEDUC.secret(before.deal, mover);
        Some(match self.fault {
            Fault::ShowsThePublicCardEarly if before.plies == 0 => {
                // It comes after two calls.
                let mut once = before.leduc;
                LEDUC.apply(&mut once, CALL);
                let mut twice = once;
                LEDUC.apply(&mut twice, CALL);
                LEDUC.seen(&once, CALL, &twice, observer)?
            }
            Fault::HidesThePublicCard => (true, 0),
            Fault::ShowsThePublicCardToOne if observer != Some(Seat::FIRST) => (true, 0),
            Fault::TellsTheCardOfARaise if code == RAISE => (true, card),
            Fault::TellsSpectators if observer.is_none() => (true, card),
            Fault::HidesActions if observer != Some(mover) => (false, note),
            _ => (true, note),
        })
    }

    fn note(&self, note: u8) -> Phrase {
        if note == 0 { Phrase::default() } else { Phrase::new(note.to_string(), note.to_string()) }
    }
}

/// The check that finds a fault; `None` if no law does.
fn caught(fault: Fault) -> Option<&'static str> {
    let game = Small(Mutant { fault });
    let effort = Effort { games: 30, max_plies: 32, every: 1 };
    let fails = |check: &dyn Fn()| catch_unwind(AssertUnwindSafe(check)).is_err();
    let pinned = std::fs::read_to_string("tests/census/leduc.txt").expect("the census of Leduc");
    if fails(&|| check_game(&game, effort)) {
        Some("check_game")
    } else if fails(&|| check_scenes(&game, effort)) {
        Some("check_scenes")
    } else if fails(&|| check_encoding(&game, effort)) {
        Some("check_encoding")
    } else if fails(&|| check_standard_agents(&game, 1)) {
        Some("check_standard_agents")
    } else if census(&game) != pinned {
        Some("census")
    } else {
        None
    }
}

#[test]
fn faults_in_leduc_are_found() {
    let expected = [
        (Fault::None, None),
        (Fault::DealsFew, Some("check_game")),
        (Fault::DrawsJacks, Some("check_game")),
        (Fault::ShowsBoth, Some("census")),
        (Fault::ShowsNothing, Some("census")),
        (Fault::ShowsRank, Some("census")),
        (Fault::ShowsTheWrongCard, Some("census")),
        (Fault::ShowsThePublicCardEarly, Some("census")),
        (Fault::HidesThePublicCard, Some("census")),
        (Fault::ShowsThePublicCardToOne, Some("census")),
        (Fault::TellsTheCardOfARaise, Some("census")),
        (Fault::TellsSpectators, Some("check_scenes")),
        (Fault::HidesActions, Some("check_game")),
        (Fault::NothingLegal, Some("check_game")),
        (Fault::SameName, Some("check_game")),
        (Fault::RaisesForEver, Some("check_game")),
        (Fault::OverAtOnce, Some("check_game")),
        (Fault::PaysNothing, Some("check_game")),
        (Fault::PaysMore, Some("check_game")),
        (Fault::DeclaresASum, Some("check_standard_agents")),
        (Fault::PairsAreNothing, None),
    ];
    let found = expected.map(|(fault, _)| (fault, caught(fault)));
    assert_eq!(found, expected);
}
