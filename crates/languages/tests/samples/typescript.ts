import type { A } from "a";
declare module "m" { export function f(x: number): string; }
export interface Shape<T extends object = {}> extends A { readonly kind: "a" | 'b'; size?(n: number): T[]; [key: string]: any; }
type Mapped<T> = { readonly [K in keyof T]?: T[K] extends infer U ? U : never };
enum Color { Red, Green = 1 << 2 }
abstract class C<T> implements Shape { private constructor(public x: number, protected y?: string) { super(); } abstract run(): void; static s: Array<T> = [] as const; }
function assertIs(x: unknown): asserts x is string { if (typeof x !== "string") throw x!; }
let v = <number>f<string>(1), u: [a: number, ...b: string[]] = [1], w = x satisfies A;
@decorator() class D { @prop() p!: number }
namespace N.M { export const x = 1 }
