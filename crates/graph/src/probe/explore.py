# Reports the graph of an interpreter of Python: modules, types, functions, and the types of
# arguments that functions take, which it finds out by calls with samples.
#
# The names of functions are reported before they are tried, so that one that ends the process or
# hangs is known, and is not tried in the next run.
import faulthandler
import importlib
import inspect
import json
import keyword
import random
import signal
import sys
import types
import warnings

try:
    import resource
except ImportError:  # not on Windows
    resource = None

warnings.simplefilter("ignore")
sys.unraisablehook = lambda unraisable: None

# Texts of values, by their types. A text is evaluated for each use, since calls change values.
TEXTS = {
    int: ["0", "1", "-1", "2", "3", "10", "255", "65536", "2**31", "-2**63", "2**64", "10**30"],
    bool: ["True", "False"],
    type(None): ["None"],
    float: ["0.0", "1.5", "-0.0", "1e308", "float('nan')", "float('inf')", "1e-7"],
    complex: ["1j", "complex(1.5, -2)"],
    str: [
        "''", "'a'", "'abc'", "'0'", "'1.5'", "'utf-8'", "'strict'", "'i'", "'%s %d'", "'{0:>5}'", "'\\u00e9'",
        "'\\U0001f600a'", "'2020-02-29'", "'{\"a\": [1]}'", "'NFKC'", "'a\\nb'", "'(a|b)*'",
    ],
    bytes: ["b''", "b'a'", "b'abc'", "b'12'", "b'\\x00\\xff'", "b'a\\nb'"],
    bytearray: ["bytearray()", "bytearray(b'abc')"],
    memoryview: ["memoryview(b'abc')"],
    list: ["[]", "[1, 2, 3]", "['a', 'b']", "[1.5, None, 'a']", "[[1, 2], [3]]", "[('a', 1)]"],
    tuple: ["()", "(1,)", "(1, 2)", "('a', 'b')", "('a', 1, None)"],
    dict: ["{}", "{'a': 1}", "{1: 2, 3: 4}"],
    set: ["set()", "{1, 2}", "{'a', 'b'}"],
    frozenset: ["frozenset()", "frozenset((1, 2))"],
    slice: ["slice(1, 3)", "slice(None, None, -1)"],
    range: ["range(5)", "range(10, 0, -2)"],
    type: ["int", "str", "Exception", "type('C', (), {})", "type('D', (list,), {'__len__': lambda s: 3})"],
    types.FunctionType: ["(lambda *a: 0)", "(lambda a: a)", "(lambda a, b: a)", "(lambda: [].x)"],
    types.BuiltinFunctionType: ["len", "repr", "abs"],
    types.GeneratorType: ["(i for i in [1, 2, 3])", "(lambda: (yield 1))()"],
    type(iter([])): ["iter([1, 2, 3])"],
    object: [
        "object()",
        "type('E', (), {'__index__': lambda s: 2, '__iter__': lambda s: iter('ab'), '__eq__': lambda s, o: 1/0})()",
    ],
}
METHODS = (types.MethodDescriptorType, types.WrapperDescriptorType)
FIELDS = (types.GetSetDescriptorType, types.MemberDescriptorType)
# Constructions from raw bytecode end the process with any bytecode that is not valid.
UNSAFE = (types.CodeType, types.FunctionType)


class Late(BaseException):
    """A call takes too long."""


class Root:
    """The global object."""


class Graph:
    """What has been reported."""

    def __init__(self):
        self.names = {}  # by the identity of an object
        self.kept = []  # keeps the objects, so that identities are not used again
        self.instances = {}  # the name of the node of a type's instances
        self.used = set()
        self.unread = []  # types of which the members have not been reported
        self.makers = {}  # functions that make a value of a type without texts

    def add(self, value, name):
        self.names[id(value)] = name
        self.kept.append(value)

    def is_full(self):
        return len(self.kept) >= CONFIG["mostObjects"]

    def instance(self, of):
        """Returns the name of the node of a type's instances. Its prototype is that of the base."""
        if of in self.instances:
            return self.instances[of]
        name = self.names.get(id(of)) or f"{of.__module__}.{of.__name__}"
        name += "{}"
        while name in self.used:
            name += "'"
        self.used.add(name)
        self.instances[of] = name
        node = {"name": name, "kind": "object"}
        if of.__base__ is not None:
            node["prototype"] = self.instance(of.__base__)
        report({"type": node})
        for text in TEXTS.get(of, ()):
            report({"value": [text, name]})
        self.unread.append(of)
        return name

    def samples(self, of):
        """Returns pairs of a text, if there is one, and a function that makes the value."""
        texts = [(text, lambda text=text: eval(text)) for text in TEXTS.get(of, ())]
        return texts + self.makers.get(of, [])


