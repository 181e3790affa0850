//! Drawings for Graphviz.

use super::Drawing;
use crate::model::{Graph, Kind, TypeId};
use std::fmt::Write;

/// Draws a graph in the DOT language of Graphviz, in the style of the thesis's figure 1: large dots
/// are types, small dots are signatures, and the black dot is the global object. Property edges are
/// bold, prototype edges have an empty arrow, and all other edges are dashed.
pub fn dot(graph: &Graph, drawing: Drawing) -> String {
    let mut out = String::from(
        "digraph prototypes {\n  overlap=false;\n  node [shape=circle,width=0.15,label=\"\"];\n",
    );
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a string does not fail.
    let mut line = |text: std::fmt::Arguments<'_>| {
        let _ = writeln!(out, "  {text}");
    };
    for id in graph.ids() {
        let node = graph.type_of(id);
        let fill = match (id, node.kind) {
            (TypeId::GLOBAL, _) => "black",
            (_, Kind::Function) => "lightblue",
            (_, Kind::Object) => "lightgray",
            _ => "palegreen",
        };
        let name = quote(&node.name);
        line(format_args!(
            "t{} [tooltip=\"{name}\",xlabel=\"{name}\",style=filled,fillcolor={fill}];",
            id.0
        ));
        for (key, value) in &node.properties {
            let key = quote(key.as_str());
            line(format_args!(
                "t{} -> t{} [label=\"{key}\",style=bold];",
                id.0, value.0
            ));
        }
        if let Some(prototype) = node.prototype {
            line(format_args!(
                "t{} -> t{} [arrowhead=empty];",
                id.0, prototype.0
            ));
        }
        if !drawing.signatures {
            continue;
        }
        for (calls, label) in [(&node.call, "call"), (&node.construct, "construct")] {
            for call in calls {
                line(format_args!(
                    "t{} -> s{} [label=\"[[{label}]]\",style=dashed];",
                    id.0, call.0
                ));
            }
        }
    }
    if drawing.signatures {
        for (index, signature) in graph.signatures().iter().enumerate() {
            line(format_args!("s{index} [width=0.05,style=filled];"));
            for id in &signature.receiver {
                line(format_args!(
                    "t{} -> s{index} [label=\"[[this]]\",style=dashed];",
                    id.0
                ));
            }
            for (position, parameter) in signature.parameters.iter().enumerate() {
                for id in &parameter.types {
                    line(format_args!(
                        "t{} -> s{index} [label=\"[[{position}]]\",style=dashed];",
                        id.0
                    ));
                }
            }
            for id in &signature.returns {
                line(format_args!(
                    "s{index} -> t{} [label=\"[[return]]\",style=dashed];",
                    id.0
                ));
            }
        }
    }
    out.push_str("}\n");
    out
}
