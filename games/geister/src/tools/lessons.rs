//! A teacher's lessons: made on all threads, and kept in a file.

use super::{about, write};
use crate::agents::naotti::{Information, Search};
use crate::gp::{EnemyColours, Teacher, TrainingPosition, TrainingSet};
use oboro_core::{Seed, SpecError, ToolHost, check_range};
use oboro_evolve::in_parallel;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Which positions policies learn from, and what they see of them.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct TrainingParams {
    /// What the teacher sees
    teacher: Information,

    /// How many positions the teacher gives
    positions: u32,

    /// How many plies the teacher looks ahead for its move
    depth: u32,

    /// Which of equal moves the teacher makes: the first `square-first`, as the public program does, or `direction-first`, as
    /// ours did at first (which also took every piece that stayed on an exit for red, and not one)
    order: TeacherOrder,

    /// How many plies it looks ahead for the value of every move, by which a loss is counted
    value_depth: u32,

    /// What becomes of a game in which a position comes again: `cut` there, or `whole`, played to its end
    repeats: Repeats,

    /// Colours of the training positions as policies see them: the `true` ones, or red and blue `exchanged` on both sides
    colours: Colours,

    /// The enemy's colours in training positions as policies see them: `seen`, `hidden` (every question about them is answered
    /// with no), or `drawn` from those that the mover holds possible
    enemy_colours: EnemyColours,
}

impl Default for TrainingParams {
    fn default() -> TrainingParams {
        let teacher = Teacher::default();
        TrainingParams {
            teacher: teacher.information,
            positions: teacher.positions as u32,
            depth: teacher.search.depth,
            order: TeacherOrder::default(),
            value_depth: teacher.value_depth,
            repeats: Repeats::default(),
            colours: Colours::default(),
            enemy_colours: EnemyColours::default(),
        }
    }
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum TeacherOrder {
    #[default]
    SquareFirst,
    DirectionFirst,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Repeats {
    #[default]
    Cut,
    Whole,
}

#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Colours {
    #[default]
    True,
    Exchanged,
}

impl TrainingParams {
    /// Refuses numbers out of their range.
    pub(super) fn check(&self) -> Result<(), SpecError> {
        check_range("positions", self.positions, 1..=10_000_000)?;
        check_range("depth", self.depth, 1..=12)?;
        check_range("value-depth", self.value_depth, 1..=12)
    }

    /// Which policies of ours were bred from this teacher by agreement.
    pub(super) fn bred(&self) -> String {
        format!("{}-agreement-all-50", self.sees())
    }

    fn sees(&self) -> &'static str {
        match self.teacher {
            Information::Imperfect => "imperfect",
            Information::Perfect => "perfect",
        }
    }

    /// The teacher and what is seen in words, and the positions: from the folder, or made and put there.
    pub(super) fn positions(
        &self,
        folder: Option<&Path>,
        host: &dyn ToolHost,
        seed: Seed,
    ) -> Result<(String, TrainingSet), String> {
        let (search, order) = match self.order {
            TeacherOrder::SquareFirst => (Search::new(self.depth), "square-first"),
            TeacherOrder::DirectionFirst => {
                (Search::direction_first(self.depth), "direction-first")
            }
        };
        let (whole_games, repeats) = match self.repeats {
            Repeats::Cut => (false, ""),
            Repeats::Whole => (true, "-whole-games"),
        };
        let teacher = Teacher {
            information: self.teacher,
            positions: self.positions as usize,
            search,
            value_depth: self.value_depth,
            whole_games,
        };
        let name = format!(
            "{}-{order}-depth-{}-values-{}-positions-{}{repeats}-seed-{seed}",
            self.sees(),
            self.depth,
            self.value_depth,
            self.positions
        );
        let path = folder.map(|folder| folder.join(format!("lessons-{name}.txt")));
        let positions = match path {
            Some(path) if path.exists() => {
                let positions = read(&path)?;
                if positions.len() != teacher.positions {
                    return Err(format!(
                        "{}: {} positions, not {}; delete it to have it made anew",
                        path.display(),
                        positions.len(),
                        teacher.positions
                    ));
                }
                positions
            }
            path => {
                host.say(&format!("the teacher plays {} positions", self.positions));
                let positions = teach(&teacher, seed);
                if let Some(path) = path {
                    write(&path, &positions.to_string())?;
                }
                positions
            }
        };
        let (exchanged, colours) = match self.colours {
            Colours::True => (false, ""),
            Colours::Exchanged => (true, ", colours exchanged"),
        };
        let enemy = match self.enemy_colours {
            EnemyColours::Seen => "",
            EnemyColours::Hidden => ", enemy colours hidden",
            EnemyColours::Drawn => ", enemy colours drawn",
        };
        let seen = positions.seen_as(exchanged, self.enemy_colours, seed);
        Ok((format!("{name}{colours}{enemy}"), seen))
    }
}

/// Plays the teacher's games until there are enough positions. The same seed gives the same lessons
/// for any number of threads.
pub(super) fn teach(teacher: &Teacher, seed: Seed) -> TrainingSet {
    const BATCH: u64 = 32;
    let mut lessons: Vec<TrainingPosition> = Vec::new();
    let mut games = 0;
    while lessons.len() < teacher.positions {
        let batch = in_parallel(games..games + BATCH, |number| teacher.game(seed, number));
        games += BATCH;
        lessons.extend(batch.into_iter().flatten());
    }
    lessons.truncate(teacher.positions);
    lessons.into_iter().collect()
}

/// The lessons of a file.
pub(super) fn read(path: &Path) -> Result<TrainingSet, String> {
    let text =
        fs::read_to_string(path).map_err(about(format!("cannot read {}", path.display())))?;
    text.parse::<TrainingSet>().map_err(about(path.display()))
}
