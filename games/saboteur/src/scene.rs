//! Positions, actions and events as plain data for screens and programs.
//!
//! Places in the mine are given as `x` and `y` from the start, which lies at (0, 0): x grows to the right, towards
//! the goals at x = 8, and y downwards. Cards have the names of the notation: `LUR` is a path that is open to the
//! left, up and to the right, `xLU` one that is blocked in its centre; the others are `rock`, `map`, `break-pick`,
//! `mend-cart`, `mend-lantern+pick` and so on.

mod words;

use crate::gold::Bundle;
use crate::public::{FinishedRound, Public};
use crate::{
    Action, Card, Cell, Event, Goal, GoalCard, Hand, Role, RoundEnd, Saboteur, Side, Tile, Tool,
    View, World,
};
use oboro_core::{Belief, Described, GameScenes, Phrase, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position: the mine with its goals, the players, and where the other cards are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Whose view it is; null for a spectator's, and for the whole truth.
    pub viewer: Option<Seat>,
    /// The players, in order of their seats.
    pub seats: Vec<SeatScene>,
    /// Whose turn it is; null when the game is over.
    pub to_act: Option<Seat>,
    /// The start, from which ways lead out on all four sides.
    pub start: Point,
    /// The path cards in the mine, row by row from the top left.
    pub mine: Vec<PathScene>,
    /// The three goals, from the top.
    pub goals: Vec<GoalScene>,
    /// How many cards can still be drawn.
    pub deck_left: u8,
    /// These cards, the next one first. Null in every view: nobody knows them.
    pub deck: Option<Vec<Card>>,
    /// The cards that were put away face down in this round, the oldest first.
    pub discards: Vec<DiscardScene>,
    /// The cards that were used up openly in this round: action cards, and path cards under rocks.
    pub used: Vec<Card>,
    /// The finished rounds.
    pub past: Vec<RoundScene>,
    /// How many rounds the game has.
    pub rounds: u8,
}

/// A player, and what the viewer knows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SeatScene {
    /// Its seat.
    pub seat: Seat,
    /// Its role in this round; null where the viewer does not know it. After the last round everybody does.
    pub role: Option<Role>,
    /// How many cards it holds.
    pub cards: u8,
    /// Its cards in the order in which they were drawn; null where the viewer does not see them.
    pub hand: Option<Vec<Card>>,
    /// Its broken tools; with any of them it cannot lay path cards.
    pub broken: Vec<Tool>,
}

/// A path card in the mine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PathScene {
    /// Its column, counted from the start to the right.
    pub x: i8,
    /// Its row, counted from the start downwards.
    pub y: i8,
    /// Its open sides as it lies.
    pub open: Vec<Side>,
    /// Whether its centre is blocked, so that no way leads through it.
    pub blocked: bool,
    /// Whether an unbroken way from the start leads through it.
    pub joined: bool,
}

/// A goal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GoalScene {
    /// Which of the three.
    pub goal: Goal,
    /// Its column, counted from the start to the right.
    pub x: i8,
    /// Its row, counted from the start downwards.
    pub y: i8,
    /// Its card; null where the viewer does not know it.
    pub card: Option<GoalCard>,
    /// Its open sides as it lies once it is turned up; null while it lies face down.
    pub open: Option<Vec<Side>>,
    /// Who has looked at it with a map in this round.
    pub looked_at_by: Vec<Seat>,
}

/// A card that was put away face down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DiscardScene {
    /// Who put it away.
    pub by: Seat,
    /// Which it is; null where the viewer does not know it.
    pub card: Option<Card>,
}

/// A finished round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RoundScene {
    /// Who joined the gold to the start; null if nobody did and the saboteurs won.
    pub reached_by: Option<Seat>,
    /// Who was a saboteur.
    pub saboteurs: Vec<Seat>,
    /// Who won what. Diggers take one gold card after the other, the most valuable first.
    pub gold: Vec<GoldScene>,
}

