//! The text form of a world: `key=value` fields in a fixed order, all on one line.
//!
//! | field | meaning |
//! |---|---|
//! | `past=3:ddsdds:332111,-:sddsdd` | finished rounds: who reached the gold, roles, gold cards |
//! | `turn=2` | whose turn it is, `-` when the game is over |
//! | `roles=ddsdds` | digger or saboteur, by seat |
//! | `goals=gold,stone-up,STONE-DOWN:LD` | goal cards from the top; turned up ones in capitals with their sides |
//! | `mine=LURD@1,0;xLU@2,0` | the path cards |
//! | `hands=LU,map/xL,rock/…` | hands by seat, in order |
//! | `deck=LR,map` | the deck, the next card last |
//! | `pile=2:LU,0:rock` | the face-down pile, with who put each card away, the oldest first |
//! | `used=map,rock` | cards used up openly in this round |
//! | `broken=0:lantern+pick,3:cart` | broken tools by seat |
//! | `looks=1:8,0;1:8,2` | which goals were looked at by whom |
//! | `chance=00c0ffee00c0ffee` | what gold cards and later rounds are shuffled from |
//!
//! An empty list is `-`.

use crate::gold::{Bundle, Supply, draw_round};
use crate::public::{FinishedRound, Public, Seats};
use crate::{
    Board, Card, Cards, Cell, Goal, GoalCard, Hand, Role, Saboteur, Sides, Tile, Tool, Tools, World,
};
use oboro_core::{NotationError, Rng, Scanner, Seat, joined};
use std::fmt::Write as _;

fn roles(saboteurs: Seats, players: u8) -> String {
    Seat::all(players.into())
        .map(|seat| match Role::of(saboteurs, seat) {
            Role::Digger => 'd',
            Role::Saboteur => 's',
        })
        .collect()
}

pub(crate) fn write(world: &World) -> String {
    let public = &world.public;
    let players = public.rules.players;
    let past = public.past().iter().zip(&world.bundles).map(|(past, gold)| {
        let who = joined(past.reached_by, "");
        format!("{who}:{}:{}", roles(past.saboteurs, players), joined(gold.as_slice(), ""))
    });
    let goals = Goal::ALL.map(|goal| {
        let name = world.goal(goal).name();
        match (public.turned_up(goal), public.board.sides(goal.cell())) {
            (Some(_), Some(sides)) => format!("{}:{sides}", name.to_uppercase()),
            _ => name.to_owned(),
        }
    });
    let mine = public.board.paths().iter().map(|cell| {
        let tile = public.board.tile(cell).expect("a path lies here");
        format!("{tile}@{cell}")
    });
    let hands = public.seats().map(|seat| joined(world.hand(seat).iter(), ","));
    let pile = public.pile().zip(world.pile());
    let used = Card::all().flat_map(|card| (0..public.used(card)).map(move |_| card));
    let broken = public
        .seats()
        .filter(|&seat| !public.broken(seat).is_empty())
        .map(|seat| format!("{seat}:{}", public.broken(seat)));
    let looks = public.seats().flat_map(|seat| {
        let goals = public.looks(seat);
        goals.iter().map(move |goal| format!("{seat}:{}", goal.cell())).collect::<Vec<_>>()
    });
    let mut text = format!("past={}", joined(past, ","));
    for (key, value) in [
        ("turn", joined(public.turn, "")),
        ("roles", roles(world.saboteurs, players)),
        ("goals", joined(goals, ",")),
        ("mine", joined(mine, ";")),
        ("hands", joined(hands, "/")),
        ("deck", joined(world.deck.iter(), ",")),
        ("pile", joined(pile.map(|(seat, card)| format!("{seat}:{card}")), ",")),
        ("used", joined(used, ",")),
        ("broken", joined(broken, ",")),
        ("looks", joined(looks, ";")),
        ("chance", format!("{:016x}", world.chance)),
    ] {
        write!(text, " {key}={value}").expect("writing to a string");
    }
    text
}

