use oboro_core::{
    AgentEntry, Factory, Game, GameSeeds, GameWorld, NotationError, Outcome, Player, Record,
    Replay, ReplayError, Rng, Seat, Seed, Spec, SpecError, play_game,
};
use serde::Serialize;
use std::time::{Duration, Instant};

/// A game with its rules chosen: agents sit down, positions are looked at.
pub trait Table: Send + Sync {
    /// The game's name.
    fn game(&self) -> &'static str;
    /// The rule options that differ from the defaults, as `key=value` separated by commas.
    fn rules(&self) -> String;
    /// How many seats there are.
    fn seats(&self) -> usize;
    /// The agents of these specs, one a seat.
    ///
    /// # Errors
    /// If there are too many or too few, or one cannot be built.
    fn lineup(&self, specs: &[&str]) -> Result<Box<dyn Lineup>, SpecError>;
    /// The canonical form of an agent's spec, after checking it.
    ///
    /// # Errors
    /// If it cannot be built.
    fn canonical(&self, spec: &str) -> Result<String, SpecError>;
    /// A dealt position.
    fn deal(&self, number: u64, seed: &Seed) -> String;
    /// A drawing of a position: as a seat sees it, or with nothing hidden.
    ///
    /// # Errors
    /// If the text is no position, or the game has no such seat.
    fn show(&self, position: &str, seat: Option<usize>) -> Result<String, PositionError>;
    /// Whose turn it is and what it may do; `None` when the game is over.
    ///
    /// # Errors
    /// If the text is no position.
    fn moves(&self, position: &str) -> Result<Option<(Seat, Vec<String>)>, PositionError>;
    /// The position after an action.
    ///
    /// # Errors
    /// If the position or the action cannot be read, or the action is not legal.
    fn after(&self, position: &str, action: &str) -> Result<String, PositionError>;
    /// What an agent thinks of a position, as the seat to move.
    ///
    /// # Errors
    /// If the text is no position, the game is over, or the agent cannot be built.
    fn analyse(
        &self,
        position: &str,
        spec: &str,
        seed: &Seed,
    ) -> Result<AnalysisReport, PositionError>;
    /// Steps through a record, calling `visit` with the drawing after each action, and checks it.
    ///
    /// # Errors
    /// If the record is no game by these rules.
    fn replay(&self, record: &Record, visit: ReplayVisitor<'_>) -> Result<(), ReplayError>;
}

/// Called with nothing at the start of a replay and with each action after it was played, and a way to
/// draw the world.
pub type ReplayVisitor<'a> = &'a mut dyn FnMut(Option<(Seat, String)>, &dyn Fn() -> String);

/// Agents ready to play at a table.
pub trait Lineup: Send + Sync {
    /// Their canonical specs, in the order given.
    fn specs(&self) -> &[String];
    /// Which of them see hidden information.
    fn oracles(&self) -> Vec<String>;
    /// Plays one game. `seating[s]` is the agent at seat `s`; `deal` numbers the deal.
    ///
    /// # Errors
    /// If an agent plays against the rules.
    fn play(
        &self,
        seating: &[usize],
        deal: u64,
        seeds: &GameSeeds,
        record: bool,
    ) -> Result<Played, PlayError>;
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// The game written down, if that was asked for; rules and seed are left to the caller.
    pub record: Option<Record>,
    /// Decisions made and time taken by each agent, in lineup order.
    pub thinking: Vec<(u64, Duration)>,
}

/// An agent that broke the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{agent} at seat {seat}: {error}")]
pub struct PlayError {
    agent: String,
    seat: Seat,
    error: oboro_core::IllegalAction,
}

/// Why nothing can be said about a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text cannot be read.
    #[error("position: {0}")]
    Position(NotationError),
    /// The action cannot be read.
    #[error("action: {0}")]
    Action(NotationError),
    /// The action is not legal.
    #[error(transparent)]
    Illegal(#[from] oboro_core::IllegalAction),
    /// There is no such seat.
    #[error("there is no seat {0}: seats go from 0 to {1}")]
    Seat(usize, usize),
    /// The game is over.
    #[error("the game is over: there is nothing to decide")]
    Over,
    /// The agent cannot be built.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// The agent needs to see what is hidden.
    #[error("{0} sees hidden information and gives no analysis")]
    Oracle(String),
}

/// What an agent thinks of a position, in text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnalysisReport {
    /// The agent's canonical spec.
    pub agent: String,
    /// The seat to move.
    pub seat: usize,
    /// What it would play.
    pub choice: String,
    /// What the values mean.
    pub measure: String,
    /// Every action it weighed, best first.
    pub values: Vec<ValueReport>,
    /// A drawing of its thoughts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<String>,
}

/// What an agent thinks of one action.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ValueReport {
    /// The action.
    pub action: String,
    /// Its value; infinite values are written as text.
    #[serde(serialize_with = "finite_or_text")]
    pub value: f64,
    /// How many playouts or visits it rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// A remark.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn finite_or_text<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.is_finite() {
        serializer.serialize_f64(*value)
    } else {
        serializer.serialize_str(&value.to_string())
    }
}

pub(crate) struct Rules<G: Game> {
    game: G,
    agents: Vec<AgentEntry<G>>,
}

impl<G: Game> Rules<G> {
    pub(crate) fn new(game: G, agents: Vec<AgentEntry<G>>) -> Rules<G> {
        Rules { game, agents }
    }

    fn build(&self, spec: &str) -> Result<(String, Factory<G>), SpecError> {
        let parsed: Spec =
            spec.parse().map_err(|error| SpecError(format!("agent `{spec}`: {error}")))?;
        let (canonical, factory) = AgentEntry::resolve(&self.agents, &self.game, &parsed)?;
        Ok((canonical.to_string(), factory))
    }

