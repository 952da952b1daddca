// `urls.token`, `urls["token"]` → a reference by its names, or the member of one of the toolkit's enums.
import { ts } from "ts-morph";
import { type EvaluateContext, evaluate } from "../evaluate.ts";
import { isMadeUrl, partOfUrl } from "../made-url.ts";
import type { Value } from "../model.ts";
import { partOfNew } from "./evaluate-new.ts";
import { evaluateRequired } from "./evaluate-required.ts";
import { type Access, nameNodeOf, pathOf, unwrap } from "./path-of.ts";
import { enumMember, toolkitPath } from "./toolkit-path.ts";

// Taken once: the compiler's namespace is a table of getters, and every keystroke comes through here.
const { SyntaxKind } = ts;

type Reference = Value & { readonly kind: "reference" };

export function evaluateAccess(expression: Access, start: number, end: number, context: EvaluateContext): Value {
  const { file, source, toolkitImports } = context;
  const path = pathOf(expression);
  const isPlain = expression.kind === SyntaxKind.PropertyAccessExpression;
  const last = isPlain ? (expression as ts.PropertyAccessExpression).name : nameNodeOf(expression);
  // Of `["name"]` it is the text alone.
  const quote = isPlain ? 0 : 1;
  const nameSpan = last && { start: last.getStart(source) + quote, end: last.end - quote };
  if (path === undefined || nameSpan === undefined) {
    const required = nameSpan && evaluateRequired(expression, { start, end }, nameSpan, context);
    return required ?? ofNew(expression, start, end, context) ?? { kind: "unknown", file, start, end, ...lookup(expression, context) };
  }
  const reference: Reference = { kind: "reference", file, start, end, path, nameSpan };
  const imported = toolkitImports.get(path[0] ?? "");
  return imported === undefined ? reference : (enumMember(toolkitPath(path, imported), reference, source.text) ?? reference);
}

/** `new URL(text).href`, `new Name().method`. */
function ofNew(expression: Access, start: number, end: number, context: EvaluateContext): Value | undefined {
  if (expression.kind !== SyntaxKind.PropertyAccessExpression) return undefined;
  const { expression: receiver, name } = expression as ts.PropertyAccessExpression;
  if (unwrap(receiver).kind !== SyntaxKind.NewExpression) return undefined;
  const made = evaluate(receiver, context);
  return isMadeUrl(made) ? partOfUrl(made, name.text) : partOfNew(made, name.text, { start, end });
}

/** `HOSTS[ENV]`, of two names. */
function lookup(expression: ts.Expression, context: EvaluateContext): Pick<Value & { kind: "unknown" }, "lookup"> {
  if (expression.kind !== SyntaxKind.ElementAccessExpression) return {};
  const access = expression as ts.ElementAccessExpression;
  const [object, key] = [evaluate(access.expression, context), evaluate(access.argumentExpression, context)];
  return object.kind === "reference" && key.kind === "reference" ? { lookup: { object, key } } : {};
}
