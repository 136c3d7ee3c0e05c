//! Throughput on one core: `cargo bench -p oboro-geister`. The same work as `oboro bench geister`.
#![allow(clippy::print_stdout, reason = "a benchmark prints")]

fn main() {
    for kernel in oboro_geister::kernels() {
        println!("{}", kernel.bench_line());
    }
}
