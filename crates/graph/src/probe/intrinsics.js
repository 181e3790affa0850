// Looks at every object of the engine that can be reached from the global object.
//
// ECMAScript 5 only. All state is in this function: in a global variable, it would be part of the
// graph. Functions that are used after a test has begun are taken from the engine before.
var global = Function("return this")();
var getNames = Object.getOwnPropertyNames;
var getSymbols = Object.getOwnPropertySymbols;
var getDescriptor = Object.getOwnPropertyDescriptor;
var getPrototype = Object.getPrototypeOf;
var stringify = JSON.stringify;
var functionApply = Function.prototype.apply;
var functionText = Function.prototype.toString;
var regExpText = RegExp.prototype.toString;
var makeFunction = Function;
var reflect = typeof Reflect === "object" ? Reflect : {};
var reflectApply = reflect.apply;
var reflectConstruct = reflect.construct;

function apply(callee, receiver, list) {
  // `call` of a function is never replaced.
  return reflectApply ? reflectApply(callee, receiver, list) : functionApply.call(callee, receiver, list);
}

// The objects that have a name of their own, the names, and what learning replaces the objects by.
var objects = [];
var names = [];
var replacements = [];
var table = typeof Map === "function" ? new Map() : null;
var tableGet = table && table.get;
var tableSet = table && table.set;

function find(object) {
  var index;
  if (table) {
    index = apply(tableGet, table, [object]);
    return index === undefined ? -1 : index;
  }
  for (index = 0; index < objects.length; index += 1) {
    if (objects[index] === object || replacements[index] === object) {
      return index;
    }
  }
  return -1;
}

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function add(object, name) {
  var index = objects.length;
  objects[index] = object;
  names[index] = name;
  if (table) {
    apply(tableSet, table, [object, index]);
  }
  return index;
}

var symbols = [];
function learnSymbols() {
  var keys, index;
  if (typeof Symbol !== "function" || !getSymbols) {
    return;
  }
  keys = getNames(Symbol);
  for (index = 0; index < keys.length; index += 1) {
    if (typeof Symbol[keys[index]] === "symbol") {
      symbols[symbols.length] = [Symbol[keys[index]], "@@" + keys[index]];
    }
  }
}

// Returns the own keys of an object that are texts or well-known symbols, as pairs of key and label.
function keysOf(object) {
  var keys = [], own, index, at, key;
  try {
    own = getNames(object);
    for (index = 0; index < own.length && index < config.mostKeys; index += 1) {
      key = own[index];
      if (!(key[0] === "@" && key[1] === "@")) {
        keys[keys.length] = [key, key];
      }
    }
    own = getSymbols ? getSymbols(object) : [];
    for (index = 0; index < own.length; index += 1) {
      for (at = 0; at < symbols.length; at += 1) {
        if (symbols[at][0] === own[index]) {
          keys[keys.length] = symbols[at];
        }
      }
    }
  } catch (ignored) {
  }
  return keys;
}

function isIndex(key) {
  return key.length > 0 && key.length < 10 && (key === "0" || key[0] !== "0") && "" + (key >>> 0) === key;
}

function isName(key) {
  var index, char;
  for (index = 0; index < key.length; index += 1) {
    char = key[index];
    if (!((char >= "a" && char <= "z") || (char >= "A" && char <= "Z") || char === "_" || char === "$" ||
        (index > 0 && char >= "0" && char <= "9"))) {
      return false;
    }
  }
  return key.length > 0;
}

function path(owner, label) {
  if (label[0] === "@" && label[1] === "@") {
    return owner + "[" + label + "]";
  }
  return isName(label) ? owner + "." + label : owner + "[" + stringify(label) + "]";
}

// What must not be called is not in the graph, by whatever path it is reached.
var denied = [];
function deny() {
  var index, at, parts, object, part;
  for (index = 0; index < config.never.length; index += 1) {
    parts = config.never[index].split(".");
    object = global;
    for (at = 0; at < parts.length && isObject(object); at += 1) {
      part = parts[at];
      try {
        part = getDescriptor(object, part);
        object = part && part.value;
      } catch (ignored) {
        object = undefined;
      }
    }
    if (isObject(object) && object !== global) {
      denied[denied.length] = object;
    }
  }
}

function isDenied(object, name) {
  var index;
  for (index = 0; index < denied.length; index += 1) {
    if (denied[index] === object) {
      return true;
    }
  }
  for (index = 0; index < config.never.length; index += 1) {
    if (name === "this." + config.never[index]) {
      return true;
    }
  }
  return false;
}

