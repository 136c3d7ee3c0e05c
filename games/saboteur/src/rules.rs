use crate::gold::draw_round;
use crate::{Action, Cell, Cells, Event, GoalCard, Sides, View, World, notation};
use oboro_core::{FactInfo, FastPath, Game, NotationError, Rng, SpecError, check_range, params};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

params! {
    /// The rules of Saboteur. The default is the published game for six players.
    ///
    /// The paper's experiments use [`Saboteur::paper`]. Its three deviations from the rulebook are interpretations: the
    /// paper does not state them, but without them its published rates are missed by more.
    #[derive(Eq, Hash)]
    pub struct Saboteur {
        /// Number of players, 3 to 10.
        pub players: u8 = 6 => {"minimum": 3, "maximum": 10},
        /// Number of rounds of a game, 1 to 3. Papers that count rounds play games of one.
        pub rounds: u8 = 3 => {"minimum": 1, "maximum": 3},
        /// Extent of the mine. Any bound is an interpretation: the paper states none.
        pub bounds: Bounds = Bounds::None => {},
        /// Requirement for a card next to a face-down goal. `open` is an interpretation: the paper does not mention it.
        pub face_down_goals: FaceDownGoals = FaceDownGoals::Any => {},
        /// Paths of a stone that has been turned up. `open` is an interpretation against the paper's own words: a
        /// revealed goal may fail to connect (2.4).
        pub stones: StonePaths = StonePaths::Curves => {},
        /// Players that see the goal a map reveals.
        pub maps: Maps = Maps::Private => {},
    }
}

/// Extent of the mine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bounds {
    /// The whole table: columns −12 to 17 and rows −11 to 11. Forty cards could reach further, but of 20 000 rounds of
    /// `path` players two met the edge, and of 200 000 random ones none.
    None,
    /// The rectangle of start and goals: columns 0 to 8, rows −2 to 2. An interpretation: the paper does not say how
    /// large its board is.
    Paper,
    /// One row more above and below: columns 0 to 8, rows −3 to 3. Another interpretation.
    Three,
}

impl Bounds {
    /// The smallest and the largest x, then y, that a card can have.
    pub(crate) const fn extent(self) -> ((i8, i8), (i8, i8)) {
        match self {
            Bounds::None => (Cell::X, Cell::Y),
            Bounds::Paper => ((0, 8), (-2, 2)),
            Bounds::Three => ((0, 8), (-3, 3)),
        }
    }

    /// The cells within them.
    #[inline]
    pub(crate) const fn area(self) -> &'static Cells {
        const NONE: &Cells = &Bounds::None.cells();
        const PAPER: &Cells = &Bounds::Paper.cells();
        const THREE: &Cells = &Bounds::Three.cells();
        match self {
            Bounds::None => NONE,
            Bounds::Paper => PAPER,
            Bounds::Three => THREE,
        }
    }

    const fn cells(self) -> Cells {
        let (x, y) = self.extent();
        Cells::rectangle(x, y)
    }
}

/// Requirement for a card next to a face-down goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaceDownGoals {
    /// Anything: a face-down goal matches wall and path.
    Any,
    /// Its side towards the goal must be open. An interpretation: the paper does not say so.
    Open,
}

/// Paths of a stone that has been turned up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StonePaths {
    /// The curve printed on it, turned so that it joins the way that reached it.
    Curves,
    /// Open on all four sides. An interpretation that the paper contradicts: by its section 2.4 a revealed goal is laid
    /// even where it does not connect to the paths around it.
    Open,
}

/// Players that see the goal a map reveals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Maps {
    /// The player that uses it.
    Private,
    /// Everybody.
    Public,
    /// The player that uses it, and every digger.
    Diggers,
}

/// By the number of players from 3: digger cards, saboteur cards, cards in a hand, gold cards for
/// the diggers (tables 1, 2 and 4 of the paper).
const BY_PLAYERS: [(u8, u8, u8, u8); 8] = [
    (3, 1, 6, 3),
    (4, 1, 6, 4),
    (4, 2, 6, 5),
    (5, 2, 5, 6),
    (5, 3, 5, 7),
    (6, 3, 4, 8),
    (7, 3, 4, 9),
    (7, 4, 4, 9),
];

