//! Nets say what the trainer's own arithmetic says of them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_nets::{BoardNet, FlatNet, FlatScratch, Scratch, SetNet, SetScratch, Tensors};

/// A tiny random net with four positions and what the trainer answered
/// (`python -m oboro.learn golden nets/tests/tiny.safetensors` makes it).
const TINY: &[u8] = include_bytes!("tiny.safetensors");

#[test]
fn a_tiny_net_answers_as_in_the_trainer() {
    let tensors = Tensors::read(TINY).unwrap();
    let net = BoardNet::read(&tensors, [4, 5], &[1, 15, 1], &[4, 255]).unwrap();
    assert_eq!(net.outputs(), [3, 4]);
    let bytes = |name: &str, shape: &[usize]| -> Vec<u8> {
        tensors.get(name, shape).unwrap().iter().map(|&value| value as u8).collect()
    };
    let planes = bytes("test.planes", &[4, 3, 4, 5]);
    let features = bytes("test.features", &[4, 2]);
    let cells = tensors.get("test.cells", &[4, 20, 3]).unwrap();
    let board = tensors.get("test.board", &[4, 4]).unwrap();
    let mut scratch = Scratch::default();
    let mut largest = 0.0_f32;
    for i in 0..4 {
        let planes = &planes[i * 60..(i + 1) * 60];
        let answers = net.evaluate(planes, &features[i * 2..(i + 1) * 2], &mut scratch);
        let ours = answers.cells.iter().chain(&answers.board);
        let theirs = cells[i * 60..(i + 1) * 60].iter().chain(&board[i * 4..(i + 1) * 4]);
        for (ours, theirs) in ours.zip(theirs) {
            assert!((ours - theirs).abs() < 0.02, "{ours} for {theirs}");
            largest = largest.max(theirs.abs());
        }
        let again = answers.clone();
        assert_eq!(*net.evaluate(planes, &features[i * 2..(i + 1) * 2], &mut scratch), again);
    }
    assert!(largest > 0.5, "the answers are worth comparing: {largest}");
}

/// The same for a net over rows (`python -m oboro.learn golden nets/tests/tiny-set.safetensors --net series`).
const TINY_SET: &[u8] = include_bytes!("tiny-set.safetensors");

#[test]
fn a_tiny_net_over_rows_answers_as_in_the_trainer() {
    let tensors = Tensors::read(TINY_SET).unwrap();
    let net = SetNet::read(&tensors, 18, 2).unwrap();
    assert_eq!(net.outputs(), [12, 4]);
    let rows = tensors.get("test.rows", &[4, 8, 18]).unwrap();
    let features = tensors.get("test.features", &[4, 2]).unwrap();
    let cells = tensors.get("test.cells", &[4, 8, 12]).unwrap();
    let board = tensors.get("test.board", &[4, 4]).unwrap();
    let mut scratch = SetScratch::default();
    let mut largest = 0.0_f32;
    for i in 0..4 {
        let (rows, features) = (&rows[i * 144..(i + 1) * 144], &features[i * 2..(i + 1) * 2]);
        let answers = net.evaluate(rows, features, &mut scratch).clone();
        let ours = answers.cells.iter().chain(&answers.board);
        let theirs = cells[i * 96..(i + 1) * 96].iter().chain(&board[i * 4..(i + 1) * 4]);
        for (ours, theirs) in ours.zip(theirs) {
            assert!((ours - theirs).abs() < 1e-4, "{ours} for {theirs}");
            largest = largest.max(theirs.abs());
        }
        // Rows in another order are answered in that order.
        let turned: Vec<f32> = rows.chunks(18).rev().flatten().copied().collect();
        let again = net.evaluate(&turned, features, &mut scratch);
        for (one, other) in answers.cells.chunks(12).rev().flatten().zip(&again.cells) {
            assert!((one - other).abs() < 1e-4, "{one} and {other}");
        }
    }
    assert!(largest > 0.5, "the answers are worth comparing: {largest}");
}

/// The same for a net of dense layers (`python -m oboro.learn golden nets/tests/tiny-flat.safetensors --net flat`).
const TINY_FLAT: &[u8] = include_bytes!("tiny-flat.safetensors");

#[test]
fn a_tiny_flat_net_answers_as_in_the_trainer() {
    let tensors = Tensors::read(TINY_FLAT).unwrap();
    let net = FlatNet::read(&tensors, 62).unwrap();
    let inputs = tensors.get("test.inputs", &[4, 62]).unwrap();
    let board = tensors.get("test.board", &[4, 4]).unwrap();
    let mut scratch = FlatScratch::default();
    let mut largest = 0.0_f32;
    for (inputs, board) in inputs.chunks(62).zip(board.chunks(4)) {
        let answers = net.evaluate(inputs, &mut scratch);
        assert_eq!(answers.len(), 4);
        for (ours, theirs) in answers.iter().zip(board) {
            assert!((ours - theirs).abs() < 1e-4, "{ours} for {theirs}");
            largest = largest.max(theirs.abs());
        }
    }
    assert!(largest > 0.5, "the answers are worth comparing: {largest}");
}

#[test]
fn a_net_of_another_shape_is_refused() {
    let tensors = Tensors::read(TINY).unwrap();
    let error = BoardNet::read(&tensors, [4, 5], &[1, 15], &[4, 255]).unwrap_err();
    assert!(error.to_string().contains("in.weight"), "{error}");
    let tensors = Tensors::read(TINY_SET).unwrap();
    let error = SetNet::read(&tensors, 18, 3).unwrap_err();
    assert!(error.to_string().contains("in.features"), "{error}");
    let tensors = Tensors::read(TINY_FLAT).unwrap();
    let error = FlatNet::read(&tensors, 61).unwrap_err();
    assert!(error.to_string().contains("in.weight"), "{error}");
}
