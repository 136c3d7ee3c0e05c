//! The same faults put into five games that are not made for them, and which law finds each. `mutants.rs` has faults of Leduc
//! poker alone; `docs/reference/laws.md` shows the table that is made here.

use oboro_core::{Phrase, Rng, Seat};
use oboro_small::{DarkHex, GeisterSmall, Goofspiel, Kuhn, LiarsDice, Rules, Small};
use oboro_testkit::{
    Effort, census, check_encoding, check_game, check_scenes, check_standard_agents,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::hash::Hash;
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
enum Fault {
    #[default]
    Sound,
    DealsAnother,
    ListsADealTwice,
    ShowsBoth,
    ShowsTheOther,
    ShowsNothing,
    TellsAll,
    TellsNothing,
    TellsOnlyTheMover,
    TellsOnlyTheFirst,
    NotesTheSecret,
    TellsSpectators,
    NothingLegal,
    SameName,
    NeverEnds,
    OverAtOnce,
    PaysNoNumber,
    PaysMore,
    AddsUpToMore,
    TakesMemory,
    PaysTheOther,
}

use Fault::*;

/// Every fault in words.
const FAULTS: [(Fault, &str); 20] = [
    (DealsAnother, "one of the listed deals is never dealt"),
    (ListsADealTwice, "a deal is listed twice"),
    (ShowsBoth, "a seat is shown what the other was dealt as well"),
    (ShowsTheOther, "a seat is shown what the other was dealt"),
    (ShowsNothing, "a seat is not shown what it was dealt"),
    (TellsAll, "hidden actions are seen"),
    (TellsNothing, "nobody sees an action, not even its seat"),
    (TellsOnlyTheMover, "only its seat sees an action"),
    (TellsOnlyTheFirst, "only seat 0 sees actions"),
    (NotesTheSecret, "an action tells what its seat was dealt"),
    (TellsSpectators, "a spectator sees hidden actions, or what their seat was dealt"),
    (NothingLegal, "nothing is legal at the third ply"),
    (SameName, "two actions have the same name"),
    (NeverEnds, "actions change nothing"),
    (OverAtOnce, "nobody is to move at the start"),
    (PaysNoNumber, "the payoff is not a number"),
    (PaysMore, "payoffs are three times as large"),
    (AddsUpToMore, "payoffs are said to add up to 3"),
    (TakesMemory, "an action takes memory from the heap"),
    (PaysTheOther, "the loser is paid"),
];

/// A game with a fault.
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
#[serde(default, bound = "")]
#[schemars(bound = "R: Rules")]
struct Mutant<R: Rules> {
    fault: Fault,
    rules: R,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Table<T, D> {
    inner: T,
    deal: D,
    plies: u8,
}

impl<R: Rules> Mutant<R> {
    fn secrets(&self, deal: R::Deal) -> [u8; 2] {
        [0, 1].map(|seat| self.rules.secret(deal, Seat::new(seat)))
    }
}

impl<R: Rules> Rules for Mutant<R> {
    const NAME: &'static str = R::NAME;
    const CODES: u8 = R::CODES + 1;
    const RANGE: f64 = R::RANGE;
    const DEALT: bool = R::DEALT;
    const RULES_TEXT: [&'static str; 2] = R::RULES_TEXT;
    type Deal = R::Deal;
    type Table = Table<R::Table, R::Deal>;

    fn name(code: u8) -> String {
        // One action more than there are is named like the first.
        if code == R::CODES { R::name(first::<R>()) } else { R::name(code) }
    }

    fn deals(&self) -> Vec<R::Deal> {
        let mut deals = self.rules.deals();
        if self.fault == ListsADealTwice {
            deals.push(deals[0]);
        }
        deals
    }

    fn draw(&self, rng: &mut Rng) -> R::Deal {
        loop {
            let deal = self.rules.draw(rng);
            if self.fault != DealsAnother || deal != self.rules.deals()[0] {
                return deal;
            }
        }
    }

    fn start(&self, deal: R::Deal) -> Self::Table {
        Table { inner: self.rules.start(deal), deal, plies: 0 }
    }

    fn to_act(&self, table: &Self::Table) -> Option<Seat> {
        let over = self.fault == OverAtOnce && table.plies == 0;
        if over { None } else { self.rules.to_act(&table.inner) }
    }

    fn legal(&self, table: &Self::Table) -> u64 {
        let legal = self.rules.legal(&table.inner);
        match self.fault {
            NothingLegal if table.plies == 2 => 0,
            SameName => legal | (legal >> first::<R>() & 1) << R::CODES,
            _ => legal,
        }
    }

    fn apply(&self, table: &mut Self::Table, code: u8) {
        table.plies = table.plies.saturating_add(1);
        match self.fault {
            NeverEnds => return,
            TakesMemory => drop(std::hint::black_box(vec![code])),
            _ => {}
        }
        self.rules.apply(&mut table.inner, if code == R::CODES { first::<R>() } else { code });
    }

    fn payoff(&self, table: &Self::Table) -> f64 {
        let payoff = self.rules.payoff(&table.inner);
        match self.fault {
            PaysNoNumber => f64::NAN,
            PaysMore => 3.0 * payoff,
            PaysTheOther => self.rules.sum() - payoff,
            _ => payoff,
        }
    }

    fn sum(&self) -> f64 {
        if self.fault == AddsUpToMore { 3.0 } else { self.rules.sum() }
    }

    fn secret(&self, deal: R::Deal, seat: Seat) -> u8 {
        let secrets = self.secrets(deal);
        let (own, other) = (secrets[seat.index()], secrets[1 - seat.index()]);
        match self.fault {
            ShowsBoth => own * 16 + other,
            ShowsTheOther => other,
            ShowsNothing => 0,
            _ => own,
        }
    }

    fn seen(
        &self,
        before: &Self::Table,
        code: u8,
        after: &Self::Table,
        observer: Option<Seat>,
    ) -> Option<(bool, u8)> {
        let seen = self.rules.seen(&before.inner, code, &after.inner, observer);
        let mover = self.rules.to_act(&before.inner)?;
        let note = seen.map_or(0, |(_, note)| note);
        let secret = self.secrets(before.deal)[mover.index()];
        match self.fault {
            TellsAll => Some((true, note)),
            TellsNothing => Some((false, note)),
            TellsOnlyTheMover if observer != Some(mover) => Some((false, note)),
            TellsOnlyTheFirst if observer != Some(Seat::FIRST) => Some((false, note)),
            NotesTheSecret => Some((seen?.0, note + 32 * secret)),
            TellsSpectators if observer.is_none() => Some((true, note + 32 * secret)),
            _ => seen,
        }
    }

    fn note(&self, note: u8) -> Phrase {
        if note == 0 { Phrase::default() } else { Phrase::new(note.to_string(), note.to_string()) }
    }
}

/// The first action that a game begins with.
fn first<R: Rules>() -> u8 {
    let rules = R::default();
    let legal = rules.legal(&rules.start(rules.deals()[0]));
    legal.trailing_zeros() as u8
}

/// Whether a fault changes anything: something is dealt, or there are actions that are not seen.
fn applies<R: Rules>(fault: Fault) -> bool {
    let dealt = R::default().deals().len() > 1;
    match fault {
        DealsAnother | ListsADealTwice | ShowsBoth | ShowsTheOther | ShowsNothing
        | NotesTheSecret => dealt,
        TellsAll => !dealt,
        // In these it is the rule.
        TellsOnlyTheMover => !["goofspiel", "dark-hex"].contains(&R::NAME),
        _ => true,
    }
}

/// The check that finds a fault in a game, as a cell of the table.
fn cell<R: Rules>(_: &Small<R>, fault: Fault) -> &'static str {
    if !applies::<R>(fault) {
        return "";
    }
    let game = Small(Mutant { fault, rules: R::default() });
    let effort = Effort { games: 30, max_plies: 32, every: 1 };
    let fails = |check: &dyn Fn()| catch_unwind(AssertUnwindSafe(check)).is_err();
    let pinned = std::fs::read_to_string(format!("tests/census/{}.txt", R::NAME));
    let pinned = pinned.expect("a census");
    if fails(&|| check_game(&game, effort)) {
        "game"
    } else if fails(&|| check_scenes(&game, Effort { games: 12, ..effort })) {
        "scenes"
    } else if fails(&|| check_encoding(&game, Effort { games: 12, ..effort })) {
        "encoding"
    } else if fails(&|| check_standard_agents(&game, 1)) {
        "agents"
    } else if fails(&|| assert_eq!(census(&game), pinned)) {
        "census"
    } else {
        "**nothing**"
    }
}

/// By which check a fault is found in each game.
fn cells(fault: Fault) -> [&'static str; 5] {
    [
        cell(&Kuhn::default(), fault),
        cell(&LiarsDice::default(), fault),
        cell(&Goofspiel::default(), fault),
        cell(&DarkHex::default(), fault),
        cell(&GeisterSmall::default(), fault),
    ]
}

#[test]
fn games_without_a_fault_keep_the_laws() {
    assert_eq!(cells(Fault::Sound), ["**nothing**"; 5]);
}

#[test]
fn faults_in_five_games_are_found() {
    let page = include_str!("../../../docs/reference/laws.md");
    let (mut rows, mut count, mut missed) = (String::new(), 0, 0);
    for (fault, words) in FAULTS {
        let cells = cells(fault);
        count += cells.iter().filter(|cell| !cell.is_empty()).count();
        missed += cells.iter().filter(|cell| cell.starts_with('*')).count();
        rows += &format!("| {words} | {} |\n", cells.join(" | "));
    }
    let found = count - missed;
    assert!(page.contains(&rows), "the table in docs/reference/laws.md should be\n{rows}");
    assert!(page.contains(&format!("{found} of {count}")), "{found} of {count} are found");
}
