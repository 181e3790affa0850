// Reports the graph of an engine: all objects, what can be called, and what constructors make.
function report(line) {
  print(config.mark + line);
}

// Returns the list of arguments as JSON, with the name of each one's type.
function typesOf(list) {
  var text = "", index;
  for (index = 0; index < list.length; index += 1) {
    text += (index > 0 ? "," : "") + stringify(typeName(list[index], report));
  }
  return "[" + text + "]";
}

function unknown(count) {
  var text = "", index;
  count = typeof count === "number" && count > 0 && count < 20 ? count : 0;
  for (index = 0; index < count; index += 1) {
    text += (index > 0 ? "," : "") + "null";
  }
  return "[" + text + "]";
}

function lengthOf(callee) {
  var descriptor = getDescriptor(callee, "length");
  return descriptor ? descriptor.value : 0;
}

var instances = [];

// Constructs with no argument, with one sample, and with two, and reports the first results with
// different types of arguments or of the result.
function construct(callee, name) {
  var found = {}, count = 0, lists = [[]], index, value, of, types;
  for (index = 0; index < made.length; index += 1) {
    lists[lists.length] = [made[index][1]];
  }
  lists[lists.length] = [{}, {}];
  lists[lists.length] = [1, 2];
  lists[lists.length] = ["a", "b"];
  for (index = 0; index < lists.length && count < config.mostConstructions; index += 1) {
    try {
      value = reflectConstruct ? reflectConstruct(callee, lists[index]) :
        lists[index].length === 0 ? new callee() :
        lists[index].length === 1 ? new callee(lists[index][0]) : new callee(lists[index][0], lists[index][1]);
    } catch (ignored) {
      continue;
    }
    if (isObject(value)) {
      reach(value, "new " + name, report);
    }
    of = typeName(value, report);
    types = typesOf(lists[index]);
    if (!hasOwn(found, types + of)) {
      found[types + of] = true;
      count += 1;
      instances[instances.length] = value;
      report('{"construct":{"of":' + stringify(name) + ',"arguments":' + types +
        ',"returns":' + stringify(of) + "}}");
      if (count === 1) {
        report('{"construct":{"of":' + stringify(name) + ',"arguments":' + unknown(lengthOf(callee)) +
          ',"returns":' + stringify(of) + "}}");
      }
    }
  }
  if (count === 0) {
    report('{"construct":{"of":' + stringify(name) + ',"arguments":' + unknown(lengthOf(callee)) + "}}");
  }
}

// Getters are called on instances and on constructors. On a prototype most of them throw, and some
// engines end the process for that.
function read(accessor, object) {
  var value;
  try {
    value = apply(accessor[3], object, []);
  } catch (ignored) {
    return false;
  }
  if (isObject(value) && find(value) < 0 && isDenied(value, "")) {
    return true;
  }
  report('{"property":[' + stringify(names[accessor[0]]) + "," + stringify(accessor[2]) + "," +
    stringify(typeName(value, report)) + "]}");
  return true;
}

function isPrototypeOf(owner, object) {
  try {
    while (isObject(object = getPrototype(object))) {
      if (object === owner) {
        return true;
      }
    }
  } catch (ignored) {
  }
  return false;
}

function readAccessors() {
  var index, at, accessor, owner, known;
  for (index = 0; index < accessors.length; index += 1) {
    accessor = accessors[index];
    owner = objects[accessor[0]];
    known = typeof owner === "function" && read(accessor, owner);
    for (at = 0; at < instances.length && !known; at += 1) {
      known = isObject(instances[at]) && isPrototypeOf(owner, instances[at]) && read(accessor, instances[at]);
    }
    if (!known) {
      report('{"property":[' + stringify(names[accessor[0]]) + "," + stringify(accessor[2]) + ',"undefined"]}');
    }
  }
}

// Strings and other primitive values have the properties of their prototypes.
function primitives() {
  var values = [true, 1, "a"], index, at, prototype;
  for (index = 0; index < made.length; index += 1) {
    if (!isObject(made[index][1])) {
      values[values.length] = made[index][1];
    }
  }
  for (index = 0; index < values.length; index += 1) {
    prototype = getPrototype(Object(values[index]));
    at = find(prototype);
    if (at >= 0) {
      report('{"type":{"name":"' + typeof values[index] + '","kind":"' + typeof values[index] +
        '","prototype":' + stringify(names[at]) + "}}");
    }
  }
}

(function () {
  var index, name, last;
  look(report);
  makeSamples(report);
  for (index = 0; index < made.length; index += 1) {
    name = typeName(made[index][1], report);
    report('{"value":[' + stringify(made[index][0]) + "," + stringify(name) + "]}");
    instances[instances.length] = made[index][1];
  }
  primitives();
  for (index = 0; index < objects.length; index += 1) {
    if (typeof objects[index] !== "function") {
      continue;
    }
    name = names[index];
    report('{"call":{"of":' + stringify(name) + ',"arguments":' + unknown(lengthOf(objects[index])) + "}}");
    last = name.split(".").pop();
    if (isConstructor(objects[index])) {
      if (last[0] >= "A" && last[0] <= "Z") {
        construct(objects[index], name);
      } else {
        report('{"construct":{"of":' + stringify(name) + ',"arguments":' + unknown(lengthOf(objects[index])) + "}}");
      }
    }
  }
  readAccessors();
  report('{"done":' + objects.length + "}");
}());
