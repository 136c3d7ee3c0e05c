//! `oboro gat check`: does a server keep the protocol? One check for each rule of it, and one for each
//! fault that the reference server is known for.

mod faults;
mod peer;
mod rules;

use super::flags::{self, millis};
use super::{GatError, TimeControl};
use std::pin::Pin;
use std::time::Duration;

/// Checks a server against the protocol, rule by rule
///
/// Say how the server was started: checks that its options make impossible are skipped. Those of the clock need budget
/// and timeout of at most 10 seconds together. The server must have nothing else to do meanwhile.
#[derive(Clone, Debug, clap::Args)]
pub struct CheckOptions {
    /// The server
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,

    /// The port of the first player
    #[arg(long, default_value_t = 10000)]
    pub first_port: u16,

    /// The port of the second player
    #[arg(long, default_value_t = 10001)]
    pub second_port: u16,

    /// The server's times.
    #[command(flatten)]
    pub time: TimeControl,

    /// The server's ply limit
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub plies: u16,

    /// The server lets a player try again after a bad line
    #[arg(long)]
    pub no_ng_terminate: bool,

    /// The server takes names
    #[arg(long)]
    pub names: bool,

    /// The server leaves no time between messages
    #[arg(long)]
    pub no_spacing: bool,

    /// The pause between two checks, in milliseconds, for servers that are slow to notice who left
    #[arg(long, value_name = "MS", default_value = "100", value_parser = millis)]
    pub settle: Duration,

    /// Runs only checks whose name contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
}

impl Default for CheckOptions {
    fn default() -> CheckOptions {
        flags::given([])
    }
}

/// What became of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// The server does as it should.
    Kept,
    /// It does not: what was seen.
    Broken(String),
    /// It cannot be checked with these options: why.
    Skipped(&'static str),
}

type Outcome = Result<(), String>;
type Run = for<'a> fn(&'a CheckOptions) -> Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// One check.
struct Check {
    name: &'static str,
    run: Run,
    obstacle: Obstacle,
}

/// Why a check cannot be run with some options.
type Obstacle = fn(&CheckOptions) -> Option<&'static str>;

const NONE: Obstacle = |_| None;
const SLOW_CLOCK: Obstacle = |options| {
    let slow = options.time.allowed() > Duration::from_secs(10);
    slow.then_some("needs a server with budget and timeout of at most 10 s together")
};
const TOLERANT: Obstacle =
    |options| options.no_ng_terminate.then_some("the server lets players try again");
const STRICT: Obstacle =
    |options| (!options.no_ng_terminate).then_some("needs a server that lets players try again");
const NAMELESS: Obstacle = |options| (!options.names).then_some("needs a server that takes names");
const NAMED: Obstacle = |options| options.names.then_some("the server takes names");
const UNSPACED: Obstacle = |options| options.no_spacing.then_some("the server leaves no gap");
const TOO_SHORT: Obstacle =
    |options| (options.plies < 11).then_some("needs at least 11 plies a game");
const SHORT: Obstacle = |options| (options.plies < 18).then_some("needs at least 18 plies a game");
const NOT_ELEVEN: Obstacle =
    |options| (options.plies != 11).then_some("needs a server with a limit of 11 plies");

/// A check is named like its function.
macro_rules! check {
    ($module:ident::$name:ident, $obstacle:expr) => {
        Check {
            name: stringify!($name),
            run: |options| Box::pin($module::$name(options)),
            obstacle: $obstacle,
        }
    };
}

