//! Actions and events in a few English and Japanese words.

use super::{ActionData, EventData, Point};
use crate::{Card, CardKind, Goal, GoalCard, Side, Tool, Tools};
use oboro_core::{Phrase, Seat};

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

fn tool_name(tool: Tool) -> Phrase {
    let ja = match tool {
        Tool::Lantern => "ランプ",
        Tool::Pick => "つるはし",
        Tool::Cart => "トロッコ",
    };
    Phrase::new(tool.name(), ja)
}

fn tool_names(tools: Tools) -> Phrase {
    let names: Vec<Phrase> = tools.iter().map(tool_name).collect();
    let join = |separator, pick: &dyn Fn(&Phrase) -> String| {
        names.iter().map(pick).collect::<Vec<_>>().join(separator)
    };
    Phrase::new(join(" or ", &|name| name.en.clone()), join("・", &|name| name.ja.clone()))
}

fn path_name(open: &[Side], blocked: bool) -> Phrase {
    let name = |side: &Side| match side {
        Side::Left => ("left", "左"),
        Side::Up => ("up", "上"),
        Side::Right => ("right", "右"),
        Side::Down => ("down", "下"),
    };
    let (en, ja): (Vec<&str>, Vec<&str>) = open.iter().map(name).unzip();
    let what = if blocked { ("a dead end", "行き止まり") } else { ("a path", "通路") };
    Phrase::new(
        format!("{} ({})", what.0, en.join(", ")),
        format!("{}（{}）", what.1, ja.join("・")),
    )
}

fn card_name(card: Card) -> Phrase {
    match card.kind() {
        CardKind::Path(sides, passable) => path_name(&sides.iter().collect::<Vec<_>>(), !passable),
        CardKind::RockFall => Phrase::new("a rock fall", "落石"),
        CardKind::Map => Phrase::new("a map", "地図"),
        CardKind::Break(tool) => {
            let tool = tool_name(tool);
            Phrase::new(format!("a broken {}", tool.en), format!("{}破壊", tool.ja))
        }
        CardKind::Mend(tools) => {
            let tools = tool_names(tools);
            Phrase::new(format!("a mended {}", tools.en), format!("{}修理", tools.ja))
        }
    }
}

fn goal_name(goal: Goal) -> Phrase {
    match goal {
        Goal::Upper => Phrase::new("the upper goal", "上のゴール"),
        Goal::Middle => Phrase::new("the middle goal", "中央のゴール"),
        Goal::Lower => Phrase::new("the lower goal", "下のゴール"),
    }
}

/// An action, or what `by` did, in a few words.
pub(super) fn phrase(parts: &ActionData, by: Option<Seat>) -> Phrase {
    let tool_of = |tool: Tool, whose: Seat| {
        let (who, tool) = (Phrase::player(whose), tool_name(tool));
        Phrase::new(format!("{}'s {}", who.en, tool.en), format!("{}の{}", who.ja, tool.ja))
    };
    match parts {
        ActionData::Dig { at, open, blocked } => {
            let path = path_name(open, *blocked);
            let ja = format!("{}を{at}に置く", path.ja);
            Phrase::action(by, ["lay", "lays"], &format!("{} at {at}", path.en), &ja)
        }
        ActionData::RockFall { at } => {
            let ja = format!("落石で{at}の通路を崩す");
            Phrase::action(by, ["drop", "drops"], &format!("rocks on {at}"), &ja)
        }
        ActionData::Look { goal } => {
            let goal = goal_name(*goal);
            let ja = format!("地図で{}を見る", goal.ja);
            Phrase::action(by, ["look", "looks"], &format!("at {}", goal.en), &ja)
        }
        ActionData::Break { tool, whose } => {
            let tool = tool_of(*tool, *whose);
            Phrase::action(by, ["break", "breaks"], &tool.en, &format!("{}を壊す", tool.ja))
        }
        ActionData::Mend { tool, whose, card } => {
            let mended = tool_of(*tool, *whose);
            let text =
                Phrase::action(by, ["mend", "mends"], &mended.en, &format!("{}を直す", mended.ja));
            match card.kind() {
                CardKind::Mend(tools) if tools.len() > 1 => {
                    let tools = tool_names(tools);
                    let en = format!(" with the card for {}", tools.en);
                    text.and(&en, &format!("（{}のカード）", tools.ja))
                }
                _ => text,
            }
        }
        ActionData::Discard { card: None } => {
            Phrase::action(by, ["discard", "discards"], "a card", "カードを1枚捨てる")
        }
        ActionData::Discard { card: Some(card) } => {
            let card = card_name(*card);
            Phrase::action(by, ["discard", "discards"], &card.en, &format!("{}を捨てる", card.ja))
        }
    }
}

/// What happened, in a few words.
pub(super) fn story(event: &EventData) -> Phrase {
    let mut text = phrase(&event.did, Some(event.seat));
    for shown in &event.shown {
        let goal = goal_name(shown.goal);
        let (en, ja) = match shown.card {
            GoalCard::Gold => ("the gold", "金塊"),
            GoalCard::StoneUp | GoalCard::StoneDown => ("a stone", "石"),
        };
        text = text.and(&format!("; {} is {en}", goal.en), &format!("。{}は{ja}", goal.ja));
    }
    if let Some(card) = event.drawn.map(card_name) {
        text = text.and(&format!("; draws {}", card.en), &format!("。{}を引く", card.ja));
    }
    match event.round_end.as_ref().map(|end| end.round.reached_by) {
        Some(Some(_)) => text.and("; the gold is reached", "。金塊に到達"),
        Some(None) => text.and("; the gold was not reached", "。金塊に届かず終了"),
        None => text,
    }
}
