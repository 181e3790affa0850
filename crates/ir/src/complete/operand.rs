use super::body::Body;
use super::incoming::Incoming;
use crate::Substitute;
use crate::module::{Span, Target};

impl Body<'_, '_> {
    /// Returns the value that an operand of an instruction has after the change, by the text of the
    /// operand.
    pub(super) fn incoming_of(&self, at: u32, text: &Span) -> Incoming {
        let module = self.all.module;
        let uses = module.instructions[at as usize].uses.clone();
        let all = &module.uses[uses.start as usize..uses.end as usize];
        let nth = all.partition_point(|used| used.span.start < text.start);
        let Some(used) = all.get(nth).filter(|used| used.span == *text) else {
            return Incoming::Text(text.clone());
        };
        let nth = uses.start + nth as u32;
        let item = |item: u32| module.items.get(item as usize);
        match (self.all.change.operands.get(&nth), used.target) {
            (Some(Substitute::Value(other)), _) => Incoming::Value(*other),
            (Some(Substitute::Constant(text)), _) => Incoming::Constant(text),
            (Some(Substitute::Item(of)), _) => item(*of).map_or(Incoming::UNDEFINED, |of| {
                Incoming::Text(of.name_span.clone())
            }),
            (Some(Substitute::Parameter), _) => Incoming::UNDEFINED,
            (None, target) => match (self.last_values.get(&nth), target) {
                (Some(last), _) => last.clone(),
                (None, Target::Value(value)) => Incoming::Value(value),
                (None, Target::Symbol(_)) => Incoming::Text(text.clone()),
            },
        }
    }

    /// Returns the text of the value of a phi for one edge.
    pub(super) fn incoming_text(&self, incoming: &Incoming) -> Vec<u8> {
        match incoming {
            Incoming::Value(value) => self.value_text(*value),
            Incoming::Constant(text) => text.as_bytes().to_vec(),
            Incoming::Text(span) if span.is_empty() => self.all.change.undefined.text().to_vec(),
            Incoming::Text(span) => self.all.module.bytes(span).to_vec(),
        }
    }

    /// Returns the value of the function that an operand is after the change, if it is one.
    pub(super) fn resolved_incoming(&self, incoming: &Incoming) -> Option<u32> {
        match incoming {
            Incoming::Value(value) => self.resolved(*value),
            Incoming::Text(_) | Incoming::Constant(_) => None,
        }
    }

    pub(super) fn is_same(&self, one: &Incoming, other: &Incoming) -> bool {
        let module = self.all.module;
        match (one, other) {
            (Incoming::Value(one), Incoming::Value(other)) => one == other,
            (Incoming::Constant(one), Incoming::Constant(other)) => one == other,
            (Incoming::Text(one), Incoming::Text(other)) => {
                module.bytes(one) == module.bytes(other)
            }
            _ => false,
        }
    }
}
