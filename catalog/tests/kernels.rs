//! What the kernels compute is pinned: `oboro bench` and `cargo bench` time nothing else.

#[test]
fn every_kernel_gives_its_pinned_checksum() {
    let mut changed = Vec::new();
    for game in oboro_catalog::games() {
        for kernel in game.kernels() {
            let found = (kernel.run)().checksum;
            if found != kernel.checksum {
                changed.push(format!("{}, {}: {found:#018x}", game.name(), kernel.name));
            }
        }
    }
    assert!(changed.is_empty(), "the answers changed: {changed:#?}");
}