/// Gold that somebody won.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GoldScene {
    /// Who won it.
    pub seat: Seat,
    /// How many nuggets; null where the viewer did not see the gold card.
    pub nuggets: Option<u8>,
}

/// A place in the mine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// The column, counted from the start to the right.
    pub x: i8,
    /// The row, counted from the start downwards.
    pub y: i8,
}

/// An action taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ActionData {
    /// Lays a path card.
    Dig {
        /// Where.
        at: Point,
        /// Its open sides as it is to lie.
        open: Vec<Side>,
        /// Whether its centre is blocked.
        blocked: bool,
    },
    /// Lets rocks fall on a path card, which leaves the mine.
    RockFall {
        /// Where.
        at: Point,
    },
    /// Looks at a goal with a map.
    Look {
        /// Which.
        goal: Goal,
    },
    /// Breaks a tool of another player.
    Break {
        /// Which tool.
        tool: Tool,
        /// Whose.
        whose: Seat,
    },
    /// Mends a tool of any player.
    Mend {
        /// Which tool.
        tool: Tool,
        /// Whose.
        whose: Seat,
        /// The card used, which may be for either of two tools.
        card: Card,
    },
    /// Puts a card away, face down.
    Discard {
        /// Which; null where the observer does not see it.
        card: Option<Card>,
    },
}

/// What an observer saw happen.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EventData {
    /// Who acted.
    pub seat: Seat,
    /// What it did.
    #[serde(flatten)]
    pub did: ActionData,
    /// The card that the observer itself drew then; null otherwise.
    pub drawn: Option<Card>,
    /// The goal cards that the observer was shown: turned up for all, or by a map.
    pub shown: Vec<ShownScene>,
    /// How the round ended; null while it goes on.
    pub round_end: Option<RoundEndScene>,
}

/// A goal card that somebody was shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ShownScene {
    /// Which goal.
    pub goal: Goal,
    /// What it is.
    pub card: GoalCard,
}

/// How a round ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RoundEndScene {
    /// Who reached the gold, who was what, and who won how much.
    #[serde(flatten)]
    pub round: RoundScene,
    /// What the observer is dealt for the next round; null after the last round, and for a spectator.
    pub next: Option<DealtScene>,
}

/// What a player is dealt for a round.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DealtScene {
    /// Its role.
    pub role: Role,
    /// Its cards.
    pub hand: Vec<Card>,
}

impl From<Cell> for Point {
    fn from(cell: Cell) -> Point {
        Point { x: cell.x(), y: cell.y() }
    }
}

/// The hidden things that an observer knows.
struct Knowledge<'a> {
    viewer: Option<Seat>,
    role: &'a dyn Fn(Seat) -> Option<Role>,
    hand: &'a dyn Fn(Seat) -> Option<Hand>,
    goal: &'a dyn Fn(Goal) -> Option<GoalCard>,
    /// The cards of the face-down pile.
    pile: Vec<Option<Card>>,
    /// The gold cards of finished rounds, 0 for those not seen.
    bundles: Vec<Bundle>,
    deck: Option<Vec<Card>>,
}

fn scene(public: &Public, known: Knowledge<'_>) -> Scene {
    let seat_scene = |seat: Seat| SeatScene {
        seat,
        role: (known.role)(seat).or_else(|| role_at_the_end(public, seat)),
        cards: public.hand_size(seat) as u8,
        hand: (known.hand)(seat).map(|hand| hand.to_vec()),
        broken: public.broken(seat).iter().collect(),
    };
    let goal_scene = |goal: Goal| GoalScene {
        goal,
        x: goal.cell().x(),
        y: goal.cell().y(),
        card: (known.goal)(goal),
        open: public.board().sides(goal.cell()).map(|sides| sides.iter().collect()),
        looked_at_by: public.seats().filter(|&seat| public.looks(seat).contains(goal)).collect(),
    };
    let discard = |(by, card): (Seat, &Option<Card>)| DiscardScene { by, card: *card };
    let rounds = public.past().iter().zip(&known.bundles);
    Scene {
        viewer: known.viewer,
        seats: public.seats().map(seat_scene).collect(),
        to_act: public.turn(),
        start: Cell::START.into(),
        mine: mine(public),
        goals: Goal::ALL.map(goal_scene).into(),
        deck_left: public.deck_left() as u8,
        deck: known.deck,
        discards: public.pile().zip(&known.pile).map(discard).collect(),
        used: Card::all()
            .flat_map(|card| std::iter::repeat_n(card, public.used(card).into()))
            .collect(),
        past: rounds.map(|(past, bundle)| round_scene(public.rules(), *past, bundle)).collect(),
        rounds: public.rules().rounds,
    }
}

