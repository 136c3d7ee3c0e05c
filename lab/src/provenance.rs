use std::path::Path;
use std::process::Command;

/// The version of Oboro.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The commit of the source tree this program was built from, with `+changes` if files differ from it;
/// `unknown` where the tree is gone or git is not there.
pub fn commit() -> String {
    let tree = Path::new(env!("CARGO_MANIFEST_DIR"));
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").arg("-C").arg(tree).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changed =
        git(&["status", "--porcelain", "--untracked-files=no"]).is_none_or(|s| !s.is_empty());
    if changed { commit + "+changes" } else { commit }
}