graph = Graph()
chance = random.Random()


def report(line):
    sys.__stdout__.write(CONFIG["mark"] + json.dumps(line) + "\n")


def late(number, frame):
    raise Late


def limit(seconds):
    # Again and again: the first exception may come to an end in a callback.
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds and 0.05)


def limit_memory():
    # A call that asks for too much memory then fails, and the process does not end.
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = CONFIG["mostMemory"] if hard == resource.RLIM_INFINITY else min(hard, CONFIG["mostMemory"])
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def is_denied(name, key):
    return name.removeprefix("this.") in CONFIG["never"] or "*." + key in CONFIG["never"]


def members(value):
    """Returns the members of a module or type that an expression can name."""
    for key in list(vars(value)):
        if key.isascii() and key.isidentifier() and not keyword.iskeyword(key):
            yield key, vars(value)[key]


def look():
    """Reports all modules, types, and functions."""
    root = Root()
    for name in CONFIG["roots"]:
        try:
            setattr(root, name, importlib.import_module(name))
        except ImportError:
            pass
    graph.add(root, "this")
    fields = []
    at = 0
    while at < len(graph.kept):
        owner = graph.kept[at]
        at += 1
        name = graph.names[id(owner)]
        edges = []
        if isinstance(owner, (Root, types.ModuleType, type)):
            for key, value in members(owner):
                path = f"{name}.{key}"
                if is_denied(path, key) or isinstance(value, types.FunctionType):
                    continue
                try:
                    value = getattr(owner, key)
                except Exception:
                    continue
                if callable(value) or isinstance(value, types.ModuleType):
                    if id(value) not in graph.names and not graph.is_full():
                        graph.add(value, path)
                    if id(value) in graph.names:
                        edges.append([key, graph.names[id(value)]])
                elif not isinstance(owner, type):
                    fields.append((name, key, type(value)))
        kind = "function" if callable(owner) else "object"
        report({"type": {"name": name, "kind": kind, "properties": edges}})
    for of in TEXTS:
        graph.instance(of)
    for name, key, of in fields:
        report({"property": [name, key, graph.instance(of)]})


