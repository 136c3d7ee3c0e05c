//! What the processor does well.

use std::arch::x86_64::__cpuid;
use std::sync::LazyLock;

/// Whether the processor counts bits and scatters them (`pdep`) in a few cycles.
pub(crate) fn scatters_bits() -> bool {
    static ANSWER: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && !is_before_zen_3()
    });
    *ANSWER
}

/// Those of AMD before Zen 3 (family 25) have the instruction, but it takes them hundreds of cycles.
fn is_before_zen_3() -> bool {
    let vendor = __cpuid(0);
    let version = __cpuid(1).eax;
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    matches!(name.as_flattened(), b"AuthenticAMD" | b"HygonGenuine") && family < 25
}