    fn read(&self, position: &str) -> Result<G::World, PositionError> {
        self.game.parse_position(position.trim()).map_err(PositionError::Position)
    }
}

impl<G: Game> Table for Rules<G> {
    fn game(&self) -> &'static str {
        G::NAME
    }

    fn rules(&self) -> String {
        oboro_core::changed_params(&self.game)
            .into_iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect::<Vec<_>>()
            .join(",")
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn lineup(&self, specs: &[&str]) -> Result<Box<dyn Lineup>, SpecError> {
        if specs.len() != self.seats() {
            return Err(SpecError(format!(
                "{} has {} seats under these rules, but {} agents were given",
                G::NAME,
                self.seats(),
                specs.len()
            )));
        }
        let built = specs.iter().map(|spec| self.build(spec)).collect::<Result<Vec<_>, _>>()?;
        let (specs, factories) = built.into_iter().unzip();
        Ok(Box::new(Seated { game: self.game.clone(), specs, factories }))
    }

    fn canonical(&self, spec: &str) -> Result<String, SpecError> {
        self.build(spec).map(|(canonical, _)| canonical)
    }

    fn deal(&self, number: u64, seed: &Seed) -> String {
        let mut rng = seed.game(number, number).deal();
        self.game.write_position(&self.game.deal_numbered(number, &mut rng))
    }

    fn show(&self, position: &str, seat: Option<usize>) -> Result<String, PositionError> {
        let world = self.read(position)?;
        match seat {
            None => Ok(world.to_string()),
            Some(seat) if seat < self.seats() => Ok(world.view(Seat::new(seat)).to_string()),
            Some(seat) => Err(PositionError::Seat(seat, self.seats() - 1)),
        }
    }

    fn moves(&self, position: &str) -> Result<Option<(Seat, Vec<String>)>, PositionError> {
        let world = self.read(position)?;
        let mut actions = Vec::new();
        world.for_each_legal(|action| actions.push(action.to_string()));
        Ok(world.to_act().map(|seat| (seat, actions)))
    }

    fn after(&self, position: &str, action: &str) -> Result<String, PositionError> {
        let mut world = self.read(position)?;
        let action = action.parse::<G::Action>().map_err(PositionError::Action)?;
        world.play(action)?;
        Ok(self.game.write_position(&world))
    }

    fn analyse(
        &self,
        position: &str,
        spec: &str,
        seed: &Seed,
    ) -> Result<AnalysisReport, PositionError> {
        let world = self.read(position)?;
        let seat = world.to_act().ok_or(PositionError::Over)?;
        let (canonical, factory) = self.build(spec)?;
        let Player::Agent(mut agent) = factory() else {
            return Err(PositionError::Oracle(canonical));
        };
        let mut rng: Rng = seed.game(0, 0).agent(seat);
        let analysis = agent.analyse(&world.view(seat), &mut rng);
        let mut values: Vec<ValueReport> = analysis
            .values
            .into_iter()
            .map(|v| ValueReport {
                action: v.action.to_string(),
                value: v.value,
                visits: v.visits,
                note: v.note,
            })
            .collect();
        values.sort_by(|a, b| b.value.total_cmp(&a.value));
        Ok(AnalysisReport {
            agent: canonical,
            seat: seat.index(),
            choice: analysis.choice.to_string(),
            measure: analysis.measure.to_owned(),
            values,
            drawing: analysis.drawing,
        })
    }

    fn replay(&self, record: &Record, visit: ReplayVisitor<'_>) -> Result<(), ReplayError> {
        let mut replay = Replay::new(&self.game, record)?;
        visit(None, &|| replay.world.to_string());
        while let Some((seat, action)) = replay.step()? {
            visit(Some((seat, action.to_string())), &|| replay.world.to_string());
        }
        Ok(())
    }
}

struct Seated<G: Game> {
    game: G,
    specs: Vec<String>,
    factories: Vec<Factory<G>>,
}

impl<G: Game> Lineup for Seated<G> {
    fn specs(&self) -> &[String] {
        &self.specs
    }

    fn oracles(&self) -> Vec<String> {
        self.specs
            .iter()
            .zip(&self.factories)
            .filter(|(_, factory)| factory().is_oracle())
            .map(|(spec, _)| spec.clone())
            .collect()
    }

    #[allow(
        clippy::disallowed_methods,
        reason = "thinking time is shown, never stored with results"
    )]
    fn play(
        &self,
        seating: &[usize],
        deal: u64,
        seeds: &GameSeeds,
        record: bool,
    ) -> Result<Played, PlayError> {
        let world = self.game.deal_numbered(deal, &mut seeds.deal());
        let mut written = record.then(|| Record {
            game: G::NAME.to_owned(),
            agents: seating.iter().map(|&agent| self.specs[agent].clone()).collect(),
            start: self.game.write_position(&world),
            ..Record::default()
        });
        let mut players: Vec<Player<G>> = seating.iter().map(|&a| (self.factories[a])()).collect();
        let mut thinking = vec![(0, Duration::ZERO); self.specs.len()];
        let mut last = Instant::now();
        let outcome = play_game(&self.game, world, &mut players, seeds, |step| {
            let now = Instant::now();
            let (decisions, time) = &mut thinking[seating[step.seat.index()]];
            *decisions += 1;
            *time += now - last;
            last = now;
            if let Some(record) = &mut written {
                record.actions.push((step.seat, step.action.to_string()));
            }
        })
        .map_err(|(seat, error)| PlayError {
            agent: self.specs[seating[seat.index()]].clone(),
            seat,
            error,
        })?;
        if let Some(record) = &mut written {
            record.result = outcome.payoffs.iter().map(f64::to_string).collect();
        }
        Ok(Played { outcome, record: written, thinking })
    }
}