def signature_of(function, has_receiver):
    """Returns the least and the greatest number of arguments, and names of others."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return int(has_receiver), 4, []
    by_position = [it for it in parameters if it.kind in (it.POSITIONAL_ONLY, it.POSITIONAL_OR_KEYWORD)]
    least = sum(it.default is it.empty for it in by_position)
    most = len(by_position)
    if any(it.kind == it.VAR_POSITIONAL for it in parameters):
        most = max(most, 3)
    named = [it for it in parameters if it.kind in (it.KEYWORD_ONLY, it.POSITIONAL_OR_KEYWORD)]
    return least, max(least, min(most, 5)), [it.name for it in named if it.default is not it.empty]


class Trial:
    """Calls of one function with samples, and reports of those that fit."""

    def __init__(self, name, function, owner, is_bound):
        self.name = name
        self.function = function
        self.owner = owner
        # A method of a type without a name is reached from an instance.
        self.is_bound = is_bound
        self.least, self.most, self.named = signature_of(function, owner is not None)
        self.fitting = {}  # types that fitted, by the number of arguments and the position
        self.shapes = {}
        self.reported = 0

    def run(self):
        counts = list(range(self.least, self.most + 1))
        for number in range(CONFIG["mostTries"]):
            if self.reported >= CONFIG["mostCalls"]:
                break
            is_early = number < 2 * len(counts) or not self.fitting
            count = counts[number % len(counts)] if is_early else chance.choice(counts)
            chosen = self.choose(count, number // len(counts))
            if chosen is not None:
                self.call(chosen, self.named_argument())
        if self.reported == 0:
            self.unknown()

    def choose(self, count, number):
        """Returns arguments as pairs of a type and a sample."""
        chosen = []
        in_turn = list(TEXTS)
        for position in range(count):
            known = self.fitting.get((count, position))
            if position == 0 and self.owner is not None:
                of = self.owner
            elif known and chance.random() < 0.6:
                of = chance.choice(known)
            elif position == 0 and not known:
                # A function of one type of argument has a call with it.
                of = in_turn[number % len(in_turn)]
            else:
                all_types = graph.makers if graph.makers and chance.random() < 0.15 else TEXTS
                of = chance.choice(list(all_types))
            samples = graph.samples(of)
            if not samples:
                return None
            # The simplest samples first: an empty list fits where one of numbers may not.
            chosen.append((of, samples[0] if number < len(in_turn) else chance.choice(samples)))
        return chosen

    def named_argument(self):
        if not self.named or chance.random() < 0.7:
            return None
        texts = TEXTS[chance.choice(list(TEXTS))]
        return chance.choice(self.named), chance.choice(texts)

    def make(self, chosen, named):
        values = [make() for _, (_, make) in chosen]
        return self.function(*values, **({named[0]: eval(named[1])} if named else {}))

    def call(self, chosen, named):
        result = None
        try:
            limit(0.2)
            result = self.make(chosen, named)
            returns = type(result)
        except (TypeError, AttributeError, Late, RecursionError, MemoryError, KeyboardInterrupt, SystemExit):
            return
        except BaseException:
            # The types fit, the values do not.
            returns = None
        finally:
            limit(0)
        of = tuple(of for of, _ in chosen)
        for position, one in enumerate(of):
            self.fitting.setdefault((len(of), position), []).append(one)
        shape = (of, returns, named and named[0])
        self.shapes[shape] = self.shapes.get(shape, 0) + 1
        if self.shapes[shape] <= 3:
            self.tell(chosen, named, returns)
        if returns is not None and returns not in TEXTS:
            makers = graph.makers.setdefault(returns, [])
            if len(makers) < 5:
                makers.append((None, lambda: self.make(chosen, named)))

    def tell(self, chosen, named, returns):
        first = int(self.is_bound)
        if len(chosen) < first:
            return
        call = {
            "of": self.name,
            "arguments": [graph.instance(of) for of, _ in chosen[first:]],
            "values": [text for _, (text, _) in chosen[first:]],
            "learned": True,
        }
        if named:
            call["arguments"].append(None)
            call["values"].append("=".join(named))
        if returns is not None:
            call["returns"] = graph.instance(returns)
        report({"call": call})
        self.reported += 1

    def unknown(self):
        """Reports calls of which nothing is known but the receiver."""
        receiver = [] if self.owner is None or self.is_bound else [graph.instance(self.owner)]
        for more in range(2):
            report({"call": {"of": self.name, "arguments": receiver + [None] * more}})


def attempt(name, function, owner, is_bound=False):
    trial = Trial(name, function, owner, is_bound)
    if name in CONFIG["skipped"]:
        trial.unknown()
        return
    # The same samples in each run, whichever functions are left out.
    chance.seed(name)
    guarded(name, trial.run)


def guarded(name, trial):
    """Makes a trial, of which the name is known if it ends the process or hangs."""
    report({"trying": name})
    sys.__stdout__.flush()
    # A loop in C notices no signal, such as one over an endless iterator.
    faulthandler.dump_traceback_later(CONFIG["longestTrial"], exit=True)
    trial()
    faulthandler.cancel_dump_traceback_later()


def read_type(of):
    """Reports the fields of a type's instances, and the methods that no name leads to."""
    instance = graph.instances[of]
    for key, value in members(of):
        name = f"{instance}.{key}"
        if is_denied(name, key):
            continue
        if isinstance(value, FIELDS):
            if name not in CONFIG["skipped"]:
                guarded(name, lambda key=key: read_field(of, key))
        elif callable(value) and not isinstance(value, (type, types.FunctionType)) and id(value) not in graph.names:
            if graph.is_full():
                return
            graph.add(value, name)
            report({"type": {"name": name, "kind": "function"}})
            report({"property": [instance, key, name]})
            attempt(name, value, of, is_bound=True)


def read_field(of, key):
    for _, make in graph.samples(of)[:2]:
        try:
            limit(0.2)
            value = getattr(make(), key)
        except BaseException:
            continue
        finally:
            limit(0)
        report({"property": [graph.instances[of], key, graph.instance(type(value))]})
        return


def explore():
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, late)
    limit_memory()
    look()
    functions = [(graph.names[id(value)], value) for value in graph.kept if callable(value)]
    functions = [(name, value) for name, value in functions if not any(value is it for it in UNSAFE)]
    # A method waits until there is a receiver, which another function may return.
    for _ in range(CONFIG["mostRounds"]):
        waiting = []
        for name, function in functions:
            owner = function.__objclass__ if isinstance(function, METHODS) else None
            if owner is not None and not graph.samples(owner):
                waiting.append((name, function))
            else:
                attempt(name, function, owner)
        while graph.unread:
            read_type(graph.unread.pop(0))
        if len(waiting) == len(functions):
            break
        functions = waiting
    for name, function in functions:
        if isinstance(function, METHODS):
            Trial(name, function, function.__objclass__, False).unknown()
    report({"done": len(graph.kept)})
    sys.__stdout__.flush()


explore()
