//! The text form of a position:
//!
//! ```text
//! turn=0 hands=SA2H9/…/…/… passes=3/3/2/3 laid=S7/H678/D7/C7 ranks=-/-/-/- log=H6,p2,H8
//! ```
//!
//! One entry a seat, separated by `/`. `laid` says who put which card on the table, `ranks` the final
//! rank (from 1) of those who are out. `log` is what happened in order: a card that was laid, `p2` for a
//! pass of seat 2, `r2` for its retirement; it may be `-` in a position set up by hand. `turn` is `-` when
//! the game is over.

use crate::card::{scan_card, scan_cards};
use crate::{Cards, Log, LogEntry, MAX_PLAYERS, Public, Sevens, World};
use oboro_core::{NotationError, Scanner, Seat, joined};

pub(crate) fn write(world: &World) -> String {
    let public = &world.public;
    let players = usize::from(public.players);
    let log = public.log.entries().map(|entry| match entry {
        LogEntry::Laid(card) => card.to_string(),
        LogEntry::Passed(seat) => format!("p{seat}"),
        LogEntry::Retired(seat) => format!("r{seat}"),
    });
    let ranks = public.ranks[..players].iter().map(|&rank| match rank {
        Public::IN_PLAY => "-".to_owned(),
        rank => (rank + 1).to_string(),
    });
    format!(
        "turn={} hands={} passes={} laid={} ranks={} log={}",
        joined(public.to_act(), ""),
        joined(&world.hands[..players], "/"),
        joined(&public.passes[..players], "/"),
        joined(&public.laid[..players], "/"),
        joined(ranks, "/"),
        joined(log, ","),
    )
}

