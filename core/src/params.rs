/// Defines parameters: every field with its help, its default value and, after `=>`, the JSON schema of what
/// [strangers](crate::public_schema) may set it to; without one it is not for them.
///
/// The struct has what [`AgentEntry`](crate::AgentEntry) asks of parameters, and is `Copy` unless it is declared with
/// `: Clone`. Unknown names are refused, and names are written with hyphens. The calling crate depends on `serde` and
/// `schemars`.
///
/// ```
/// oboro_core::params! {
///     /// The parameters of a search.
///     pub struct SearchParams {
///         /// Playouts per decision.
///         pub playouts: u32 = 400 => {"minimum": 1, "maximum": 50000},
///         /// Seconds after which a decision ends.
///         pub seconds: Option<f64> = None,
///     }
/// }
/// assert_eq!(SearchParams::default(), SearchParams { playouts: 400, seconds: None });
/// ```
#[macro_export]
macro_rules! params {
    (@derive [$($Copy:ident)?]
        $(#[$meta:meta])*
        $vis:vis struct $Name:ident {
            $(
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident: $Type:ty = $default:expr $(=> $limits:tt)?,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Clone,
            $($Copy,)?
            PartialEq,
            Debug,
            ::serde::Serialize,
            ::serde::Deserialize,
            ::schemars::JsonSchema,
        )]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        $vis struct $Name {
            $(
                $(#[$field_meta])*
                $(#[schemars(extend("x-public" = $limits))])?
                $field_vis $field: $Type,
            )*
        }

        impl Default for $Name {
            fn default() -> $Name {
                $Name { $($field: $default,)* }
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $Name:ident: Clone $fields:tt) => {
        $crate::params!(@derive [] $(#[$meta])* $vis struct $Name $fields);
    };
    ($(#[$meta:meta])* $vis:vis struct $Name:ident $fields:tt) => {
        $crate::params!(@derive [Copy] $(#[$meta])* $vis struct $Name $fields);
    };
}
