//! Many games stepped together.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use oboro_catalog::{AnyBatch, BatchRows, CatalogError, NewBatch, game};
use oboro_core::{Seed, Stop};

/// The memory that rows are written to.
struct Buffers {
    planes: Vec<u8>,
    features: Vec<u8>,
    masks: Vec<u8>,
    seats: Vec<u8>,
    rewards: Vec<f32>,
    done: Vec<u8>,
}

impl Buffers {
    fn of(batch: &dyn AnyBatch) -> Buffers {
        let (games, layout) = (batch.games(), batch.layout());
        let shape = &layout.observation;
        Buffers {
            planes: vec![9; games * shape.plane_bytes()],
            features: vec![9; games * shape.features.len()],
            masks: vec![9; games * layout.actions],
            seats: vec![9; games],
            rewards: vec![9.0; games * batch.seats()],
            done: vec![9; games],
        }
    }

    fn rows(&mut self) -> BatchRows<'_> {
        BatchRows {
            planes: &mut self.planes,
            features: &mut self.features,
            masks: &mut self.masks,
            seats: &mut self.seats,
            rewards: &mut self.rewards,
            done: &mut self.done,
        }
    }
}

fn open(name: &str, seats: &[Option<&str>], games: usize, threads: usize) -> Box<dyn AnyBatch> {
    let rules = game(name).unwrap().rules(&[]).unwrap();
    let seed = Seed::from_u64(5);
    rules.batch(&NewBatch { games, seats, seed, threads, ..NewBatch::default() }).unwrap()
}

/// Everything a batch shows over some steps, summed up.
fn digest(batch: &mut dyn AnyBatch, steps: usize) -> (u64, usize) {
    let mut buffers = Buffers::of(batch);
    let mut actions = vec![0; batch.games()];
    let (mut sum, mut ended) = (0_u64, 0);
    batch.show(buffers.rows()).unwrap();
    for _ in 0..steps {
        batch.sample(&mut actions).unwrap();
        let wide = batch.layout().actions;
        for (action, mask) in actions.iter().zip(buffers.masks.chunks(wide)) {
            assert_eq!(mask[*action as usize], 1, "what is sampled is allowed");
        }
        batch.step(&actions, buffers.rows()).unwrap();
        let bytes = [&buffers.planes, &buffers.features, &buffers.masks, &buffers.seats];
        for byte in bytes.into_iter().flatten() {
            sum = sum.wrapping_mul(0x0100_0000_01b3).wrapping_add(u64::from(*byte) + 1);
        }
        for (done, rewards) in buffers.done.iter().zip(buffers.rewards.chunks(batch.seats())) {
            ended += usize::from(*done == 1);
            let paid: f32 = rewards.iter().sum();
            assert!((paid - f32::from(*done)).abs() < 1e-6, "a finished game pays out one point");
        }
    }
    (sum, ended)
}

#[test]
fn threads_change_nothing() {
    // So many games that three threads have work, and the last piece is smaller than the others.
    let one = digest(&mut *open("geister", &[None, None], 390, 1), 150);
    assert_eq!(digest(&mut *open("geister", &[None, None], 390, 3), 150), one);
    assert!(one.1 > 120, "games end and are dealt anew: {}", one.1);
    let mut again = open("geister", &[None, None], 390, 2);
    digest(&mut *again, 7);
    again.reset(&Seed::from_u64(5)).unwrap();
    assert_eq!(digest(&mut *again, 150), one, "a reset begins anew");
}

#[test]
fn agents_hold_the_other_seats() {
    let mut batch = open("geister", &[Some("random"), None], 10, 1);
    let mut buffers = Buffers::of(&*batch);
    batch.show(buffers.rows()).unwrap();
    assert!(buffers.seats.iter().all(|&seat| seat == 1));
    assert!(digest(&mut *batch, 100).1 > 2);
    let record = batch.record(3).unwrap();
    assert_eq!(record.agents, ["random", "outside"]);
}

#[test]
fn a_look_is_what_the_seat_to_move_is_shown() {
    let mut batch = open("geister", &[None, None], 3, 1);
    digest(&mut *batch, 21);
    let mut buffers = Buffers::of(&*batch);
    batch.show(buffers.rows()).unwrap();
    let shape = batch.layout().observation.clone();
    let mut row = vec![7; shape.len()];
    for (place, seat) in buffers.seats.iter().enumerate() {
        batch.look(place, usize::from(*seat), &mut row).unwrap();
        let (planes, features) = row.split_at(shape.plane_bytes());
        assert_eq!(buffers.planes.chunks(shape.plane_bytes()).nth(place), Some(planes));
        assert_eq!(buffers.features.chunks(shape.features.len()).nth(place), Some(features));
    }
    let mut truth = vec![0; 3 * batch.layout().truth.len()];
    batch.privileged(&mut truth).unwrap();
    assert_eq!(truth.iter().filter(|&&byte| byte > 1).count(), 0);
}

