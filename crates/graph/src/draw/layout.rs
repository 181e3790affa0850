//! The positions of the nodes of a graph in a picture.
//!
//! The tree is radial: the global object is in the middle, and a type at depth *d* is on ring *d*.
//! Children of the global object without children of their own are on a ring inside all others. A
//! subtree has a sector, and the rings are so large that each leaf has room for a line of text.

use super::tree::{Link, Tree};
use crate::model::{Graph, Kind, SignatureId, TypeId};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// The height of a label with the space to the next one.
const LINE: f64 = 11.0;
/// The size of the letters of a label.
pub(super) const LETTERS: f64 = 9.5;
/// The distance between signatures of a type.
const STEP: f64 = 4.2;
/// The maximum number of characters of a label.
const LONGEST: usize = 26;
/// The maximum number of characters of a label between two rings.
const LONGEST_INNER: usize = 18;

/// The size of the first ring, as a part of the second.
const FIRST: f64 = 0.6;

/// The position of a type in the picture.
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    /// The direction from the middle.
    pub(super) angle: f64,
    /// The distance from the middle.
    pub(super) distance: f64,
    /// The radius of the dot.
    pub(super) dot: f64,
    pub(super) label: String,
    /// Whether the label is between the dot and the middle. There, only one edge of the tree runs.
    pub(super) is_inward: bool,
    /// The distance from the middle of the dot to the label.
    pub(super) offset: f64,
}

/// The sector of a child of the global object.
pub(super) struct Sector {
    pub(super) id: TypeId,
    pub(super) angle: f64,
    pub(super) width: f64,
    /// The distance from the middle beyond the last label.
    pub(super) reach: f64,
}

/// The positions of all nodes.
pub(super) struct Layout {
    /// The positions of the types, by the indices of the types.
    pub(super) places: Vec<Place>,
    /// The positions of the signatures, by the indices of the signatures.
    pub(super) signatures: Vec<(f64, f64)>,
    /// The sectors of the children of the global object that have children.
    pub(super) sectors: Vec<Sector>,
}

/// A type before it has a place.
struct Node {
    leaves: usize,
    label: String,
    /// The length of the row of its signatures.
    row: f64,
    span: f64,
    angle: f64,
    distance: f64,
}

impl Layout {
    /// Places the nodes of a graph.
    pub(super) fn of(graph: &Graph, tree: &Tree<'_>, has_signatures: bool) -> Self {
        let owned = own_signatures(graph);
        let mut nodes: Vec<Node> = graph
            .ids()
            .map(|id| Node {
                leaves: 1,
                label: label(graph, tree, id),
                row: match has_signatures {
                    true => owned[id.index()].len().div_ceil(2) as f64 * STEP,
                    false => 0.0,
                },
                span: 0.0,
                angle: -FRAC_PI_2,
                distance: 0.0,
            })
            .collect();
        for &id in tree.order.iter().rev() {
            let children = &tree.branch(id).children;
            let leaves = children
                .iter()
                .map(|child| nodes[child.index()].leaves)
                .sum();
            nodes[id.index()].leaves = 1.max(leaves);
        }
        let mut sectors = place_rings(tree, &mut nodes);
        let places: Vec<Place> = nodes.into_iter().zip(graph.ids()).map(place).collect();
        set_reach(tree, &places, &mut sectors);
        let signatures = match has_signatures {
            true => place_signatures(graph, &owned, &places),
            false => vec![],
        };
        Layout {
            places,
            signatures,
            sectors,
        }
    }
}

impl Place {
    /// Returns the distance from the middle to the end of the signatures and the label.
    pub(super) fn reach(&self) -> f64 {
        let label = if self.is_inward {
            0.0
        } else {
            width(&self.label)
        };
        self.distance + self.offset + label
    }

    /// Returns the distance from the middle to the inner end of the label, below 0 where that is
    /// beyond the middle.
    pub(super) fn inner_reach(&self) -> f64 {
        let label = if self.is_inward {
            self.offset + width(&self.label)
        } else {
            0.0
        };
        self.distance - label
    }
}

/// Returns the signatures of each type. A signature of several types is at the first.
fn own_signatures(graph: &Graph) -> Vec<Vec<SignatureId>> {
    let mut has = vec![false; graph.signatures().len()];
    let mut owned = vec![vec![]; graph.types().len()];
    for id in graph.ids() {
        let node = graph.type_of(id);
        for &signature in node.call.iter().chain(&node.construct) {
            if !std::mem::replace(&mut has[signature.index()], true) {
                owned[id.index()].push(signature);
            }
        }
    }
    owned
}

