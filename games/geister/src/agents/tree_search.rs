//! Tree searches over imagined colourings: `mcts` and `nishio`.

use super::PlacementChoice;
use super::playout_policy::{PlayoutPolicies, PolicyChoice, public_policies};
use crate::Geister;
use crate::action::{Action, Event};
use crate::policy::EagerPolicy;
use crate::public::Ending;
use crate::view::View;
use crate::world::World;
use oboro_core::{
    Agent, AgentEntry, Analysis, GameWorld, Policy, RandomPolicy, Rng, Seat, SeatView, SpecError,
    check_range, fresh, params,
};
use oboro_search::{
    Branch, Budget, Ismcts, Observers, Pimc, TreeSearch, Uct, analysis_of, best_branch,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

params! {
    /// The parameters of `mcts`.
    struct MctsParams: Clone {
        /// Playouts per decision, or per tree where there are several.
        playouts: u32 = 10_000 => {"minimum": 1, "maximum": 50000},
        /// Seconds after which a decision ends, for tournaments. Such games cannot be replayed bit for bit.
        seconds: Option<f64> = None,
        /// Factor C of the exploration term C·√(2 ln N / n).
        c: f64 = 1.0 => {"minimum": 0, "maximum": 100},
        /// Visits of a leaf before its moves get nodes of their own.
        expand_after: u32 = 4 => {"minimum": 4, "maximum": 1000},
        /// Policy of playouts: `random`; `eager`, which leaves and takes blues when it can; `gp:FILE`, a policy made by genetic
        /// programming, or one that comes with the game (`gp:algorithm-1`); `rules:TEXT`, the policy itself.
        #[schemars(with = "String")]
        policy: PolicyChoice = PolicyChoice::Random => {"enum": public_policies()},
        /// Policy of the enemy in playouts, where it is not `policy`.
        #[schemars(with = "Option<String>")]
        enemy_policy: Option<PolicyChoice> = None => {"enum": public_policies()},
        /// Playouts made together from the same leaf. More than one is quicker, and gives other random numbers.
        batch: u32 = 1 => {"minimum": 1, "maximum": 64},
        /// Its red pieces, as in CEFG, or `random`.
        #[schemars(with = "String")]
        placement: PlacementChoice = PlacementChoice::Random => {"maxLength": 6},
        /// What is built from the playouts.
        tree: TreeKind = TreeKind::Shared => {},
        /// Imagined worlds per decision, where each has a tree of its own.
        worlds: u32 = 20 => {"minimum": 1, "maximum": 50},
        /// Plies from the decision after which a playout is drawn, where they are not those of the game.
        playout_plies: Option<u16> = None => {"minimum": 1, "maximum": 1000},
        /// Worth of a drawn playout to each side; a drawn game is worth 0.5 all the same.
        draw_value: f64 = DRAW => {"minimum": 0, "maximum": 1},
    }
}

/// What a drawn game is worth.
const DRAW: f64 = 0.5;

/// What is built from the playouts of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum TreeKind {
    /// One tree of actions, the enemy's colours drawn afresh every playout (Tochikawa 2022, 3.1-3.2).
    Shared,
    /// One tree of what the searching seat sees (Cowling, Powley and Whitehouse 2012).
    InformationSet,
    /// One tree per imagined world, as if all were known; the trees vote (Tochikawa 2022, figure 3.3).
    PerWorld,
}

params! {
    /// The parameters of `nishio`.
    struct NishioParams {
        /// Playouts per decision; the original made as many as ten seconds of Python allow.
        playouts: u32 = 3000 => {"minimum": 1, "maximum": 50000},
        /// Seconds after which a decision ends, for tournaments. Such games cannot be replayed bit for bit.
        seconds: Option<f64> = None,
        /// Its red pieces, as in CEFG, or `random`.
        #[schemars(with = "String")]
        placement: PlacementChoice = PlacementChoice::Random => {"maxLength": 6},
    }
}

pub(super) fn entries() -> [AgentEntry<Geister>; 2] {
    [
        AgentEntry::new(
            "mcts",
            "Tochikawa 2022, 3",
            "Monte Carlo tree search with a choice of playout policy, tree and placement",
            |_, params: &MctsParams| Ok(fresh(MctsAgent::new(params)?)),
        )
        .positional(&["playouts"])
        .public(128, 16_384),
        AgentEntry::new(
            "nishio",
            "Ito et al. 2019, 4.1 (the public program by Nishio)",
            "Monte Carlo tree search with random playouts and a random placement (reconstruction)",
            |_, &NishioParams { playouts, seconds, placement }: &NishioParams| {
                let params = MctsParams { playouts, seconds, placement, ..MctsParams::default() };
                Ok(fresh(MctsAgent::new(&params)?))
            },
        )
        .positional(&["playouts"])
        .public(128, 16_384),
    ]
}

#[derive(Clone, Debug)]
struct MctsAgent {
    tree: TreeSearch,
    policies: PlayoutPolicies,
    placement: PlacementChoice,
    playout_plies: Option<u16>,
    draw_value: f64,
}

