//! Programs of the shell, and whether their processes live.

use std::path::Path;

/// A program of the shell: says hello, and answers its turn with `turn` (which may be a command).
pub(crate) fn script(turn: &str) -> String {
    format!(
        "while read -r line; do case \"$line\" in \
         (*'\"type\":\"hello\"'*) echo '{{\"type\":\"hello\",\"protocol\":1}}';; \
         (*'\"type\":\"turn\"'*) {turn};; esac; done"
    )
}

/// Whether a process lives: it is there and is more than its parent's memory of it. (Its command
/// line would not tell: a process has none for a moment while it becomes another program.)
pub(crate) fn lives(pid_file: &Path) -> bool {
    let pid = std::fs::read_to_string(pid_file).expect("it has started");
    std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).is_ok_and(|stat| {
        !stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with(['Z', 'X']))
    })
}
