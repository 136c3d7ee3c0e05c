//! One run of an evolution: what it is called in its checkpoint, and how it goes.

use crate::gp::{Corners, Fitness, Primitive, PrimitiveSet, Strategy, TrainingSet};
use oboro_core::{Seed, ToolHost};
use oboro_evolve::{
    CheckpointError, Crossover, Evolution, GenomeBreeder, Plan, Settings, Shape, Tree, TreeBreeder,
};
use std::path::Path;

/// What one run works with.
pub(super) struct Breeding<'a> {
    /// Its number among the runs of a command.
    pub(super) number: u32,
    pub(super) fitness: Fitness,
    /// The lessons in words: no checkpoint is continued with other ones.
    pub(super) teacher: &'a str,
    pub(super) lessons: &'a TrainingSet,
    pub(super) settings: Settings,
    /// Whether fitness is that of one move drawn in every position, instead of the exact mean.
    pub(super) sampled: bool,
    pub(super) seed: Seed,
    /// Who is told how it goes.
    pub(super) host: &'a dyn ToolHost,
}

/// What policies are bred from.
#[derive(Clone, Copy)]
pub(super) struct Stock {
    pub(super) primitives: PrimitiveSet,
    pub(super) corners: Corners,
    pub(super) shape: Shape,
    pub(super) crossover: Crossover,
}

