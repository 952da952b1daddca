// What a mistake is, and the edits and places that all kinds of them are made of.
import { ts } from "ts-morph";
import type { Span } from "../../../server/analysis/model/values.ts";
import { AUTH_TYPES, isAuthTypeName } from "../../../spec/auth-types.ts";
import type { PackSyntax, Setter } from "../pack-syntax.ts";

/** One mistake, in a file: an edit, where the finding is expected, and the rules that may say it. */
export interface Mistake {
  readonly mistake: string;
  readonly rules: readonly string[];
  readonly edit: Span & { readonly text: string };
  /** In the changed text; by default what was written. */
  readonly where?: Span;
  /** Instead: in the text as it was, what the finding may stand on; none where that is in another file. */
  readonly on?: readonly ts.Node[];
}

export type Mistakes = (syntax: PackSyntax, text: string) => Iterable<Mistake>;

export const spanOf = (node: ts.Node): Span => ({ start: node.getStart(), end: node.end });

/** Anything about the setter: its name, its object. */
export const around = (setter: Setter, edit: Span & { text: string }): Span => ({
  start: setter.name.getStart(),
  end: setter.object.end + edit.text.length - (edit.end - edit.start),
});

export const over = (node: ts.Node, text: string): Span & { text: string } => ({ ...spanOf(node), text });

/** Without the property and the comma behind it. */
export function without(property: ts.Node, source: string): Span & { text: string } {
  const end = /^\s*,/.exec(source.slice(property.end))?.[0].length ?? 0;
  return { start: property.getStart(), end: property.end + end, text: "" };
}

/** As the object's first property. */
export const withField = (object: ts.ObjectLiteralExpression, field: string): Span & { text: string } => ({
  start: object.getStart() + 1,
  end: object.getStart() + 1,
  text: ` ${field},${object.properties.length === 0 ? "" : " "}`,
});

/** Two letters in the middle change places. */
export function misspell(name: string): string {
  const middle = Math.max(1, Math.floor(name.length / 2) - 1);
  for (let at = middle; at < name.length - 1; at++)
    if (name[at] !== name[at + 1]) return name.slice(0, at) + name[at + 1] + name[at] + name.slice(at + 2);
  return `${name}x`;
}

export const own = (setter: Setter): boolean => isAuthTypeName(setter.type) && !AUTH_TYPES[setter.type].isHidden;

export const isSpread = (setter: Setter): boolean => setter.object.properties.some(ts.isSpreadAssignment);
