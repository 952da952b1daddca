// CommonJS, as authors and compilers write it: what an expression imports from a module, and what an assignment exports.

import type { FileFacts } from "../model/facts.ts";
import type { Mutation } from "../model/mutations.ts";
import type { Expression } from "../model/values.ts";
import { ts } from "../typescript.ts";
import { find, TOP_LEVEL } from "./names/declarations.ts";
import { calleeName, nameNodeOf, pathOf, unwrap } from "./nodes.ts";

const { SyntaxKind } = ts;

/** A path of names from a module, or from a name of the file. */
interface ImportPath {
  readonly module?: string;
  readonly path: readonly string[];
}

/** Returns the import path of `require("m")`, `require("m").name`, `__importStar(require("m"))` or `m.default ?? m`. */
export function readImportPath(node: ts.Expression): ImportPath | undefined {
  const expression = unwrap(node);
  switch (expression.kind) {
    case SyntaxKind.CallExpression:
      return readImportCall(expression as ts.CallExpression);
    case SyntaxKind.BinaryExpression: {
      const { left, operatorToken, right } = expression as ts.BinaryExpression;
      const isEither = operatorToken.kind === SyntaxKind.QuestionQuestionToken || operatorToken.kind === SyntaxKind.BarBarToken;
      return isEither ? either(left, right) : undefined;
    }
    case SyntaxKind.ConditionalExpression:
      return either((expression as ts.ConditionalExpression).whenTrue, (expression as ts.ConditionalExpression).whenFalse);
    default: {
      const path = pathOf(expression);
      if (path !== undefined) return { path };
      const name = nameNodeOf(expression);
      const of = name && readImportPath((expression as ts.PropertyAccessExpression).expression);
      return name === undefined || of?.module === undefined ? undefined : { ...of, path: [...of.path, name.text] };
    }
  }
}

/** Names of the functions in which compilers wrap required modules. */
const INTEROP = /^_+(?:import|interop|toESM)/;

function readImportCall(call: ts.CallExpression): ImportPath | undefined {
  const module = requiredModule(call);
  if (module !== undefined) return { module, path: [] };
  const [first] = call.arguments;
  const of = first !== undefined && INTEROP.test(calleeName(call)?.text ?? "") ? readImportPath(first) : undefined;
  return of?.module === undefined ? undefined : of;
}

/** Returns the module that a call requires. */
export function requiredModule(node: ts.Expression): string | undefined {
  const call = unwrap(node);
  if (call.kind !== SyntaxKind.CallExpression || calleeName(call as ts.CallExpression)?.text !== "require") return undefined;
  const [argument] = (call as ts.CallExpression).arguments;
  return argument !== undefined && ts.isStringLiteralLike(argument) ? argument.text : undefined;
}

/** Returns the module that both expressions refer to: either both are the same path, or the longer one is its `default`. */
function either(one: ts.Expression, other: ts.Expression): ImportPath | undefined {
  const [a, b] = [readImportPath(one), readImportPath(other)];
  if (a === undefined || b === undefined || a.module !== b.module) return undefined;
  const [short, long] = a.path.length < b.path.length ? [a, b] : [b, a];
  return long.path.join("\n") === [...short.path, ...(long.path.length > short.path.length ? ["default"] : [])].join("\n")
    ? short
    : undefined;
}

/** The names and the value of `exports.name = module.exports.other = value`. An undefined name stands for the whole module. */
interface AssignedExports {
  readonly names: readonly (string | undefined)[];
  readonly value: ts.Expression;
}

export function assignedExports(node: ts.Expression): AssignedExports | undefined {
  const names: (string | undefined)[] = [];
  let value = unwrap(node);
  while (value.kind === SyntaxKind.BinaryExpression) {
    const { left, operatorToken, right } = value as ts.BinaryExpression;
    const path = operatorToken.kind === SyntaxKind.EqualsToken ? pathOf(left) : undefined;
    const [head, ...name] = path?.[0] === "module" ? path.slice(1) : (path ?? []);
    if (head !== "exports" || name.length > 1) break;
    // `exports = module.exports = …` only assigns a local alias.
    if (path?.length !== 1) names.push(name[0]);
    value = unwrap(right);
  }
  return names.length === 0 ? undefined : { names, value };
}

