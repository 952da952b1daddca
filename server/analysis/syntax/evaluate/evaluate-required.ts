// `require("./settings.json").auth`, wherever it stands → a reference, whose first name is the module's.
import type { ts } from "ts-morph";
import type { Place, Value } from "../../model/values.ts";
import { REQUIRED, readImportPath } from "../commonjs.ts";

/** Undefined where nothing is required. */
export function evaluateRequired(node: ts.Expression, place: Place, nameSpan: Place): Value | undefined {
  const importPath = readImportPath(node);
  if (importPath?.module === undefined) return undefined;
  return { kind: "reference", place, path: [REQUIRED + importPath.module, ...importPath.path], nameSpan };
}
