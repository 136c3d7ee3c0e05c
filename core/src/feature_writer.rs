/// Writes the features of an encoding one after the other.
///
/// ```
/// use oboro_core::FeatureWriter;
/// let mut features = [0; 3];
/// let mut out = FeatureWriter::new(&mut features);
/// out.put(true);
/// out.put_all([5, 7]);
/// out.finish();
/// assert_eq!(features, [1, 5, 7]);
/// ```
#[derive(Debug)]
pub struct FeatureWriter<'a> {
    rest: std::slice::IterMut<'a, u8>,
}

impl<'a> FeatureWriter<'a> {
    /// Begins with the first feature.
    pub fn new(features: &'a mut [u8]) -> FeatureWriter<'a> {
        FeatureWriter { rest: features.iter_mut() }
    }

    /// Writes the next feature.
    ///
    /// # Panics
    /// If the layout has no more.
    #[inline]
    pub fn put(&mut self, value: impl Into<u8>) {
        *self.rest.next().expect("the layout has a place for each feature") = value.into();
    }

    /// Writes the next features.
    ///
    /// # Panics
    /// If the layout does not have so many more.
    #[inline]
    pub fn put_all(&mut self, values: impl IntoIterator<Item = impl Into<u8>>) {
        values.into_iter().for_each(|value| self.put(value));
    }

    /// Ends with the last feature.
    ///
    /// # Panics
    /// In debug builds, if the layout has more.
    pub fn finish(mut self) {
        debug_assert!(self.rest.next().is_none(), "a feature for each place of the layout");
    }
}
