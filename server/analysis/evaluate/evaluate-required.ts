// `require("./settings.json").auth`, wherever it stands → a reference, whose first name is the module's.
import type { ts } from "ts-morph";
import { takenFrom } from "../commonjs.ts";
import type { EvaluateContext } from "../evaluate.ts";
import type { Span, Value } from "../model.ts";
import { REQUIRED } from "../required-name.ts";

/** Undefined where nothing is required. */
export function evaluateRequired(node: ts.Expression, at: Span, nameSpan: Span, { file }: EvaluateContext): Value | undefined {
  const taken = takenFrom(node);
  if (taken?.module === undefined) return undefined;
  const { start, end } = at;
  return { kind: "reference", file, start, end, path: [REQUIRED + taken.module, ...taken.path], nameSpan };
}
