use indicatif::{ProgressBar, ProgressStyle};
use oboro_lab::Progress;

/// A progress bar with speed and time left on a terminal, nothing elsewhere.
pub(crate) fn bar(label: &str, games: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{prefix} {bar:30} {pos}/{len} games, {per_sec}, {eta} left {msg}",
    )
    .expect("the template is fixed");
    // indicatif draws on standard error and hides itself when that is no terminal.
    ProgressBar::new(games).with_style(style).with_prefix(label.to_owned())
}

/// Shows the progress of a run on a bar.
pub(crate) fn on(bar: &ProgressBar) -> impl FnMut(Progress<'_>) {
    |progress| match progress {
        Progress::Match { name, done } => {
            // What was played before says nothing about the speed.
            bar.inc(done);
            bar.reset_eta();
            bar.set_message(name.to_owned());
        }
        Progress::Game => bar.inc(1),
    }
}
