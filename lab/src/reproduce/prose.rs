//! The little Markdown that our own prose uses: headings, paragraphs, lists, `code` and **weight**.

use super::words::Language;
use crate::plot::escape;

/// What is said of a paper before its tables, and after them.
pub(super) struct Prose {
    pub(super) before: &'static str,
    pub(super) after: &'static str,
}

macro_rules! prose {
    ($($id:literal),+) => {
        fn text(id: &str, language: Language) -> Option<&'static str> {
            match (id, language) {
                $(
                    ($id, Language::English) => Some(include_str!(concat!("../../../papers/prose/", $id, ".en.md"))),
                    ($id, Language::Japanese) => Some(include_str!(concat!("../../../papers/prose/", $id, ".ja.md"))),
                )+
                _ => None,
            }
        }
    };
}

prose!("geister-keeper-2019", "geister-gp-2022", "labyrinth-2024", "saboteur-2019", "sevens-2018");

/// Parts the prose of a paper where its tables go.
const TABLES: &str = "<!-- tables -->";

pub(super) fn prose(id: &str, language: Language) -> Option<Prose> {
    let text = text(id, language)?;
    let (before, after) = text.split_once(TABLES).unwrap_or((text, ""));
    Some(Prose { before: before.trim(), after: after.trim() })
}

/// Prose as HTML; `##` becomes a heading of the third level.
pub(super) fn to_html(text: &str) -> String {
    let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
    let html: Vec<String> = blocks
        .map(|block| {
            if let Some(heading) = block.strip_prefix("## ") {
                format!("<h3>{}</h3>\n", inline(heading))
            } else if block.starts_with("- ") {
                let items = block.split("\n- ").map(|item| item.trim_start_matches("- "));
                let items: Vec<String> =
                    items.map(|item| format!("<li>{}</li>", inline(item))).collect();
                format!("<ul>{}</ul>\n", items.concat())
            } else {
                format!("<p>{}</p>\n", inline(block))
            }
        })
        .collect();
    html.concat()
}

pub(super) fn inline(text: &str) -> String {
    let escaped = escape(&join_lines(text));
    let coded = alternate(&escaped, "`", "<code>", "</code>");
    alternate(&coded, "**", "<b>", "</b>")
}

/// Lines of a source file joined: with a space, but not between Japanese characters.
fn join_lines(text: &str) -> String {
    let mut joined = String::new();
    for line in text.lines().map(str::trim) {
        let wide = |c: Option<char>| c.is_some_and(|c| c as u32 >= 0x2e80);
        if !joined.is_empty() && !wide(joined.chars().last()) && !wide(line.chars().next()) {
            joined.push(' ');
        }
        joined.push_str(line);
    }
    joined
}

/// Every second mark opens, every other closes; one without a partner stays as it is.
fn alternate(text: &str, mark: &str, open: &str, close: &str) -> String {
    let parts: Vec<&str> = text.split(mark).collect();
    let paired = (parts.len() - 1) / 2 * 2;
    let mut out = parts[0].to_owned();
    for (i, part) in parts[1..].iter().enumerate() {
        out.push_str(if i >= paired {
            mark
        } else if i % 2 == 0 {
            open
        } else {
            close
        });
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Paper;

    #[test]
    fn the_little_markdown_becomes_html() {
        let html = to_html("## A & B\n\nOne `x<1` and\n**two**.\n\n- a\n- b\n  c");
        assert_eq!(
            html,
            "<h3>A &amp; B</h3>\n<p>One <code>x&lt;1</code> and <b>two</b>.</p>\n<ul><li>a</li><li>b c</li></ul>\n"
        );
        assert_eq!(inline("日本\n語 5 * 3 ** 2"), "日本語 5 * 3 ** 2");
    }

    #[test]
    fn every_paper_has_prose_in_both_languages_before_and_after_its_tables() {
        for paper in Paper::all() {
            let count = |text: &str| text.matches("## ").count();
            let [english, japanese] =
                Language::ALL.map(|language| prose(&paper.id, language).unwrap());
            assert_eq!(count(english.before), count(japanese.before), "{}", paper.id);
            assert_eq!(count(english.after), count(japanese.after), "{}", paper.id);
            assert!(count(english.before) >= 3 && count(english.after) >= 2, "{}", paper.id);
        }
    }
}
