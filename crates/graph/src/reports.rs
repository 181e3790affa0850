//! Builds graphs from the output of probes.

use crate::model::{Builder, CallForm, Graph, Key, Kind, Parameter, Signature, TypeId};
use serde::Deserialize;

/// The begin of every line of a report. All other lines are of the engine or of a test.
pub(crate) const MARK: &str = "nubbin-graph ";

/// A line of a report.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    /// A type, with the names of the types to which its edges lead.
    Type {
        name: String,
        kind: Kind,
        #[serde(default)]
        prototype: Option<String>,
        #[serde(default)]
        properties: Vec<(String, String)>,
    },
    /// A property that was found later.
    Property(String, String, String),
    /// A text of a value, and its type.
    Value(String, String),
    Call(Called),
    Construct(Called),
    /// The name of a function that is tried next.
    Trying(String),
    /// The end, with the number of visited objects.
    Done(#[expect(dead_code, reason = "for people who read a report")] u64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Called {
    of: String,
    #[serde(default)]
    receiver: Option<String>,
    /// The types of the arguments; `None` if nothing is known of one.
    arguments: Vec<Option<String>>,
    /// The texts of the arguments; `None` for one without a text.
    #[serde(default)]
    values: Vec<Option<String>>,
    #[serde(default)]
    returns: Option<String>,
    #[serde(default)]
    learned: bool,
}

/// A graph that is extended by the reports of probes.
#[derive(Default)]
pub struct Reports {
    builder: Builder,
    /// The number of lines of reports that were not understood.
    broken: usize,
    is_done: bool,
    tried: Option<String>,
}

impl Reports {
    /// Creates a reader of reports that extends a graph.
    pub fn onto(graph: Graph) -> Self {
        Reports {
            builder: Builder::of(graph),
            ..Reports::default()
        }
    }

    /// Reads the output of an engine in which a probe ran. Other lines are skipped, including the
    /// rest of a line that was cut off.
    ///
    /// Returns the number of lines from the probe.
    pub fn read(&mut self, output: &[u8]) -> usize {
        let mark = MARK.as_bytes();
        let lines = output.split(|&byte| byte == b'\n');
        let mut read = 0;
        for line in lines.filter_map(|line| line.strip_prefix(mark)) {
            match serde_json::from_slice(line.trim_ascii_end()) {
                Ok(line) => {
                    self.add(line);
                    read += 1;
                }
                Err(_) => self.broken += 1,
            }
        }
        read
    }

    /// Returns whether a probe has reported its end.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the name of the function that was called last, if the probe calls functions.
    pub fn tried(&self) -> Option<&str> {
        self.tried.as_deref()
    }

    /// Returns the number of lines that began as a report and could not be read.
    pub fn broken(&self) -> usize {
        self.broken
    }

    /// Returns the extended graph.
    pub fn into_graph(self) -> Graph {
        self.builder.graph
    }

    fn add(&mut self, line: Line) {
        let builder = &mut self.builder;
        match line {
            Line::Type {
                name,
                kind,
                prototype,
                properties,
            } => {
                let id = builder.graph.intern(&name);
                builder.set_kind(id, kind);
                if let Some(prototype) = prototype {
                    let prototype = builder.graph.intern(&prototype);
                    builder.prototype(id, prototype);
                }
                for (key, value) in properties {
                    let value = builder.graph.intern(&value);
                    builder.property(id, &Key::new(key), value);
                }
            }
            Line::Property(of, key, value) => {
                let (of, value) = (builder.graph.intern(&of), builder.graph.intern(&value));
                builder.property(of, &Key::new(key), value);
            }
            Line::Value(text, of) => {
                let of = builder.graph.intern(&of);
                builder.value(of, &text);
            }
            Line::Call(called) => self.call(CallForm::Call, called),
            Line::Construct(called) => self.call(CallForm::Construct, called),
            Line::Trying(name) => self.tried = Some(name),
            Line::Done(_) => self.is_done = true,
        }
    }

    fn call(&mut self, how: CallForm, called: Called) {
        let graph = &mut self.builder.graph;
        let of = graph.intern(&called.of);
        let mut one = |name: Option<&String>| -> Vec<TypeId> {
            name.map(|name| graph.intern(name)).into_iter().collect()
        };
        let values = called.values.iter().map(Option::as_ref);
        let values = values.chain(std::iter::repeat(None));
        let parameters = called.arguments.iter().zip(values);
        let signature = Signature {
            receiver: one(called.receiver.as_ref()),
            parameters: parameters
                .map(|(of, value)| Parameter {
                    types: one(of.as_ref()),
                    values: value.cloned().into_iter().collect(),
                })
                .collect(),
            returns: one(called.returns.as_ref()),
            learned: called.learned,
        };
        self.builder.signature(of, how, &signature);
    }
}