/// Reads `key=` and leaves the scanner at the value.
fn field(s: &mut Scanner<'_>, key: &str) -> Result<(), NotationError> {
    s.expect(key)?;
    s.expect("=")
}

fn read_seat(rules: Saboteur, s: &mut Scanner<'_>) -> Result<Seat, NotationError> {
    s.seat(rules.players.into())
}

fn read_roles(rules: Saboteur, s: &mut Scanner<'_>) -> Result<Seats, NotationError> {
    let at = s.at();
    let mut saboteurs = Seats::EMPTY;
    for seat in Seat::all(rules.players.into()) {
        match s.take() {
            Some('d') => {}
            Some('s') => saboteurs.insert(seat),
            _ => return Err(s.error_at(at, "expected one letter d or s a seat")),
        }
    }
    let (max, count) = (rules.saboteur_cards(), saboteurs.len());
    if count > max || count + 1 < max {
        let message = format!("{count} saboteurs; these rules have {} or {max}", max - 1);
        return Err(s.error_at(at, message));
    }
    Ok(saboteurs)
}

fn read_past(
    rules: Saboteur,
    s: &mut Scanner<'_>,
) -> Result<(Vec<FinishedRound>, Vec<Bundle>), NotationError> {
    let (mut pasts, mut bundles) = (Vec::new(), Vec::new());
    let mut supply = Supply::FULL;
    field(s, "past")?;
    if s.rest().starts_with("- ") {
        s.take();
        return Ok((pasts, bundles));
    }
    loop {
        let at = s.at();
        if pasts.len() == usize::from(rules.rounds) {
            return Err(s.error_at(at, format!("a game has {} rounds", rules.rounds)));
        }
        let reached_by = if s.eat("-") { None } else { Some(read_seat(rules, s)?) };
        s.expect(":")?;
        let saboteurs = read_roles(rules, s)?;
        s.expect(":")?;
        let at = s.at();
        let digits = s.take_while(|c| ('1'..='3').contains(&c));
        if reached_by.is_none() {
            s.expect("-")?;
        }
        let wanted = reached_by.map_or(0, |_| rules.gold_cards());
        if digits.len() != wanted {
            return Err(s.error_at(at, format!("the diggers share {wanted} gold cards")));
        }
        let nuggets: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
        if !nuggets.is_sorted_by(|a, b| a >= b) {
            return Err(s.error_at(at, "the most valuable gold cards come first"));
        }
        let bundle = Bundle::from_slice(&nuggets);
        supply = match reached_by {
            Some(_) => supply
                .without(&bundle)
                .ok_or_else(|| s.error_at(at, "there are not so many of these gold cards"))?,
            None => supply.without_saboteurs(saboteurs.len()),
        };
        pasts.push(FinishedRound { reached_by, saboteurs });
        bundles.push(bundle);
        if !s.eat(",") {
            return Ok((pasts, bundles));
        }
    }
}

/// The goal cards, and the sides of those that lie face up.
fn read_goals(
    rules: Saboteur,
    s: &mut Scanner<'_>,
) -> Result<[(GoalCard, Option<Sides>); 3], NotationError> {
    let mut goals = [(GoalCard::Gold, None); 3];
    field(s, "goals")?;
    for i in 0..3 {
        if i > 0 {
            s.expect(",")?;
        }
        let at = s.at();
        let word = s.take_while(|c| c.is_ascii_alphabetic() || c == '-');
        let known = |wanted: &str| GoalCard::ALL.into_iter().find(|card| card.name() == wanted);
        if let Some(card) = known(word) {
            goals[i] = (card, None);
        } else if let Some(card) =
            known(&word.to_lowercase()).filter(|c| c.name().to_uppercase() == word)
        {
            s.expect(":")?;
            let at = s.at();
            let letters = s.take_while(|c| "LURD".contains(c));
            let wanted = rules.goal_sides(card);
            let sides = [wanted, wanted.turned()]
                .into_iter()
                .find(|sides| sides.to_string() == letters)
                .ok_or_else(|| {
                    s.error_at(at, format!("expected {wanted} or {}", wanted.turned()))
                })?;
            goals[i] = (card, Some(sides));
        } else {
            return Err(s.error_at(
                at,
                "expected gold, stone-up or stone-down, or the same in capitals if it is turned up",
            ));
        }
        if goals[..i].iter().any(|(card, _)| *card == goals[i].0) {
            return Err(s.error_at(at, "each goal card exists once"));
        }
    }
    Ok(goals)
}

