use crate::{Fact, Game, GameSeeds, GameWorld, Player, Rng, Seat};

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What it was worth to each seat.
    pub payoffs: Vec<f64>,
    /// How many actions were played.
    pub plies: u32,
    /// What else experiments count.
    pub facts: Vec<Fact>,
}

/// One step of a game in progress, shown to whoever watches it.
#[derive(Debug)]
pub struct Step<'a, G: Game> {
    /// The truth before the action.
    pub world: &'a G::World,
    /// Who moves.
    pub seat: Seat,
    /// What it plays.
    pub action: G::Action,
}

/// Plays one game from `world` to its end. The arena alone holds the truth: agents get views of
/// it, and the events their seat sees.
///
/// `watch` is called before each action is applied.
///
/// # Errors
/// If a player chooses an action that is not legal: the seat and what it tried.
///
/// # Panics
/// If the number of players is not that of the seats.
pub fn play_game<G: Game>(
    game: &G,
    mut world: G::World,
    players: &mut [Player<G>],
    seeds: &GameSeeds,
    mut watch: impl FnMut(Step<'_, G>),
) -> Result<Outcome, (Seat, crate::IllegalAction)> {
    assert_eq!(players.len(), game.seats(), "one player a seat");
    let mut rngs: Vec<Rng> = Seat::all(players.len()).map(|seat| seeds.agent(seat)).collect();
    let mut plies = 0;
    while let Some(seat) = world.to_act() {
        let action = players[seat.index()].act(&world, seat, &mut rngs[seat.index()]);
        if !world.is_legal(action) {
            // The checked twin words the complaint.
            world.play(action).map_err(|illegal| (seat, illegal))?;
        }
        watch(Step { world: &world, seat, action });
        for (observer, player) in players.iter_mut().enumerate() {
            if let Player::Agent(agent) = player {
                agent.observe(&world.event(action, Seat::new(observer)));
            }
        }
        world.apply(action);
        plies += 1;
    }
    let payoffs = Seat::all(players.len()).map(|seat| world.payoff(seat)).collect();
    let mut facts = world.facts();
    let variants: Vec<Option<u32>> = players.iter().map(Player::variant).collect();
    if variants.iter().any(Option::is_some) {
        facts.push(Fact::seats("variant", variants.into_iter().map(|v| v.unwrap_or(0).into())));
    }
    Ok(Outcome { payoffs, plies, facts })
}
