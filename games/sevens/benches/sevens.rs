//! Throughput on one core: `cargo bench -p oboro-sevens`. The same work as `oboro bench sevens`.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

fn main() {
    for kernel in oboro_sevens::kernels() {
        println!("{}", kernel.bench_line());
    }
}
