// `urls.token`, `urls["token"]` → a reference by its names, or the member of one of the toolkit's enums.

import type { Place, Value } from "../../model/values.ts";
import { ts } from "../../typescript.ts";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { isEachItem } from "../index-loop.ts";
import { isMadeUrl, partOfUrl } from "../made-url.ts";
import { partOfNew } from "./evaluate-new.ts";
import { evaluateRequired } from "./evaluate-required.ts";
import { type Access, nameNodeOf, pathOf, unwrap } from "./path-of.ts";
import { enumMember, toolkitPath } from "./toolkit-path.ts";

type Reference = Value & { readonly kind: "reference" };

export function evaluateAccess(expression: Access, place: Place, context: EvaluateContext): Value {
  const { places, source, toolkitImports } = context;
  const path = pathOf(expression);
  const last = nameNodeOf(expression);
  // Of `["name"]` it is the text alone.
  const nameSpan = last && (ts.isStringLiteralLike(last) ? places.span(last.getStart(source) + 1, last.end - 1) : places.of(last));
  if (path === undefined || nameSpan === undefined) {
    const required = nameSpan && evaluateRequired(expression, place, nameSpan);
    return required ?? ofNew(expression, place, context) ?? { kind: "unknown", place, ...lookup(expression, context) };
  }
  const reference: Reference = { kind: "reference", place, path, nameSpan };
  const imported = toolkitImports.get(path[0] ?? "");
  return imported === undefined ? reference : (enumMember(toolkitPath(path, imported), reference, source.text) ?? reference);
}

/** `new URL(text).href`, `new Name().method`. */
function ofNew(expression: Access, place: Place, context: EvaluateContext): Value | undefined {
  if (!ts.isPropertyAccessExpression(expression) || !ts.isNewExpression(unwrap(expression.expression))) return undefined;
  const made = evaluate(expression.expression, context);
  const name = expression.name.text;
  return isMadeUrl(made) ? partOfUrl(made, name) : partOfNew(made, name, place);
}

/** `HOSTS[ENV]`, of a name; `LIST[i]` in a loop over the list; `HOSTS[ENV].url`. */
function lookup(access: Access, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "lookup" | "each"> {
  const name = nameNodeOf(access);
  if (name !== undefined) {
    const object = evaluate(access.expression, context);
    const place = context.places.of(name);
    return object.kind === "unknown" && object.lookup !== undefined
      ? { lookup: { object, key: { kind: "string", place, value: name.text } } }
      : {};
  }
  if (!ts.isElementAccessExpression(access)) return {};
  const object = evaluate(access.expression, context);
  if (object.kind !== "reference") return {};
  return isEachItem(access, context.source) ? { each: object } : { lookup: { object, key: evaluate(access.argumentExpression, context) } };
}