/// Returns the label of a type: the key of the property that leads to it, or the part of its name
/// that the name of its parent does not have.
fn label(graph: &Graph, tree: &Tree<'_>, id: TypeId) -> String {
    let node = graph.type_of(id);
    let branch = tree.branch(id);
    let text = match (branch.link, branch.parent) {
        // Properties of many objects can have this type as a value, so a property does not name it.
        _ if !matches!(node.kind, Kind::Object | Kind::Function) => node.name.as_str(),
        (Link::Property(key), _) => key.as_str(),
        (_, Some(parent)) => {
            let rest = node.name.strip_prefix(&graph.type_of(parent).name);
            rest.filter(|rest| !rest.is_empty()).unwrap_or(&node.name)
        }
        _ => &node.name,
    };
    let longest = match branch.children.is_empty() {
        true => LONGEST,
        false => LONGEST_INNER,
    };
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some(_) => {
            let kept: String = text.chars().take(longest - 1).collect();
            kept + "…"
        }
    }
}

/// Returns about how wide a label is. Fonts differ.
fn width(text: &str) -> f64 {
    let width = |character: char| if character.is_ascii() { 0.56 } else { 1.0 };
    text.chars().map(width).sum::<f64>() * LETTERS
}

/// Gives each type a direction and a distance, and returns the sectors.
fn place_rings(tree: &Tree<'_>, nodes: &mut [Node]) -> Vec<Sector> {
    let Some(root) = tree.order.first() else {
        return vec![];
    };
    let children = tree.branch(*root).children.iter().copied();
    let (leaves, branches): (Vec<TypeId>, Vec<TypeId>) =
        children.partition(|child| tree.branch(*child).children.is_empty());

    let longest = leaves.iter().map(|leaf| &nodes[leaf.index()]);
    let longest = longest
        .map(|node| node.row + width(&node.label))
        .fold(0.0, f64::max);
    let inner = (leaves.len() as f64 * LINE / TAU).max(70.0);
    let mut rings = Rings::new(tree, nodes, inner + longest);
    let scale = TAU / rings.fit(tree, &branches, nodes).max(1e-9);

    // The ring of the leaves uses all available space.
    let first = rings.distances.get(1);
    let room = first.map_or(inner, |first| first - rings.gaps[1] - longest);
    for (index, leaf) in leaves.iter().enumerate() {
        let node = &mut nodes[leaf.index()];
        node.distance = inner.max(room * FIRST);
        node.angle = index as f64 / leaves.len() as f64 * TAU - FRAC_PI_2;
    }
    let sectors = place_branches(&branches, nodes, &rings, scale);
    for &id in tree.order.iter().skip(1) {
        let branch = tree.branch(id);
        let children = &branch.children;
        let inside: f64 = children.iter().map(|child| nodes[child.index()].span).sum();
        let mut next = nodes[id.index()].angle - inside * scale / 2.0;
        for child in children {
            let node = &mut nodes[child.index()];
            node.angle = next + node.span * scale / 2.0;
            node.distance = rings.distances[branch.depth + 1];
            next += node.span * scale;
        }
    }
    sectors
}

/// Gives the types with children that the root has their sectors.
fn place_branches(
    branches: &[TypeId],
    nodes: &mut [Node],
    rings: &Rings,
    scale: f64,
) -> Vec<Sector> {
    let mut sectors = vec![];
    let mut next = -FRAC_PI_2;
    for &id in branches {
        let node = &mut nodes[id.index()];
        let width = node.span * scale;
        node.angle = next + width / 2.0;
        node.distance = rings.distances[1];
        next += width;
        sectors.push(Sector {
            id,
            angle: node.angle,
            width,
            reach: 0.0,
        });
    }
    sectors
}

/// The rings on which types of the same depth are.
struct Rings {
    /// The distances from the middle, by depth.
    distances: Vec<f64>,
    /// The room before each ring, by depth.
    gaps: Vec<f64>,
    /// The least distance of the first ring.
    least: f64,
}

