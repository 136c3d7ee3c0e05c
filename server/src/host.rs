//! The secret of whoever runs the server: with it events are set up, begun and ended.

use crate::key::random_text;
use crate::store::StoreError;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

/// The file of a data folder that holds it. It is not in the database, and so in no backup of it.
const FILE: &str = "host.key";

/// A new secret for a host.
pub fn new_host_key() -> String {
    random_text(24)
}

/// The secret of the host of a data folder, made if there is none yet; only the owner of the file can read it.
///
/// # Errors
/// If it cannot be read or written, or is none.
pub fn host_key(folder: &Path) -> Result<String, StoreError> {
    let path = folder.join(FILE);
    let at = |error| StoreError::io(&path, error);
    if !path.exists() {
        std::fs::create_dir_all(folder).map_err(at)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(at)?;
        file.write_all(new_host_key().as_bytes()).and_then(|()| file.sync_all()).map_err(at)?;
    }
    let key = std::fs::read_to_string(&path).map_err(at)?.trim().to_owned();
    if key.len() < 20 {
        let short = "no secret of 20 letters or more: remove the file, and a new one is made";
        return Err(at(std::io::Error::new(std::io::ErrorKind::InvalidData, short)));
    }
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_host_whose_secret_only_its_owner_reads() {
        let folder = tempfile::tempdir().unwrap();
        let key = host_key(folder.path()).unwrap();
        assert_eq!((host_key(folder.path()).unwrap(), key.len()), (key.clone(), 24));
        assert_ne!(host_key(tempfile::tempdir().unwrap().path()).unwrap(), key);
        let path = folder.path().join(FILE);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        std::fs::write(&path, "").unwrap();
        assert!(host_key(folder.path()).unwrap_err().to_string().contains("host.key"));
    }
}
