//! Drawings as SVG.

use super::Drawing;
use super::escape::markup;
use super::layout::{LETTERS, Layout, Place, Sector, upright};
use super::tree::{Link, Tree};
use crate::model::{Graph, Kind, TypeId};
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;

const STYLE: &str = include_str!("svg.css");

/// The size of the letters around the picture, as a part of its radius: they can be read when the
/// whole picture fits on a screen.
const LARGE_SHARE: f64 = 1.0 / 28.0;
/// The smallest letters there, as a part of the largest.
const LARGE_ENOUGH: f64 = 0.66;
/// About the width of a letter, as a part of its size.
const LETTER: f64 = 0.6;
/// The number of points on each half of an arc at which its place is measured.
const STEPS: i32 = 16;

/// Returns a drawing of a graph as SVG, with a light and a dark mode, that loads no other files.
///
/// The global object is the large dot in the middle. The shortest property paths from the global
/// object form a radial tree. A type that no path reaches is next to its prototype, or to a type
/// that inherits from it. Functions, other objects, and kinds of primitive values have different
/// colors, and names as tooltips. Prototype edges have an empty arrow. Small dots are signatures,
/// with dashed parameter and return edges.
///
/// Property edges to primitive values are omitted. Property edges back to the parent in the tree,
/// such as `constructor`, are also omitted, since almost every type has one.
///
/// ```
/// use nubbin_graph::{Drawing, Graph, svg};
///
/// let graph = Graph::from_json(
///     r#"{ "format": "nubbin prototype graph", "version": 1,
///          "types": [{ "name": "this", "kind": "object" }], "signatures": [] }"#,
/// )?;
/// let picture = svg(&graph, Drawing { signatures: false });
/// assert!(picture.starts_with("<svg ") && picture.contains("<title>this</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn svg(graph: &Graph, drawing: Drawing) -> String {
    let tree = Tree::of(graph);
    let layout = Layout::of(graph, &tree, drawing.signatures);
    let radius = layout.places.iter().map(Place::reach).fold(0.0, f64::max);
    let mut picture = Picture {
        graph,
        tree: &tree,
        layout: &layout,
        large: (radius * LARGE_SHARE).max(LETTERS * 1.5),
        out: String::new(),
    };
    picture.draw(drawing);
    picture.out
}

/// A picture that is drawn from the back to the front.
struct Picture<'a> {
    graph: &'a Graph,
    tree: &'a Tree<'a>,
    layout: &'a Layout,
    /// The size of the largest letters.
    large: f64,
    out: String,
}

/// The name of a sector, and the arc under it.
struct SectorName {
    angle: f64,
    /// The radius of the arc.
    arc: f64,
    /// Half the angle of the arc.
    half: f64,
    /// The size of the letters.
    letters: f64,
    /// The distance of the name from the middle.
    distance: f64,
    width: f64,
}

