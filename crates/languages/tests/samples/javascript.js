'use strict';
import def, { a as b, c } from './m.js';
export default class Thing extends (Base) {
  static #count = 0;
  static { Thing.#count++; }
  get size() { return this.#n ?? 1 }
  async *items([first, ...rest], { x = 1, y: { z } } = {}) { yield* await first; }
}
let n = 0x1F, big = 10n, re = /a[/\]]+b/gi
const o = { n, 'key': 1, [n + 1]: () => ({}), method() {}, ...rest, get g() { return 1 } };
var t = `text ${n + `in ${1}`} end`
for (const k of [1, , 2,]) { if (k) continue; else break }
for (var i = 0, j; i < 3; i++, j--);
label: while (true) { do { break label } while (0) }
try { throw new Error("x\n") } catch { } finally { delete o?.n?.[0] }
switch (n) { case 1: case 2: f(1, 2); default: }
const f = async (a, b = 2) => a ** b, g = x => { return x ? typeof x : void 0 };
new Map; (function named() { debugger })()
// last