impl Rings {
    /// Returns rings without distances. The labels of the leaves end at the distance `leaves`.
    ///
    /// The labels of types with children are inward and need room between the rings. Those of
    /// leaves run outward in sectors where nothing else is.
    fn new(tree: &Tree<'_>, nodes: &[Node], leaves: f64) -> Self {
        let depths = tree.order.iter().map(|id| tree.branch(*id).depth);
        let depths = depths.max().unwrap_or(0);
        let mut gaps = vec![70.0_f64; depths + 1];
        for &id in &tree.order {
            let branch = tree.branch(id);
            if branch.depth > 0 && !branch.children.is_empty() {
                let node = &nodes[id.index()];
                let room = width(&node.label) + 36.0;
                gaps[branch.depth] = gaps[branch.depth].max(room);
                if let Some(next) = gaps.get_mut(branch.depth + 1) {
                    *next = next.max(node.row + 60.0);
                }
            }
        }
        // The first ring has few types, so it may be nearer to the center than its labels require.
        let least = leaves + gaps.get(1).copied().unwrap_or(0.0);
        Rings {
            distances: vec![0.0; depths + 1],
            gaps,
            least,
        }
    }

    /// Gives the rings the least distances at which all types find room, and returns the sum of
    /// the angles that the types need.
    fn fit(&mut self, tree: &Tree<'_>, branches: &[TypeId], nodes: &mut [Node]) -> f64 {
        let mut high = self.least + self.gaps.get(2).copied().unwrap_or(0.0);
        let lowest = high;
        self.set(high);
        while self.spans(tree, branches, nodes) > TAU {
            high *= 2.0;
            self.set(high);
        }
        if high > lowest {
            let mut low = high / 2.0;
            for _ in 0..20 {
                let middle = (low + high) / 2.0;
                self.set(middle);
                match self.spans(tree, branches, nodes) > TAU {
                    true => low = middle,
                    false => high = middle,
                }
            }
            self.set(high);
        }
        self.spans(tree, branches, nodes)
    }

    /// Sets the distances by that of the second ring.
    fn set(&mut self, second: f64) {
        let mut distance = second;
        for (depth, gap) in self.gaps.iter().enumerate().skip(1) {
            distance += if depth > 2 { *gap } else { 0.0 };
            self.distances[depth] = match depth {
                1 => self.least.max(second * FIRST),
                _ => distance,
            };
        }
    }

    /// Sets the angles that the types need, and returns the sum for these.
    fn spans(&self, tree: &Tree<'_>, branches: &[TypeId], nodes: &mut [Node]) -> f64 {
        for &id in tree.order.iter().skip(1).rev() {
            let branch = tree.branch(id);
            let children = &branch.children;
            let inside: f64 = children.iter().map(|child| nodes[child.index()].span).sum();
            let own = LINE / self.distances[branch.depth];
            // Each group of siblings is followed by a space.
            let space = if children.len() > 1 { own / 2.0 } else { 0.0 };
            nodes[id.index()].span = own.max(inside + space);
        }
        let spans = branches.iter().map(|branch| nodes[branch.index()].span);
        spans.sum()
    }
}

/// Finds out how far the types of each sector reach.
fn set_reach(tree: &Tree<'_>, places: &[Place], sectors: &mut [Sector]) {
    let mut reach: Vec<f64> = places.iter().map(Place::reach).collect();
    for &id in tree.order.iter().rev() {
        if let Some(parent) = tree.branch(id).parent {
            reach[parent.index()] = reach[parent.index()].max(reach[id.index()]);
        }
    }
    for sector in sectors {
        sector.reach = reach[sector.id.index()];
    }
}

fn place((node, id): (Node, TypeId)) -> Place {
    let is_inner = node.leaves > 1;
    let dot = match (id, is_inner) {
        (TypeId::GLOBAL, _) => 16.0,
        (_, true) => (4.0 + (node.leaves as f64).sqrt() * 0.8).min(13.0),
        _ => 3.6,
    };
    Place {
        x: node.distance * node.angle.cos(),
        y: node.distance * node.angle.sin(),
        angle: node.angle,
        distance: node.distance,
        dot,
        label: node.label,
        is_inward: is_inner && id != TypeId::GLOBAL,
        offset: dot + 4.0 + if is_inner { 0.0 } else { node.row },
    }
}