/// What each saboteur wins, by the number of saboteurs from 1 (table 5).
const SABOTEURS_NUGGETS: [u8; 4] = [4, 3, 3, 2];

impl Saboteur {
    /// The largest number of players.
    pub const MAX_PLAYERS: usize = 10;
    /// The largest number of rounds.
    pub(crate) const MAX_ROUNDS: usize = 3;

    /// The setting in which `path` comes nearest to the paper's published rates: rounds of six
    /// players on a bounded board, stones open on all sides, no wall towards a face-down goal. The
    /// same as the rules `rounds=1,bounds=paper,face-down-goals=open,stones=open`.
    ///
    /// The bound and the two rules about goals are interpretations that were chosen by those rates; the paper does not
    /// state them.
    pub fn paper() -> Saboteur {
        Saboteur {
            rounds: 1,
            bounds: Bounds::Paper,
            face_down_goals: FaceDownGoals::Open,
            stones: StonePaths::Open,
            ..Saboteur::default()
        }
    }

    fn row(self) -> (u8, u8, u8, u8) {
        BY_PLAYERS[usize::from(self.players) - 3]
    }

    /// How many digger cards are shuffled.
    pub fn digger_cards(&self) -> usize {
        self.row().0.into()
    }

    /// How many saboteur cards are shuffled. One role card more than players is dealt from, so one
    /// saboteur may be missing.
    pub fn saboteur_cards(&self) -> usize {
        self.row().1.into()
    }

    /// How many cards a hand has while the deck lasts.
    pub fn hand_size(&self) -> usize {
        self.row().2.into()
    }

    /// How many gold cards the diggers share when they reach the gold.
    pub fn gold_cards(&self) -> usize {
        self.row().3.into()
    }

    /// What each of so many saboteurs wins.
    pub fn saboteur_nuggets(saboteurs: usize) -> u8 {
        saboteurs.checked_sub(1).map_or(0, |index| SABOTEURS_NUGGETS[index])
    }

    /// The open sides of a goal card that has been turned up, unturned.
    pub(crate) fn goal_sides(self, card: GoalCard) -> Sides {
        match (card, self.stones) {
            (GoalCard::Gold, _) | (_, StonePaths::Curves) => card.sides(),
            (_, StonePaths::Open) => Sides::ALL,
        }
    }

    /// The cells that may hold a card.
    #[inline]
    pub(crate) const fn area(self) -> &'static Cells {
        self.bounds.area()
    }
}

impl Game for Saboteur {
    type World = World;
    type View = View;
    type Action = Action;
    type Event = Event;

    const NAME: &'static str = "saboteur";
    const RULES_TEXT: [&'static str; 2] =
        [include_str!("../rules.en.md"), include_str!("../rules.ja.md")];

    fn seats(&self) -> usize {
        self.players.into()
    }

    fn fast_paths() -> Vec<FastPath> {
        vec![crate::playout::fast_path(), crate::agents::foreman::fast_path()]
    }

    fn validate(&self) -> Result<(), SpecError> {
        check_range("players", self.players, 3..=10)?;
        check_range("rounds", self.rounds, 1..=3)
    }

    fn deal(&self, rng: &mut Rng) -> World {
        draw_round(*self, rng)
    }

    fn write_position(&self, world: &World) -> String {
        notation::write(world)
    }

    fn parse_position(&self, text: &str) -> Result<World, NotationError> {
        notation::parse(*self, text)
    }

    fn payoff_sum(&self) -> Option<f64> {
        None
    }

    fn facts(&self) -> &'static [FactInfo] {
        const FACTS: &[FactInfo] = &[
            FactInfo::game("gold", "in how many rounds the gold was reached"),
            FactInfo::game("diggers", "how many diggers there were, over all rounds"),
            FactInfo::seats("saboteur", "in how many rounds it was a saboteur"),
            FactInfo::seats("nuggets", "the nuggets it won"),
            FactInfo::seats(
                "nuggets-as-digger",
                "the nuggets it won in rounds in which it was a digger",
            ),
            FactInfo::seats(
                "nuggets-as-saboteur",
                "the nuggets it won in rounds in which it was a saboteur",
            ),
        ];
        FACTS
    }
}
