//! Leagues of agents and of programs that misbehave.

use oboro_gat::{GatError, LeagueStandings, play_league};
use std::fs;
use std::path::Path;

async fn try_play(file: &Path) -> (Result<LeagueStandings, GatError>, Vec<String>) {
    let mut said = Vec::new();
    let mut say = |line: &str| said.push(line.to_owned());
    let outcome = play_league(file, None, None, std::future::pending(), &mut say).await;
    (outcome, said)
}

async fn play(file: &Path) -> (LeagueStandings, Vec<String>) {
    let (outcome, said) = try_play(file).await;
    (outcome.expect("the league is played"), said)
}

/// A league file in a folder of its own; programs are shell scripts.
fn league(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("test.toml");
    fs::write(&file, text).expect("written");
    (folder, file)
}

const AGENTS: &str = r#"
games = 4
plies = 60
spacing = 0
leave = 0.1
[[player]]
name = "alpha"
agent = "random"
[[player]]
name = "beta"
agent = "random"
[[player]]
name = "gamma"
agent = "random"
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_league_that_was_cut_short_goes_on_and_ends_like_one_that_was_not() {
    let (folder, file) = league(AGENTS);
    let (whole, said) = play(&file).await;
    assert_eq!((whole.games, whole.of), (12, 12));
    assert_eq!(said.iter().filter(|line| line.starts_with("game ")).count(), 12);
    let results = folder.path().join("test");
    let games = fs::read_to_string(results.join("games.jsonl")).expect("results");
    // Killed in the middle of writing the sixth game.
    let cut = games.match_indices('\n').nth(4).expect("five games").0 + 20;
    fs::write(results.join("games.jsonl"), &games[..cut]).expect("cut");
    let (again, said) = play(&file).await;
    assert_eq!(said[0], "5 of 12 games are already there");
    assert_eq!(fs::read_to_string(results.join("games.jsonl")).expect("results"), games);
    assert_eq!(again, whole);
    // More games are played on top; other rules are another league.
    fs::write(&file, AGENTS.replace("games = 4", "games = 6")).expect("written");
    assert_eq!(play(&file).await.0.games, 18);
    fs::write(&file, AGENTS.replace("plies = 60", "plies = 61")).expect("written");
    let error = try_play(&file).await.0.expect_err("another league").to_string();
    assert!(error.contains("`plies` differs"), "{error}");
}

/// The beginning of a script that plays; it needs a connection, and bash has one built in.
const CONNECT: &str = "exec 3<>/dev/tcp/{host}/{port}; read -u 3 line;";