impl MctsAgent {
    fn new(params: &MctsParams) -> Result<MctsAgent, SpecError> {
        let &MctsParams { c, expand_after, worlds, placement, .. } = params;
        let budget = Budget::new("playouts", params.playouts, params.seconds)?;
        let budget = budget.in_batches(params.batch)?;
        check_range("c", c, 0.0..=1e6)?;
        check_range("worlds", worlds, 1..=10_000)?;
        check_range("playout-plies", params.playout_plies.unwrap_or(1), 1..=10_000)?;
        check_range("draw-value", params.draw_value, 0.0..=1.0)?;
        let uct = Uct { budget, c, expand_after };
        Ok(MctsAgent {
            tree: match params.tree {
                TreeKind::Shared => TreeSearch::Uct(uct),
                TreeKind::InformationSet => {
                    let observers = Observers::Own;
                    TreeSearch::Ismcts(Ismcts { budget, c, expand_after, observers })
                }
                TreeKind::PerWorld => TreeSearch::Pimc(Pimc { worlds, tree: uct }),
            },
            policies: PlayoutPolicies::new(&params.policy, params.enemy_policy.as_ref())?,
            placement,
            playout_plies: params.playout_plies,
            draw_value: params.draw_value,
        })
    }

    fn search(&mut self, view: &View, rng: &mut Rng) -> Vec<Branch<Action>> {
        let limit = self.playout_plies.map(|plies| view.public().ply().saturating_add(plies));
        let draw = |rng: &mut Rng| {
            let mut world = view.imagine(rng);
            world.public.limit = limit.unwrap_or(world.public.limit);
            world
        };
        let (tree, worth, seat) = (&mut self.tree, self.draw_value, view.seat());
        match &mut self.policies {
            PlayoutPolicies::Random => search(tree, worth, seat, draw, &mut RandomPolicy, rng),
            PlayoutPolicies::Eager => search(tree, worth, seat, draw, &mut EagerPolicy, rng),
            PlayoutPolicies::Evolved(sides) => {
                let policy = sides.playouts(seat, rng);
                search(tree, worth, seat, draw, policy, rng)
            }
        }
    }
}

/// Searches with draws worth what they are told to be.
fn search<P: Policy<World>>(
    tree: &mut TreeSearch,
    draw_value: f64,
    seat: Seat,
    draw: impl Fn(&mut Rng) -> World,
    policy: &mut P,
    rng: &mut Rng,
) -> Vec<Branch<Action>> {
    if draw_value == DRAW {
        return tree.search(seat, draw, policy, rng);
    }
    let thousandths = (draw_value * 1000.0).round() as u16;
    let mut policy = ValuedDrawPolicy { policy, worlds: Vec::new() };
    tree.search(seat, |rng| ValuedDraw { world: draw(rng), thousandths }, &mut policy, rng)
}

/// A world in which a draw has a worth of its own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct ValuedDraw {
    world: World,
    thousandths: u16,
}

impl GameWorld for ValuedDraw {
    type Action = Action;
    type View = View;
    type Event = Event;

    #[inline]
    fn to_act(&self) -> Option<Seat> {
        self.world.to_act()
    }

    #[inline]
    fn for_each_legal(&self, visit: impl FnMut(Action)) {
        self.world.for_each_legal(visit);
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        self.world.apply(action);
    }

    #[inline]
    fn payoff(&self, seat: Seat) -> f64 {
        match self.world.public.ending {
            Some(Ending::Draw) => f64::from(self.thousandths) / 1000.0,
            _ => self.world.payoff(seat),
        }
    }

    fn view(&self, seat: Seat) -> View {
        self.world.view(seat)
    }

    #[inline]
    fn event(&self, action: Action, seat: Seat) -> Event {
        self.world.event(action, seat)
    }
}

impl fmt::Display for ValuedDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world.fmt(f)
    }
}

/// A policy of worlds in those whose draws have a worth of their own.
struct ValuedDrawPolicy<'a, P> {
    policy: &'a mut P,
    /// The worlds of a batch.
    worlds: Vec<World>,
}

impl<P: Policy<World>> Policy<ValuedDraw> for ValuedDrawPolicy<'_, P> {
    #[inline]
    fn choose(&mut self, valued: &ValuedDraw, rng: &mut Rng) -> Action {
        self.policy.choose(&valued.world, rng)
    }

    #[inline]
    fn play_out(&mut self, valued: &mut ValuedDraw, rng: &mut Rng) {
        self.policy.play_out(&mut valued.world, rng);
    }

    fn play_out_all(&mut self, valued: &mut [ValuedDraw], rng: &mut Rng) {
        self.worlds.clear();
        self.worlds.extend(valued.iter().map(|valued| valued.world));
        self.policy.play_out_all(&mut self.worlds, rng);
        for (valued, world) in valued.iter_mut().zip(self.worlds.drain(..)) {
            valued.world = world;
        }
    }
}

impl Agent<Geister> for MctsAgent {
    fn act(&mut self, view: &View, rng: &mut Rng) -> Action {
        self.placement.placing(view, rng).unwrap_or_else(|| best_branch(&self.search(view, rng)))
    }

    fn analyse(&mut self, view: &View, rng: &mut Rng) -> Analysis<Action> {
        if let Some(placement) = self.placement.placing(view, rng) {
            return Analysis::of_choice(placement);
        }
        analysis_of(&self.search(view, rng), "win rate")
    }

    fn variant(&self) -> Option<u32> {
        match &self.policies {
            PlayoutPolicies::Evolved(sides) => sides.variant(),
            PlayoutPolicies::Random | PlayoutPolicies::Eager => None,
        }
    }
}