impl Breeding<'_> {
    /// Breeds policies from a set of primitives (the thesis's 5.1.1).
    pub(super) fn policies(
        &self,
        stock: Stock,
        checkpoint: Option<&Path>,
    ) -> Result<Evolution<Tree<Primitive>>, CheckpointError> {
        let Stock { primitives, corners, shape, crossover } = stock;
        let Shape { ramp_from, ramp_to, depth_limit, mutation_depth } = shape;
        let breeder = TreeBreeder { vocabulary: primitives.vocabulary(), shape, crossover };
        let by_type = match crossover {
            Crossover::Node => "",
            Crossover::Type => ", crossover by type",
        };
        let what = format!(
            "policy, {} primitives, corners {corners}, depth {ramp_from} to {ramp_to} at first and \
             {depth_limit} at most, mutations of depth {mutation_depth}{by_type}",
            primitives.name()
        );
        let good = |tree: &Tree<Primitive>| {
            let strategy = Strategy::new(tree.clone()).with_corners(corners);
            self.good(&strategy)
        };
        self.plan(&what).run(&breeder, good, checkpoint, |evolution| self.report(evolution))
    }

    /// Tunes the probabilities with which the moves of a policy are made (the thesis's 5.1.2): one
    /// gene for each, in the order of the text.
    pub(super) fn chances(
        &self,
        strategy: &Strategy,
        checkpoint: Option<&Path>,
    ) -> Result<Evolution<Vec<f64>>, CheckpointError> {
        let breeder = GenomeBreeder { length: strategy.moves() };
        let text = strategy.to_string();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let good = |genes: &Vec<f64>| self.good(&strategy.with_chances(genes));
        let plan = self.plan(&format!("probabilities of {text}"));
        plan.run(&breeder, good, checkpoint, |evolution| self.report(evolution))
    }

    /// How good a policy is. What is drawn for it depends on nothing but the run and the policy.
    fn good(&self, strategy: &Strategy) -> f64 {
        if !self.sampled {
            return self.fitness.of(strategy, self.lessons);
        }
        let rng = &mut self.seed.child(&format!("fitness of {strategy}")).game(0, 0).deal();
        self.fitness.drawn(strategy, self.lessons, rng)
    }

    fn plan(&self, what: &str) -> Plan {
        let sampled = if self.sampled { "sampled " } else { "" };
        let fitness = match self.fitness {
            Fitness::Agreement => self.fitness.name().to_owned(),
            Fitness::Loss { bound } | Fitness::ClippedLoss { bound } => {
                format!("{} within {bound}", self.fitness.name())
            }
        };
        Plan {
            problem: format!("geister {what}, {sampled}{fitness}, {}", self.teacher),
            settings: self.settings,
            seed: self.seed,
        }
    }

    fn report<I>(&self, evolution: &Evolution<I>) {
        let latest = evolution.latest();
        if latest.generation.is_multiple_of(10) {
            self.host.say(&format!(
                "run {}, generation {}: best {:.5}, mean {:.5}, mean size {:.1}",
                self.number, latest.generation, latest.best.fitness, latest.mean, latest.size
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::naotti::Search;
    use crate::gp::Teacher;

    /// Few lessons, quickly made.
    fn lessons() -> TrainingSet {
        let teacher = Teacher { positions: 150, search: Search::new(2), ..Teacher::default() };
        super::super::lessons::teach(&teacher, Seed::from_u64(4))
    }

    fn breeding(lessons: &TrainingSet, generations: u32, seed: u64) -> Breeding<'_> {
        Breeding {
            number: 1,
            fitness: Fitness::Agreement,
            teacher: "test",
            lessons,
            settings: Settings { generations, population: 40, ..Settings::default() },
            sampled: false,
            seed: Seed::from_u64(seed),
            host: &(),
        }
    }

    const AWARE: Stock = Stock {
        primitives: PrimitiveSet::Aware,
        corners: Corners::Exits,
        shape: Shape::RAMPED,
        crossover: Crossover::Node,
    };

    #[test]
    fn evolution_learns_from_the_teacher_and_resumes_to_the_same() {
        let lessons = lessons();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let run = |generations, checkpoint| {
            breeding(&lessons, generations, 1).policies(AWARE, checkpoint).unwrap()
        };
        let whole = run(6, None);
        run(3, Some(path.as_path()));
        assert_eq!(run(6, Some(path.as_path())), whole);
        let best = Strategy::new(whole.best().individual.clone()).with_corners(AWARE.corners);
        assert_eq!(lessons.agreement(&best), whole.best().fitness);
        assert!(whole.best().fitness > lessons.agreement(&Strategy::random()));
        let is_aware = |p: &Primitive| !p.to_string().contains("doCaptureMove");
        assert!(whole.population.iter().all(|one| one.individual.tokens().iter().all(is_aware)));
    }

    #[test]
    fn a_checkpoint_is_not_continued_with_another_stock() {
        let lessons = lessons();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        let run = |stock| breeding(&lessons, 1, 1).policies(stock, Some(path.as_path()));
        run(AWARE).unwrap();
        for other in [
            Stock { corners: Corners::Home, ..AWARE },
            Stock { shape: Shape::SHALLOW, ..AWARE },
            Stock { primitives: PrimitiveSet::All, ..AWARE },
            Stock { crossover: Crossover::Type, ..AWARE },
        ] {
            let error = run(other).unwrap_err();
            assert!(matches!(error, CheckpointError::OtherPlan(..)), "{error}");
        }
    }

    #[test]
    fn sampled_fitness_is_near_the_exact_one_and_the_same_again() {
        let lessons = lessons();
        let exact = breeding(&lessons, 1, 1);
        let sampled = Breeding { sampled: true, ..breeding(&lessons, 1, 1) };
        let policy: Strategy = "doMoveCloserToGoal".parse().unwrap();
        for fitness in [Fitness::Agreement, Fitness::Loss { bound: 5000 }] {
            let of = |one: &Breeding<'_>| Breeding { fitness, ..*one }.good(&policy);
            let (exact, drawn) = (of(&exact), of(&sampled));
            assert_eq!(drawn, of(&sampled), "the same policy has the same fitness");
            assert!(drawn != exact, "{fitness:?}: one move a position");
            let scale = if fitness == Fitness::Agreement { 0.2 } else { 1000.0 };
            assert!((drawn - exact).abs() < scale, "{fitness:?}: {drawn} beside {exact}");
        }
    }

    #[test]
    fn tuning_finds_probabilities_that_agree_better() {
        let lessons = lessons();
        let text = "if isOppNearMyGoal then doCaptureMove else doMoveLeavingFromGoal end if";
        let policy: Strategy = text.parse().unwrap();
        let tuned = breeding(&lessons, 10, 2).chances(&policy, None).unwrap();
        assert_eq!(tuned.best().individual.len(), 2);
        let tuned = policy.with_chances(&tuned.best().individual);
        // Moving away from the exits is seldom what the teacher does.
        assert!(lessons.agreement(&tuned) > lessons.agreement(&policy));
    }
}