fn has_bash() -> bool {
    let is_there = Path::new("/bin/bash").exists();
    if !is_there {
        eprintln!("skipped: no /bin/bash");
    }
    is_there
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_starts_slowly_wins_against_those_that_never_come() {
    if !has_bash() {
        return;
    }
    // It comes long after the others have failed, and well within the time it may take.
    let text = format!(
        r#"
spacing = 0
start = 60
leave = 0.2
[[player]]
name = "slow"
command = ["/bin/bash", "-c", 'sleep 1.5; {CONNECT} printf "SET:ABCD\r\n" >&3; read -u 3 line']
[[player]]
name = "missing"
command = ["/no/such/program", "{{port}}"]
[[player]]
name = "crashing"
command = ["/bin/bash", "-c", "exit 3"]
"#
    );
    let (_folder, file) = league(&text);
    let (standings, said) = play(&file).await;
    let slow = &standings.players[0];
    assert_eq!((slow.name.as_str(), slow.score.wins), ("slow", 4), "{said:#?}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_that_crash_hang_or_cheat_lose_and_the_league_goes_on() {
    if !has_bash() {
        return;
    }
    let text = format!(
        r#"
games = 2
plies = 60
spacing = 0
budget = 0
timeout = 2
start = 60
leave = 0.2
[[player]]
name = "sound"
agent = "random"
[[player]]
name = "missing"
command = ["/no/such/program", "{{port}}"]
[[player]]
name = "crashing"
command = ["/bin/bash", "-c", "exit 3"]
[[player]]
name = "leaving"
command = ["/bin/bash", "-c", '{CONNECT} printf "SET:ABCD\r\n" >&3; read -u 3 line; exit 1']
[[player]]
name = "hanging"
command = ["/bin/bash", "-c", '{CONNECT} printf "SET:ABCD\r\n" >&3; echo placed; sleep 1000']
[[player]]
name = "cheating"
command = ["/bin/bash", "-c", '{CONNECT} printf "SET:ABCD\r\n" >&3; while read -u 3 line; do case "$line" in MOV*) printf "MOV:E,S\r\n" >&3;; esac; done']
"#
    );
    let (folder, file) = league(&text);
    let (standings, said) = play(&file).await;
    assert_eq!((standings.games, standings.of), (30, 30), "{said:#?}");
    let sound = &standings.players[0];
    assert_eq!((sound.name.as_str(), sound.score.wins), ("sound", 10), "{said:#?}");
    let faults = |name: &str| {
        let player = standings.players.iter().find(|player| player.name == name);
        player.expect("a player").faults
    };
    assert!(faults("crashing") >= 8 && faults("missing") >= 8, "{said:#?}");
    for how in ["absent", "disconnected", "out of time", "illegal"] {
        assert!(said.iter().any(|line| line.contains(how)), "{how}: {said:#?}");
    }
    let logs = folder.path().join("test/logs");
    assert!(fs::read_to_string(logs.join("hanging.log")).expect("a log").contains("placed"));
    let missing = fs::read_to_string(logs.join("missing.log")).expect("a log");
    assert!(missing.contains("cannot be started"), "{missing}");
    let table = fs::read_to_string(folder.path().join("test/table.txt")).expect("a table");
    assert!(table.contains("30 of 30 games"), "{table}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_is_given_its_input_and_environment() {
    let program = |extra: &str| {
        let script = r#"read a; read b; echo "said $a $b $MOOD"; exit 1"#;
        format!(
            "games = 2\nstart = 5\nleave = 0.1\n[[player]]\nname = \"asks\"\ncommand = [\"sh\", \"-c\", '{script}']\n{extra}\
             [[player]]\nname = \"other\"\nagent = \"random\"\n"
        )
    };
    let given = "input = \"1\\n10\\n\"\nenvironment = { MOOD = \"calm\" }\n";
    for (extra, printed) in [(given, "said 1 10 calm\n"), ("", "said   \n")] {
        let (folder, file) = league(&program(extra));
        let (table, _) = play(&file).await;
        assert_eq!(table.games, 2);
        let logs = folder.path().join("test/logs");
        let log =
            fs::read_dir(&logs).expect("logs").flatten().next().expect("one program, one log");
        assert_eq!(fs::read_to_string(log.path()).expect("its log"), printed.repeat(2));
    }
}

/// Its program starts a process that leaves its group and its session.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_program_leaves_behind_ends_with_its_game() {
    let (folder, file) = league("");
    let left = folder.path().join("left");
    let leave = format!("(setsid sh -c 'echo $$ >> {}; exec sleep 1000' &)", left.display());
    let text = format!(
        "games = 2\nstart = 2\nleave = 0.1\n[[player]]\nname = \"leaves\"\ncommand = [\"sh\", \"-c\", \"\"\"{leave}; sleep 1; exit 1\"\"\"]\n\
         [[player]]\nname = \"other\"\nagent = \"random\"\n"
    );
    fs::write(&file, text).expect("written");
    assert_eq!(play(&file).await.0.games, 2);
    let pids = fs::read_to_string(&left).expect("it was started");
    assert_eq!(pids.lines().count(), 2, "once a game");
    for pid in pids.lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid} is left running");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_agent_without_a_clock_is_warned_of() {
    let text = AGENTS.replacen("random", "mcts:201", 1).replacen("random", "mcts:3,seconds=1", 1);
    let (_folder, file) = league(&text.replace("games = 4", "games = 2"));
    let (_, said) = play(&file).await;
    let warnings = said.iter().filter(|line| line.contains("give it a clock")).count();
    assert_eq!(warnings, 1, "{said:#?}");
}
