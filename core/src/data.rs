/// Defines plain data: structures and enumerations with what scenes and parameters ask of them. In JSON, names are written
/// with hyphens. Those after `Copy;` are copied freely. The calling crate depends on `serde` and `schemars`.
///
/// ```
/// oboro_core::data! {
///     /// A place.
///     pub struct Place {
///         /// Its column.
///         pub column_number: u8,
///     }
/// }
/// oboro_core::data! { Copy;
///     /// A choice among equals.
///     pub enum Ties {
///         /// The first.
///         First,
///         /// Any of them.
///         AnyOfThem,
///     }
/// }
/// oboro_core::params! {
///     struct Options {
///         ties: Ties = Ties::First,
///     }
/// }
/// assert_eq!(Place { column_number: 1 }, Place { column_number: 1 }.clone());
/// let read = oboro_core::from_pairs::<Options>("", &[(Some("ties".into()), "any-of-them".into())], &[]);
/// assert_eq!(read.map(|options| options.ties), Ok(Ties::AnyOfThem));
/// ```
#[macro_export]
macro_rules! data {
    (Copy; $($(#[$meta:meta])* $vis:vis $kind:ident $Name:ident $body:tt)*) => {
        $crate::data! { $(#[derive(Copy)] $(#[$meta])* $vis $kind $Name $body)* }
    };
    ($($(#[$meta:meta])* $vis:vis $kind:ident $Name:ident $body:tt)*) => {
        $(
            #[derive(
                Clone,
                PartialEq,
                Eq,
                Debug,
                ::serde::Serialize,
                ::serde::Deserialize,
                ::schemars::JsonSchema,
            )]
            #[serde(rename_all = "kebab-case")]
            $(#[$meta])*
            $vis $kind $Name $body
        )*
    };
}
