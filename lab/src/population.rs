//! What an agent adds: one seat of a table is given to each agent in turn, everything else the same.

use crate::experiment::Wanted;
use crate::{Estimate, GameResult, Manifest, MatchPlan, MeasureError, Numbers, PlanError, Seating};
use oboro_catalog::AnyRules;
use oboro_core::{Seed, SpecError, did_you_mean};
use oboro_stats::Moments;
use serde::Serialize;
use std::sync::Arc;

/// Agents rated by what they add to the tables of a reference population.
///
/// Where several seats win together, the payoff of a mixed table says little of who earned it. So tables are drawn from the
/// population once, and of each table one chair is given to every agent in turn: the others, the deals and all random
/// streams stay. What an agent makes of that chair, less what the members of the population make of it on average,
/// deal by deal, is what it adds. Every deal is played in all rotations, so that the chair is at every seat.
#[derive(Clone, Debug)]
pub struct Population {
    /// The canonical specs of all that are rated: the members first, then the guests.
    pub agents: Vec<String>,
    /// How many of them are members.
    pub members: usize,
    /// The members at the other chairs of each table.
    pub tables: Vec<Vec<usize>>,
    /// All games of every agent in turn at each table.
    pub wanted: Vec<Wanted>,
    measure: Measure,
    seed: Seed,
}

/// What is measured, and by which fact of the seat results are told apart.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Measure {
    /// A fact that the game declares, of the seat or of the game; `None` is the payoff.
    pub value: Option<String>,
    /// A fact of the seat that the deal decides, such as a role; `None` makes one group of all.
    pub by: Option<String>,
}

/// What a population came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PopulationTable {
    /// What was measured.
    pub value: String,
    /// The fact that tells the groups apart, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The members of the population.
    pub members: Vec<String>,
    /// How many games each agent played.
    pub games: u64,
    /// How many games were left out since the fact that tells groups apart was not the same for all agents: it was not
    /// decided by the deal.
    pub left_out: u64,
    /// The groups, by the value of that fact.
    pub groups: Vec<PopulationGroup>,
}

/// The agents in games that are alike.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PopulationGroup {
    /// The value of the fact that makes the group; `None` where there is one group only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is: Option<f64>,
    /// The agents, who adds most first.
    pub standings: Vec<PopulationRow>,
}

/// What one agent made of a chair.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PopulationRow {
    /// Its canonical spec.
    pub agent: String,
    /// Whether it is a member of the population.
    pub member: bool,
    /// What the chair made on average; its interval counts deals.
    pub mean: Estimate,
    /// How much more that is than the members' average, paired by deal.
    pub added: Estimate,
}

impl Population {
    /// Plans to rate members and guests at so many tables, with so many deals each.
    ///
    /// # Errors
    /// If an agent, the value or the fact is unknown, an agent is named twice, or there is nothing to compare.
    pub fn plan(
        table: &Arc<dyn AnyRules>,
        members: &[String],
        guests: &[String],
        measure: Measure,
        (tables, deals): (u64, u64),
        seed: Seed,
    ) -> Result<Population, PlanError> {
        let mut agents: Vec<String> = Vec::new();
        for spec in members.iter().chain(guests) {
            let agent = table.canonical(spec)?;
            if agents.contains(&agent) {
                return Err(SpecError(format!("{agent} is named twice")).into());
            }
            agents.push(agent);
        }
        if members.is_empty() || agents.len() < 2 {
            let message = "a population needs a member, and two agents or more to compare";
            return Err(SpecError(message.to_owned()).into());
        }
        measure.check(table.as_ref())?;
        let seats = table.seats();
        let members = members.len();
        let mut drawn = Vec::new();
        let mut wanted = Vec::new();
        for number in 1..=tables {
            let seed = seed.child(&format!("table {number}"));
            let mut rng = seed.game(0, 0).seating();
            let others: Vec<usize> = (1..seats).map(|_| rng.below(members)).collect();
            for (agent, spec) in agents.iter().enumerate() {
                let chairs = [spec].into_iter().chain(others.iter().map(|&other| &agents[other]));
                let plan = MatchPlan {
                    game: table.game().to_owned(),
                    rules: Vec::new(), // the table has them
                    agents: chairs.cloned().collect(),
                    seating: Seating::Rotate,
                    seed,
                    games: deals * seats as u64,
                    allow_oracles: false,
                };
                let id = format!("table-{number:03}-agent-{:02}", agent + 1);
                wanted.push(Wanted::whole(id, plan.prepare_at(Arc::clone(table))?));
            }
            drawn.push(others);
        }
        Ok(Population { agents, members, tables: drawn, wanted, measure, seed })
    }