/// Roles lie open after the last round.
fn role_at_the_end(public: &Public, seat: Seat) -> Option<Role> {
    let last = public.past().last().filter(|_| public.turn().is_none())?;
    Some(Role::of(last.saboteurs, seat))
}

fn mine(public: &Public) -> Vec<PathScene> {
    let board = public.board();
    let path_scene = |cell: Cell| PathScene {
        x: cell.x(),
        y: cell.y(),
        open: board.sides(cell).expect("a path card lies there").iter().collect(),
        blocked: !board.is_passable(cell),
        joined: board.is_reached(cell),
    };
    // The set lists its cells from the bottom right.
    let mut mine: Vec<PathScene> = board.paths().iter().map(path_scene).collect();
    mine.reverse();
    mine
}

fn round_scene(rules: Saboteur, past: FinishedRound, bundle: &Bundle) -> RoundScene {
    let players = rules.players.into();
    let saboteurs: Vec<Seat> = past.saboteurs.iter().collect();
    let gold = if past.reached_by.is_some() {
        let taken = past.pickers(players).cycle().zip(bundle.as_slice());
        let seen = |nuggets| Some(nuggets).filter(|&nuggets| nuggets > 0);
        taken.map(|(seat, &nuggets)| GoldScene { seat, nuggets: seen(nuggets) }).collect()
    } else {
        let nuggets = Some(Saboteur::saboteur_nuggets(saboteurs.len()));
        saboteurs.iter().map(|&seat| GoldScene { seat, nuggets }).collect()
    };
    RoundScene { reached_by: past.reached_by, saboteurs, gold }
}

/// The end of a round from what was told of it.
fn round_end(told: &RoundEndScene) -> Option<RoundEnd> {
    let RoundScene { reached_by, saboteurs, gold } = &told.round;
    let is_possible = |seat: &&Seat| seat.index() < Saboteur::MAX_PLAYERS;
    let saboteurs = saboteurs.iter().filter(is_possible).copied().collect();
    let past = FinishedRound { reached_by: *reached_by, saboteurs };
    // Saboteurs are paid by a rule, not from a bundle.
    let cards = if reached_by.is_some() { gold.as_slice() } else { &[] };
    let nuggets: Vec<u8> = cards.iter().map(|card| card.nuggets.unwrap_or(0)).collect();
    let fits = nuggets.len() <= Bundle::default().nuggets.len();
    let bundle = fits.then(|| Bundle::from_slice(&nuggets))?;
    let next = match &told.next {
        Some(dealt) => Some((dealt.role, Hand::from_slice(&dealt.hand)?)),
        None => None,
    };
    Some(RoundEnd { past, bundle, next })
}

/// An action taken apart; `None` is a card put away that the observer does not see.
fn parts(action: Option<Action>) -> ActionData {
    match action {
        None => ActionData::Discard { card: None },
        Some(Action::Dig { tile, at }) => ActionData::Dig {
            at: at.into(),
            open: tile.sides().iter().collect(),
            blocked: !tile.is_passable(),
        },
        Some(Action::RockFall { at }) => ActionData::RockFall { at: at.into() },
        Some(Action::Look { goal }) => ActionData::Look { goal },
        Some(Action::Break { tool, seat }) => ActionData::Break { tool, whose: seat },
        Some(Action::Mend { card, tool, seat }) => ActionData::Mend { tool, whose: seat, card },
        Some(Action::Discard { card }) => ActionData::Discard { card: Some(card) },
    }
}

