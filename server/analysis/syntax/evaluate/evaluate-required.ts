// Evaluates `require("./settings.json").auth` to a reference whose first name is the module's.
import type { ts } from "ts-morph";
import type { Expression, Place } from "../../model/values.ts";
import { REQUIRED, readImportPath } from "../commonjs.ts";

/** Returns undefined if the expression does not require a module. */
export function evaluateRequired(node: ts.Expression, place: Place, nameSpan: Place): Expression | undefined {
  const importPath = readImportPath(node);
  if (importPath?.module === undefined) return undefined;
  return { kind: "reference", place, path: [REQUIRED + importPath.module, ...importPath.path], nameSpan };
}
