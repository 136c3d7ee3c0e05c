use serde::Deserialize;
use std::collections::BTreeMap;

/// Why a net cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    /// The bytes are no file of named arrays.
    #[error("no file of named arrays: {0}")]
    Format(String),
    /// An array is missing.
    #[error("there is no array `{0}`")]
    Missing(String),
    /// An array has another shape than the net needs.
    #[error("array `{name}` has shape {found:?}; it should be {wanted:?}")]
    Shape {
        /// Which.
        name: String,
        /// Its shape.
        found: Vec<usize>,
        /// What would be right.
        wanted: Vec<usize>,
    },
    /// An array holds something that is no number.
    #[error("array `{0}` holds a value that is not finite")]
    NotFinite(String),
    /// An array has no values.
    #[error("array `{0}` is empty")]
    Empty(String),
    /// Weights are too large for integers.
    #[error("layer `{0}` has weights or biases that are too large")]
    TooLarge(String),
}

/// A named array.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tensor {
    /// Its extent in each dimension.
    shape: Vec<usize>,
    /// Its values, the last dimension running fastest.
    pub(crate) values: Vec<f32>,
}

/// Named arrays, and what is said about them.
///
/// ```
/// use oboro_nets::Tensors;
///
/// let header = r#"{"bias": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}"#;
/// let mut file = (header.len() as u64).to_le_bytes().to_vec();
/// file.extend(header.as_bytes());
/// file.extend([1.5_f32, -2.0].iter().flat_map(|value| value.to_le_bytes()));
///
/// let tensors = Tensors::read(&file)?;
/// assert_eq!(tensors.get("bias", &[2])?, [1.5, -2.0]);
/// assert_eq!(tensors.get("bias", &[1, 2]).unwrap_err().to_string(), "array `bias` has shape [2]; it should be [1, 2]");
/// # Ok::<(), oboro_nets::NetError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tensors {
    arrays: BTreeMap<String, Tensor>,
    about: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// No header is longer; a length that claims more is nonsense.
const LONGEST_HEADER: u64 = 1 << 20;

impl Tensors {
    /// Reads the safetensors format: a length, a JSON header, the bytes. Values are half or single precision.
    ///
    /// # Errors
    /// If the bytes are anything else.
    pub fn read(bytes: &[u8]) -> Result<Tensors, NetError> {
        let fault = |message: &str| NetError::Format(message.to_owned());
        let (length, rest) = bytes.split_first_chunk().ok_or_else(|| fault("it is too short"))?;
        let length = u64::from_le_bytes(*length);
        if length > LONGEST_HEADER || length > rest.len() as u64 {
            return Err(fault("its header is longer than the file"));
        }
        let (header, data) = rest.split_at(length as usize);
        let header: BTreeMap<String, serde_json::Value> = serde_json::from_slice(header)
            .map_err(|error| NetError::Format(format!("header: {error}")))?;
        let mut read = Tensors::default();
        let mut left = data.len();
        for (name, value) in header {
            let entry = |error: serde_json::Error| NetError::Format(format!("`{name}`: {error}"));
            if name == "__metadata__" {
                read.about = serde_json::from_value(value).map_err(entry)?;
            } else {
                let parsed: Entry = serde_json::from_value(value).map_err(entry)?;
                let tensor = Tensor::read(&name, &parsed, data)?;
                // Arrays that share bytes would take more memory than the file.
                let [from, to] = parsed.data_offsets;
                left = left.checked_sub(to - from).ok_or_else(|| fault("its arrays overlap"))?;
                read.arrays.insert(name, tensor);
            }
        }
        Ok(read)
    }

    /// An array of this shape.
    ///
    /// # Errors
    /// If it is missing or has another shape.
    pub fn get(&self, name: &str, shape: &[usize]) -> Result<&[f32], NetError> {
        let tensor = self.any(name)?;
        if tensor.shape == shape {
            return Ok(&tensor.values);
        }
        Err(NetError::Shape {
            name: name.to_owned(),
            found: tensor.shape.clone(),
            wanted: shape.to_vec(),
        })
    }

    /// An array of whatever shape.
    pub(crate) fn any(&self, name: &str) -> Result<&Tensor, NetError> {
        self.arrays.get(name).ok_or_else(|| NetError::Missing(name.to_owned()))
    }

