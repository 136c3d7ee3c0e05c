//! Players from outside sit at every table, are told what their seat may know, and lose the games they fail in.

use oboro_catalog::{
    CatalogError, Ending, EventReport, ExternalAgent, ExternalAgents, ExternalFactory, Keep,
    NewGame, Opening, Turn, games,
};
use oboro_core::{LiveError, Perspective, Seat, Seed, Stop};
use std::sync::{Arc, Mutex};

/// What a player was told, in order, one line each.
type Told = Arc<Mutex<Vec<String>>>;

/// Plays the action that its seed and the ply say, and writes down what it is told.
struct Scribe {
    told: Told,
    seed: u64,
    /// The ply of its last turn, and the encoding of what it knew and remembered.
    acted: Option<(usize, Vec<u8>)>,
    /// Fails at the first turn after so many plies, for this reason.
    fails: Option<(usize, &'static str)>,
}

impl Scribe {
    fn note(&self, line: String) {
        self.told.lock().expect("nobody fell over").push(line);
    }
}

impl ExternalAgent for Scribe {
    fn begin(&mut self, opening: Opening) {
        self.seed = opening.seed;
        self.note(format!("begin {} seat {} of {}", opening.game, opening.seat, opening.seats));
        self.note(opening.scene.to_string());
    }

    fn observe(&mut self, event: EventReport, before: &dyn Turn) {
        assert_eq!(event.ply, before.ply() + 1);
        if let Some((_, seen)) = self.acted.take_if(|(ply, _)| *ply == before.ply()) {
            assert_eq!(before.observation(), seen, "before its own action it knew what it knows");
        }
        self.note(format!("before {} {}", before.ply(), before.scene()));
        self.note(format!("event {} {} {}", event.ply, event.seat, event.parts));
    }

    fn act(&mut self, turn: &dyn Turn) -> Result<String, String> {
        if let Some((_, reason)) = self.fails.filter(|(ply, _)| turn.ply() >= *ply) {
            return Err(reason.to_owned());
        }
        let mut scene = Vec::new();
        turn.write_scene(&mut scene);
        assert_eq!(String::from_utf8(scene).expect("JSON is text"), turn.scene().to_string());
        self.acted = Some((turn.ply(), turn.observation()));
        self.note(format!("turn {} {}", turn.ply(), turn.scene()));
        let actions = turn.actions();
        let mut list = Vec::new();
        turn.write_actions(&mut list);
        assert_eq!(serde_json::from_slice::<Vec<String>>(&list).expect("a list"), actions);
        Ok(actions[(self.seed as usize).wrapping_add(turn.ply()) % actions.len()].clone())
    }

