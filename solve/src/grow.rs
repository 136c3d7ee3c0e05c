use crate::tree::{Limits, Tree, TreeError};
use oboro_core::{Game, GameWorld, Seat};

/// What a seat may have done and found out by itself, and a world in which it did.
struct Node<G: Game> {
    world: G::World,
    /// The last of its sequences.
    sequence: u32,
    history: Vec<G::Action>,
}

/// What an action leads to, whatever single seats have found out.
struct Child<G: Game> {
    shared: Option<G::World>,
    action: G::Action,
    /// A world of it.
    world: G::World,
    /// The nodes of the seat that moved.
    nodes: Vec<Node<G>>,
}

/// What grows a tree.
///
/// Where a game says what its worlds [share](GameWorld::shared), histories that differ in what single seats have found out
/// are walked through together. A place then has some nodes for each seat, and stands for all of their combinations.
/// Everywhere else it has one for each, and is a history.
pub(crate) struct Grower<'a, G: Game> {
    pub(crate) tree: &'a mut Tree<G>,
    pub(crate) limits: Limits,
    pub(crate) deal: u32,
    pub(crate) chance: f64,
    /// Nodes that were walked through, those of all deals together.
    pub(crate) walked: u64,
}

impl<G: Game> Grower<'_, G> {
    /// Walks through all that a start may lead to.
    pub(crate) fn start(&mut self, world: &G::World) -> Result<(), TreeError> {
        let node = || Node { world: world.clone(), sequence: 0, history: Vec::new() };
        let seats = self.tree.sides().len();
        let Some(mover) = world.to_act() else {
            let ends = &mut self.tree.ends;
            if let Some(worth) = ends.worth(seats, world) {
                let groups: Vec<u32> = (0..seats).map(|seat| ends.group(seat, 0..1)).collect();
                ends.push(&groups, self.chance, &worth);
            }
            return self.count(1, 1);
        };
        self.grow((0..seats).map(|_| vec![node()]).collect(), mover)
    }

    /// Walks on from a place.
    fn grow(&mut self, mut seats: Vec<Vec<Node<G>>>, mover: Seat) -> Result<(), TreeError> {
        let own = std::mem::take(&mut seats[mover.index()]);
        let others = seats.iter().map(|nodes| nodes.len().max(1) as u64).product();
        // The numbers under which the endings know the nodes of the other seats.
        let mut groups = vec![None; seats.len()];
        for child in self.children(own, mover, others)? {
            let Some(next) = child.world.to_act() else {
                self.count(child.nodes.len() as u64, others)?;
                let ends = &mut self.tree.ends;
                let Some(worth) = ends.worth(seats.len(), &child.world) else { continue };
                groups[mover.index()] = Some(ends.group(mover.index(), sequences(&child.nodes)));
                for (seat, (group, nodes)) in groups.iter_mut().zip(&seats).enumerate() {
                    group.get_or_insert_with(|| ends.group(seat, sequences(nodes)));
                }
                let groups: Vec<u32> = groups.iter().copied().flatten().collect();
                ends.push(&groups, self.chance, &worth);
                continue;
            };
            let after = |nodes: &Vec<Node<G>>| nodes.iter().map(|node| child.after(node)).collect();
            let mut there: Vec<Vec<Node<G>>> = seats.iter().map(after).collect::<Result<_, _>>()?;
            there[mover.index()] = child.nodes;
            self.grow(there, next)?;
        }
        Ok(())
    }

    /// What the actions of the seat to move lead to. Actions that change nothing but what it knows lead to more nodes of its own.
    fn children(
        &mut self,
        mut nodes: Vec<Node<G>>,
        mover: Seat,
        others: u64,
    ) -> Result<Vec<Child<G>>, TreeError> {
        let here = nodes[0].world.shared();
        let mut children: Vec<Child<G>> = Vec::new();
        while let Some(node) = nodes.pop() {
            self.count(1, others)?;
            let (world, history) = (&node.world, (self.deal, &node.history[..]));
            let side = &mut self.tree.sides[mover.index()];
            let set = side.find::<G>(world, mover, node.sequence, history)?;
            for sequence in side.sequences_of(set as usize) {
                let action = side.action(sequence);
                let mut world = node.world.clone();
                world.apply(action);
                let shared = world.shared();
                let mut history = Vec::new();
                if world.to_act().is_some() {
                    history.reserve_exact(node.history.len() + 1);
                    history.extend_from_slice(&node.history);
                    history.push(action);
                }
                let next: Node<G> = Node { world, sequence: sequence as u32, history };
                if shared.is_some() && shared == here {
                    if next.world.to_act() != Some(mover) {
                        return Err(TreeError::Entangled(G::NAME));
                    }
                    nodes.push(next);
                    continue;
                }
                let same = |child: &&mut Child<G>| shared.is_some() && child.shared == shared;
                if let Some(child) = children.iter_mut().find(same) {
                    child.nodes.push(next);
                } else {
                    let world = next.world.clone();
                    children.push(Child { shared, action, world, nodes: vec![next] });
                }
            }
        }
        Ok(children)
    }

    /// Some nodes of the seat to move, each for so many combinations of those of the others.
    fn count(&mut self, nodes: u64, others: u64) -> Result<(), TreeError> {
        self.walked += nodes;
        self.tree.histories += nodes * others;
        if self.walked > self.limits.histories || self.tree.sets() > self.limits.sets {
            return Err(TreeError::TooLarge(G::NAME, self.limits));
        }
        Ok(())
    }
}

impl<G: Game> Child<G> {
    /// A node of a seat that did not move, in a world after the move.
    fn after(&self, node: &Node<G>) -> Result<Node<G>, TreeError> {
        let play = |action| {
            let mut world = node.world.clone();
            world.apply(action);
            (world.shared() == self.shared).then_some((world, action))
        };
        let usual = node.world.is_legal(self.action).then(|| play(self.action)).flatten();
        let found = usual.or_else(|| node.world.legal_actions().into_iter().find_map(play));
        let (world, action) = found.ok_or(TreeError::Entangled(G::NAME))?;
        let history = [&node.history[..], &[action]].concat();
        Ok(Node { world, sequence: node.sequence, history })
    }
}

fn sequences<G: Game>(nodes: &[Node<G>]) -> impl Iterator<Item = u32> {
    nodes.iter().map(|node| node.sequence)
}
