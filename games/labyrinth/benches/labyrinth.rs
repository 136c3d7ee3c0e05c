//! Speed on one core: `cargo bench -p oboro-labyrinth`. The same work as `oboro bench labyrinth`.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

fn main() {
    for kernel in oboro_labyrinth::kernels() {
        println!("{}", kernel.bench_line());
    }
}