// Returns the name of the type of a value, or null if it must not be used. New kinds of objects are
// told apart by prototype and keys, and reported by `tell`.
var shapes = {};
var shapeCount = 0;
function typeName(value, tell, depth) {
  var kind = typeof value, index;
  if (value === null) {
    return "null";
  }
  if (!isObject(value)) {
    return kind;
  }
  index = find(value);
  return index >= 0 ? names[index] : shape(value, tell, depth || 0);
}

function hasOwn(object, key) {
  return getDescriptor(object, key) !== undefined;
}

function shape(object, tell, depth) {
  var owner = null, prototype, index, keys, labels = "", kept = [], name, key, descriptor, of, line;
  try {
    prototype = getPrototype(object);
    for (index = 0; prototype !== null && index < 100; index += 1) {
      owner = find(prototype);
      if (owner >= 0) {
        break;
      }
      prototype = getPrototype(prototype);
    }
    owner = prototype === null ? null : names[owner];
  } catch (ignored) {
    owner = null;
  }
  keys = keysOf(object);
  for (index = 0; index < keys.length && kept.length < 12; index += 1) {
    key = keys[index][1];
    if (key === "0" || !isIndex(key)) {
      kept[kept.length] = keys[index];
      labels += key === "0" ? "" : (labels === "" ? "" : ",") + key;
    }
  }
  name = (owner === null ? "null" : owner) + "{" + labels + "}" + (typeof object === "function" ? "()" : "");
  if (hasOwn(shapes, name)) {
    return name;
  }
  if (shapeCount >= config.mostShapes) {
    name = (owner === null ? "null" : owner) + "{}" + (typeof object === "function" ? "()" : "");
    if (hasOwn(shapes, name)) {
      return name;
    }
    kept = [];
  }
  shapes[name] = true;
  shapeCount += 1;
  line = "";
  for (index = 0; index < kept.length && depth < 3; index += 1) {
    try {
      descriptor = getDescriptor(object, kept[index][0]);
      of = descriptor && hasOwn(descriptor, "value") ? typeName(descriptor.value, tell, depth + 1) : "undefined";
      line += (line === "" ? "" : ",") + "[" + stringify(kept[index][1]) + "," + stringify(of) + "]";
    } catch (ignored) {
    }
  }
  tell('{"type":{"name":' + stringify(name) + ',"kind":"' + (typeof object === "function" ? "function" : "object") + '"' +
    (owner === null ? "" : ',"prototype":' + stringify(owner)) + ',"properties":[' + line + "]}}");
  return name;
}

// Accessors as [index of the owner, key, label, getter].
var accessors = [];
var looked = 0;

// The properties of each object as JSON, and the objects whose prototype has been looked at and that
// have been reported.
var lines = [];
var chained = 0;
var told = 0;

// Gives every object that can be reached a name, and reports it. Paths of properties come first: a
// prototype is named after the object that it is the prototype of only if no path leads to it.
function look(tell) {
  var prototype, index;
  while (looked < objects.length || chained < objects.length) {
    while (looked < objects.length) {
      lines[looked] = properties(looked, tell);
      looked += 1;
    }
    for (; chained < objects.length && looked === objects.length; chained += 1) {
      prototype = prototypeOf(objects[chained]);
      if (isObject(prototype) && find(prototype) < 0 && objects.length < config.mostObjects) {
        add(prototype, "prototype of " + names[chained]);
      }
    }
  }
  for (; told < objects.length; told += 1) {
    prototype = prototypeOf(objects[told]);
    index = isObject(prototype) ? find(prototype) : -1;
    tell('{"type":{"name":' + stringify(names[told]) + ',"kind":"' +
      (typeof objects[told] === "function" ? "function" : "object") + '"' +
      (index < 0 ? "" : ',"prototype":' + stringify(names[index])) + ',"properties":[' + lines[told] + "]}}");
  }
}

function prototypeOf(object) {
  try {
    return getPrototype(object);
  } catch (ignored) {
    return null;
  }
}

