//! Big Brain against a slow reference written from the description of the public program: tiles with a name and a
//! rotation each, a simple flood, and a list of nodes compared one by one. It uses nothing of our board or search.

use oboro_core::{Agent, Game, GameWorld, Rng, SeatView};
use oboro_labyrinth::agents::{BigBrain, BigBrainParams, Entries, Fallback, Visited};
use oboro_labyrinth::{Action, Cell, Entry, Goal, Labyrinth, Rotation, Shape, Side, Sides, View};

/// Column and row, from 0 at the top left.
type Place = (i32, i32);

/// Up, right, down, left.
const STEPS: [Place; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Where the extra tile goes in, and which of the steps the line makes.
const ENTRIES: [(Place, usize); 12] = [
    ((1, 0), 2),
    ((3, 0), 2),
    ((5, 0), 2),
    ((6, 1), 3),
    ((6, 3), 3),
    ((6, 5), 3),
    ((5, 6), 0),
    ((3, 6), 0),
    ((1, 6), 0),
    ((0, 5), 1),
    ((0, 3), 1),
    ((0, 1), 1),
];

fn is_on_board((x, y): Place) -> bool {
    (0..7).contains(&x) && (0..7).contains(&y)
}

fn add((x, y): Place, step: usize) -> Place {
    (x + STEPS[step].0, y + STEPS[step].1)
}

/// A tile is the same only if its name and its number of quarter turns are.
#[derive(Clone, Copy, PartialEq)]
struct Tile {
    name: u8,
    turns: u8,
    shape: Shape,
}

impl Tile {
    fn opens(self, side: usize) -> bool {
        let unturned: &[usize] = match self.shape {
            Shape::Straight => &[0, 2],
            Shape::Corner => &[0, 1],
            Shape::Tee => &[0, 1, 2],
        };
        unturned.contains(&((side + 4 - usize::from(self.turns)) % 4))
    }
}

#[derive(Clone, Copy)]
struct Tiles {
    board: [[Tile; 7]; 7],
    extra: Tile,
}

impl Tiles {
    fn at(&self, (x, y): Place) -> Tile {
        self.board[y as usize][x as usize]
    }

    fn put(&mut self, (x, y): Place, tile: Tile) {
        self.board[y as usize][x as usize] = tile;
    }

    fn pushed(&self, entry: usize, turns: u8) -> Tiles {
        let (start, step) = ENTRIES[entry];
        let mut after = *self;
        let mut tile = Tile { turns, ..self.extra };
        let mut place = start;
        while is_on_board(place) {
            after.put(place, tile);
            tile = self.at(place);
            place = add(place, step);
        }
        after.extra = tile;
        after
    }

    /// All places one can walk to: the own first, then neighbours up, right, down, left, layer by
    /// layer in order of discovery.
    fn walks(&self, from: Place) -> Vec<Place> {
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            let here = found[next];
            next += 1;
            for step in 0..4 {
                let there = add(here, step);
                if is_on_board(there)
                    && self.at(here).opens(step)
                    && self.at(there).opens((step + 2) % 4)
                    && !found.contains(&there)
                {
                    found.push(there);
                }
            }
        }
        found
    }
}

/// A pawn on the line travels with it; if it falls off, it comes back on the inserted tile.
fn carried(pawn: Place, entry: usize) -> Place {
    let (start, step) = ENTRIES[entry];
    let is_on_line = if STEPS[step].0 == 0 { pawn.0 == start.0 } else { pawn.1 == start.1 };
    let moved = add(pawn, step);
    match (is_on_line, is_on_board(moved)) {
        (false, _) => pawn,
        (true, true) => moved,
        (true, false) => start,
    }
}

/// The entry at the other end of the line.
fn opposite(entry: usize) -> usize {
    let (start, step) = ENTRIES[entry];
    let mut end = start;
    while is_on_board(add(end, step)) {
        end = add(end, step);
    }
    ENTRIES.iter().position(|(place, _)| *place == end).expect("lines have two ends")
}

enum Wanted {
    Tile(u8),
    Place(Place),
}

type Turn = (usize, u8, Place);

struct Node {
    tiles: Tiles,
    pawn: Place,
    last: Option<usize>,
    first: Option<Turn>,
}

struct Twin {
    params: BigBrainParams,
    wanted: Wanted,
    /// Every node that was ever queued, the start included.
    visited: Vec<(Place, [[Tile; 7]; 7])>,
}

impl Twin {
    /// Reads a view. How a straight is turned cannot be seen, so its number is drawn.
    fn read(params: BigBrainParams, view: &View, rng: &mut Rng) -> (Twin, Node) {
        let public = view.public();
        let place = |cell: Cell| (cell.x() as i32, cell.y() as i32);
        let mut tile = |cell: Cell| {
            let sides = public.board().maze().sides(cell);
            let shape = sides.shape().expect("a tile");
            let looks = |turns: &u8| {
                let tile = Tile { name: 0, turns: *turns, shape };
                sides == (0..4).filter(|s| tile.opens(*s)).map(|s| Side::ALL[s]).collect::<Sides>()
            };
            let numbers: Vec<u8> = (0..4).filter(looks).collect();
            let turns = *rng.choose(&numbers).expect("a quarter turn");
            Tile { name: cell.index() as u8, turns, shape }
        };
        let extra = Tile { name: 49, turns: 0, shape: public.board().extra() };
        let mut tiles = Tiles { board: [[extra; 7]; 7], extra };
        for cell in Cell::all() {
            tiles.put(place(cell), tile(cell));
        }
        let wanted = match view.goal() {
            Goal::Home(home) => Wanted::Place(place(home)),
            Goal::Treasure(treasure) => {
                let cell = public.board().place(treasure);
                Wanted::Tile(cell.map_or(49, |cell| tiles.at(place(cell)).name))
            }
        };
        let pawn = place(public.pawn(view.seat()));
        let last = public.last_push().map(Entry::index);
        let twin = Twin { params, wanted, visited: vec![(pawn, tiles.board)] };
        (twin, Node { tiles, pawn, last, first: None })
    }