fn read_mine(
    rules: Saboteur,
    s: &mut Scanner<'_>,
    public: &mut Public,
) -> Result<(), NotationError> {
    field(s, "mine")?;
    let at = s.at();
    s.list(";", |s| {
        let at = s.at();
        let tile = Tile::scan(s)?;
        s.expect("@")?;
        let cell = Cell::scan(s)?;
        if !rules.area().contains(cell) || !public.board.is_empty(cell) {
            return Err(s.error_at(at, "this cell is taken, or outside the mine"));
        }
        let laid = &mut public.laid[tile.card().index()];
        if *laid == tile.card().copies() {
            return Err(s.error_at(at, format!("there are only {laid} cards {}", tile.card())));
        }
        *laid += 1;
        public.board.put(cell, tile);
        Ok(())
    })?;
    if let Some(cell) = public.board.mismatch() {
        return Err(s.error_at(at, format!("the card at {cell} does not match a neighbour")));
    }
    if !public.board.survey(rules).is_empty() {
        return Err(s.error_at(at, "a way leads to a goal that is not turned up"));
    }
    Ok(())
}

fn read_used(
    rules: Saboteur,
    s: &mut Scanner<'_>,
    public: &mut Public,
) -> Result<(), NotationError> {
    field(s, "used")?;
    s.list(",", |s| {
        let at = s.at();
        let card = Card::scan(s)?;
        if public.used[card.index()] == card.copies() {
            return Err(s.error_at(at, format!("there are only {} cards {card}", card.copies())));
        }
        public.used[card.index()] += 1;
        Ok(())
    })?;
    field(s, "broken")?;
    s.list(",", |s| {
        let seat = read_seat(rules, s)?;
        s.expect(":")?;
        let mut tools = Tools::EMPTY;
        loop {
            tools.insert(Tool::scan(s)?);
            if !s.eat("+") {
                break;
            }
        }
        public.broken[seat.index()] = tools;
        Ok(())
    })?;
    field(s, "looks")?;
    s.list(";", |s| {
        let seat = read_seat(rules, s)?;
        s.expect(":")?;
        let at = s.at();
        let goal = Goal::at(Cell::scan(s)?)
            .ok_or_else(|| s.error_at(at, "expected a goal: 8,-2 or 8,0 or 8,2"))?;
        public.looks[seat.index()].insert(goal);
        Ok(())
    })
}

fn read_cards<const N: usize>(s: &mut Scanner<'_>) -> Result<Cards<N>, NotationError> {
    let mut cards = Cards::default();
    s.list(",", |s| {
        let at = s.at();
        let card = Card::scan(s)?;
        if cards.len() == N {
            return Err(s.error_at(at, format!("no more than {N} cards fit here")));
        }
        cards.push(card);
        Ok(())
    })?;
    Ok(cards)
}