// Returns the properties of an object as JSON, and gives names to their values.
function properties(index, tell) {
  var line = "", keys = keysOf(objects[index]), at, label, name, value, descriptor;
  for (at = 0; at < keys.length; at += 1) {
    label = keys[at][1];
    name = path(names[index], label);
    try {
      descriptor = getDescriptor(objects[index], keys[at][0]);
    } catch (ignored) {
      continue;
    }
    if (!descriptor || isDenied(undefined, name)) {
      continue;
    }
    if (!hasOwn(descriptor, "value")) {
      if (descriptor.get) {
        accessors[accessors.length] = [index, keys[at][0], label, descriptor.get];
      }
      continue;
    }
    value = descriptor.value;
    if (isObject(value) && find(value) < 0) {
      if (isDenied(value, name) || objects.length >= config.mostObjects) {
        continue;
      }
      add(value, name);
    }
    line += (line === "" ? "" : ",") + "[" + stringify(label) + "," + stringify(typeName(value, tell)) + "]";
  }
  if (objects[index] !== global) {
    return line;
  }
  for (at = 0; at < config.hidden.length; at += 1) {
    name = config.hidden[at];
    try {
      value = global[name];
    } catch (ignored) {
      continue;
    }
    if (typeof value === "function" && find(value) < 0 && !isDenied(value, "this." + name)) {
      add(value, "this." + name);
      line += ',["' + name + '","this.' + name + '"]';
    }
  }
  return line;
}

// Makes the prototype chain of an object part of what is looked at.
function reach(object, name, tell) {
  var prototype = object;
  try {
    while (isObject(prototype = getPrototype(prototype)) && find(prototype) < 0) {
      name = "prototype of " + name;
      add(prototype, name);
    }
  } catch (ignored) {
  }
  look(tell);
}

// Texts of values that no path of properties leads to. One that the engine does not parse is left
// out.
var samples = [
  "[1, 2]", "{a: 1}", "function (a) { return a; }", "/a(b)?/g", "new Date(0)", "new Error(\"a\")",
  "(function () { return arguments; })(1, 2)", "(function () { \"use strict\"; return arguments; })(1, 2)",
  "(function () {}).bind(null, 1)", "Object.create(null)", "Object.getOwnPropertyDescriptor([], \"length\")",
  "new Boolean(true)", "new Number(1)", "new String(\"ab\")", "/(a)b/.exec(\"ab\")",
  "(a, b) => [b, a]", "function* (a) { var b = yield a; yield b; }", "(function* () { yield 1; yield 2; })()",
  "async function (a) { await a; return a; }", "(async function () { return 1; })()",
  "async function* (a) { yield a; }", "(async function* () { yield 1; })()",
  "class { constructor(a) { this.a = a; } static b() { return 1; } get c() { return 2; } }",
  "new (class extends Array { d() { return this.length; } })(3)", "Symbol(\"a\")", "10n", "-(2n ** 64n)",
  "[1, 2][Symbol.iterator]()", "\"ab\"[Symbol.iterator]()", "new Map([[1, 2]])", "new Map([[1, 2]]).entries()",
  "new Set([1, \"a\"])", "new Set([1]).values()", "\"aXbX\".matchAll(/X/g)", "[1, 2].values().map(function (a) { return a; })",
  "Iterator.from({next: function () { return {done: true}; }})", "new WeakMap()", "new WeakSet()", "new WeakRef({})",
  "new FinalizationRegistry(function () {})", "new ArrayBuffer(16)", "new ArrayBuffer(8, {maxByteLength: 64})",
  "new SharedArrayBuffer(16)", "new DataView(new ArrayBuffer(16))", "new Uint8Array([1, 2, 3])", "new Float64Array(4)",
  "new BigInt64Array(2)", "Promise.resolve(1)", "Promise.reject(1)", "new Proxy({a: 1}, {})",
  "new Proxy(function () {}, {get: function (a, b) { return a[b]; }})", "Promise.withResolvers()",
  "{[Symbol.iterator]: function* () { yield 1; }}", "{[Symbol.toPrimitive]: function (a) { return a; }}",
  "{then: function (a) { a(1); }}", "Object.freeze([1, 2])", "new AggregateError([1])", "Intl.NumberFormat()",
  "Intl.DateTimeFormat()", "new Intl.Collator()", "new Intl.PluralRules()", "new Intl.Locale(\"de\")"
];

var made = [];
function makeSamples(tell) {
  var index, value;
  for (index = 0; index < samples.length; index += 1) {
    try {
      value = makeFunction("return (" + samples[index] + ");")();
    } catch (ignored) {
      continue;
    }
    if (isObject(value)) {
      reach(value, samples[index], tell);
      if (value.then && typeof value["catch"] === "function") {
        value["catch"](function () {});
      }
    }
    made[made.length] = [samples[index], value];
  }
}

// Whether a function is a constructor can be asked without a call of it.
var canAsk = false;
try {
  canAsk = getPrototype(reflectConstruct(Object, [], Array)) === Array.prototype;
} catch (ignored) {
}

function isConstructor(callee) {
  if (!canAsk) {
    return hasOwn(callee, "prototype");
  }
  try {
    reflectConstruct(Object, [], callee);
    return true;
  } catch (ignored) {
    return false;
  }
}

learnSymbols();
deny();
add(global, "this");
