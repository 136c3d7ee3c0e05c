//! Positions, actions and events as plain data for screens and programs.

use crate::card::RANKS;
use crate::{Action, Card, Cards, Event, LogEntry, Public, Sevens, Suit, View, World};
use oboro_core::{Belief, Described, Game as _, GameScenes, GameWorld, Phrase, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position: the table suit by suit, the hands, and what happened so far.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Whose view it is; null for a spectator's, and for the whole truth.
    pub viewer: Option<Seat>,
    /// The players, in order of their seats.
    pub seats: Vec<SeatScene>,
    /// Whose turn it is; null when the game is over.
    pub to_act: Option<Seat>,
    /// The cards on the table, by suit.
    pub table: Vec<SuitScene>,
    /// What happened, the oldest first.
    pub log: Vec<LogScene>,
}

/// A player, and what the viewer knows of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SeatScene {
    /// Its seat.
    pub seat: Seat,
    /// How many cards it holds.
    pub cards: u8,
    /// Its cards, suit by suit; null where the viewer does not see them.
    pub hand: Option<Vec<Card>>,
    /// How often it may still pass before a pass retires it.
    pub passes_left: u8,
    /// Its final rank, 1 the best; null while it is in the game.
    pub rank: Option<u8>,
}

/// One suit on the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SuitScene {
    /// The suit.
    pub suit: Suit,
    /// Its cards on the table, from the ace.
    pub laid: Vec<LaidScene>,
    /// Its cards that may be laid next, whoever holds them.
    pub playable: Vec<Card>,
}

/// A card on the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LaidScene {
    /// The card.
    pub card: Card,
    /// Who laid it. A 7 lies there from the start, laid by whom it was dealt to.
    pub by: Seat,
}

/// One thing that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum LogScene {
    /// A card was laid.
    Lay {
        /// By whom.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// Somebody passed.
    Pass {
        /// Who.
        seat: Seat,
    },
    /// Somebody passed with no pass left, and laid all cards on the table.
    Retire {
        /// Who.
        seat: Seat,
    },
}

/// An action taken apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case")]
pub enum ActionData {
    /// Lays a card.
    Lay {
        /// The card.
        card: Card,
    },
    /// Passes.
    Pass {
        /// How many passes are left after it.
        left: u8,
    },
    /// Passes with no pass left, which retires the player.
    Retire {
        /// All its cards, which go to the table.
        cards: Vec<Card>,
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
    /// The rank it takes by that, 1 the best; null if it stays in the game.
    pub rank: Option<u8>,
}

/// The scene of an observer that knows these hands.
fn scene(
    viewer: Option<Seat>,
    public: &Public,
    size: impl Fn(Seat) -> u8,
    hand: impl Fn(Seat) -> Option<Cards>,
) -> Scene {
    let seats = || Seat::all(public.players.into());
    let laid_by = |card: Card| {
        let by = seats().find(|seat| public.laid[seat.index()].contains(card));
        by.expect("somebody laid every card on the table")
    };
    let seat_scene = |seat: Seat| SeatScene {
        seat,
        cards: size(seat),
        hand: hand(seat).map(|cards| cards.iter().collect()),
        passes_left: public.passes[seat.index()],
        rank: (!public.is_in_play(seat)).then(|| public.ranks[seat.index()] + 1),
    };
    let suit_scene = |suit: Suit| {
        let of_suit = |cards: Cards| cards.iter().filter(move |card| card.suit() == suit);
        SuitScene {
            suit,
            laid: of_suit(public.table).map(|card| LaidScene { card, by: laid_by(card) }).collect(),
            playable: of_suit(public.playable()).collect(),
        }
    };
    let log_scene = |entry: LogEntry| match entry {
        LogEntry::Laid(card) => LogScene::Lay { seat: laid_by(card), card },
        LogEntry::Passed(seat) => LogScene::Pass { seat },
        LogEntry::Retired(seat) => LogScene::Retire { seat },
    };
    Scene {
        viewer,
        seats: seats().map(seat_scene).collect(),
        to_act: public.to_act(),
        table: Suit::ALL.map(suit_scene).into(),
        log: public.log.entries().map(log_scene).collect(),
    }
}

/// An action taken apart; `left` are the passes left before it, and `laid` what goes to the table.
fn parts(action: Action, left: u8, laid: Cards) -> ActionData {
    match action {
        Action::Lay(card) => ActionData::Lay { card },
        Action::Pass => match left.checked_sub(1) {
            Some(left) => ActionData::Pass { left },
            None => ActionData::Retire { cards: laid.iter().collect() },
        },
    }
}

/// The rank that a player takes by what it does: the best free one with its last card, the worst free one when it
/// retires.
fn rank_taken(before: &Scene, seat: Seat, did: &ActionData) -> Option<u8> {
    let is_free = |rank: &u8| before.seats.iter().all(|other| other.rank != Some(*rank));
    let mut free = (1..=before.seats.len() as u8).filter(is_free);
    match did {
        ActionData::Lay { .. } if before.seats[seat.index()].cards == 1 => free.next(),
        ActionData::Retire { .. } => free.next_back(),
        _ => None,
    }
}

/// A card as people write it: ♠10.
fn face(card: Card) -> String {
    match RANKS[usize::from(card.rank()) - 1] {
        'T' => format!("{}10", card.suit().symbol()),
        rank => format!("{}{rank}", card.suit().symbol()),
    }
}

/// An action, or what `by` did, in a few words.
fn phrase(parts: &ActionData, by: Option<Seat>) -> Phrase {
    match parts {
        ActionData::Lay { card } => {
            let card = face(*card);
            Phrase::action(by, ["lay", "lays"], &card, &format!("{card}を出す"))
        }
        ActionData::Pass { left } => {
            let rest = format!("({left} left)");
            Phrase::action(by, ["pass", "passes"], &rest, &format!("パス（残り{left}回）"))
        }
        ActionData::Retire { cards } => {
            let cards = cards.iter().map(|card| face(*card)).collect::<Vec<_>>().join(" ");
            let ja = format!("パスが尽きて脱落、{cards}を場に出す");
            Phrase::action(by, ["retire", "retires"], &format!("({cards} to the table)"), &ja)
        }
    }
}

impl GameScenes for Sevens {
    type Scene = Scene;
    type ActionData = ActionData;
    type EventData = EventData;

