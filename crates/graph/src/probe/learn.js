// Replaces the functions of an engine by ones that record their calls, for the test that follows.
//
// What is recorded is reported at once, so that a test that fails or hangs later loses nothing. The
// objects are looked at without a report first, so that they have the same names as in the graph.
var isBusy = true;
var defineProperty = Object.defineProperty;
var seen = {};
var perFunction = [];
var reported = 0;

function report(line) {
  if (reported < config.mostReports) {
    reported += 1;
    print(config.mark + line);
  }
}

function silent() {
}

// Returns a text for an argument that makes it again, or null.
function textOf(value, depth) {
  var text, index, keys, descriptor, part, at, prototype;
  switch (typeof value) {
  case "undefined":
    return "undefined";
  case "boolean":
    return value ? "true" : "false";
  case "number":
    return value === 0 && 1 / value < 0 ? "-0" : "" + value;
  case "string":
    return value.length <= config.longestText ? stringify(value) : null;
  case "bigint":
    return value + "n";
  case "function":
    if (find(value) >= 0) {
      return null;
    }
    text = apply(functionText, value, []);
    if (text.length > config.longestText) {
      return null;
    }
    for (index = 0; index + 13 <= text.length; index += 1) {
      if (text[index] === "[" && text[index + 1] === "n" && text[index + 2] === "a" && text[index + 3] === "t") {
        return null;
      }
    }
    // Methods and functions within other syntax are not expressions.
    makeFunction("return (" + text + ");");
    return text;
  case "object":
    if (value === null) {
      return "null";
    }
    if (depth > 2 || find(value) >= 0) {
      return null;
    }
    prototype = getPrototype(value);
    at = prototype === null ? -1 : find(prototype);
    text = at < 0 ? null : names[at];
    if (text === "this.RegExp.prototype") {
      text = apply(regExpText, value, []);
      return text.length <= config.longestText ? text : null;
    }
    if (text !== "this.Array.prototype" && text !== "this.Object.prototype") {
      return null;
    }
    keys = getNames(value);
    if (text === "this.Array.prototype") {
      if (value.length > 8) {
        return null;
      }
      text = "";
      for (index = 0; index < value.length; index += 1) {
        descriptor = getDescriptor(value, "" + index);
        part = descriptor === undefined ? "" : hasOwn(descriptor, "value") ? textOf(descriptor.value, depth + 1) : null;
        if (part === null) {
          return null;
        }
        text += part + (index + 1 < value.length || part === "" ? ", " : "");
      }
      return "[" + text + "]";
    }
    if (keys.length > 6) {
      return null;
    }
    text = "";
    for (index = 0; index < keys.length; index += 1) {
      descriptor = getDescriptor(value, keys[index]);
      part = hasOwn(descriptor, "value") ? textOf(descriptor.value, depth + 1) : null;
      if (part === null || keys[index] === "__proto__") {
        return null;
      }
      text += (index > 0 ? ", " : "") + (isName(keys[index]) ? keys[index] : stringify(keys[index])) + ": " + part;
    }
    return text.length <= config.longestText ? "{" + text + "}" : null;
  default:
    return null;
  }
}

function safeText(value) {
  try {
    return textOf(value, 0);
  } catch (ignored) {
    return null;
  }
}

// Returns what is known of a call before it is made: afterwards its arguments may have changed.
function before(index, how, receiver, list) {
  var types = "", values = "", at, text, count = list.length < 10 ? list.length : 10;
  perFunction[index] = (perFunction[index] || 0) + 1;
  if (perFunction[index] > 300 && perFunction[index] % 64 !== 0) {
    return null;
  }
  for (at = 0; at < count; at += 1) {
    types += (at > 0 ? "," : "") + stringify(typeName(list[at], report));
    text = safeText(list[at]);
    values += (at > 0 ? "," : "") + (text === null ? "null" : stringify(text));
  }
  return [
    '{"' + how + '":{"of":' + stringify(names[index]) +
      (how === "call" ? ',"receiver":' + stringify(typeName(receiver, report)) : "") +
      ',"arguments":[' + types + '],"learned":true',
    values
  ];
}