    fn end(&mut self, ending: &Ending) {
        self.note(format!("end {:?} {:?}", ending.payoffs, ending.forfeit));
    }
}

fn scribe(told: &Told, fails: Option<(usize, &'static str)>) -> ExternalFactory {
    let told = Arc::clone(told);
    Arc::new(move || Box::new(Scribe { told: Arc::clone(&told), seed: 0, acted: None, fails }))
}

fn known(name: &str, factory: ExternalFactory) -> Arc<dyn ExternalAgents> {
    Arc::new(vec![(name.to_owned(), factory)])
}

#[test]
fn a_player_from_outside_plays_every_game_and_is_told_what_its_seat_sees() {
    for game in games() {
        let told = Told::default();
        let rules = game.rules(&[]).unwrap().allow_external(known("scribe", scribe(&told, None)));
        let mut specs = vec!["random"; rules.seats()];
        specs[1] = "scribe";
        let lineup = rules.lineup(&specs).unwrap();
        let seating: Vec<usize> = (0..rules.seats()).collect();
        let seeds = Seed::from_u64(3).game(0, 0);
        let keep = Keep { record: true, beliefs: false };
        let played = lineup.play(&seating, 0, &seeds, keep).unwrap();
        let first = std::mem::take(&mut *told.lock().unwrap());
        let again = lineup.play(&seating, 0, &seeds, keep).unwrap();
        assert_eq!(played.record, again.record, "the same seeds, the same game");
        assert_eq!(first, *told.lock().unwrap());
        assert_eq!(played.forfeit, None);

        // What it was told is the story that its seat has seen, and its scene.
        let live = rules.live_from(&played.record.unwrap()).unwrap();
        let story = live.story(Perspective::Seat(Seat::new(1)), 0).unwrap();
        let events: Vec<String> = story
            .iter()
            .map(|event| format!("event {} {} {}", event.ply, event.seat, event.parts))
            .collect();
        let seen: Vec<&String> = first.iter().filter(|line| line.starts_with("event")).collect();
        assert_eq!(seen, events.iter().collect::<Vec<_>>(), "{}", game.name());
        assert_eq!(first[0], format!("begin {} seat 1 of {}", game.name(), rules.seats()));
        assert!(first.last().unwrap().starts_with("end ["), "{}", first.last().unwrap());
        let turn = first.iter().rfind(|line| line.starts_with("turn")).unwrap();
        let before = first.iter().filter(|line| line.starts_with("before"));
        for looked in before.chain([turn]) {
            let (ply, scene) = looked.split_once(' ').unwrap().1.split_once(' ').unwrap();
            let then = live.at(ply.parse().unwrap()).unwrap();
            assert_eq!(scene, then.scene(Perspective::Seat(Seat::new(1))).unwrap().to_string());
        }
    }
}

#[test]
fn whoever_fails_or_plays_against_the_rules_forfeits_with_the_reason_in_the_record() {
    let fails = |reason| scribe(&Told::default(), Some((4, reason)));
    let illegal: ExternalFactory = Arc::new(|| {
        struct Cheat(&'static str);
        impl ExternalAgent for Cheat {
            fn begin(&mut self, _: Opening) {}
            fn act(&mut self, _: &dyn Turn) -> Result<String, String> {
                Ok(self.0.to_owned())
            }
        }
        Box::new(Cheat("S7"))
    });
    for (factory, reason) in [
        (fails("gone\nfor  good"), "gone for good"),
        (illegal, "it played `S7`, which is not legal"),
    ] {
        let sevens = oboro_catalog::game("sevens").unwrap();
        let rules = sevens.rules(&[]).unwrap().allow_external(known("it", factory));
        let lineup = rules.lineup(&["rule", "it", "rule", "rule"]).unwrap();
        let keep = Keep { record: true, beliefs: false };
        let seeds = Seed::from_u64(1).game(0, 0);
        let played = lineup.play(&[0, 1, 2, 3], 0, &seeds, keep).unwrap();
        assert_eq!(played.forfeit, Some((Seat::new(1), reason.to_owned())));
        assert_eq!(played.outcome.payoffs[1], 0.0);
        let record = played.record.unwrap();
        assert_eq!(record.forfeit, played.forfeit);
        let replayed = rules.live_from(&record.to_string().parse().unwrap()).unwrap();
        assert_eq!(replayed.outcome().unwrap().payoffs, played.outcome.payoffs);
    }
}

#[test]
fn a_table_for_people_takes_players_from_outside_by_name_only() {
    let told = Told::default();
    let request: NewGame = oboro_catalog::read(serde_json::json!({
        "game": "geister", "seats": [null, "scribe"], "seed": "7"
    }))
    .unwrap();
    assert!(matches!(request.open(), Err(CatalogError::Spec(_))), "nobody let it in");
    let among = known("scribe", scribe(&told, Some((3, "it left"))));
    let mut live = request.open_among(Some(among)).unwrap();
    let place = live.actions()[0].clone();
    live.play(0, &place).unwrap();
    live.step().unwrap();
    let hint = live.consult(1, "scribe", &Seed::from_u64(1).game(0, 0)).unwrap();
    assert!(hint.run(&Stop::new()).analysis.is_none(), "it is not to move");
    let action = live.actions()[0].clone();
    live.play(0, &action).unwrap();
    let thought = live.start_thinking().unwrap().run(&Stop::new());
    let error = live.finish_thinking(thought).unwrap_err();
    assert_eq!(error, CatalogError::Live(LiveError::GaveUp(Seat::new(1), "it left".to_owned())));
    assert_eq!(live.to_act(), None);
    assert_eq!(live.record().forfeit, Some((Seat::new(1), "it left".to_owned())));
    let last = told.lock().unwrap().last().unwrap().clone();
    assert_eq!(last, "end [1.0, 0.0] Some((1, \"it left\"))");
}