/// Reads a world. Whatever passes can be played on.
pub(crate) fn parse(rules: Saboteur, text: &str) -> Result<World, NotationError> {
    let mut s = Scanner::new(text);
    let s = &mut s;
    // Any world will do as a frame: every field of it is replaced.
    let mut world = draw_round(rules, &mut Rng::from_u64(0));
    let public = &mut world.public;
    let (pasts, bundles) = read_past(rules, s)?;
    public.past[..pasts.len()].copy_from_slice(&pasts);
    public.past_len = pasts.len() as u8;
    world.bundles[..bundles.len()].copy_from_slice(&bundles);

    field(s, "turn")?;
    let turn_at = s.at();
    public.turn = if s.eat("-") { None } else { Some(read_seat(rules, s)?) };
    let is_over = public.turn.is_none();
    if is_over != (pasts.len() == usize::from(rules.rounds)) {
        return Err(s.error_at(turn_at, "a game is over after its last round, not before"));
    }
    field(s, "roles")?;
    let at = s.at();
    world.saboteurs = read_roles(rules, s)?;
    if is_over && pasts.last().map(|past| past.saboteurs) != Some(world.saboteurs) {
        return Err(s.error_at(at, "after the end these are the roles of the last round"));
    }
    let goals = read_goals(rules, s)?;
    public.board = Board::new(rules);
    let mut gold_is_up = false;
    for (goal, (card, sides)) in Goal::ALL.into_iter().zip(goals) {
        world.goals[goal.index()] = card;
        if let Some(sides) = sides {
            public.board.show(goal, sides);
            public.turned_up[goal.index()] = Some(card);
            gold_is_up |= card == GoalCard::Gold;
        }
    }
    let reached = is_over && pasts.last().is_some_and(|past| past.reached_by.is_some());
    if gold_is_up != reached {
        return Err(s.error("the gold is turned up when the last round ends with it, not before"));
    }
    read_mine(rules, s, public)?;

    field(s, "hands")?;
    for seat in Seat::all(rules.players.into()) {
        if seat != Seat::FIRST {
            s.expect("/")?;
        }
        let at = s.at();
        let hand: Hand = read_cards(s)?;
        if hand.len() > rules.hand_size() {
            return Err(s.error_at(at, format!("a hand has {} cards", rules.hand_size())));
        }
        if public.turn == Some(seat) && hand.is_empty() {
            return Err(s.error_at(at, "the player to move has no card"));
        }
        world.hands[seat.index()] = hand;
        public.hand_sizes[seat.index()] = hand.len() as u8;
    }
    field(s, "deck")?;
    let at = s.at();
    world.deck = read_cards(s)?;
    public.deck_left = world.deck.len() as u8;
    let full = |&size: &u8| usize::from(size) == rules.hand_size();
    if !world.deck.is_empty() && !public.hand_sizes[..rules.players.into()].iter().all(full) {
        return Err(s.error_at(at, "hands are full while the deck lasts"));
    }
    field(s, "pile")?;
    s.list(",", |s| {
        let at = s.at();
        let seat = read_seat(rules, s)?;
        s.expect(":")?;
        let card = Card::scan(s)?;
        let place = usize::from(public.pile_len);
        if place == Card::DECK {
            return Err(s.error_at(at, "the pile is larger than the deck"));
        }
        public.pile[place] = seat.index() as u8;
        world.pile[place] = card;
        public.pile_len += 1;
        Ok(())
    })?;
    read_used(rules, s, public)?;
    field(s, "chance")?;
    let at = s.at();
    let digits = s.take_while(|c| matches!(c, '0'..='9' | 'a'..='f'));
    world.chance = u64::from_str_radix(digits, 16)
        .ok()
        .filter(|_| digits.len() == 16)
        .ok_or_else(|| s.error_at(at, "expected 16 hexadecimal digits"))?;
    s.finish()?;
    check_cards(s, &world)?;
    Ok(world)
}

/// Every card of the deck must be somewhere, once.
fn check_cards(s: &Scanner<'_>, world: &World) -> Result<(), NotationError> {
    let mut counts = world.public.seen();
    let hidden = world.hands.iter().flat_map(|hand| hand.iter());
    for card in hidden.chain(world.deck()).chain(world.pile()) {
        counts[card.index()] += 1;
    }
    for card in Card::all() {
        let (found, wanted) = (counts[card.index()], card.copies());
        if found != wanted {
            return Err(s.error_at(
                0,
                format!("{found} cards {card} in all places together; there are {wanted}"),
            ));
        }
    }
    Ok(())
}
