//! Trees: types, limits, and simplification.

use crate::toy;

use oboro_core::Rng;
use oboro_evolve::{Breeder, Crossover, Tree, TreeBreeder, TreeError, Vocabulary, simplify};
use toy::{Kind, Toy, breeder, everything, value};

#[test]
fn crossover_and_mutation_keep_types_and_limits() {
    let crossovers = [Crossover::Node, Crossover::Type];
    for (root, crossover) in [Kind::Number, Kind::Truth].into_iter().zip(crossovers) {
        let breeder = TreeBreeder { crossover, ..breeder(root, everything()) };
        let mut rng = Rng::from_u64(1);
        let mut programs: Vec<_> = (0..60).map(|n| breeder.create(n, &mut rng)).collect();
        let mut deepest = 0;
        for _ in 0..20_000 {
            let (a, b) = (rng.below(60), rng.below(60));
            let child = breeder.cross(&programs[a], &programs[b], &mut rng);
            breeder.check(&child).unwrap();
            let mutant = breeder.mutate(&child, &mut rng);
            breeder.check(&mutant).unwrap();
            deepest = deepest.max(mutant.depth());
            // Large programs stay, so that the limit is pushed against.
            if mutant.size() >= programs[a].size() {
                programs[a] = mutant;
            }
        }
        assert_eq!(deepest, breeder.shape.depth_limit);
    }
}

#[test]
fn crossover_by_type_joins_nodes_of_one_type_and_leaves_roots() {
    let breeder = TreeBreeder { crossover: Crossover::Type, ..breeder(Kind::Number, everything()) };
    let tree = |tokens: &[Toy]| Tree::new(tokens.to_vec(), Kind::Number).unwrap();
    let mut rng = Rng::from_u64(3);
    // The only type that both have below their roots is a number: the truth value of the first stays.
    let first = tree(&[Toy::If, Toy::Bit(0), Toy::X, Toy::X]);
    let second = tree(&[Toy::Add, Toy::Constant(1), Toy::Constant(2)]);
    for _ in 0..50 {
        let child = breeder.cross(&first, &second, &mut rng);
        assert_eq!(child.tokens()[..2], [Toy::If, Toy::Bit(0)]);
        let changed = child.tokens()[2..].iter().filter(|t| matches!(t, Toy::Constant(_))).count();
        assert_eq!(changed, 1, "{child:?}");
    }
    let alone = tree(&[Toy::X]);
    assert_eq!(breeder.cross(&alone, &second, &mut rng), alone, "a root has no other place");
}

#[test]
fn the_first_generation_is_ramped() {
    let breeder = breeder(Kind::Number, everything());
    let mut rng = Rng::from_u64(2);
    let depths: Vec<usize> = (0..60).map(|n| breeder.create(n, &mut rng).depth()).collect();
    for (number, depth) in depths.iter().enumerate() {
        let wanted = 2 + number / 2 % 3;
        assert!((1..=wanted).contains(depth), "{number}: {depth}");
    }
    assert!(depths.contains(&4));
}

#[test]
fn lists_that_are_no_programs_are_refused() {
    use Toy::{Add, And, Bit, Constant, X};
    let new = |tokens: &[Toy]| Tree::new(tokens.to_vec(), Kind::Number);
    assert!(new(&[Add, X, Bit(0)]).is_ok(), "a truth counts as a number");
    assert_eq!(new(&[]), Err(TreeError::TooShort));
    assert_eq!(new(&[Add, X]), Err(TreeError::TooShort));
    assert_eq!(new(&[X, X]), Err(TreeError::TooLong(1)));
    let wrong = new(&[And, Bit(0), Constant(1)]).unwrap_err();
    assert!(matches!(wrong, TreeError::WrongKind(2, ..)));
}

#[test]
fn a_vocabulary_without_a_leaf_is_refused() {
    let error = Vocabulary::new(Kind::Number, vec![vec![Toy::X], vec![Toy::If]]).unwrap_err();
    assert_eq!(error.to_string(), "the vocabulary has no leaf of type Truth");
}

#[test]
fn simplified_programs_do_the_same_with_less() {
    let breeder = breeder(Kind::Number, everything());
    let mut rng = Rng::from_u64(3);
    let mut saved = 0;
    for number in 0..3000 {
        let mut program = breeder.create(number, &mut rng);
        for _ in 0..4 {
            program = breeder.mutate(&program, &mut rng);
        }
        let simple = simplify(&program, Kind::Number);
        simple.check(Kind::Number).unwrap();
        assert!(simple.size() <= program.size());
        saved += program.size() - simple.size();
        for x in -10..=10 {
            let bits = rng.below(8) as u8;
            assert_eq!(value(&program, x, bits), value(&simple, x, bits), "{program:?}");
        }
    }
    assert!(saved > 0);
}

#[test]
fn conditions_are_known_inside_their_branches() {
    use Toy::{And, Bit, Constant, If, Less, Not, X};
    let reduced = |tokens: &[Toy]| {
        let tree = Tree::new(tokens.to_vec(), Kind::Number).unwrap();
        simplify(&tree, Kind::Number).tokens().to_vec()
    };
    // if b0 and b1 then (if b1 then 1 else 2) else 3
    assert_eq!(
        reduced(&[If, And, Bit(0), Bit(1), If, Bit(1), Constant(1), Constant(2), Constant(3)]),
        [If, And, Bit(0), Bit(1), Constant(1), Constant(3)]
    );
    // if not b0 then (if b0 then 1 else 2) else b0: inside the last branch b0 is 1
    assert_eq!(
        reduced(&[If, Not, Bit(0), If, Bit(0), Constant(1), Constant(2), Bit(0)]),
        [If, Not, Bit(0), Constant(2), Constant(1)]
    );
    // X never exceeds 10.
    assert_eq!(reduced(&[If, Less, X, Constant(11), X, Constant(0)]), [X]);
}
