//! Plans of own turns as text.

use crate::View;
use crate::action::Action;
use crate::drawing::seeks;
use oboro_core::ActionValue;
use std::fmt::Write as _;

/// The measure of agents that want the fewest turns.
pub(super) const MINUS_TURNS: &str = "minus turns";

/// The first turn of a plan; its value is minus the length of the plan.
pub(super) fn value_of_plan(plan: &[Action]) -> ActionValue<Action> {
    let later: Vec<String> = plan[1..].iter().map(Action::to_string).collect();
    let note =
        if later.is_empty() { "the goal".to_owned() } else { format!("then {}", later.join(", ")) };
    ActionValue { note, ..ActionValue::new(plan[0], -(plan.len() as f64)) }
}

/// The goal of the seat, its distance, and the plan turn by turn.
pub(super) fn draw_plan(view: &View, plan: Option<&[Action]>) -> String {
    let mut text = format!("seat {} {}", view.seat, seeks(view.public(), view.goal()));
    let Some(plan) = plan else {
        return text + "\n";
    };
    let turns = if plan.len() == 1 { "turn" } else { "turns" };
    writeln!(text, ", {} {turns} away if nobody else moves:", plan.len())
        .expect("a string takes all");
    for (number, action) in plan.iter().enumerate() {
        writeln!(text, "{}. {action}", number + 1).expect("a string takes all");
    }
    text
}
