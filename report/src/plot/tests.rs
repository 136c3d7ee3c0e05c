use super::*;

fn charts() -> Vec<Chart> {
    let chart =
        |marks| Chart { title: "A < B & C".into(), x: "turns".into(), y: "games".into(), marks };
    let interval = Some(Interval { low: 0.8, high: 1.2 });
    let dot =
        |label: &str| Dot { label: label.into(), ours: Some(1.0), interval, published: Some(1.1) };
    let line = |label: &str, y: f64| Line {
        label: label.into(),
        points: vec![(0.0, y, interval), (1.0, y + 0.1, interval), (50.0, y - 0.3, None)],
    };
    vec![
        chart(Marks::Histogram { counts: vec![(3.0, 4), (5.0, 1), (19.0, 2)] }),
        chart(Marks::Histogram { counts: vec![(0.25, 4), (0.75, 1)] }),
        chart(Marks::Histogram { counts: vec![] }),
        chart(Marks::Scatter { points: vec![(17.0, 2.0, 3), (22.0, 5.0, 1)] }),
        chart(Marks::Scatter { points: vec![] }),
        chart(Marks::Dots { rows: vec![dot("random"), dot("規則"), dot("<eval>")] }),
        chart(Marks::Dots {
            rows: vec![dot("a label that is much too long to stand beside its line")],
        }),
        chart(Marks::Dots { rows: vec![] }),
        chart(Marks::Lines { lines: vec![line("one", 0.9), line("two", 1.0)], logarithmic: false }),
        chart(Marks::Lines { lines: vec![], logarithmic: true }),
        chart(Marks::Lines { lines: vec![line("has a nought", 0.9)], logarithmic: true }),
        chart(Marks::Lines {
            lines: vec![Line {
                label: "one".into(),
                points: vec![(50.0, 1.0, None), (4e3, 1.1, None)],
            }],
            logarithmic: true,
        }),
    ]
}

/// All numbers of an attribute, in order.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    svg.split(&format!(" {attribute}=\""))
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn equal_charts_give_equal_text_without_nan() {
    for (one, other) in charts().iter().zip(charts()) {
        for frame in [Frame::Alone, Frame::Page] {
            let svg = one.svg(frame);
            assert_eq!(svg, other.svg(frame));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}

#[test]
fn nothing_is_drawn_outside_the_picture() {
    for chart in charts() {
        let svg = chart.svg(Frame::Alone);
        let (width, height) = (numbers(&svg, "width")[0], numbers(&svg, "height")[0]);
        for (names, most) in [(["x", "x1", "x2", "cx"], width), (["y", "y1", "y2", "cy"], height)] {
            for name in names {
                for value in numbers(&svg, name) {
                    assert!((0.0..=most).contains(&value), "{name}={value} in {svg}");
                }
            }
        }
    }
}

#[test]
fn a_chart_alone_has_its_title_and_style_and_one_in_a_page_has_not() {
    let chart = &charts()[0];
    let (alone, page) = (chart.svg(Frame::Alone), chart.svg(Frame::Page));
    assert!(
        alone.contains("prefers-color-scheme:dark") && alone.contains(">A &lt; B &amp; C</text>")
    );
    assert!(!page.contains("<style>") && !page.contains("</text><text class=\"p-h\""));
    assert!(page.contains("<title>A &lt; B &amp; C</title>"));
}

#[test]
fn columns_are_as_tall_as_their_counts() {
    let svg = charts()[0].svg(Frame::Page);
    let heights = &numbers(&svg, "height")[1..];
    assert_eq!(heights.len(), 3);
    assert!(
        (heights[0] / heights[1] - 4.0).abs() < 0.05
            && (heights[2] / heights[1] - 2.0).abs() < 0.05
    );
}

#[test]
fn what_is_never_below_nought_has_no_axis_there() {
    let svg = |least: f64| {
        let dot =
            |ours| Dot { label: "a".into(), ours: Some(ours), interval: None, published: None };
        let rows = vec![dot(least), dot(0.5)];
        let marks = Marks::Dots { rows };
        Chart { title: String::new(), x: String::new(), y: String::new(), marks }.svg(Frame::Alone)
    };
    assert!(!svg(0.001).contains('−') && svg(0.001).contains(">0.0<"), "{}", svg(0.001));
    assert!(svg(-0.001).contains('−'));
}