/** Whether a path is that of a module's exports, or of one of them. */
export const isExportPath = (path: readonly string[]): boolean =>
  path[0] === "exports" ? path.length <= 2 : path[0] === "module" && path[1] === "exports" && path.length <= 3;

const isExports = (node: ts.Expression | undefined): boolean => {
  const path = node && pathOf(node);
  return path !== undefined && (path.join(".") === "exports" || path.join(".") === "module.exports");
};

/** Returns the exports of `Object.assign(exports, { name })` or `Object.defineProperty(exports, "name", { get: () => value })`. */
export function exportingCall(call: ts.CallExpression): readonly { readonly name: string; readonly value: ts.Expression }[] | undefined {
  const [root, method, more] = pathOf(call.expression) ?? [];
  const [target, ...remainingArguments] = call.arguments;
  if (root !== "Object" || more !== undefined || !isExports(target)) return undefined;
  if (method === "assign") return remainingArguments.flatMap(propertiesOf);
  const [name, definition] = remainingArguments;
  if (method !== "defineProperty" || name === undefined || definition === undefined || !ts.isStringLiteralLike(name)) return undefined;
  return propertiesOf(definition).flatMap((property) => {
    const value = property.name === "get" ? returnedBy(property.value) : property.name === "value" ? property.value : undefined;
    return value === undefined ? [] : [{ name: name.text, value }];
  });
}

function propertiesOf(node: ts.Expression): readonly { readonly name: string; readonly value: ts.Expression }[] {
  const object = unwrap(node);
  if (!ts.isObjectLiteralExpression(object)) return [];
  return object.properties.flatMap((property) => {
    if (ts.isShorthandPropertyAssignment(property)) return [{ name: property.name.text, value: property.name }];
    const isNamed = ts.isPropertyAssignment(property) && (ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name));
    return isNamed ? [{ name: (property.name as ts.Identifier).text, value: property.initializer }] : [];
  });
}

/** Returns the expression that a function returns as its only statement. */
function returnedBy(node: ts.Expression): ts.Expression | undefined {
  const functionNode = unwrap(node);
  if (!ts.isArrowFunction(functionNode) && !ts.isFunctionExpression(functionNode)) return undefined;
  if (!ts.isBlock(functionNode.body)) return functionNode.body;
  const [only, ...more] = functionNode.body.statements;
  return only !== undefined && more.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}

/** Returns the value that a file itself exports by the name, or undefined if it is re-exported from another file. */
export function exportedValue(
  { exports, declarations }: Pick<FileFacts, "exports" | "declarations">,
  name: string,
): Expression | undefined {
  const exported = exports.get(name);
  if (exported === undefined || "module" in exported) return undefined;
  return "value" in exported ? exported.value : find(declarations.get(exported.local), TOP_LEVEL)?.value;
}

/** Returns the names after `exports` or `module.exports`, if the file writes to that export at most once. */
export function ownExport(facts: FileFacts, path: readonly string[]): readonly string[] | undefined {
  const own = path[0] === "exports" ? path.slice(1) : path[0] === "module" && path[1] === "exports" ? path.slice(2) : [];
  const [name] = own;
  if (name === undefined) return undefined;
  const writes = changesToExports(facts).filter((change) => change.path.length === 0 && "property" in change && change.property === name);
  return writes.length > 1 ? undefined : own;
}

/** Returns what a file does to the value of an export after the export. */
export const changesToExport = (facts: FileFacts, name: string): readonly Mutation[] =>
  changesToExports(facts).flatMap((change) => (change.path[0] === name ? [{ ...change, path: change.path.slice(1) }] : []));

/** Returns the mutations of the exports; their paths begin with the exported name. */
function changesToExports({ declarations }: FileFacts): readonly Mutation[] {
  const inModule = declarations.changesOf("module").filter(({ path }) => path[0] === "exports");
  return [...declarations.changesOf("exports"), ...inModule.map((change) => ({ ...change, path: change.path.slice(1) }))];
}

/** The prefix of a module in the place of a name; a name cannot contain a space. */
export const REQUIRED = "require ";
