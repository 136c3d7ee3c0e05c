//! Throughput on one core: `cargo bench -p oboro-saboteur`. The same work as `oboro bench saboteur`.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

fn main() {
    for kernel in oboro_saboteur::kernels() {
        println!("{}", kernel.bench_line());
    }
}
