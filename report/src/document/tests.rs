use super::*;

fn inline_html(text: &str) -> String {
    let mut document = Document::new("t");
    document.blocks = Block::prose(text);
    let html = document.to_html();
    let main = html.split("<main>\n").nth(1).unwrap();
    main.split("</main>").next().unwrap().to_owned()
}

#[test]
fn the_little_markdown_becomes_html() {
    let html = inline_html("## A & B\n\nOne `x<1` and\n**two**.\n\n- a\n- b\n  c");
    assert_eq!(
        html,
        "<h3>A &amp; B</h3>\n<p>One <code>x&lt;1</code> and <b>two</b>.</p>\n<ul><li>a</li><li>b c</li></ul>\n"
    );
    assert_eq!(inline_html("日本\n語 5 * 3 ** 2"), "<p>日本語 5 * 3 ** 2</p>\n");
    assert_eq!(inline_html("a `b"), "<p>a `b</p>\n");
}

fn table() -> Document {
    let mut table = Table::new(
        TableKind::Compared,
        [("", ColumnKind::Words), ("ours", ColumnKind::Number), ("verdict", ColumnKind::Words)],
    );
    table.push(
        RowKind::First,
        [Cell::from("a|b <c>"), "-1.5".into(), Cell::about(Emphasis::Good, "agrees")],
    );
    table.push(RowKind::Remark, ["", "Welch's t", "p < 0.01"]);
    let mut document = Document::new("t");
    document.push(Block::Table(table));
    document
}

#[test]
fn a_table_is_the_same_in_all_three_prints() {
    let html = table().to_html();
    assert!(
        html.contains(
            "<tr class=\"row\"><td>a|b &lt;c&gt;</td><td class=\"n\">−1.5</td><td class=\"agrees\">✓ agrees</td></tr>"
        ),
        "{html}"
    );
    assert!(html.contains("<td colspan=\"2\">Welch&#39;s t: p &lt; 0.01</td>"), "{html}");
    let markdown = table().to_markdown();
    let lines: Vec<&str> = markdown.lines().skip(2).collect();
    let expected = [
        r"|           |      ours | verdict  |",
        r"|-----------|----------:|----------|",
        r"| a\|b \<c> |      -1.5 | agrees   |",
        r"|           | Welch's t | p < 0.01 |",
    ];
    assert_eq!(lines, expected, "{markdown}");
    let text = table().to_text();
    assert!(text.contains("a|b <c>") && text.contains("-1.5") && text.contains('│'), "{text}");
}

#[test]
fn pictures_are_found_wherever_they_stand() {
    let figure = |file: &str| Figure { chart: None, file: file.into(), caption: Text::default() };
    let mut document = Document::new("t");
    document.push(Block::Figure(figure("one")));
    document.push(Block::Details("more".into(), vec![Block::Gallery(vec![figure("two")])]));
    let files: Vec<&str> = document.figures().iter().map(|figure| figure.file.as_str()).collect();
    assert_eq!(files, ["one", "two"]);
}