impl Picture<'_> {
    /// Appends text. Writing to a string does not fail.
    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.out.write_fmt(text);
    }

    fn draw(&mut self, drawing: Drawing) {
        let [left, top, width, height] = self.bounds();
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"prototypes\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"{left} {top} {width} {height}\" role=\"img\" \
             aria-label=\"Prototype graph with {} types and {} signatures\">\n<style>\n{STYLE}\
             </style>\n<rect class=\"ground\" x=\"{left}\" y=\"{top}\" width=\"{width}\" \
             height=\"{height}\"/>\n",
            self.graph.types().len(),
            self.graph.signatures().len(),
        ));
        self.prototypes();
        self.properties();
        if drawing.signatures {
            self.signature_edges();
        }
        self.tree();
        self.sectors();
        self.dots(drawing);
        self.labels(false);
        self.labels(true);
        self.out.push_str("</svg>\n");
    }

    /// Returns the left and upper border, the width, and the height.
    fn bounds(&self) -> [f64; 4] {
        let (mut low, mut high) = ((-60.0_f64, -60.0_f64), (60.0_f64, 60.0_f64));
        let mut add = |(x, y): (f64, f64), room: f64| {
            low = (low.0.min(x - room), low.1.min(y - room));
            high = (high.0.max(x + room), high.1.max(y + room));
        };
        for place in &self.layout.places {
            add(polar(place.reach(), place.angle), 20.0);
            add(polar(place.inner_reach(), place.angle), 20.0);
        }
        for &end in &self.layout.signatures {
            add(end, 20.0);
        }
        for name in self
            .layout
            .sectors
            .iter()
            .filter_map(|sector| self.name(sector))
        {
            for step in -STEPS..=STEPS {
                let angle = name.angle + name.half * f64::from(step) / f64::from(STEPS);
                add(polar(name.arc, angle), 20.0);
            }
            let (x, y) = polar(name.distance, name.angle);
            let (along, across) = (name.width / 2.0, name.letters);
            let (cos, sin) = (name.angle.cos(), name.angle.sin());
            add((x - sin * along, y + cos * along), across);
            add((x + sin * along, y - cos * along), across);
        }
        let (left, top) = (low.0.floor(), low.1.floor());
        [left, top, (high.0 - left).ceil(), (high.1 - top).ceil()]
    }

    /// Returns the form in which the name of a sector is drawn, or `None` if its letters would be
    /// small.
    fn name(&self, sector: &Sector) -> Option<SectorName> {
        let chars = self.place(sector.id).label.chars().count() as f64;
        let arc = sector.reach + 12.0;
        let room = (sector.width * arc - 10.0) / (chars * LETTER);
        let letters = room.min(self.large);
        (letters >= self.large * LARGE_ENOUGH).then(|| SectorName {
            angle: sector.angle,
            arc,
            half: (sector.width / 2.0 - 3.0 / arc).min(3.1),
            letters,
            distance: arc + self.large * 0.7,
            width: chars * LETTER * letters,
        })
    }

    fn place(&self, id: TypeId) -> &Place {
        &self.layout.places[id.index()]
    }

    /// Draws edges of one class as one path, since a picture has thousands of them.
    fn path(&mut self, class: &str, path: &str) {
        if !path.is_empty() {
            self.put(format_args!("<path class=\"{class}\" d=\"{path}\"/>\n"));
        }
    }

    fn prototypes(&mut self) {
        let (mut far, mut near, mut arrows) = (String::new(), String::new(), String::new());
        for id in self.graph.ids() {
            let Some(prototype) = self.graph.type_of(id).prototype else {
                continue;
            };
            let (from, to) = (self.place(id), self.place(prototype));
            let (is_up, is_down) = (
                is_link(self.tree, prototype, id, |link| link == Link::Prototype),
                is_link(self.tree, id, prototype, |link| link == Link::Inherits),
            );
            let before = match is_up || is_down {
                true => {
                    near.push_str(&straight(at(from), at(to)));
                    at(from)
                }
                false => {
                    let (path, before) = curve(at(from), at(to));
                    far.push_str(&path);
                    before
                }
            };
            arrows.push_str(&arrow(before, to));
        }
        self.path("prototype", &far);
        self.path("near", &near);
        self.path("arrows", &arrows);
    }

    fn properties(&mut self) {
        let mut path = String::new();
        for id in self.graph.ids() {
            for (_, value) in &self.graph.type_of(id).properties {
                let kind = self.graph.type_of(*value).kind;
                let is_primitive = !matches!(kind, Kind::Object | Kind::Function);
                let any = |_: Link<'_>| true;
                let is_in_tree =
                    is_link(self.tree, *value, id, any) || is_link(self.tree, id, *value, any);
                if is_primitive || is_in_tree || *value == id {
                    continue;
                }
                path.push_str(&curve(at(self.place(id)), at(self.place(*value))).0);
            }
        }
        self.path("property", &path);
    }

    fn tree(&mut self) {
        let mut path = String::new();
        for &id in &self.tree.order {
            let branch = self.tree.branch(id);
            let (Link::Property(_), Some(parent)) = (branch.link, branch.parent) else {
                continue;
            };
            let (from, to) = (self.place(parent), self.place(id));
            if from.distance == 0.0 {
                path.push_str(&straight(at(from), at(to)));
                continue;
            }
            let middle = (from.distance + to.distance) / 2.0;
            let _ = write!(
                path,
                "M{}C{} {} {}",
                point(at(from)),
                point(polar(middle, from.angle)),
                point(polar(middle, to.angle)),
                point(at(to)),
            );
        }
        self.path("tree", &path);
    }

    fn signature_edges(&mut self) {
        let (mut own, mut parameters, mut returns) = (String::new(), String::new(), String::new());
        for id in self.graph.ids() {
            let node = self.graph.type_of(id);
            for signature in node.call.iter().chain(&node.construct) {
                let end = self.layout.signatures[signature.index()];
                own.push_str(&straight(at(self.place(id)), end));
            }
        }
        for (signature, &end) in self.graph.signatures().iter().zip(&self.layout.signatures) {
            let types = signature
                .parameters
                .iter()
                .flat_map(|parameter| &parameter.types);
            for id in signature.receiver.iter().chain(types) {
                parameters.push_str(&curve(at(self.place(*id)), end).0);
            }
            for id in &signature.returns {
                returns.push_str(&curve(end, at(self.place(*id))).0);
            }
        }
        self.path("parameter", &parameters);
        self.path("return", &returns);
        self.path("parameter", &own);
    }

    /// Draws the names of the largest sectors around the picture.
    fn sectors(&mut self) {
        let (mut arcs, mut names) = (String::new(), String::new());
        for sector in &self.layout.sectors {
            let Some(name) = self.name(sector) else {
                continue;
            };
            let (arc, letters) = (name.arc, name.letters);
            let wide = u8::from(name.half > FRAC_PI_2);
            let _ = write!(
                arcs,
                "M{}A{arc:.1} {arc:.1} 0 {wide} 1 {}",
                point(polar(arc, name.angle - name.half)),
                point(polar(arc, name.angle + name.half)),
            );
            let (angle, _) = upright(name.angle + FRAC_PI_2);
            let _ = writeln!(
                names,
                "<text transform=\"translate({}) rotate({:.1})\" font-size=\"{letters:.0}\">\
                 {}</text>",
                point(polar(name.distance, name.angle)),
                angle.to_degrees(),
                markup(&self.place(sector.id).label),
            );
        }
        self.path("sector", &arcs);
        self.put(format_args!("<g class=\"sectors\">\n{names}</g>\n"));
    }

    fn dots(&mut self, drawing: Drawing) {
        self.out.push_str("<g class=\"dots\">\n");
        if drawing.signatures {
            for &(x, y) in &self.layout.signatures {
                self.put(format_args!(
                    "<circle class=\"s\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"1.7\"/>\n"
                ));
            }
        }
        for id in self.graph.ids() {
            let node = self.graph.type_of(id);
            let class = match (id, node.kind) {
                (TypeId::GLOBAL, _) => "global",
                (_, Kind::Function) => "f",
                (_, Kind::Object) => "o",
                _ => "p",
            };
            let place = &self.layout.places[id.index()];
            self.put(format_args!(
                "<circle class=\"{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" data-type=\"{}\">\
                 <title>{}</title></circle>\n",
                place.x,
                place.y,
                place.dot,
                id.0,
                markup(&node.name),
            ));
        }
        self.out.push_str("</g>\n");
    }

    fn labels(&mut self, is_inward: bool) {
        let class = if is_inward { "inward" } else { "outward" };
        self.put(format_args!(
            "<g class=\"{class}\" font-size=\"{LETTERS}\">\n"
        ));
        for place in &self.layout.places {
            // The global object has no label: its color and its position identify it.
            if place.is_inward != is_inward || place.distance == 0.0 {
                continue;
            }
            let distance = match is_inward {
                true => place.distance - place.offset,
                false => place.distance + place.offset,
            };
            let (angle, is_turned) = upright(place.angle);
            let anchor = match is_turned != is_inward {
                true => " class=\"end\"",
                false => "",
            };
            self.put(format_args!(
                "<text transform=\"translate({}) rotate({:.1})\"{anchor}>{}</text>\n",
                point(polar(distance, place.angle)),
                angle.to_degrees(),
                markup(&place.label),
            ));
        }
        self.out.push_str("</g>\n");
    }
}