function after(known, result) {
  var head = known[0] + ',"returns":' + stringify(typeName(result, report));
  var texts = hasOwn(seen, head) ? seen[head] : (seen[head] = {count: 0, known: {}});
  if (texts.count >= 24 || hasOwn(texts.known, "_" + known[1])) {
    return;
  }
  texts.known["_" + known[1]] = true;
  texts.count += 1;
  report(head + ',"values":[' + known[1] + "]}}");
}

function recorded(index, how, receiver, list, make) {
  var known = null, result;
  if (isBusy) {
    return make();
  }
  isBusy = true;
  try {
    known = before(index, how, receiver, list);
  } catch (ignored) {
  }
  isBusy = false;
  result = make();
  if (known !== null) {
    isBusy = true;
    try {
      after(known, result);
    } catch (ignored) {
    }
    isBusy = false;
  }
  return result;
}

var makeProxy = (function () {
  var probe;
  try {
    probe = new Proxy(function () { return 0; }, {apply: function () { return 7; }});
    return probe() === 7 && reflectApply && reflectConstruct ? Proxy : null;
  } catch (ignored) {
    return null;
  }
}());

function replacement(callee, index) {
  var proxy;
  if (makeProxy) {
    proxy = new makeProxy(callee, {
      apply: function (target, receiver, list) {
        return recorded(index, "call", receiver, list, function () {
          return reflectApply(target, receiver, list);
        });
      },
      construct: function (target, list, newTarget) {
        return recorded(index, "construct", undefined, list, function () {
          return reflectConstruct(target, list, newTarget === proxy ? target : newTarget);
        });
      }
    });
    return proxy;
  }
  // Without proxies, a constructor cannot be replaced by a function that has its identity. In some
  // engines every function has a prototype, so the name decides.
  if (isCapitalized(names[index])) {
    return null;
  }
  return function () {
    var receiver = this, list = arguments;
    return recorded(index, "call", receiver, list, function () {
      return apply(callee, receiver, list);
    });
  };
}

function isCapitalized(name) {
  var start = 0, index;
  for (index = 0; index < name.length; index += 1) {
    if (name[index] === ".") {
      start = index + 1;
    }
  }
  return name[start] >= "A" && name[start] <= "Z";
}

// A replacement has the name of what it replaces.
function replace(index) {
  var made = replacement(objects[index], index);
  if (made) {
    replacements[index] = made;
    if (table) {
      apply(tableSet, table, [made, index]);
    }
  }
  return made;
}

(function () {
  var functions = [], index, at, keys, descriptor, of, skipped = {
    "this.eval": true, "this.Function.prototype.call": true, "this.Function.prototype.apply": true,
    "this.Function.prototype": true, "this.print": true, "this.console.log": true
  };
  look(silent);
  makeSamples(silent);
  looked = objects.length;
  for (index = 0; index < looked; index += 1) {
    if (typeof objects[index] === "function" && !hasOwn(skipped, names[index])) {
      functions[index] = replace(index);
    }
  }
  for (index = 0; index < looked; index += 1) {
    keys = keysOf(objects[index]);
    for (at = 0; at < keys.length; at += 1) {
      try {
        descriptor = getDescriptor(objects[index], keys[at][0]);
        of = descriptor && hasOwn(descriptor, "value") && typeof descriptor.value === "function" ?
          find(descriptor.value) : -1;
        if (of >= 0 && functions[of] && (descriptor.configurable || descriptor.writable)) {
          descriptor.value = functions[of];
          defineProperty(objects[index], keys[at][0], descriptor);
        }
      } catch (ignored) {
      }
    }
  }
  isBusy = false;
  report('{"done":' + looked + "}");
}());