    fn may_enter(&self, entry: usize, last: Option<usize>) -> bool {
        let Some(forbidden) = last.map(opposite) else {
            return true;
        };
        let (a, b) = (ENTRIES[entry].0, ENTRIES[forbidden].0);
        match self.params.entries {
            Entries::Strict => a.0 != b.0 && a.1 != b.1,
            Entries::Legal => entry != forbidden,
        }
    }

    fn is_visited(&self, pawn: Place, tiles: &Tiles) -> bool {
        self.visited.iter().any(|(known, board)| match self.params.visited {
            Visited::PositionOrLayout => *known == pawn || *board == tiles.board,
            Visited::Exact => *known == pawn && *board == tiles.board,
        })
    }

    fn is_wanted(&self, pawn: Place, tiles: &Tiles) -> bool {
        match self.wanted {
            Wanted::Tile(name) => tiles.at(pawn).name == name,
            Wanted::Place(home) => pawn == home,
        }
    }

    fn choose(mut self, start: Node, rng: &mut Rng) -> Turn {
        let mut queue = vec![start];
        let (mut first_level, mut searched) = (Vec::new(), Vec::new());
        let mut head = 0;
        // The budget is looked at between nodes, and the start is expanded in any case.
        while head < queue.len() && (head == 0 || searched.len() < self.params.nodes as usize) {
            for entry in 0..12 {
                if !self.may_enter(entry, queue[head].last) {
                    continue;
                }
                for turns in 0..4 {
                    let tiles = queue[head].tiles.pushed(entry, turns);
                    for pawn in tiles.walks(carried(queue[head].pawn, entry)) {
                        let first = queue[head].first.unwrap_or((entry, turns, pawn));
                        if self.is_wanted(pawn, &tiles) {
                            return first;
                        }
                        searched.push(first);
                        if head == 0 {
                            first_level.push(first);
                        }
                        if !self.is_visited(pawn, &tiles) {
                            self.visited.push((pawn, tiles.board));
                            queue.push(Node { tiles, pawn, last: Some(entry), first: Some(first) });
                        }
                    }
                }
            }
            head += 1;
        }
        let fallback = match self.params.fallback {
            Fallback::FirstLevel => first_level,
            Fallback::Searched => searched,
        };
        *rng.choose(&fallback).expect("some turn is legal")
    }
}

fn decide(params: BigBrainParams, view: &View, straights: &mut Rng, rng: &mut Rng) -> Action {
    let (twin, start) = Twin::read(params, view, straights);
    let (entry, turns, (x, y)) = twin.choose(start, rng);
    Action {
        entry: Entry::new(entry).expect("twelve entries"),
        rotation: Rotation::ALL[usize::from(turns)],
        to: Cell::new(x as usize, y as usize),
    }
}

/// Plays games and compares every decision and the random stream after it. Gives back how many there
/// were, and how many of them found no way and drew.
fn compare(params: BigBrainParams, rules: &Labyrinth, games: u64) -> (u32, u32) {
    let mut brain = BigBrain::new(params);
    let (mut decisions, mut drawn) = (0, 0);
    for number in 0..games {
        let mut rng = Rng::from_u64(number);
        let mut straights = Rng::from_u64(1000 + number);
        let mut world = rules.deal(&mut rng);
        while let Some(seat) = world.to_act() {
            let view = world.view(seat);
            let (before, mut same) = (rng.clone(), rng.clone());
            let action = brain.act(&view, &mut rng);
            assert_eq!(action, decide(params, &view, &mut straights, &mut same), "{view}");
            assert_eq!(rng, same, "the streams go on alike");
            decisions += 1;
            drawn += u32::from(rng != before);
            world.apply(action);
        }
    }
    (decisions, drawn)
}

#[test]
fn the_public_program_is_played_decision_by_decision() {
    let (mut decisions, mut drawn) = (0, 0);
    for (players, games) in [(2, 60), (3, 20), (4, 20)] {
        let rules = Labyrinth { players, ..Labyrinth::default() };
        let (more, random) = compare(BigBrainParams::default(), &rules, games);
        decisions += more;
        drawn += random;
    }
    println!("{decisions} decisions, {drawn} drawn");
    assert!(decisions > 4000, "{decisions} decisions");
    assert!(drawn > 10, "{drawn} of {decisions} found no way");
}

#[test]
fn every_option_is_played_decision_by_decision() {
    let default = BigBrainParams { nodes: 1500, ..BigBrainParams::default() };
    let legal = BigBrainParams { entries: Entries::Legal, ..default };
    let options = [
        legal,
        BigBrainParams { fallback: Fallback::Searched, ..default },
        BigBrainParams { visited: Visited::Exact, ..default },
        BigBrainParams { visited: Visited::Exact, fallback: Fallback::Searched, ..legal },
        BigBrainParams { nodes: 1, ..legal },
        BigBrainParams { nodes: 0, ..default },
    ];
    let rules = Labyrinth { cards: Some(3), turn_limit: 40, ..Labyrinth::default() };
    for params in options {
        let (decisions, drawn) = compare(params, &rules, 15);
        println!("{params:?}: {decisions} decisions, {drawn} drawn");
        assert!(decisions > 100 && drawn > 0, "{params:?}: {drawn} of {decisions}");
    }
}
