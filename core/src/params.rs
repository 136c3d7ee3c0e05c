/// Defines the parameters of an agent: every field with its help and its default value.
///
/// The struct has what [`AgentEntry`](crate::AgentEntry) asks of parameters. Unknown names are refused, and names are
/// written with hyphens. The calling crate depends on `serde` and `schemars`.
///
/// ```
/// oboro_core::params! {
///     /// The parameters of a search.
///     pub struct SearchParams {
///         /// Playouts per decision.
///         pub playouts: u32 = 400,
///         /// Seconds after which a decision ends.
///         pub seconds: Option<f64> = None,
///     }
/// }
/// assert_eq!(SearchParams::default(), SearchParams { playouts: 400, seconds: None });
/// ```
#[macro_export]
macro_rules! params {
    (
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $Type:ty = $default:expr,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone,
            Copy,
            PartialEq,
            Debug,
            ::serde::Serialize,
            ::serde::Deserialize,
            ::schemars::JsonSchema,
        )]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        $vis struct $Name {
            $($(#[$field_meta])* $field_vis $field: $Type,)*
        }

        impl Default for $Name {
            fn default() -> $Name {
                $Name { $($field: $default,)* }
            }
        }
    };
}
