use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar with speed and time left on a terminal, nothing elsewhere.
pub(crate) fn bar(label: &str, games: u64, done: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix} {bar:30} {pos}/{len} games, {per_sec}, {eta} left {msg}",
    )
    .expect("the template is fixed");
    // indicatif draws on standard error and hides itself when that is no terminal.
    let bar = ProgressBar::new(games).with_style(style).with_prefix(label.to_owned());
    bar.set_position(done);
    bar.reset_eta();
    bar
}
