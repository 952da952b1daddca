// What can be said of an expression by its kind alone.
import type { Builder, BuiltIn, Expression, Resolve, Value } from "../model/values.ts";

/**
 * Whether the source does not give the value itself: it is unknown, an object without a literal, or an expression that must be evaluated. A
 * name, a choice and a template are not: their parts can be read.
 */
export function isOpaque(expression: Expression): boolean {
  switch (expression.kind) {
    case "string":
    case "number":
    case "boolean":
    case "null":
    case "undefined":
    case "array":
    case "object":
    case "function":
    case "member":
    case "template":
    case "reference":
    case "choice":
      return false;
    default:
      return true;
  }
}

/** Whether an argument stands for the items of a list: `...list`, or the list of `apply`. */
export const isSpread = (argument: Expression | undefined): boolean =>
  argument?.kind === "array" && argument.spreads[0]?.value.place.end === argument.place.end;

/** Returns the arguments with the items of spread lists, or undefined if one could not be read. */
export function withItems(args: readonly Expression[], resolve: Resolve): readonly Expression[] | undefined {
  if (!args.some(isSpread)) return args;
  const lists = args.map((one) => (isSpread(one) ? resolve(one) : one));
  if (lists.some((list, index) => list !== args[index] && (list.kind !== "array" || list.open))) return undefined;
  return lists.flatMap((list, index) => (list.kind === "array" && list !== args[index] ? list.items : [list]));
}

/** Whether the expression is a pack or an agent, as far as its own statement says. */
export const isBuilder = ({ kind }: Expression): boolean => kind === "builder" || kind === "newPack";

/** Whether a value is a pack, or an agent. */
export const builds = (value: Value, what: Builder["builds"]): boolean => value.kind === "builder" && value.builds === what;

/** Returns the kind of built-in object, or undefined if the expression is none. */
export function builtInOf(expression: Expression): BuiltIn | undefined {
  switch (expression.kind) {
    case "builtIn":
      return expression.of;
    case "instance":
      return expression.class.kind === "reference" && expression.class.path.join(".") === "Date" ? "Date" : undefined;
    case "url":
      return expression.isText ? undefined : "URL";
    case "newUrl":
      return builtInOf(expression.url);
    default:
      return undefined;
  }
}

/** Returns the function that is called for the value, if it may belong to the pack. */
export const calleeOf = (expression: Expression): Expression | undefined => ("callee" in expression ? expression.callee : undefined);

/** Returns the path of names of a value of which nothing else is known. */
export const openPath = (expression: Expression | undefined): readonly string[] | undefined =>
  expression?.kind === "parameter" ? expression.path : undefined;