/// Places signatures after their types, in two rows.
fn place_signatures(
    graph: &Graph,
    owned: &[Vec<SignatureId>],
    places: &[Place],
) -> Vec<(f64, f64)> {
    // A signature without a caller is drawn at the first type that it names.
    let mut at: Vec<(f64, f64)> = graph
        .signatures()
        .iter()
        .map(|signature| {
            let parameters = signature
                .parameters
                .iter()
                .flat_map(|parameter| &parameter.types);
            let mut types = signature
                .receiver
                .iter()
                .chain(parameters)
                .chain(&signature.returns);
            let near = types.next().unwrap_or(&TypeId::GLOBAL);
            let place = &places[near.index()];
            (place.x, place.y - place.dot - 3.0)
        })
        .collect();
    for (place, signatures) in places.iter().zip(owned) {
        let (sine, cosine) = place.angle.sin_cos();
        for (index, signature) in signatures.iter().enumerate() {
            let along = place.dot + 3.5 + (index / 2) as f64 * STEP;
            let across = match signatures.len() {
                1 => 0.0,
                _ => ((index % 2) as f64 - 0.5) * STEP,
            };
            at[signature.index()] = (
                place.x + along * cosine - across * sine,
                place.y + along * sine + across * cosine,
            );
        }
    }
    at
}

/// Returns the direction of a text so that it is not upside down, and whether it is turned.
///
/// A text in a circle would be upside down on one of its sides.
pub(super) fn upright(angle: f64) -> (f64, bool) {
    let degrees = angle.rem_euclid(TAU);
    match (FRAC_PI_2..PI + FRAC_PI_2).contains(&degrees) {
        true => (degrees - PI, true),
        false => (degrees, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a graph of which the global object has constructors, and each of them methods.
    fn constructors(count: usize, methods: usize) -> Graph {
        let mut graph = Graph::default();
        let global = graph.intern("this");
        for index in 0..count {
            let id = graph.intern(&format!("this.C{index}"));
            let key = format!("C{index}").as_str().into();
            graph.types[global.index()].properties.push((key, id));
            for method in 0..methods {
                let value = graph.intern(&format!("this.C{index}.m{method}"));
                let key = format!("m{method}").as_str().into();
                graph.types[id.index()].properties.push((key, value));
            }
        }
        graph
    }

    #[test]
    fn leaves_have_room_for_a_line() {
        for (count, methods) in [(1, 1), (1, 500), (40, 40), (300, 0), (700, 1)] {
            let graph = constructors(count, methods);
            let layout = Layout::of(&graph, &Tree::of(&graph), false);
            let mut leaves: Vec<&Place> = layout.places[1..]
                .iter()
                .filter(|place| !place.is_inward && place.distance > 0.0)
                .collect();
            leaves.sort_by(|a, b| {
                (a.distance, a.angle)
                    .partial_cmp(&(b.distance, b.angle))
                    .unwrap()
            });
            for pair in leaves.windows(2) {
                if (pair[0].distance - pair[1].distance).abs() < 1.0 {
                    let apart = (pair[1].angle - pair[0].angle) * pair[0].distance;
                    assert!(apart > LINE * 0.99, "{count} {methods}: {apart}");
                }
            }
        }
    }

    #[test]
    fn a_sector_contains_its_types() {
        let graph = constructors(7, 9);
        let tree = Tree::of(&graph);
        let layout = Layout::of(&graph, &tree, false);
        assert_eq!(layout.sectors.len(), 7);
        let total: f64 = layout.sectors.iter().map(|sector| sector.width).sum();
        assert!((total - TAU).abs() < 1e-6);
        for sector in &layout.sectors {
            for child in &tree.branch(sector.id).children {
                let place = &layout.places[child.index()];
                assert!((place.angle - sector.angle).abs() < sector.width / 2.0);
                assert!(place.reach() <= sector.reach);
            }
        }
    }

    #[test]
    fn a_label_is_the_part_of_the_name_that_is_new() {
        let graph = Graph::from_json(
            r#"{"format":"nubbin prototype graph","version":1,"types":[
            {"name":"this","kind":"object","properties":[["NaN",1],["A",2]]},
            {"name":"number","kind":"number"},
            {"name":"this.A","kind":"object"},
            {"name":"this.A{length}","kind":"object","prototype":2},
            {"name":"this.A{abcdefghijklmnopqrstuvwxyz}","kind":"object","prototype":2}],
            "signatures":[]}"#,
        )
        .unwrap();
        let layout = Layout::of(&graph, &Tree::of(&graph), false);
        let labels: Vec<&str> = layout
            .places
            .iter()
            .map(|place| place.label.as_str())
            .collect();
        assert_eq!(
            labels,
            [
                "this",
                "number",
                "A",
                "{length}",
                "{abcdefghijklmnopqrstuvwx…"
            ]
        );
    }

    #[test]
    fn no_text_is_upside_down() {
        for step in -20..20 {
            let (angle, _) = upright(f64::from(step) * 0.5);
            assert!(angle.cos() > -1e-9);
        }
    }
}