/// Returns whether a type hangs on this parent by such a link.
fn is_link(
    tree: &Tree<'_>,
    child: TypeId,
    parent: TypeId,
    is_such: impl Fn(Link<'_>) -> bool,
) -> bool {
    let branch = tree.branch(child);
    branch.parent == Some(parent) && is_such(branch.link)
}

fn at(place: &Place) -> (f64, f64) {
    (place.x, place.y)
}

fn polar(distance: f64, angle: f64) -> (f64, f64) {
    (distance * angle.cos(), distance * angle.sin())
}

/// Formats a point with few digits, since a picture has thousands of them. Without them, it is also
/// the same on machines that compute sines differently.
fn point((x, y): (f64, f64)) -> String {
    // Adding zero turns a negative zero into zero.
    let tenth = |value: f64| (value * 10.0).round() / 10.0 + 0.0;
    format!("{} {}", tenth(x), tenth(y))
}

fn straight(from: (f64, f64), to: (f64, f64)) -> String {
    format!("M{}L{}", point(from), point(to))
}

/// Returns a curve that bends to the middle of the picture, and the point that shows its direction
/// at the end.
fn curve(from: (f64, f64), to: (f64, f64)) -> (String, (f64, f64)) {
    // Edges of neighbors are straight.
    let around = from.0.hypot(from.1) + to.0.hypot(to.1);
    let apart = (from.0 - to.0).hypot(from.1 - to.1) / around.max(1.0);
    let part = (1.0 - apart.min(1.0)) / 2.0;
    let bend = ((from.0 + to.0) * part, (from.1 + to.1) * part);
    let path = format!("M{}Q{} {}", point(from), point(bend), point(to));
    (path, bend)
}

/// Returns an arrowhead at the border of a dot, for an edge that comes from there.
fn arrow(from: (f64, f64), to: &Place) -> String {
    let (x, y) = (to.x - from.0, to.y - from.1);
    let length = x.hypot(y);
    if length <= to.dot {
        return String::new();
    }
    let (x, y) = (x / length, y / length);
    let tip = (to.x - x * to.dot, to.y - y * to.dot);
    let back = (tip.0 - x * 6.0, tip.1 - y * 6.0);
    format!(
        "M{}L{} {}Z",
        point(tip),
        point((back.0 - y * 2.4, back.1 + x * 2.4)),
        point((back.0 + y * 2.4, back.1 - x * 2.4)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = r#"{"format":"nubbin prototype graph","version":1,"types":[
        {"name":"this","kind":"object","properties":[["</title><script>alert(1)</script>",1],
            ["a\u0000\"'&amp;",2],["n",3]]},
        {"name":"</title><script>alert(1)</script>","kind":"function","prototype":2,
            "properties":[["<!--",2],["-->",4],["n",3]],"call":[0,1],"construct":[0]},
        {"name":"]]>\u0001<![CDATA[","kind":"object"},
        {"name":"number","kind":"number","prototype":2},
        {"name":"\u202e\ud83d\ude00","kind":"object","prototype":1}],
        "signatures":[{"receiver":[1],"parameters":[{"types":[2,3]},{}],"returns":[4]},{},
            {"returns":[3]}]}"#;

    const BOTH: [Drawing; 2] = [Drawing { signatures: false }, Drawing { signatures: true }];

    /// Returns the names of all elements in the order of their start tags.
    ///
    /// # Panics
    /// Panics if the text is not well-formed XML of the kind that is made here.
    fn elements(text: &str) -> Vec<&str> {
        let (mut open, mut found) = (vec![], vec![]);
        let mut parts = text.split('<');
        assert_eq!(parts.next(), Some(""));
        for part in parts {
            let (tag, text) = part.split_once('>').unwrap();
            assert!(!text.contains('>'), "{text}");
            for reference in text.split('&').skip(1).chain(tag.split('&').skip(1)) {
                let (name, _) = reference.split_once(';').unwrap();
                assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "{name}");
            }
            let is_character = |c: char| c == '\n' || (c >= ' ' && c != '\u{fffe}');
            assert!(part.chars().all(is_character), "{part:?}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
                continue;
            }
            let name = tag.split([' ', '/']).next().unwrap();
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            found.push(name);
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty());
        found
    }

    fn count(found: &[&str], name: &str) -> usize {
        found.iter().filter(|other| **other == name).count()
    }

    #[test]
    fn pictures_of_hostile_names_are_well_formed() {
        let graph = Graph::from_json(HOSTILE).unwrap();
        for drawing in BOTH {
            let picture = svg(&graph, drawing);
            let found = elements(&picture);
            assert_eq!(count(&found, "svg"), 1);
            assert_eq!(count(&found, "title"), 5);
            assert_eq!(count(&found, "script"), 0);
            let signatures = if drawing.signatures { 3 } else { 0 };
            assert_eq!(count(&found, "circle"), 5 + signatures);
        }
    }

    #[test]
    fn pictures_are_deterministic() {
        for drawing in BOTH {
            let graph = || Graph::from_json(HOSTILE).unwrap();
            assert_eq!(svg(&graph(), drawing), svg(&graph(), drawing));
        }
    }

    #[test]
    fn an_empty_graph_has_a_picture() {
        for drawing in BOTH {
            assert_eq!(
                count(&elements(&svg(&Graph::default(), drawing)), "circle"),
                0
            );
        }
    }

    #[test]
    fn every_coordinate_is_a_number() {
        let mut graph = Graph::default();
        let global = graph.intern("this");
        for index in 0..2_000 {
            let id = graph.intern(&format!("this.p{index}"));
            // Every third type is a property of an earlier one.
            let parent = if index % 3 == 0 {
                TypeId(index / 3)
            } else {
                global
            };
            let key = format!("p{index}").as_str().into();
            graph.types[parent.index()].properties.push((key, id));
        }
        let picture = svg(&graph, Drawing { signatures: true });
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
        assert_eq!(count(&elements(&picture), "circle"), 2_001);
    }

    /// Returns the number after a name in a tag.
    fn number(tag: &str, name: &str) -> Option<f64> {
        let (_, after) = tag.split_once(name)?;
        let end = after.find(|c: char| !(c.is_ascii_digit() || ".-".contains(c)));
        after[..end.unwrap_or(after.len())].parse().ok()
    }

    /// Returns the corners of everything in a picture, from its text only.
    fn corners(picture: &str) -> Vec<(f64, f64)> {
        let mut found = vec![];
        for part in picture.split('<').skip(1) {
            let (tag, text) = part.split_once('>').unwrap();
            if let Some((_, turned)) = tag.split_once("translate(") {
                let (x, y) = turned.split_once(' ').unwrap();
                let at = (
                    x.parse::<f64>().unwrap(),
                    number(&format!("y{y}"), "y").unwrap(),
                );
                let angle = number(tag, "rotate(").unwrap().to_radians();
                let letters = number(tag, "font-size=\"");
                // A character reference such as `&amp;` is one letter.
                let references = text.split('&').skip(1).filter_map(|part| part.find(';'));
                let hidden: usize = references.map(|end| end + 1).sum();
                let width =
                    (text.chars().count() - hidden) as f64 * 0.5 * letters.unwrap_or(LETTERS);
                // Names of sectors are centered. Labels start or end at their position.
                let ends = match (letters, tag.contains("\"end\"")) {
                    (Some(_), _) => [-width / 2.0, width / 2.0],
                    (None, true) => [-width, 0.0],
                    (None, false) => [0.0, width],
                };
                let end = |along: f64| (at.0 + along * angle.cos(), at.1 + along * angle.sin());
                found.extend(ends.map(end));
            } else if let Some((_, path)) = tag.split_once("class=\"sector\" d=\"") {
                for arc in path.trim_end_matches(['"', '/']).split('M').skip(1) {
                    let numbers: Vec<f64> = arc
                        .split(['A', ' '])
                        .map(|number| number.parse().unwrap())
                        .collect();
                    let [x, y, radius, _, _, _, _, to_x, to_y] = numbers[..] else {
                        panic!("{arc}");
                    };
                    let from = f64::atan2(y, x);
                    let sweep = (f64::atan2(to_y, to_x) - from).rem_euclid(std::f64::consts::TAU);
                    let points = (0..=90).map(|step| from + sweep * f64::from(step) / 90.0);
                    found.extend(points.map(|angle| polar(radius, angle)));
                }
            } else if let Some(x) = number(tag, "cx=\"") {
                found.push((x, number(tag, "cy=\"").unwrap()));
            }
        }
        found
    }

    #[test]
    fn a_small_picture_is_whole() {
        let one = r#"{"format":"nubbin prototype graph","version":1,"types":[
            {"name":"this","kind":"object","properties":[["Reflect",1]]},
            {"name":"this.Reflect","kind":"object","properties":[["getPrototypeOf",2]]},
            {"name":"this.Reflect.getPrototypeOf","kind":"function","call":[0]}],
            "signatures":[{}]}"#;
        let figure = include_str!("../../tests/figure1.json");
        for graph in [one, figure, HOSTILE] {
            let graph = Graph::from_json(graph).unwrap();
            for drawing in BOTH {
                let picture = svg(&graph, drawing);
                let (_, frame) = picture.split_once("viewBox=\"").unwrap();
                let frame = frame.split_once('"').unwrap().0.split(' ');
                let frame: Vec<f64> = frame.map(|number| number.parse().unwrap()).collect();
                let [left, top, width, height] = frame[..] else {
                    panic!("{frame:?}");
                };
                for (x, y) in corners(&picture) {
                    let is_in =
                        (left..=left + width).contains(&x) && (top..=top + height).contains(&y);
                    assert!(is_in, "{x} {y} is not in {frame:?}");
                }
            }
        }
    }

    #[test]
    fn an_arrow_ends_at_the_border_of_its_dot() {
        let graph = Graph::from_json(HOSTILE).unwrap();
        let tree = Tree::of(&graph);
        let layout = Layout::of(&graph, &tree, false);
        let place = &layout.places[1];
        assert!(arrow(at(place), place).is_empty());
        let path = arrow((place.x + 100.0, place.y), place);
        let tip = point((place.x + place.dot, place.y));
        assert!(path.starts_with(&format!("M{tip}L")), "{path}");
    }
}