#[test]
fn games_are_truncated_and_their_ends_kept() {
    let rules = game("geister").unwrap().rules(&[]).unwrap();
    let (seats, seed) = (&[None, None], Seed::from_u64(5));
    let truncation = Some(6);
    let wanted = NewBatch { games: 4, seats, seed, threads: 1, truncation, ..NewBatch::default() };
    let mut batch = rules.batch(&wanted).unwrap();
    let mut buffers = Buffers::of(&*batch);
    let mut actions = [0; 4];
    for step in 1..=12 {
        batch.sample(&mut actions).unwrap();
        batch.step(&actions, buffers.rows()).unwrap();
        assert_eq!(buffers.done, [if step % 6 == 0 { 2 } else { 0 }; 4], "step {step}");
        assert!(buffers.rewards.iter().all(|&reward| reward == 0.0));
        let mut row = vec![0; batch.layout().observation.len()];
        let seen = batch.look_at_end(2, 1, &mut row);
        if step % 6 == 0 {
            seen.unwrap();
            let end = batch.record_of_end(2).unwrap();
            assert_eq!(end.actions.len(), 6);
            let live = oboro_catalog::open_record(&end.to_string()).unwrap();
            assert_eq!(live.view(1).unwrap().observation(), row);
            assert!(batch.record(2).unwrap().actions.is_empty(), "the next game is dealt");
        } else {
            assert_eq!(seen.unwrap_err().to_string(), "game 2 was not ended by the last step");
        }
    }
}

#[test]
fn zero_sum_rewards_add_up_to_nothing() {
    let rules = game("sevens").unwrap().rules(&[]).unwrap();
    let wanted =
        NewBatch { games: 8, seats: &[None; 4], zero_sum: true, threads: 1, ..NewBatch::default() };
    let mut batch = rules.batch(&wanted).unwrap();
    let mut buffers = Buffers::of(&*batch);
    let mut actions = [0; 8];
    let mut paid = 0;
    for _ in 0..200 {
        batch.sample(&mut actions).unwrap();
        batch.step(&actions, buffers.rows()).unwrap();
        for rewards in buffers.rewards.chunks(4) {
            assert!(rewards.iter().sum::<f32>().abs() < 1e-5);
            paid += usize::from(rewards.iter().any(|&reward| reward > 0.0));
        }
    }
    assert!(paid > 8, "games are paid: {paid}");
}

#[test]
fn a_pulled_switch_ends_a_step_until_the_games_are_reset() {
    let stop = Stop::new();
    stop.pull();
    let seats = &[None, Some("mc:100000000")];
    let rules = game("geister").unwrap().rules(&[]).unwrap();
    let mut batch =
        rules.batch(&NewBatch { games: 3, seats, threads: 2, ..NewBatch::default() }).unwrap();
    let mut buffers = Buffers::of(&*batch);
    let mut actions = [0; 3];
    batch.sample(&mut actions).unwrap();
    batch.watch(stop);
    assert_eq!(batch.step(&actions, buffers.rows()), Err(CatalogError::Stopped));
    let again = batch.step(&actions, buffers.rows()).unwrap_err();
    assert_eq!(again.to_string(), "the last step failed in its middle: reset the games");
    batch.watch(Stop::new());
    batch.reset(&Seed::from_u64(1)).unwrap();
    batch.show(buffers.rows()).unwrap();
}

#[test]
fn more_games_than_memory_are_refused() {
    let rules = game("saboteur").unwrap().rules(&[]).unwrap();
    let seats = vec![None; rules.seats()];
    for games in [1 << 40, usize::MAX] {
        let wanted = NewBatch { games, seats: &seats, ..NewBatch::default() };
        let error = rules.batch(&wanted).err().unwrap();
        assert!(matches!(error, CatalogError::Memory { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("{games} games of saboteur need at least")));
    }
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let rules = game("geister").unwrap().rules(&[]).unwrap();
    let wanted = NewBatch {
        games: 300,
        seats: &[None, None],
        seed: Seed::from_u64(5),
        threads: 2,
        ..NewBatch::default()
    };
    let fails = |wanted: &NewBatch<'_>| rules.batch(wanted).err().unwrap().to_string();
    assert_eq!(fails(&NewBatch { games: 0, ..wanted.clone() }), "a batch has at least one game");
    let seats = &[Some("random"), Some("random")];
    let message = fails(&NewBatch { seats, ..wanted.clone() });
    assert_eq!(message, "a batch has at least one seat that no agent holds");
    assert!(fails(&NewBatch { seats: &[None], ..wanted.clone() }).contains("2 seats"));

    let mut batch = rules.batch(&wanted).unwrap();
    let mut buffers = Buffers::of(&*batch);
    let mut actions = vec![0; 300];
    batch.sample(&mut actions).unwrap();
    let good = actions.clone();
    for bad in [0, 143, 214, -1, 1 << 40] {
        actions[299] = bad;
        let error = batch.step(&actions, buffers.rows()).unwrap_err();
        let wanted = format!("game 299: action {bad} is not legal for seat 0");
        assert_eq!(error.to_string(), wanted);
    }
    batch.step(&good, buffers.rows()).unwrap();
    assert!(buffers.seats.iter().all(|&seat| seat == 1), "every game was played once");
    let short = batch.step(&good[1..], buffers.rows()).unwrap_err();
    assert!(matches!(short, CatalogError::Shape { path, .. } if path == "actions"));
    buffers.masks.pop();
    assert!(
        matches!(batch.show(buffers.rows()), Err(CatalogError::Shape { path, .. }) if path == "masks")
    );
}
