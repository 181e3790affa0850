use super::show::label;
use super::{NodeId, NodeKind, Tree};
use std::fmt::Write;

/// The error for a tree that is too large to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the tree has {nodes} nodes; a picture has at most {}",
    SvgError::MAX_NODES
)]
pub struct SvgError {
    /// The number of nodes of the tree.
    pub nodes: usize,
}

impl SvgError {
    /// The maximum number of nodes of a picture.
    pub const MAX_NODES: usize = 20_000;
}

/// Pixels.
const CHARACTER: f64 = 7.8;
const LEVEL: f64 = 46.0;
const GAP: f64 = 14.0;
const MARGIN: f64 = 16.0;
const HEIGHT: f64 = 22.0;

/// Draws a tree as a picture, with the root at the top and the text at the bottom. The picture is
/// readable on light and dark backgrounds.
///
/// The layout is layered: a parent is above the middle of its children, and subtrees are as close
/// together as all their levels allow.
///
/// * *Source:* E. Reingold, J. Tilford, "Tidier drawings of trees", 1981.
/// * *Changed:* the whole contour of each subtree is kept in turn.
///
/// # Errors
///
/// Returns an error if the tree has more than [`SvgError::MAX_NODES`] nodes.
pub fn svg(tree: &Tree) -> Result<String, SvgError> {
    if tree.len() > SvgError::MAX_NODES {
        return Err(SvgError { nodes: tree.len() });
    }
    let layout = Layout::of(tree);
    let (width, height) = (layout.width.ceil(), layout.height.ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"monospace\" font-size=\"13\">\n{STYLE}"
    );
    out.push_str("<g class=\"edge\">\n");
    for (id, _) in tree.nodes() {
        if let Some(parent) = tree.parent(id) {
            let (from, to) = (layout.places[parent.index()], layout.places[id.index()]);
            let (top, bottom) = (from.y + HEIGHT / 2.0, to.y - HEIGHT / 2.0);
            let bend = (bottom - top) / 2.0;
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {top:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {bottom:.1}\"/>",
                from.x,
                from.x,
                top + bend,
                to.x,
                bottom - bend,
                to.x,
            );
        }
    }
    out.push_str("</g>\n<g text-anchor=\"middle\">\n");
    for (id, node) in tree.nodes() {
        let place = layout.places[id.index()];
        let class = match node.kind {
            NodeKind::Rule => "rule",
            NodeKind::Token => "token",
            NodeKind::Gap => "gap",
            NodeKind::Error | NodeKind::Missing => "error",
            _ => "quantifier",
        };
        if node.is_leaf() {
            let width = place.half * 2.0;
            let _ = writeln!(
                out,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" \
                 height=\"{HEIGHT}\" rx=\"5\"/>",
                place.x - place.half,
                place.y - HEIGHT / 2.0,
            );
        }
        let _ = writeln!(
            out,
            "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            place.x,
            place.y + 4.5,
            escaped(&label(tree, id)),
        );
    }
    out.push_str("</g>\n</svg>\n");
    Ok(out)
}