    /// What a folder with its results says.
    pub fn manifest(&self) -> Manifest {
        Manifest::of_all("population", &self.seed, &self.wanted)
    }

    /// The table, from the games of each trial in order.
    ///
    /// # Errors
    /// If games do not have the facts that their rules declare.
    pub fn table(&self, results: &[Vec<GameResult>]) -> Result<PopulationTable, MeasureError> {
        let agents = self.agents.len();
        let seats = self.tables.first().map_or(1, |others| others.len() + 1);
        let mut groups: Vec<Group> = Vec::new();
        let mut left_out = 0;
        for of_table in results.chunks(agents) {
            let deals = of_table.iter().map(Vec::len).min().unwrap_or(0) / seats;
            for deal in 0..deals {
                for rotation in 0..seats {
                    let of_game: Vec<&GameResult> =
                        of_table.iter().map(|games| &games[deal * seats + rotation]).collect();
                    // Rotations move everybody to the left: chair 0 comes from the other end.
                    let seat = (seats - rotation) % seats;
                    match self.measure.group(&of_game, seat)? {
                        Some(group) => {
                            let values = of_game.iter().map(|game| self.measure.value(game, seat));
                            let values = values.collect::<Result<Vec<f64>, _>>()?;
                            Group::find(&mut groups, group, agents).push(&values);
                        }
                        None => left_out += 1,
                    }
                }
                groups.iter_mut().for_each(Group::finish_deal);
            }
        }
        groups.sort_by(|a, b| a.is.unwrap_or(0.0).total_cmp(&b.is.unwrap_or(0.0)));
        Ok(PopulationTable {
            value: self.measure.value.clone().unwrap_or_else(|| "payoff".to_owned()),
            by: self.measure.by.clone(),
            members: self.agents[..self.members].to_vec(),
            games: Wanted::count(&self.wanted) / agents as u64,
            left_out,
            groups: groups.iter().map(|group| self.standings(group)).collect(),
        })
    }

    fn standings(&self, group: &Group) -> PopulationGroup {
        let average = |deal: &Vec<f64>| {
            deal[..self.members].iter().copied().collect::<Moments>().mean().unwrap_or(0.0)
        };
        let standing = |agent: usize| {
            let values: Vec<f64> = group.deals.iter().map(|deal| deal[agent]).collect();
            let added: Vec<f64> =
                group.deals.iter().map(|deal| deal[agent] - average(deal)).collect();
            Some(PopulationRow {
                agent: self.agents[agent].clone(),
                member: agent < self.members,
                mean: Estimate::new(&values)?,
                added: Estimate::new(&added)?,
            })
        };
        let mut standings: Vec<PopulationRow> =
            (0..self.agents.len()).filter_map(standing).collect();
        standings.sort_by(|a, b| b.added.value.total_cmp(&a.added.value));
        PopulationGroup { is: group.is, standings }
    }
}

/// Games that are alike: by deal, what the chair made with each agent.
struct Group {
    is: Option<f64>,
    open: Vec<Moments>,
    deals: Vec<Vec<f64>>,
}

impl Group {
    /// The group with this value, made if there is none.
    fn find(groups: &mut Vec<Group>, is: Option<f64>, agents: usize) -> &mut Group {
        let at = groups.iter().position(|group| group.is == is).unwrap_or_else(|| {
            groups.push(Group { is, open: vec![Moments::default(); agents], deals: Vec::new() });
            groups.len() - 1
        });
        &mut groups[at]
    }

