//! An event as everybody may see it: plain data for pages and files.

use super::state::{Board, Event, Player};
use super::{ABSENT, EventScoring, Standing, Standings};
use serde_json::{Value, json};

impl<P: Clone + PartialEq> Event<P> {
    /// Everything that everybody may know of it. The standings begin with the best; the house is the last, if it has
    /// played.
    pub fn report(&self) -> Value {
        let (mut standings, identifiable) = self.standings().ranking(Standing::decisive);
        // A mean is not kept by leaving.
        let means = self.format.scoring == EventScoring::Payoffs;
        let left = |entrant: usize| self.entrants.get(entrant).is_some_and(|one| one.left);
        standings.sort_by_key(|standing| {
            (standing.entrant == self.house(), means && left(standing.entrant))
        });
        let entrants = self.entrants.iter().map(|one| {
            let agent = if let Player::Agent(spec) = &one.player { Some(spec) } else { None };
            json!({ "name": one.name, "agent": agent, "left": one.left })
        });
        let rounds = self.rounds.iter().map(|round| {
            let boards: Vec<Value> = round.boards.iter().map(|one| self.board(one)).collect();
            json!({ "game": round.game, "boards": boards })
        });
        json!({
            "stage": self.stage,
            "entrants": entrants.collect::<Vec<_>>(),
            "seats": self.format.seats,
            "counts": self.format.scoring,
            "standings": standings,
            "identifiable": identifiable,
            "rounds-planned": self.rounds_planned(),
            "rounds": rounds.collect::<Vec<_>>(),
        })
    }

    /// Those who meet (none is the house), their games and points so far, and how many games they play.
    fn board(&self, board: &Board) -> Value {
        let mut standings = Standings::new(self.house() + 1).scoring(self.format.scoring);
        for game in board.results() {
            standings.add_deal([game]);
        }
        let points = |player: &Option<usize>| standings.points()[player.unwrap_or(self.house())];
        let games = board.games.iter().map(|game| {
            let result = game.result.as_ref();
            json!({
                "table": game.table,
                "seats": game.seats,
                "payoffs": result.map(|result| &result.payoffs),
                "forfeit": result.and_then(|result| result.forfeit.as_ref()),
                "absent": result.map_or_else(Vec::new, |result| result.marks(ABSENT)),
            })
        });
        json!({
            "players": board.players,
            "games": games.collect::<Vec<_>>(),
            "of": self.format.meeting(board.players.len()),
            "points": board.players.iter().map(points).collect::<Vec<_>>(),
        })
    }
}