    /// How many values a list has, at least one: as many as its layer has outputs.
    pub(crate) fn width(&self, name: &str) -> Result<usize, NetError> {
        match self.any(name)?.values.len() {
            0 => Err(NetError::Empty(name.to_owned())),
            width => Ok(width),
        }
    }

    /// What is said about the arrays: how they were made.
    pub fn about(&self) -> &BTreeMap<String, String> {
        &self.about
    }

    /// How many arrays have a name that ends so: one for each layer of a kind.
    pub(crate) fn count(&self, ending: &str) -> usize {
        self.arrays.keys().filter(|name| name.ends_with(ending)).count()
    }
}

impl Tensor {
    fn read(name: &str, entry: &Entry, data: &[u8]) -> Result<Tensor, NetError> {
        let fault = |message: &str| NetError::Format(format!("`{name}`: {message}"));
        let [from, to] = entry.data_offsets;
        let bytes = data.get(from..to).ok_or_else(|| fault("its bytes lie outside the file"))?;
        let values: Vec<f32> = match entry.dtype.as_str() {
            "F32" => {
                let words = bytes.as_chunks().0;
                words.iter().map(|word| f32::from_le_bytes(*word)).collect()
            }
            "F16" => {
                let words = bytes.as_chunks().0;
                words.iter().map(|word| half(u16::from_le_bytes(*word))).collect()
            }
            other => return Err(fault(&format!("values of kind {other} are not read"))),
        };
        let wanted = entry.shape.iter().try_fold(1_usize, |size, &n| size.checked_mul(n));
        if wanted != Some(values.len()) {
            return Err(fault("its shape does not match its bytes"));
        }
        if values.iter().any(|value| !value.is_finite()) {
            return Err(NetError::NotFinite(name.to_owned()));
        }
        Ok(Tensor { shape: entry.shape.clone(), values })
    }
}

/// A number of half precision.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    // Powers of two are exact.
    match exponent {
        0 => sign * fraction * 2.0_f32.powi(-24),
        31 => f32::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2.0_f32.powi(exponent - 15),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn halves_are_read() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x0000, 0.0),
        ] {
            assert_eq!(half(bits).to_bits(), f32::to_bits(value), "{bits:x}");
        }
    }

    #[test]
    fn arrays_are_read_by_name() {
        let header = r#"{"__metadata__":{"made":"by hand"},"a":{"dtype":"F16","shape":[1,2],"data_offsets":[0,4]}}"#;
        let tensors = Tensors::read(&file(header, &[0, 0x3c, 0, 0xc0])).unwrap();
        assert_eq!(tensors.get("a", &[1, 2]).unwrap(), [1.0, -2.0]);
        assert_eq!(tensors.about()["made"], "by hand");
        assert_eq!(tensors.arrays.len(), 1);
        let other = tensors.get("a", &[2]).unwrap_err().to_string();
        assert_eq!(other, "array `a` has shape [1, 2]; it should be [2]");
        assert_eq!(tensors.any("b").unwrap_err().to_string(), "there is no array `b`");
    }

    #[test]
    fn what_is_no_net_is_refused() {
        let entry = |entry: &str| format!(r#"{{"a":{entry}}}"#);
        for (bytes, message) in [
            (vec![1, 2], "too short"),
            (vec![255; 20], "longer than the file"),
            (file("[]", &[]), "header"),
            (file(&entry(r#"{"dtype":"F32"}"#), &[]), "missing field"),
            (file(&entry(r#"{"dtype":"F64","shape":[],"data_offsets":[0,0]}"#), &[]), "F64"),
            (
                file(&entry(r#"{"dtype":"F32","shape":[1],"data_offsets":[0,9]}"#), &[0; 4]),
                "outside",
            ),
            (file(&entry(r#"{"dtype":"F32","shape":[9],"data_offsets":[0,4]}"#), &[0; 4]), "shape"),
            (
                file(
                    &entry(
                        r#"{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}"#,
                    ),
                    &[],
                ),
                "shape",
            ),
            (
                file(&entry(r#"{"dtype":"F16","shape":[1],"data_offsets":[0,2]}"#), &[0, 0x7c]),
                "not finite",
            ),
            (
                file(
                    r#"{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},"b":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}"#,
                    &[0, 0],
                ),
                "overlap",
            ),
        ] {
            let error = Tensors::read(&bytes).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
