// Generates short sources of any tokens in any order, most of them invalid, because parsers differ most in such sources.
import fc from "fast-check";

const KEYWORDS =
  "async keyof typeof unique readonly infer asserts is new abstract class function type interface enum namespace module declare export " +
  "default import from let const using await yield return if else for of in as satisfies extends do while try catch case switch get set " +
  "static accessor global defer void delete this super null true instanceof implements public private protected override out intrinsic " +
  "undefined require any string var package arguments eval never symbol bigint";

const SIGNS =
  "( ) { } [ ] < > , ; : = ? . => ... ! + - * / ?. ?? && || & | ++ -- ** += ` ${ @ # == === <= >= >> << ~ % ^ \\ ; a b c x (a) (a,b) {} [] " +
  "{a:1} () a.b a() a(b) x=1 =1 `t` 'x' \"s\" /r/ 1 0x1 1n .5 1. 1e3 010 '\\u{1}' /*c*/ a<b> <T> <T>(a)=>a :string :{a:b} {b} {b:c} " +
  "import('x') a?b:c a?(b):c function(){} ()=>{} ()=>1 async()=>1";

const token = fc.oneof(fc.constantFrom(...KEYWORDS.split(" ")), fc.constantFrom(...SIGNS.split(" "), "\n", "//c\n", "as const", "new A"));
const space = fc.constantFrom(" ", " ", " ", "", "\n");

/** The places of the tokens, because each kind of place has its own grammar. */
const place = fc.constantFrom<readonly [before: string, behind: string]>(
  ["", ""],
  ["", ""],
  ["class A { ", " }"],
  ["x = { ", " };"],
  ["function f() { ", " }"],
  ["type T = ", ";"],
  ["interface I { ", " }"],
  ["f(", ");"],
);

export const phrase: fc.Arbitrary<string> = fc
  .tuple(place, fc.array(fc.tuple(token, space), { minLength: 1, maxLength: 7, size: "max" }))
  .map(([[before, behind], tokens]) => before + tokens.map((pair) => pair.join("")).join("") + behind);