fn listed(names: &[String], separator: &str, none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(separator) }
}

impl GameScenes for Saboteur {
    type Scene = Scene;
    type ActionData = ActionData;
    type EventData = EventData;

    /// A sentence for each round.
    fn ending(&self, world: &World, viewer: Option<Seat>) -> Vec<Phrase> {
        let told = |(round, past): (usize, &FinishedRound)| {
            let number = round + 1;
            let saboteurs = past.saboteurs.iter().map(|seat| Phrase::who(seat, viewer));
            let (en, ja): (Vec<_>, Vec<_>) = saboteurs.map(|who| (who.en, who.ja)).unzip();
            let result = match past.reached_by {
                Some(seat) => {
                    let Phrase { en, ja } = Phrase::who(seat, viewer);
                    Phrase::new(format!("{en} reached the gold"), format!("{ja}が金塊に到達"))
                }
                None => Phrase::new("the gold was not reached", "金塊に届かず"),
            };
            Phrase::new(
                format!(
                    "Round {number}: {}. Saboteurs: {}.",
                    result.en,
                    listed(&en, ", ", "nobody")
                ),
                format!(
                    "ラウンド{number}：{}。お邪魔者：{}。",
                    result.ja,
                    listed(&ja, "、", "なし")
                ),
            )
        };
        world.public().past().iter().enumerate().map(told).collect()
    }

    fn scene(&self, view: &View) -> Scene {
        let (seat, public) = (view.seat(), view.public());
        let mut own = view.own_discards();
        let known = Knowledge {
            viewer: Some(seat),
            role: &|other| (other == seat).then(|| view.role()),
            hand: &|other| (other == seat).then(|| *view.hand()),
            goal: &|goal| view.goal(goal),
            pile: public.pile().map(|by| if by == seat { own.next() } else { None }).collect(),
            bundles: view.bundles().to_vec(),
            deck: None,
        };
        scene(public, known)
    }

    fn public_scene(&self, world: &World) -> Scene {
        let public = world.public();
        let shown = world.goals_shown_to_all();
        let bundles = world.bundles().iter().map(|bundle| bundle.seen_after(usize::MAX));
        let known = Knowledge {
            viewer: None,
            role: &|_| None,
            hand: &|_| None,
            goal: &|goal| shown.contains(goal).then(|| world.goal(goal)),
            pile: vec![None; public.pile().len()],
            bundles: bundles.collect(),
            deck: None,
        };
        scene(public, known)
    }

    fn full_scene(&self, world: &World) -> Scene {
        let known = Knowledge {
            viewer: None,
            role: &|seat| Some(world.role(seat)),
            hand: &|seat| Some(*world.hand(seat)),
            goal: &|goal| Some(world.goal(goal)),
            pile: world.pile().iter().copied().map(Some).collect(),
            bundles: world.bundles().to_vec(),
            deck: Some(world.deck().iter().rev().copied().collect()),
        };
        scene(world.public(), known)
    }

    fn describe(&self, _view: &View, action: Action) -> Described<ActionData> {
        let parts = parts(Some(action));
        Described { text: words::phrase(&parts, None), parts }
    }

    fn public_event(&self, world: &World, action: Action) -> Event {
        world.seen(action, None)
    }

    fn narrate(&self, _before: &Scene, event: &Event) -> Described<EventData> {
        let shown = |goal: Goal| event.shown[goal.index()].map(|card| ShownScene { goal, card });
        let round_end = |end: RoundEnd| RoundEndScene {
            round: round_scene(*self, end.past, &end.bundle),
            next: end.next.map(|(role, hand)| DealtScene { role, hand: hand.to_vec() }),
        };
        let parts = EventData {
            seat: event.seat,
            did: parts(event.action),
            drawn: event.drawn,
            shown: Goal::ALL.into_iter().filter_map(shown).collect(),
            round_end: event.round_end.map(round_end),
        };
        Described { text: words::story(&parts), parts }
    }