    fn push(&mut self, values: &[f64]) {
        for (moments, &value) in self.open.iter_mut().zip(values) {
            moments.push(value);
        }
    }

    /// Games of one deal share the luck of the cards: they count as one.
    fn finish_deal(&mut self) {
        let means: Option<Vec<f64>> = self.open.iter().map(Moments::mean).collect();
        self.deals.extend(means);
        self.open.fill(Moments::default());
    }
}

impl Measure {
    /// Whether the game declares these facts.
    fn check(&self, table: &dyn AnyRules) -> Result<(), SpecError> {
        let facts = table.facts();
        for (fact, seats_only) in [(&self.value, false), (&self.by, true)] {
            let Some(name) = fact else { continue };
            let known = || facts.iter().filter(|fact| fact.per_seat || !seats_only);
            if known().any(|fact| fact.name == name) {
                continue;
            }
            let names: Vec<&str> = known().map(|fact| fact.name).collect();
            let kind = if seats_only { "fact of a seat" } else { "fact" };
            let guess = did_you_mean(name, names.iter().copied())
                .map(|guess| format!("; did you mean `{guess}`?"))
                .unwrap_or_default();
            let has = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            return Err(SpecError(format!(
                "{name} is no {kind} of {}, which has {has}{guess}",
                table.game()
            )));
        }
        Ok(())
    }

    /// What a game made at a seat.
    fn value(&self, game: &GameResult, seat: usize) -> Result<f64, MeasureError> {
        match &self.value {
            None => at(&game.payoffs, seat),
            Some(name) => match game.facts.get(name) {
                Some(Numbers::Game(value)) => Ok(*value),
                Some(Numbers::Seats(values)) => at(values, seat),
                None => Err(missing(name)),
            },
        }
    }

    /// The group of a game that all agents played, if it is the same whoever sat there.
    #[allow(clippy::option_option, reason = "no group, and the one group of all, are different")]
    fn group(
        &self,
        games: &[&GameResult],
        seat: usize,
    ) -> Result<Option<Option<f64>>, MeasureError> {
        let Some(name) = &self.by else { return Ok(Some(None)) };
        let mut group = None;
        for game in games {
            let Some(Numbers::Seats(values)) = game.facts.get(name) else {
                return Err(missing(name));
            };
            let value = at(values, seat)?;
            if *group.get_or_insert(value) != value {
                return Ok(None);
            }
        }
        Ok(Some(group))
    }
}

fn at(values: &[f64], seat: usize) -> Result<f64, MeasureError> {
    let missing = || MeasureError::new(format!("a game has no number for seat {seat}"));
    values.get(seat).copied().ok_or_else(missing)
}