/// One field `NAME=…/…` with an entry for each seat.
fn by_seat<T: Copy>(
    s: &mut Scanner<'_>,
    name: &str,
    players: usize,
    fill: T,
    mut item: impl FnMut(&mut Scanner<'_>) -> Result<T, NotationError>,
) -> Result<[T; MAX_PLAYERS], NotationError> {
    s.expect(&format!("{name}="))?;
    let mut items = [fill; MAX_PLAYERS];
    for (i, slot) in items.iter_mut().take(players).enumerate() {
        if i > 0 && !s.eat("/") {
            return Err(
                s.error(format!("expected `/` and seat {i}: the rules have {players} seats"))
            );
        }
        *slot = item(s)?;
    }
    Ok(items)
}

pub(crate) fn parse(rules: &Sevens, text: &str) -> Result<World, NotationError> {
    let players = usize::from(rules.players);
    let mut s = Scanner::new(text);
    s.expect("turn=")?;
    let turn_at = s.at();
    let turn = if s.eat("-") { Public::NOBODY } else { s.number("the seat to move, or -")? };
    s.skip_space();
    let cards_at = s.at();
    let hands = by_seat(&mut s, "hands", players, Cards::EMPTY, scan_cards)?;
    let passes = by_seat(&mut s, "passes", players, rules.passes, |s| {
        let at = s.at();
        let left: u8 = s.number("passes left")?;
        if left > rules.passes {
            return Err(s.error_at(at, format!("the rules give {} passes", rules.passes)));
        }
        Ok(left)
    })?;
    let laid = by_seat(&mut s, "laid", players, Cards::EMPTY, scan_cards)?;
    s.skip_space();
    let ranks_at = s.at();
    let ranks = by_seat(&mut s, "ranks", players, Public::IN_PLAY, |s| {
        if s.eat("-") {
            return Ok(Public::IN_PLAY);
        }
        let at = s.at();
        let rank: u8 = s.number("a rank from 1, or -")?;
        if rank == 0 || usize::from(rank) > players {
            return Err(s.error_at(at, format!("ranks go from 1 to {players}")));
        }
        Ok(rank - 1)
    })?;
    s.skip_space();
    let log_at = s.at();
    let log = parse_log(&mut s, players)?;
    s.finish()?;

    let mut all = Cards::EMPTY;
    for cards in hands.into_iter().chain(laid) {
        if let Some(twice) = all.and(cards).iter().next() {
            return Err(s.error_at(cards_at, format!("{twice} is in two places")));
        }
        all = all.or(cards);
    }
    if let Some(missing) = Cards::ALL.without(all).iter().next() {
        return Err(s.error_at(cards_at, format!("{missing} is nowhere")));
    }
    let table = laid.into_iter().fold(Cards::EMPTY, Cards::or);
    if let Some(seven) = Cards::SEVENS.without(table).iter().next() {
        return Err(s.error_at(cards_at, format!("{seven} must have been laid")));
    }
    let mut public = Public {
        table,
        laid,
        passes,
        ranks,
        players: rules.players,
        gaps: rules.gaps,
        log,
        turn,
        finished: 0,
        retired: 0,
    };
    check_ranks(&mut public, &hands).map_err(|message| s.error_at(ranks_at, message))?;
    check_turn(&public).map_err(|message| s.error_at(turn_at, message))?;
    check_log(rules, &public).map_err(|message| s.error_at(log_at, message))?;
    Ok(World { public, hands })
}

/// Ranks must be those of players who went out one after another from the top and from the
/// bottom; counts them.
fn check_ranks(public: &mut Public, hands: &[Cards; MAX_PLAYERS]) -> Result<(), String> {
    let players = usize::from(public.players);
    let holds = |rank: u8| public.ranks[..players].contains(&rank);
    public.finished = (0..public.players).take_while(|&rank| holds(rank)).count() as u8;
    let out = public.ranks[..players].iter().filter(|&&rank| rank != Public::IN_PLAY).count() as u8;
    let from_bottom = (0..public.players).rev().take_while(|&rank| holds(rank)).count() as u8;
    let distinct = (0..public.players).filter(|&rank| holds(rank)).count() as u8;
    if distinct != out || (out < public.players && public.finished + from_bottom != out) {
        return Err("ranks are taken one by one from the top and from the bottom".to_owned());
    }
    public.retired = out - public.finished;
    let over = out == public.players;
    let with_cards = (0..players).filter(|&i| !hands[i].is_empty()).count();
    for (i, hand) in hands[..players].iter().enumerate() {
        let in_play = public.ranks[i] == Public::IN_PLAY;
        if in_play && hand.is_empty() {
            return Err(format!("seat {i} has no cards and so must have a rank"));
        }
        let may_hold = in_play || (over && with_cards == 1);
        if !may_hold && !hand.is_empty() {
            return Err(format!("seat {i} has a rank and so can hold no cards"));
        }
    }
    if over && with_cards != 1 {
        return Err("a game ends when one player is left, who still holds cards".to_owned());
    }
    Ok(())
}

fn check_turn(public: &Public) -> Result<(), String> {
    if public.in_play() == 0 {
        return if public.turn == Public::NOBODY {
            Ok(())
        } else {
            Err("the game is over: nobody's turn, write -".to_owned())
        };
    }
    if public.in_play() == 1 {
        return Err("one player is left: it must have the last free rank, and turn=-".to_owned());
    }
    let is_mover = public.turn < public.players && public.is_in_play(Seat::new(public.turn.into()));
    if is_mover { Ok(()) } else { Err("the seat to move must be still in the game".to_owned()) }
}

/// A log may begin anywhere, but what it says must agree with the rest.
fn check_log(rules: &Sevens, public: &Public) -> Result<(), String> {
    let mut cards = Cards::SEVENS;
    let mut passes = public.passes;
    let mut retired = [false; MAX_PLAYERS];
    for entry in public.log.entries() {
        match entry {
            LogEntry::Laid(card) if cards.contains(card) => {
                return Err(format!("{card} was laid twice"));
            }
            LogEntry::Laid(card) if !public.table.contains(card) => {
                return Err(format!("{card} is not on the table"));
            }
            LogEntry::Laid(card) => cards = cards.with(card),
            LogEntry::Passed(seat) => passes[seat.index()] += 1,
            LogEntry::Retired(seat) => {
                let rank = public.ranks[seat.index()];
                if rank == Public::IN_PLAY || retired[seat.index()] {
                    return Err(format!("seat {seat} cannot have retired here"));
                }
                retired[seat.index()] = true;
            }
        }
        if let Some(seat) = passes.iter().position(|&made| made > rules.passes) {
            return Err(format!("seat {seat} has more passes left than that"));
        }
    }
    Ok(())
}

fn parse_log(s: &mut Scanner<'_>, players: usize) -> Result<Log, NotationError> {
    s.expect("log=")?;
    let mut log = Log::EMPTY;
    s.list(",", |s| {
        let at = s.at();
        let entry = if s.eat("p") {
            LogEntry::Passed(s.seat(players)?)
        } else if s.eat("r") {
            LogEntry::Retired(s.seat(players)?)
        } else {
            LogEntry::Laid(scan_card(s)?)
        };
        if log.push(entry) { Ok(()) } else { Err(s.error_at(at, "no game is that long")) }
    })?;
    Ok(log)
}