/// Both backgrounds are painted, so that a viewer that ignores the preference still shows dark on
/// light.
const STYLE: &str = "<style>
svg { background: #ffffff; }
.edge { fill: none; stroke: #9aa4b2; stroke-width: 1.2; }
text { fill: #1f2933; }
text.quantifier { fill: #7b8794; }
text.error { fill: #b42318; }
rect { fill: #eef4ff; stroke: #8fb0e8; }
rect.gap { fill: #f4f4f5; stroke: #b8bcc4; stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) {
svg { background: #14181f; }
.edge { stroke: #566273; }
text { fill: #e4e9f0; }
text.quantifier { fill: #93a1b3; }
text.error { fill: #ff8a7a; }
rect { fill: #1d2b45; stroke: #4d73b5; }
rect.gap { fill: #23272e; stroke: #5b626d; }
}
</style>
";

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}

#[derive(Clone, Copy, Default)]
struct Spot {
    x: f64,
    y: f64,
    /// Half of the width.
    half: f64,
}

struct Layout {
    places: Vec<Spot>,
    width: f64,
    height: f64,
}

/// The outline of a laid-out subtree, level by level from its deepest to its top, so that a parent
/// is a push. Coordinates are relative to `shift`.
#[derive(Default)]
struct Contour {
    /// The left and the right end of each level, deepest first.
    levels: Vec<(f64, f64)>,
    shift: f64,
}

impl Layout {
    /// Computes the layout from the bottom up. It visits the nodes backward, so that children come
    /// before their parent.
    fn of(tree: &Tree) -> Self {
        let mut places = vec![Spot::default(); tree.len()];
        // For each node, its position relative to its parent.
        let mut contours: Vec<Option<Contour>> = Vec::new();
        contours.resize_with(tree.len(), || None);
        for (id, _) in tree.nodes().rev() {
            let characters = label(tree, id).chars().count();
            let half = characters as f64 * CHARACTER / 2.0 + 5.0;
            places[id.index()].half = half;
            let children: Vec<NodeId> = tree.children(id).collect();
            let contour = Self::beside(&children, half, &mut places, &mut contours);
            contours[id.index()] = Some(contour);
        }
        let root = contours[0].take().unwrap_or_default();
        let left = root.levels.iter().map(|level| level.0 + root.shift);
        let right = root.levels.iter().map(|level| level.1 + root.shift);
        let left = left.fold(f64::INFINITY, f64::min);
        let right = right.fold(f64::NEG_INFINITY, f64::max);
        let height = root.levels.len() as f64 * LEVEL - (LEVEL - HEIGHT) + 2.0 * MARGIN;
        // From the top down, relative positions become absolute.
        places[0].x = MARGIN - left;
        places[0].y = MARGIN + HEIGHT / 2.0;
        for (id, _) in tree.nodes() {
            if let Some(parent) = tree.parent(id) {
                let above = places[parent.index()];
                places[id.index()].x += above.x;
                places[id.index()].y = above.y + LEVEL;
            }
        }
        Layout {
            places,
            width: right - left + 2.0 * MARGIN,
            height,
        }
    }

    /// Places subtrees next to each other and their parent above them. Returns the outline of the
    /// whole tree, around the parent at 0.
    fn beside(
        children: &[NodeId],
        half: f64,
        places: &mut [Spot],
        contours: &mut [Option<Contour>],
    ) -> Contour {
        let mut all = Contour::default();
        let mut at = vec![0.0; children.len()];
        for (i, child) in children.iter().enumerate() {
            let Some(mut next) = contours[child.index()].take() else {
                continue;
            };
            if i == 0 {
                all = next;
                continue;
            }
            // The distance to the right at which the subtree does not overlap the others on any
            // common level.
            let (a, b) = (all.levels.len(), next.levels.len());
            let common = a.min(b);
            let clear = |level: usize| {
                let there = all.levels[a - 1 - level].1 + all.shift;
                let here = next.levels[b - 1 - level].0 + next.shift;
                there - here + GAP
            };
            let move_by = (0..common).map(clear).fold(f64::NEG_INFINITY, f64::max);
            at[i] = move_by;
            next.shift += move_by;
            // The flatter outline is merged into the deeper one, so that the cost depends on the
            // flatter one.
            if a >= b {
                for level in 0..b {
                    all.levels[a - 1 - level].1 =
                        next.levels[b - 1 - level].1 + next.shift - all.shift;
                }
            } else {
                for level in 0..a {
                    next.levels[b - 1 - level].0 =
                        all.levels[a - 1 - level].0 + all.shift - next.shift;
                }
                all = next;
            }
        }
        if let (Some(first), Some(last)) = (at.first(), at.last()) {
            let middle = (first + last) / 2.0;
            for (child, at) in children.iter().zip(&at) {
                places[child.index()].x = at - middle;
            }
            all.shift -= middle;
        }
        all.levels.push((-half - all.shift, half - all.shift));
        all
    }
}
