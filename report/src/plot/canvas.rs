use std::fmt::{Display, Write as _};

/// Text for XML and HTML: the characters that mean something there are named.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML has no place for control characters.
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// About how wide a text is, in units of its font size: Latin letters are half as wide as Japanese ones.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().map(|c| if (c as u32) < 0x2e80 { 0.56 } else { 1.0 }).sum()
}

/// The text cut to a width, with an ellipsis if something was cut.
pub(crate) fn fit(text: &str, width: f64) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        if text_width(&cut) + text_width("…") + 1.0 > width {
            break;
        }
        cut.push(c);
    }
    cut.push('…');
    cut
}

/// Coordinates to a tenth of a pixel: enough for the eye, short, and the same everywhere.
pub(crate) struct Pixels(pub(crate) f64);

impl Display for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = libm::round(self.0 * 10.0);
        let tenths = if tenths == 0.0 { 0.0 } else { tenths };
        if tenths % 10.0 == 0.0 {
            write!(f, "{:.0}", tenths / 10.0)
        } else {
            write!(f, "{:.1}", tenths / 10.0)
        }
    }
}

/// Where text is held.
#[derive(Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG picture in the making.
#[derive(Default)]
pub(crate) struct Canvas {
    body: String,
}

impl Canvas {
    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(Pixels);
        let _ =
            write!(self.body, r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }

    pub(crate) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64)) {
        let [x, y, w, h] = [at.0, at.1, size.0, size.1].map(Pixels);
        let _ = write!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{w}" height="{h}"/>"#
        );
    }

    pub(crate) fn circle(&mut self, class: &str, at: (f64, f64), radius: f64, title: &str) {
        let [x, y, r] = [at.0, at.1, radius].map(Pixels);
        let title = escape(title);
        let _ = write!(
            self.body,
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="{r}"><title>{title}</title></circle>"#
        );
    }

    /// A square on its corner.
    pub(crate) fn diamond(&mut self, class: &str, at: (f64, f64), radius: f64, title: &str) {
        let [left, right, top, low] =
            [at.0 - radius, at.0 + radius, at.1 - radius, at.1 + radius].map(Pixels);
        let (x, y, title) = (Pixels(at.0), Pixels(at.1), escape(title));
        let _ = write!(
            self.body,
            r#"<path class="{class}" d="M{x} {top}L{right} {y}L{x} {low}L{left} {y}Z"><title>{title}</title></path>"#
        );
    }

    pub(crate) fn path(&mut self, class: &str, points: &[(f64, f64)], close: bool) {
        let mut d = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(d, "{}{} {}", if i == 0 { 'M' } else { 'L' }, Pixels(*x), Pixels(*y));
        }
        if close {
            d.push('Z');
        }
        let _ = write!(self.body, r#"<path class="{class}" d="{d}"/>"#);
    }

    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        let [x, y] = [at.0, at.1].map(Pixels);
        let (anchor, text) = (anchor_name(anchor), escape(text));
        let _ = write!(
            self.body,
            r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    /// Text that reads upwards.
    pub(crate) fn text_up(&mut self, class: &str, at: (f64, f64), text: &str) {
        let [x, y] = [at.0, at.1].map(Pixels);
        let text = escape(text);
        let _ = write!(
            self.body,
            r#"<text class="{class}" transform="translate({x} {y}) rotate(-90)" text-anchor="middle">{text}</text>"#
        );
    }

    /// The whole picture. `style` is for one that stands alone; `top` makes room above the drawing.
    pub(crate) fn finish(self, size: (f64, f64), title: &str, style: &str) -> String {
        let [w, h] = [size.0, size.1].map(Pixels);
        let style =
            if style.is_empty() { String::new() } else { format!("<style>{style}</style>") };
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img"><title>{}</title>{style}{}</svg>"#,
            escape(title),
            self.body
        )
    }
}

fn anchor_name(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out_of_its_element() {
        assert_eq!(
            escape(r#"<script>"a" & 'b'</script>"#),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;"
        );
        assert_eq!(escape("a\u{0}b"), "a\u{fffd}b");
    }

    #[test]
    fn coordinates_are_short_and_never_minus_nought() {
        let show = |x: f64| Pixels(x).to_string();
        assert_eq!([show(1.0), show(2.25), show(-0.04), show(-3.17)], ["1", "2.3", "0", "-3.2"]);
    }

    #[test]
    fn long_labels_are_cut_to_fit() {
        assert_eq!(fit("short", 10.0), "short");
        let cut = fit("a label that is far too long", 8.0);
        assert!(cut.ends_with('…') && text_width(&cut) <= 8.0, "{cut}");
        assert_eq!(text_width("七並べ"), 3.0);
    }
}