    fn recall(&self, told: &EventData) -> Option<Event> {
        let cell = |point: Point| Cell::new(point.x, point.y);
        let action = match told.did.clone() {
            ActionData::Discard { card: None } => None,
            ActionData::Discard { card: Some(card) } => Some(Action::Discard { card }),
            ActionData::Dig { at, open, blocked } => {
                let tile = Tile::new(open.into_iter().collect(), !blocked)?;
                Some(Action::Dig { tile, at: cell(at)? })
            }
            ActionData::RockFall { at } => Some(Action::RockFall { at: cell(at)? }),
            ActionData::Look { goal } => Some(Action::Look { goal }),
            ActionData::Break { tool, whose } => Some(Action::Break { tool, seat: whose }),
            ActionData::Mend { tool, whose, card } => {
                Some(Action::Mend { card, tool, seat: whose })
            }
        };
        let mut shown = [None; 3];
        for ShownScene { goal, card } in &told.shown {
            shown[goal.index()] = Some(*card);
        }
        let round_end = match &told.round_end {
            Some(end) => Some(round_end(end)?),
            None => None,
        };
        Some(Event { seat: told.seat, action, drawn: told.drawn, shown, round_end })
    }

    /// The roles of the others, `role:2` is `digger` or `saboteur`, and where the gold is, `goal:upper` is `gold` or
    /// `stone`.
    fn secrets(&self, view: &View) -> Vec<Belief> {
        let (diggers, saboteurs) = roles_left(view);
        beliefs(view, |_| saboteurs / (diggers + saboteurs), [1.0; 3])
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        let roles = secret_roles(view).map(|seat| world.role(seat).name());
        let goals = secret_goals(view).into_iter().map(|goal| match world.goal(goal) {
            GoalCard::Gold => "gold",
            GoalCard::StoneUp | GoalCard::StoneDown => "stone",
        });
        roles.chain(goals).map(str::to_owned).collect()
    }
}

/// The belief with these probabilities of being a saboteur, by seat, and these weights of being the gold, by goal, as
/// far as the rules leave them open.
pub(crate) fn beliefs(view: &View, saboteur: impl Fn(Seat) -> f64, gold: [f64; 3]) -> Vec<Belief> {
    let role = |seat: Seat| {
        let saboteur = saboteur(seat);
        let roles = [(Role::Digger.name(), 1.0 - saboteur), (Role::Saboteur.name(), saboteur)];
        Belief::weighted(&format!("role:{seat}"), roles)
    };
    let goals = secret_goals(view);
    let all: f64 = goals.iter().map(|goal| gold[goal.index()]).sum();
    let goals = goals.iter().map(|goal| {
        let own = gold[goal.index()];
        let cards = [("gold", own), ("stone", all - own)];
        Belief::weighted(&format!("goal:{}", goal.name()), cards)
    });
    secret_roles(view).map(role).chain(goals).collect()
}

/// How many digger and saboteur cards there are besides the own one. The others are dealt from them, and one is
/// left over.
fn roles_left(view: &View) -> (f64, f64) {
    let rules = view.public().rules();
    let own = |role| usize::from(view.role() == role);
    (
        (rules.digger_cards() - own(Role::Digger)) as f64,
        (rules.saboteur_cards() - own(Role::Saboteur)) as f64,
    )
}

/// The others, while the rules leave their roles open: not after the end, nor for the only saboteur.
fn secret_roles(view: &View) -> impl Iterator<Item = Seat> {
    let (diggers, saboteurs) = roles_left(view);
    let open = view.public().turn().is_some() && diggers > 0.0 && saboteurs > 0.0;
    view.public().seats().filter(move |&seat| open && seat != view.seat())
}

/// The goals of which the gold is one, if it is not known which.
fn secret_goals(view: &View) -> Vec<Goal> {
    let candidates: Vec<Goal> = view.candidates().iter().collect();
    if candidates.len() > 1 { candidates } else { Vec::new() }
}
