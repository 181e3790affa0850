"use strict";

// Shows the graph in the element `graph`. Its names come from an engine and from tests: this script
// makes elements, and texts of names only by text nodes.
(() => {
  const graph = JSON.parse(document.getElementById("graph").textContent);
  const none = [];
  const types = graph.types;
  const signatures = graph.signatures;
  for (const type of types) {
    type.properties ??= none;
    type.call ??= none;
    type.construct ??= none;
    type.values ??= none;
  }
  for (const signature of signatures) {
    signature.receiver ??= none;
    signature.parameters ??= none;
    signature.returns ??= none;
  }

  // What is shown at first of a long list.
  const MOST = 60;

  // The edges backward.
  const lists = (count) => Array.from({ length: count }, () => []);
  const byName = new Map(types.map((type, id) => [type.name, id]));
  const inheritors = lists(types.length);
  const valueOf = lists(types.length);
  const takenBy = lists(types.length);
  const returnedBy = lists(types.length);
  const owners = lists(signatures.length);
  types.forEach((type, id) => {
    if (type.prototype !== undefined) inheritors[type.prototype].push(id);
    for (const [key, value] of type.properties) valueOf[value].push([id, key]);
    for (const call of type.call) owners[call].push([id, "call"]);
    for (const call of type.construct) owners[call].push([id, "construct"]);
  });
  const once = (ids) => new Set(ids);
  signatures.forEach((signature, index) => {
    for (const id of once(signature.receiver)) takenBy[id].push([index, -1]);
    signature.parameters.forEach((parameter, position) => {
      for (const id of once(parameter.types ?? none)) takenBy[id].push([index, position]);
    });
    for (const id of once(signature.returns)) returnedBy[id].push(index);
  });

  // Returns a type and its prototypes.
  function chainOf(id) {
    const chain = [];
    for (let at = id; at !== undefined; at = types[at].prototype) chain.push(at);
    return chain;
  }

  // Returns all types that inherit from a type.
  function heirsOf(id) {
    const heirs = [...inheritors[id]];
    // The list grows in the loop.
    for (const heir of heirs) for (const next of inheritors[heir]) heirs.push(next);
    return heirs;
  }

  const isCallable = (id) =>
    types[id].kind === "function" || types[id].call.length > 0 || types[id].construct.length > 0;

  function kindOf(id) {
    const kind = types[id].kind;
    return kind === "function" || kind === "object" ? kind : "primitive";
  }

  // Makes an element. Strings among the children become text.
  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) element.setAttribute(name, value);
    element.append(...children.flat());
    return element;
  }

  const addressOf = (id) => "#" + encodeURIComponent(types[id].name);
  const short = (name) => (name.startsWith("this.") ? name.slice(5) : name);

  function link(id, text) {
    const name = types[id].name;
    const attributes = { class: "name " + kindOf(id), href: addressOf(id) };
    if (text !== undefined && text !== name) attributes.title = name;
    return make("a", attributes, text ?? name);
  }

  // Puts a separator between elements.
  function joined(elements, separator) {
    return elements.flatMap((element, index) => (index === 0 ? [element] : [separator, element]));
  }

  function links(ids) {
    return joined([...once(ids)].map((id) => link(id)), " | ");
  }

  // Fills a list, and makes the rest when it is asked for.
  function fill(list, items, show) {
    const add = (some) => list.append(...some.flatMap((item) => show(item)));
    add(items.slice(0, MOST));
    if (items.length <= MOST) return list;
    // A button in the list would become one of its items.
    const button = make("button", { type: "button" }, `Show ${items.length - MOST} more`);
    button.addEventListener("click", () => {
      button.remove();
      add(items.slice(MOST));
    });
    return make("div", {}, list, button);
  }

  function section(title, count, ...content) {
    const heading = make("h3", {}, title);
    if (count !== null) heading.append(make("span", { class: "count" }, String(count)));
    return make("section", {}, heading, ...content);
  }

  // Makes a group with a title. Its content is made when the group is opened.
  function group(title, count, isOpen, content) {
    const counted = make("span", { class: "count" }, String(count));
    const details = make("details", {}, make("summary", {}, ...title, counted));
    const open = () => details.append(content());
    if (isOpen) {
      details.open = true;
      open();
    } else {
      details.addEventListener("toggle", open, { once: true });
    }
    return details;
  }

  const unknown = () =>
    make("span", { class: "soft", title: "The graph does not say which types" }, "unknown");

  // Returns how many arguments all signatures of a type have that are called in this way.
  function fewest(owner, way) {
    const counts = types[owner][way].map((index) => signatures[index].parameters.length);
    return Math.min(...counts);
  }

  // Writes a signature. `taken` is the position that is of interest, -1 for the receiver.
  function written(index, owner, way, taken) {
    const signature = signatures[index];
    const least = owner === null ? Infinity : fewest(owner, way);
    const marked = (position, parts) =>
      make("span", position === taken ? { class: "taken" } : {}, ...parts);
    const inside = [];
    if (signature.receiver.length > 0) {
      inside.push(marked(-1, ["this: ", ...links(signature.receiver)]));
    }
    signature.parameters.forEach((parameter, position) => {
      const known = (parameter.types ?? none).length > 0;
      const parts = known ? links(parameter.types) : [unknown()];
      if (position >= least) parts.push("?");
      inside.push(marked(position, parts));
    });
    const returns = signature.returns.length > 0 ? links(signature.returns) : [unknown()];
    const line = make("span", { class: "code" });
    line.append(make("span", { class: "way" }, way), " (", ...joined(inside, ", "), ") → ");
    line.append(...returns);
    return line;
  }

  function valuesOf(values) {
    return fill(make("span", {}), values, (value) => make("code", {}, value));
  }

  function signatureRow(index, owner, way) {
    const row = make("li", { class: "signature" }, written(index, owner, way, null));
    if (signatures[index].learned) {
      row.append(make("span", { class: "tag", title: "A test has made this call" }, "learned"));
    }
    signatures[index].parameters.forEach((parameter, position) => {
      const values = parameter.values ?? none;
      if (values.length > 0) {
        row.append(make("div", { class: "values" }, `${position + 1}: `, valuesOf(values)));
      }
    });
    return row;
  }

  // Returns the values of the properties of a type by their keys.
  function propertiesOf(id) {
    const found = new Map();
    for (const [key, value] of types[id].properties) {
      if (found.has(key)) found.get(key).push(value);
      else found.set(key, [value]);
    }
    return [...found];
  }

  function propertyRow(key, values, className) {
    const name = make("span", { class: "name " + className }, key);
    return [make("dt", { "data-key": key }, name), make("dd", {}, ...links(values))];
  }

  // Writes a call of a property in few words: of its signatures, the first that has been seen with
  // a receiver from this chain.
  function callRow(key, values, chain) {
    const value = values.find(isCallable);
    const type = types[value];
    const all = [...type.call, ...type.construct];
    const isOwn = (index) => signatures[index].receiver.some((id) => chain.includes(id));
    const index =
      all.find((call) => signatures[call].learned && isOwn(call)) ??
      all.find((call) => signatures[call].learned) ?? all[0];
    let text = "";
    if (index !== undefined) {
      const { parameters, returns } = signatures[index];
      const names = (ids) => ids.map((id) => short(types[id].name)).join(" | ");
      const inside = parameters.map(({ types: ids }) => (ids?.length ? names(ids) : "_"));
      text = `(${inside.join(", ")})`;
      if (returns.length > 0) text += ` → ${names(returns)}`;
      if (all.length > 1) text += `  +${all.length - 1}`;
    }
    const rest = make("span", { class: "name soft" }, text);
    return make("li", { title: key + text }, link(value, key), rest);
  }

  function callsOn(id) {
    const chain = chainOf(id);
    const seen = new Set();
    const parts = [];
    let count = 0;
    for (const owner of chain) {
      const calls = [];
      for (const [key, values] of propertiesOf(owner)) {
        if (!seen.has(key) && values.some(isCallable)) calls.push([key, values]);
        seen.add(key);
      }
      if (calls.length === 0) continue;
      count += calls.length;
      calls.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
      const title = owner === id ? ["own"] : ["of ", link(owner)];
      const list = make("ul", { class: "calls" });
      parts.push(make("p", { class: "group" }, ...title));
      parts.push(fill(list, calls, ([key, values]) => callRow(key, values, chain)));
    }
    return count === 0 ? [] : [section("What can be called on it", count, ...parts)];
  }

  function inheritedBy(id) {
    const seen = new Set(types[id].properties.map(([key]) => key));
    const parts = [];
    let count = 0;
    for (const owner of chainOf(id).slice(1)) {
      const properties = propertiesOf(owner);
      if (properties.length === 0) continue;
      // The list is made later, when more keys have been seen.
      const shadowed = new Set(seen);
      const list = () => fill(make("dl", { class: "properties" }), properties, ([key, values]) =>
        propertyRow(key, values, shadowed.has(key) ? "shadowed" : ""));
      for (const [key] of properties) seen.add(key);
      count += properties.length;
      parts.push(group(["from ", link(owner)], properties.length, false, list));
    }
    return count === 0 ? [] : [section("Inherited properties", count, ...parts)];
  }

  function useRow(index, taken) {
    const [owner, way] = owners[index][0] ?? [null, "call"];
    const row = make("li", { class: "signature" });
    if (owner === null) row.append(make("span", { class: "soft" }, "nothing calls this"));
    else row.append(link(owner));
    row.append(" ", written(index, owner, way, taken));
    return row;
  }

  // Shows signatures in groups: those that name the type, and those that name another.
  function uses(title, groups, through) {
    const parts = [];
    const seen = new Set();
    for (const [id, some] of groups) {
      const found = some.filter(([index, position]) => {
        const key = `${index} ${position}`;
        return !seen.has(key) && seen.add(key);
      });
      if (found.length === 0) continue;
      parts.push([id, found]);
    }
    const list = fill(make("div", {}), parts, ([id, some]) => {
      const name = id === groups[0][0] ? ["directly"] : [through, link(id)];
      const isOpen = parts.length <= 8 && some.length <= 12;
      return [group(name, some.length, isOpen, () =>
        fill(make("ul", { class: "rows" }), some, ([index, position]) => useRow(index, position)))];
    });
    return seen.size === 0 ? [] : [section(title, seen.size, list)];
  }

  function show(id) {
    const type = types[id];
    const view = [];
    const calls = [...type.call.map((call) => [call, "call"])];
    calls.push(...type.construct.map((call) => [call, "construct"]));
    const chain = chainOf(id);

    view.push(make("h2", {}, make("span", { class: "name" }, type.name),
      make("span", { class: "kind" }, id === 0 ? "global object" : type.kind)));
    const line = make("p", { class: "chain" }, make("span", {}, "Prototypes:"));
    for (const prototype of chain.slice(1)) line.append(link(prototype), make("span", {}, "→"));
    line.append(make("span", { class: "soft" }, "null"));
    view.push(line);

    if (type.values.length > 0) {
      view.push(section("Values", type.values.length,
        make("div", { class: "values" }, valuesOf(type.values))));
    }
    if (calls.length > 0) {
      const list = make("ul", { class: "rows" });
      view.push(section("Signatures", calls.length,
        fill(list, calls, ([call, way]) => signatureRow(call, id, way))));
    }
    if (type.properties.length > 0) {
      const properties = propertiesOf(id);
      const list = make("dl", { class: "properties" });
      view.push(section("Properties", properties.length,
        fill(list, properties, ([key, values]) => propertyRow(key, values, ""))));
    }
    view.push(...callsOn(id), ...inheritedBy(id));
    view.push(...uses("Signatures that take it", chain.map((at) => [at, takenBy[at]]), "as "));
    const sources = [id, ...heirsOf(id)];
    const returned = sources.map((at) => [at, returnedBy[at].map((index) => [index, null])]);
    view.push(...uses("Signatures that return it", returned, "a "));
    if (valueOf[id].length > 0) {
      const list = make("ul", { class: "rows" });
      view.push(section("Where it is a value", valueOf[id].length,
        fill(list, valueOf[id], ([owner, key]) =>
          make("li", {}, link(owner), make("span", { class: "name" }, " . " + key)))));
    }
    if (inheritors[id].length > 0) {
      const list = make("ul", { class: "rows" });
      view.push(section("Types that inherit from it", inheritors[id].length,
        fill(list, inheritors[id], (heir) => make("li", {}, link(heir)))));
    }
    article.replaceChildren(...view);
  }

  // The selected type is the fragment of the address, so that the back button works.
  const article = document.getElementById("type");
  const title = document.title;
  let current = 0;
  let wanted = null;

  function follow() {
    const fragment = location.hash.slice(1);
    let name = fragment;
    try {
      name = decodeURIComponent(fragment);
    } catch {
      // Somebody has written a name as it is.
    }
    const id = name === "" ? 0 : byName.get(name) ?? byName.get(fragment);
    if (id === undefined) {
      article.replaceChildren(make("p", { class: "note" }, "No type has the name ",
        make("span", { class: "name" }, name), "."));
      document.title = title;
      return;
    }
    current = id;
    document.title = name === "" ? title : `${name} – ${title}`;
    show(id);
    select(id);
    if (scrollY > article.offsetTop) scrollTo(0, 0);
    if (wanted !== null) {
      for (const row of article.querySelectorAll("dt")) {
        if (row.dataset.key !== wanted) continue;
        row.classList.add("flash");
        row.scrollIntoView({ block: "center" });
        break;
      }
      wanted = null;
    }
  }

  function go(id, key) {
    wanted = key ?? null;
    if (location.hash === addressOf(id)) follow();
    else location.hash = addressOf(id);
  }

  // The search.
  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const entries = types.map((type, id) => ({ id, key: null, text: type.name }));
  types.forEach((type, id) => {
    for (const [key, values] of propertiesOf(id)) {
      // A type that is named after this property is there already.
      const path = `${type.name}.${key}`;
      const isThere = values.some((value) => types[value].name === path);
      if (!isThere) entries.push({ id, key, text: path });
    }
  });
  for (const entry of entries) {
    entry.lower = entry.text.toLowerCase();
    entry.last = entry.lower.slice(entry.lower.lastIndexOf(".") + 1);
  }
  let matches = [];
  let chosen = 0;

  // The smaller, the better.
  function rank(entry, text) {
    if (!entry.lower.includes(text)) return -1;
    const near = entry.lower === text || entry.last === text ? 0
      : entry.last.startsWith(text) ? 1 : entry.last.includes(text) ? 2 : 3;
    return near * 2 + (entry.key === null ? 0 : 1);
  }

  function search() {
    const text = input.value.trim().toLowerCase();
    const ranks = [[], [], [], [], [], [], [], []];
    if (text !== "") {
      for (const entry of entries) {
        const place = rank(entry, text);
        if (place >= 0) ranks[place].push(entry);
      }
    }
    for (const some of ranks) some.sort((a, b) => a.text.length - b.text.length);
    matches = ranks.flat().slice(0, MOST);
    chosen = 0;
    found.replaceChildren(...matches.map((entry, index) => {
      const at = entry.lower.indexOf(text);
      // Some letters have another length in lower case.
      const isSame = entry.lower.length === entry.text.length;
      const name = make("span", { class: "name" });
      if (isSame) {
        name.append(entry.text.slice(0, at),
          make("mark", {}, entry.text.slice(at, at + text.length)),
          entry.text.slice(at + text.length));
      } else {
        name.append(entry.text);
      }
      const kind = entry.key === null ? types[entry.id].kind : "property";
      const row = make("li", { role: "option", id: "found-" + index }, name,
        make("span", {}, kind));
      // A click would come after the input has lost the focus.
      row.addEventListener("mousedown", (event) => {
        event.preventDefault();
        chosen = index;
        accept();
      });
      return row;
    }));
    if (text !== "" && matches.length === 0) {
      found.append(make("li", {}, make("span", { class: "soft" }, "Nothing has this name.")));
    }
    found.hidden = text === "";
    input.setAttribute("aria-expanded", String(!found.hidden));
    mark();
  }

  function mark() {
    [...found.children].forEach((row, index) => {
      const isChosen = index === chosen && matches.length > 0;
      row.setAttribute("aria-selected", String(isChosen));
      if (isChosen) {
        row.scrollIntoView({ block: "nearest" });
        input.setAttribute("aria-activedescendant", row.id);
      }
    });
  }

  function close() {
    found.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function accept() {
    const entry = matches[chosen];
    if (entry === undefined) return;
    close();
    input.blur();
    go(entry.id, entry.key);
  }

  input.addEventListener("input", search);
  input.addEventListener("focus", () => {
    input.select();
    search();
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
    if (event.key in steps && matches.length > 0) {
      const last = matches.length - 1;
      chosen = Math.max(0, Math.min(last, chosen + steps[event.key]));
      mark();
      event.preventDefault();
    } else if (event.key === "Enter") {
      accept();
      event.preventDefault();
    } else if (event.key === "Escape") {
      input.value = "";
      search();
      input.blur();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "/" && isPlain && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    }
  });

  // The overview.
  const svg = document.querySelector("#picture svg");
  const under = document.getElementById("under");
  const help = under.textContent;
  const all = svg.viewBox.baseVal;
  const whole = { x: all.x, y: all.y, width: all.width, height: all.height };
  let box = { ...whole };
  const dots = new Array(types.length);
  for (const circle of svg.querySelectorAll("[data-type]")) {
    dots[Number(circle.dataset.type)] = {
      x: circle.cx.baseVal.value, y: circle.cy.baseVal.value, r: circle.r.baseVal.value,
    };
    // The line under the picture says the name at once.
    circle.querySelector("title")?.remove();
  }

  function draw(tag, className, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    element.setAttribute("class", className);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  }

  const ring = draw("circle", "chosen", { r: 0 });
  const pointed = draw("circle", "chosen pointed", { r: 0 });
  const values = draw("path", "way value", {});
  const prototypes = draw("path", "way chain", {});
  const dotsGroup = svg.querySelector(".dots");
  dotsGroup.before(values, prototypes);
  svg.append(pointed, ring);

  // Returns how many units of the picture a pixel has.
  function unit() {
    const { width, height } = svg.getBoundingClientRect();
    return Math.max(box.width / (width || 600), box.height / (height || 600));
  }

  function zoom() {
    svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    const pixel = unit();
    svg.classList.toggle("near", pixel < 1.5);
    svg.style.setProperty("--dot", `${Math.max(4, Math.min(12, pixel * 1.7))}px`);
    ringAround(ring, current);
    ringAround(pointed, hovered);
  }

  function ringAround(circle, id) {
    const dot = id === null ? undefined : dots[id];
    circle.setAttribute("visibility", dot === undefined ? "hidden" : "visible");
    if (dot === undefined) return;
    circle.setAttribute("cx", dot.x);
    circle.setAttribute("cy", dot.y);
    circle.style.r = `${Math.max(dot.r + 3, unit() * 7)}px`;
    circle.setAttribute("r", Math.max(dot.r + 3, unit() * 7));
  }

  function bent(from, to) {
    // Edges of neighbors are straight.
    const around = Math.hypot(from.x, from.y) + Math.hypot(to.x, to.y);
    const bend = (1 - Math.hypot(from.x - to.x, from.y - to.y) / (around || 1)) / 2;
    const x = (from.x + to.x) * bend;
    const y = (from.y + to.y) * bend;
    return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
  }

  function select(id) {
    const chain = chainOf(id);
    const steps = chain.slice(1).map((to, index) => bent(dots[chain[index]], dots[to]));
    prototypes.setAttribute("d", steps.join(""));
    const ways = types[id].properties.map(([, to]) => bent(dots[id], dots[to]));
    values.setAttribute("d", id === 0 ? "" : ways.join(""));
    ringAround(ring, id);
    const dot = dots[id];
    const isOutside = dot.x < box.x || dot.x > box.x + box.width || dot.y < box.y ||
      dot.y > box.y + box.height;
    if (isOutside) {
      center(dot, 1);
    }
  }

  // Moves a point to the middle, and makes the picture larger by a factor.
  function center(point, factor) {
    box.width /= factor;
    box.height /= factor;
    box.x = point.x - box.width / 2;
    box.y = point.y - box.height / 2;
    zoom();
  }

  function pointOf(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(
      svg.getScreenCTM().inverse());
  }

  // Keeps the point where it is, and makes the picture larger by a factor.
  function zoomAt(point, factor) {
    const width = Math.min(whole.width * 1.1, Math.max(120, box.width / factor));
    const scale = width / box.width;
    box = {
      x: point.x - (point.x - box.x) * scale, y: point.y - (point.y - box.y) * scale,
      width, height: box.height * scale,
    };
    zoom();
  }

  // Returns the type at a point, or a few pixels from there: dots are small.
  function typeAt(point) {
    let best = null;
    let least = unit() * 12;
    dots.forEach((dot, id) => {
      const distance = Math.hypot(dot.x - point.x, dot.y - point.y) - dot.r;
      if (distance < least) {
        least = distance;
        best = id;
      }
    });
    return best;
  }

  let hovered = null;
  let grip = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    grip = { x: event.clientX, y: event.clientY, box: { ...box }, hasMoved: false };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (grip !== null) {
      const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
      grip.hasMoved ||= Math.hypot(x, y) > 4;
      if (!grip.hasMoved) return;
      svg.classList.add("moving");
      const pixel = unit();
      box.x = grip.box.x - x * pixel;
      box.y = grip.box.y - y * pixel;
      zoom();
      return;
    }
    hovered = typeAt(pointOf(event));
    ringAround(pointed, hovered);
    under.textContent = hovered === null ? help : types[hovered].name;
  });
  svg.addEventListener("pointerup", (event) => {
    const hasMoved = grip === null || grip.hasMoved;
    grip = null;
    svg.classList.remove("moving");
    const id = hasMoved ? null : typeAt(pointOf(event));
    if (id !== null) go(id);
  });
  svg.addEventListener("pointercancel", () => {
    grip = null;
    svg.classList.remove("moving");
  });
  svg.addEventListener("pointerleave", () => {
    hovered = null;
    ringAround(pointed, null);
    under.textContent = help;
  });
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoomAt(pointOf(event), Math.exp(-event.deltaY / (event.deltaMode === 0 ? 400 : 12)));
  }, { passive: false });

  const middle = () => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const onClick = (id, action) => document.getElementById(id).addEventListener("click", action);
  onClick("closer", () => zoomAt(middle(), 1.6));
  onClick("farther", () => zoomAt(middle(), 1 / 1.6));
  onClick("selected", () => center(dots[current], Math.max(1, box.width / 700)));
  onClick("whole", () => {
    box = { ...whole };
    zoom();
  });
  addEventListener("resize", zoom);

  addEventListener("hashchange", follow);
  zoom();
  follow();
})();
