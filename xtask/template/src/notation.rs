//! The text form of positions: `42 high` is dice 4 and 2, and the first has said `high`.

use crate::World;
use oboro_core::{NotationError, Scanner};

pub(crate) fn write_position(world: &World) -> String {
    let dice = world.dice.map(|die| die.to_string()).concat();
    let said = world.public.said.iter().flatten().map(ToString::to_string);
    [dice].into_iter().chain(said).collect::<Vec<_>>().join(" ")
}

pub(crate) fn parse_position(text: &str, sides: u8) -> Result<World, NotationError> {
    let mut s = Scanner::new(text);
    let mut dice = [0; 2];
    for die in &mut dice {
        let digit = s.peek().and_then(|c| c.to_digit(10)).map(|digit| digit as u8);
        *die = digit
            .filter(|digit| (1..=sides).contains(digit))
            .ok_or_else(|| s.error(format!("expected a die from 1 to {sides}")))?;
        s.take();
    }
    let mut world = World::new(dice, sides);
    for i in 0..2 {
        let word = s.word();
        if !word.is_empty() {
            world.public.said[i] = Some(word.parse()?);
        }
    }
    s.finish()?;
    let [first, second] = world.public.said;
    if first.is_some() && first == second {
        return Err(s.error("the second may not say what the first said"));
    }
    Ok(world)
}