fn missing(name: &str) -> MeasureError {
    MeasureError::new(format!("a game has no fact {name}, which its rules declare"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Driver;
    use std::collections::BTreeMap;

    fn specs(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    fn plan(
        game: &str,
        rules: &[(&str, &str)],
        (members, guests): (&[&str], &[&str]),
        (value, by): (Option<&str>, Option<&str>),
        size: (u64, u64),
    ) -> Result<Population, PlanError> {
        let rules: Vec<(String, String)> =
            rules.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let table = oboro_catalog::game(game)?.rules(&rules)?;
        let measure = Measure { value: value.map(str::to_owned), by: by.map(str::to_owned) };
        let (members, guests) = (specs(members), specs(guests));
        Population::plan(&table, &members, &guests, measure, size, Seed::from_u64(1))
    }

    fn play(population: &Population, threads: usize) -> PopulationTable {
        let mut quiet = |_: crate::Progress<'_>| {};
        let results = Driver::new(threads, &mut quiet).play_all(&population.wanted, None).unwrap();
        population.table(&results).unwrap()
    }

    #[test]
    fn members_add_nothing_on_average_and_a_strong_guest_adds() {
        let agents = (&["rule", "random"][..], &["eval"][..]);
        let population = plan("sevens", &[], agents, (None, None), (3, 8)).unwrap();
        assert_eq!(Wanted::count(&population.wanted), 3 * 3 * 8 * 4);
        let rated = play(&population, 2);
        assert_eq!(rated, play(&population, 1), "threads change nothing");
        let [group] = &rated.groups[..] else { panic!("one group: {rated:?}") };
        assert_eq!((group.is, rated.left_out, rated.games), (None, 0, 96));
        let added: Vec<f64> =
            group.standings.iter().filter(|s| s.member).map(|s| s.added.value).collect();
        assert!(added.iter().sum::<f64>().abs() < 1e-9, "{added:?}");
        let first = &group.standings[0];
        assert_eq!((first.agent.as_str(), first.member, first.added.n), ("eval", false, 24));
        assert!(first.added.interval.unwrap().low > 0.0, "{first:?}");
    }

    #[test]
    fn roles_are_told_apart_by_a_fact_that_the_deal_decides() {
        let rules = [("rounds", "1"), ("players", "5")];
        let agents = (&["path", "random"][..], &[][..]);
        let by = (Some("gold"), Some("saboteur"));
        let rated = play(&plan("saboteur", &rules, agents, by, (2, 4)).unwrap(), 2);
        assert_eq!(rated.left_out, 0);
        let [diggers, saboteurs] = &rated.groups[..] else { panic!("two roles: {rated:?}") };
        assert_eq!((diggers.is, saboteurs.is), (Some(0.0), Some(1.0)));
        assert_eq!(diggers.standings[0].added.n, 8, "every deal has diggers");
        // Later rounds depend on how the first ended: what cannot be paired is left out, and said.
        let rated = play(&plan("saboteur", &[], agents, by, (1, 2)).unwrap(), 2);
        let paired: u64 = rated.games - rated.left_out;
        assert!(rated.left_out > 0 && paired < rated.games, "{rated:?}");
    }

    /// Payoffs are known, so that what is paired with what can be checked by hand.
    #[test]
    fn the_chair_is_found_in_every_rotation_and_a_deal_counts_once() {
        let agents = (&["rule", "random"][..], &["eval"][..]);
        let population = plan("sevens", &[], agents, (None, None), (1, 2)).unwrap();
        let game = |agent: usize, n: u64| GameResult {
            n,
            seats: Vec::new(),
            // The chair makes 10 × agent + deal; everybody else 100.
            payoffs: (0..4)
                .map(|seat| {
                    let chair = (4 - n % 4) % 4 == seat;
                    if chair { 10.0 * agent as f64 + (n / 4) as f64 } else { 100.0 }
                })
                .collect(),
            plies: 1,
            facts: BTreeMap::new(),
            forfeit: None,
        };
        let results: Vec<Vec<GameResult>> =
            (0..3).map(|agent| (0..8).map(|n| game(agent, n)).collect()).collect();
        let rated = population.table(&results).unwrap();
        let standings = &rated.groups[0].standings;
        let of = |agent: &str| standings.iter().find(|s| s.agent == agent).unwrap();
        assert_eq!((of("rule").mean.value, of("rule").added.value), (0.5, -5.0));
        assert_eq!((of("random").added.value, of("eval").added.value), (5.0, 15.0));
        assert_eq!(of("eval").added.n, 2);
    }

    #[test]
    fn what_cannot_be_rated_is_refused() {
        for (agents, facts, said) in [
            ((&["eval"][..], &[][..]), (None, None), "two agents"),
            ((&[][..], &["eval", "rule"][..]), (None, None), "a member"),
            ((&["eval", "rule"][..], &["eval"][..]), (None, None), "twice"),
            ((&["eval"][..], &["rule"][..]), (Some("ranks"), None), "did you mean `rank`"),
            ((&["eval"][..], &["rule"][..]), (None, Some("role")), "fact of a seat"),
            ((&["eval"][..], &["nobody"][..]), (None, None), "nobody"),
        ] {
            let error = plan("sevens", &[], agents, facts, (1, 1)).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