    /// The ranks.
    fn ending(&self, world: &World, viewer: Option<Seat>) -> Vec<Phrase> {
        let mut seats: Vec<Seat> = Seat::all(self.seats()).collect();
        seats.sort_by_key(|seat| world.public().ranks[seat.index()]);
        let place = |(rank, seat): (usize, Seat)| {
            let Phrase { en, ja } = Phrase::who(seat, viewer);
            (format!("{}. {en}", rank + 1), format!("{}位 {ja}", rank + 1))
        };
        let (en, ja): (Vec<_>, Vec<_>) = seats.into_iter().enumerate().map(place).unzip();
        vec![Phrase::new(en.join("   "), ja.join("　"))]
    }

    fn scene(&self, view: &View) -> Scene {
        let sizes = view.sizes();
        let own = |seat| (seat == view.seat()).then(|| view.hand());
        scene(Some(view.seat()), view.public(), |seat| sizes[seat.index()], own)
    }

    fn public_scene(&self, world: &World) -> Scene {
        scene(None, world.public(), |seat| world.hand(seat).len() as u8, |_| None)
    }

    fn full_scene(&self, world: &World) -> Scene {
        let size = |seat| world.hand(seat).len() as u8;
        scene(None, world.public(), size, |seat| Some(world.hand(seat)))
    }

    fn describe(&self, view: &View, action: Action) -> Described<ActionData> {
        let left = view.public().passes[view.seat().index()];
        let parts = parts(action, left, view.hand());
        Described { text: phrase(&parts, None), parts }
    }

    /// Nothing of a turn is hidden from anybody.
    fn public_event(&self, world: &World, action: Action) -> Event {
        world.event(action, Seat::FIRST)
    }

    fn narrate(&self, before: &Scene, event: &Event) -> Described<EventData> {
        let seat = event.seat;
        let did = parts(event.action, before.seats[seat.index()].passes_left, event.laid);
        let rank = rank_taken(before, seat, &did);
        let mut text = phrase(&did, Some(seat));
        if let Some(rank) = rank {
            let how = if matches!(did, ActionData::Lay { .. }) { "で上がり" } else { "" };
            text = text.and(&format!(", taking rank {rank}"), &format!("（{rank}位{how}）"));
        }
        Described { parts: EventData { seat, did, rank }, text }
    }

    fn recall(&self, told: &EventData) -> Option<Event> {
        let (action, laid) = match &told.did {
            ActionData::Lay { card } => (Action::Lay(*card), (*card).into()),
            ActionData::Pass { .. } => (Action::Pass, Cards::EMPTY),
            ActionData::Retire { cards } => (Action::Pass, cards.iter().copied().collect()),
        };
        Some(Event { seat: told.seat, action, laid })
    }

    /// Where the cards are that this seat does not see: `S8` is in the hand of seat `2`.
    fn secrets(&self, view: &View) -> Vec<Belief> {
        let sizes = view.sizes();
        holders_believed(view, |_, seat| sizes[seat.index()].into())
    }

    fn answers(&self, world: &World, view: &View) -> Vec<String> {
        let holder = |card| {
            let holder = others_with_cards(view).find(|&seat| world.hand(seat).contains(card));
            holder.expect("a card that is not on the table is in a hand")
        };
        secret_cards(view).map(|card| holder(card).to_string()).collect()
    }
}

/// The belief with these weights of the possible holders of each unseen card.
pub(crate) fn holders_believed(view: &View, weight: impl Fn(Card, Seat) -> f64) -> Vec<Belief> {
    let belief = |card| {
        let holders = others_with_cards(view).map(|seat| (seat, weight(card, seat)));
        Belief::weighted(&card, holders)
    };
    secret_cards(view).map(belief).collect()
}

/// The belief by the frequencies of sampled worlds.
pub(crate) fn holders_drawn(view: &View, mut draw: impl FnMut() -> World) -> Vec<Belief> {
    /// Enough for two digits.
    const DRAWS: usize = 200;
    let worlds: Vec<World> = (0..DRAWS).map(|_| draw()).collect();
    holders_believed(view, |card, seat| {
        worlds.iter().filter(|world| world.hand(seat).contains(card)).count() as f64
    })
}

fn others_with_cards(view: &View) -> impl Iterator<Item = Seat> {
    let sizes = view.sizes();
    Seat::all(view.public().players.into())
        .filter(move |seat| *seat != view.seat() && sizes[seat.index()] > 0)
}

/// The unseen cards, while more than one player may hold them.
fn secret_cards(view: &View) -> impl Iterator<Item = Card> {
    let open = others_with_cards(view).count() > 1;
    if open { view.unknown() } else { Cards::EMPTY }.iter()
}