fn all() -> Vec<Check> {
    vec![
        check!(rules::set_request_comes_at_once_to_each_player, NONE),
        check!(rules::set_may_come_before_it_is_asked_for, NONE),
        check!(rules::bad_sets_are_refused_without_limit, NONE),
        check!(rules::a_second_set_is_refused, NONE),
        check!(rules::letters_come_in_either_case, NONE),
        check!(rules::a_bare_lf_ends_no_line, NONE),
        check!(rules::first_player_is_asked_when_both_have_set, NONE),
        check!(rules::boards_are_seen_from_the_own_side, NONE),
        check!(rules::directions_are_words_or_letters, NONE),
        check!(rules::captures_are_acknowledged_with_their_colour, SHORT),
        check!(rules::captured_blues_win, TOO_SHORT),
        check!(rules::captured_reds_lose, TOO_SHORT),
        check!(rules::a_blue_leaves_the_left_exit_northwards, TOO_SHORT),
        check!(rules::a_blue_leaves_the_left_exit_westwards, TOO_SHORT),
        check!(rules::a_blue_leaves_the_right_exit_northwards, TOO_SHORT),
        check!(rules::a_blue_leaves_the_right_exit_eastwards, TOO_SHORT),
        check!(rules::a_red_may_not_leave, TOO_SHORT),
        check!(rules::the_game_is_drawn_at_the_ply_limit, NONE),
        check!(rules::a_win_at_the_ply_limit_is_a_win, NOT_ELEVEN),
        check!(rules::a_line_out_of_turn_is_refused_and_nothing_else_happens, NONE),
        check!(rules::bad_lines_of_the_mover_lose, TOLERANT),
        check!(rules::bad_lines_of_the_mover_are_refused_only, STRICT),
        check!(rules::names_are_taken, NAMELESS),
        check!(rules::names_are_refused, NAMED),
        check!(rules::who_leaves_loses, NONE),
        check!(rules::the_clients_close_first, TOO_SHORT),
        check!(rules::what_comes_after_the_end_is_ignored, TOO_SHORT),
        check!(rules::time_runs_out_for_the_mover, SLOW_CLOCK),
        check!(rules::a_client_that_comes_back_is_served, NONE),
        check!(rules::messages_come_one_by_one, UNSPACED),
        check!(rules::long_lines_do_no_harm, NONE),
        check!(faults::an_old_timer_harms_nobody, SLOW_CLOCK),
        check!(faults::four_letters_must_differ, NONE),
        check!(faults::a_move_without_a_piece_hangs_nothing, NONE),
        check!(faults::an_escape_is_acknowledged_without_a_colour, SHORT),
        check!(faults::two_lines_in_one_segment_are_both_read, NONE),
        check!(faults::a_place_left_early_is_free_again, NONE),
        check!(faults::a_timeout_is_told_once, SLOW_CLOCK),
        check!(faults::the_ply_limit_is_the_one_asked_for, NONE),
    ]
}

/// The names of all checks, in order.
pub fn check_names() -> Vec<&'static str> {
    all().into_iter().map(|check| check.name).collect()
}

/// Runs all checks on a server, in order.
pub async fn check_all(options: &CheckOptions) -> Vec<(&'static str, CheckResult)> {
    let mut verdicts = Vec::new();
    for check in all() {
        if options.only.as_ref().is_some_and(|only| !check.name.contains(only)) {
            continue;
        }
        let verdict = if let Some(reason) = (check.obstacle)(options) {
            CheckResult::Skipped(reason)
        } else {
            tokio::time::sleep(options.settle).await;
            (check.run)(options).await.map_or_else(CheckResult::Broken, |()| CheckResult::Kept)
        };
        verdicts.push((check.name, verdict));
    }
    verdicts
}

/// Runs all checks and says what became of them.
pub(crate) async fn check_server(
    options: &CheckOptions,
    say: &mut (dyn FnMut(&str) + Send),
) -> Result<(), GatError> {
    let verdicts = check_all(options).await;
    let (mut kept, mut broken, mut skipped) = (0, 0, 0);
    for (name, verdict) in &verdicts {
        let name = name.replace('_', " ");
        match verdict {
            CheckResult::Kept => {
                kept += 1;
                say(&format!("kept     {name}"));
            }
            CheckResult::Broken(reason) => {
                broken += 1;
                say(&format!("BROKEN   {name}: {reason}"));
            }
            CheckResult::Skipped(reason) => {
                skipped += 1;
                say(&format!("skipped  {name}: {reason}"));
            }
        }
    }
    say(&format!("{kept} kept, {broken} broken, {skipped} skipped"));
    if broken > 0 {
        let message = format!("{}:{} does not keep the protocol", options.host, options.first_port);
        return Err(GatError::Input(message));
    }
    Ok(())
}
