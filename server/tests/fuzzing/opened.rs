//! Every file that this process opens. `open` and its relatives of the C library are replaced: the Rust library and `SQLite`
//! both call them.
#![allow(unsafe_code, reason = "functions of the C library are replaced")]

use rustix::fd::{BorrowedFd, IntoRawFd as _};
use rustix::fs::{CWD, Mode, OFlags};
use std::ffi::{CStr, OsStr, c_char, c_int, c_uint};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static OPENED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The files that were opened since this was last asked.
pub(crate) fn take() -> Vec<PathBuf> {
    std::mem::take(&mut OPENED.lock().unwrap_or_else(PoisonError::into_inner))
}

unsafe extern "C" {
    fn __errno_location() -> *mut c_int;
}

/// # Safety
/// `path` is a string of C, as for the function of the C library.
unsafe fn open_at(
    folder: BorrowedFd<'_>,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    // SAFETY: the caller hands over a string of C.
    let path = unsafe { CStr::from_ptr(path) };
    let noted = Path::new(OsStr::from_bytes(path.to_bytes())).to_owned();
    OPENED.lock().unwrap_or_else(PoisonError::into_inner).push(noted);
    let flags = OFlags::from_bits_retain(flags.cast_unsigned());
    // It asks the system and not the C library, so it does not come back here.
    match rustix::fs::openat(folder, path, flags, Mode::from_bits_retain(mode)) {
        Ok(file) => file.into_raw_fd(),
        Err(error) => {
            // SAFETY: the place of this thread's error number.
            unsafe { *__errno_location() = error.raw_os_error() };
            -1
        }
    }
}

/// # Safety
/// As [`open_at`]. The function of the C library takes `mode` only where a file is made; elsewhere it is any number,
/// which the system does not read.
#[unsafe(no_mangle)]
unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: as said above.
    unsafe { open_at(CWD, path, flags, mode) }
}

/// # Safety
/// As [`open`].
#[unsafe(no_mangle)]
unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: as said above.
    unsafe { open_at(CWD, path, flags, mode) }
}

/// # Safety
/// As [`open`], and `folder` is an open folder or the number that stands for the current one.
#[unsafe(no_mangle)]
unsafe extern "C" fn openat64(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    // SAFETY: as said above.
    unsafe { open_at(BorrowedFd::borrow_raw(folder), path, flags, mode) }
}

/// # Safety
/// As [`openat64`].
#[unsafe(no_mangle)]
unsafe extern "C" fn openat(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    // SAFETY: as said above.
    unsafe { open_at(BorrowedFd::borrow_raw(folder), path, flags, mode) }
}
