// Follows names through the declarations, imports and exports of a pack's files. What cannot be followed stays unknown.

import type { AssignedValues, FileFacts } from "../model/facts.ts";
import type { Binding } from "../model/function-facts.ts";
import type { Memo, PackSources } from "../model/pack.ts";
import type { ChoiceValue, Names, Value } from "../model/values.ts";
import { exporterOf } from "../modules/exporter.ts";
import { exported, type ForeignChanges } from "../modules/written-imports.ts";
import { changesToExport, ownExport, REQUIRED } from "../syntax/commonjs.ts";
import { isConstructedUrl, partOfUrl } from "../syntax/constructed-url.ts";
import { WHOLE } from "../syntax/module-facts.ts";
import { FILE_SCOPE, find, TOP_LEVEL } from "../syntax/names/declarations.ts";
import { isSomething } from "../syntax/names/is-something.ts";
import { applyMutation, partOf, unknownAt } from "../syntax/names/mutations.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import { enumMember, toolkitPath } from "../syntax/toolkit-names.ts";
import { isReplacing, joinText, replacedText } from "./join-text.ts";
import { listOfObject, lookUp } from "./look-up.ts";
import { withSpreadItems, withSpreads } from "./resolve-spreads.ts";

/** Maximum number of steps from name to name; a longer chain is a circle. */
const MOST_STEPS = 40;
/** Maximum number of calls whose arguments are bound, since functions of functions are resolved many times. */
const MOST_BOUND = 10_000;

/** Maximum number of look-ups for a pack, many times what the largest packs need. Beyond it, values are unknown. */
const MOST_LOOKS = 300_000;

/** Whether a value resolves to itself. It is called for every value, and most do. */
function isResolved(value: Value): boolean {
  switch (value.kind) {
    // The most frequent kind.
    case "string":
      return true;
    case "reference":
    case "template":
    case "choice":
      return false;
    case "object":
      return value.spreads.length === 0;
    case "array":
      return value.spreads === undefined;
    case "unknown":
      return (
        value.callee === undefined &&
        value.lookup === undefined &&
        value.standsFor === undefined &&
        value.mapped === undefined &&
        !isReplacing(value)
      );
    default:
      return true;
  }
}

type Reference = Value & { kind: "reference" };

/** The offset after the reference's first character: at its start a scope may end, and a scope includes its end. */
const inside = ({ place: { start } }: Value): number => start + 1;

/** Resolves values, including the spreads of objects. An unknown spread hides the properties before it. */
export interface Resolver extends Names {
  /** Keeps results that depend on resolved values. */
  readonly memo: Memo;
  /** Whether the results depend only on the files, because no limit is near. */
  isReusable(): boolean;
}

/** Creates a resolver over the pack's files, which resolves each value once. */
export function createResolver(sources: PackSources, applyForeignChanges: ForeignChanges, memo: Memo): Resolver {
  const resolvedValues = new WeakMap<Value, Value>();
  let looks = 0;
  let bounds = 0;
  /** Set once a limit ended a resolution: the result then depends on previous calls. */
  let isCutShort = false;
  const isTooFar = (steps: number): boolean => {
    if (steps > MOST_STEPS) isCutShort = true;
    return steps > MOST_STEPS;
  };
  const resolve = (value: Value, steps: number): Value => {
    const result = lookAt(value, steps);
    if (result.kind !== "choice" || (result.by === undefined && result.test === undefined)) return settled(result, value);
    // A condition may depend on the value itself: `const f = f ? a : b`.
    if (isTooFar(steps)) return unknownAt(value.place);
    const [only, ...remaining] = chosen(result, steps + 1);
    return only === undefined || remaining.length > 0 ? unknownAt(value.place) : resolve(only, steps + 1);
  };

  /** Returns the resolved value, but keeps the choice that a name refers to. */
  const lookAt = (value: Value, steps: number): Value => (isResolved(value) || value.kind === "choice" ? value : resolveAnew(value, steps));

  const resolveAnew = (value: Value, steps: number): Value => {
    const before = resolvedValues.get(value);
    if (before !== undefined) return before;
    looks++;
    if (isTooFar(steps) || looks > MOST_LOOKS) return unknownAt(value.place);
    const result =
      value.kind === "reference"
        ? follow(value, value.place.file, inside(value), value.path, steps + 1)
        : value.kind === "template"
          ? joinText(value, (part) => lookAt(part, steps + 1))
          : value.kind === "object"
            ? withSpreads(value, (part) => resolve(part, steps + 1))
            : value.kind === "array"
              ? withSpreadItems(value, (part) => resolve(part, steps + 1))
              : value.kind === "unknown"
                ? ofUnknown(value, steps)
                : unknownAt(value.place);
    resolvedValues.set(value, result);
    return result;
  };

  const ofUnknown = (value: Value & { kind: "unknown" }, steps: number): Value => {
    if (value.standsFor !== undefined) return lookAt(value.standsFor, steps + 1);
    if (value.mapped !== undefined) return mapped(value, value.mapped, steps);
    if (isReplacing(value)) return replacedText(value, (part) => resolve(part, steps + 1));
    return value.lookup === undefined
      ? returned(value, steps)
      : lookUp(
          value,
          value.lookup,
          (part) => resolve(part, steps + 1),
          (part) => lookAt(part, steps + 1),
        );
  };

  /** Returns the return value of a function of the pack, if it is the same for all arguments. */
  const returned = (value: Value & { kind: "unknown" }, steps: number): Value => {
    const { callee, arguments: args, ...unknown } = value;
    const calleeValue = callee === undefined ? undefined : resolve(callee, steps + 1);
    if (unknown.call !== undefined && calleeValue?.kind !== "unknown") return unknownAt(value.place);
    if (calleeValue?.kind === "function" && calleeValue.async) return { ...unknown, builtIn: "Promise" };
    if (calleeValue?.kind !== "function") return listOfObject(value, (part) => resolve(part, steps + 1)) ?? unknown;
    return valueOfCall(calleeValue, args, unknown, steps);
  };

  /** Returns the list of `list.map(…)`, with the function's return value for each item. */
  const mapped = ({ place }: Value, { list, by }: { readonly list: Value; readonly by: Value }, steps: number): Value => {
    const [all, mapper] = [resolve(list, steps + 1), resolve(by, steps + 1)];
    if (all.kind !== "array" || mapper.kind !== "function" || mapper.async) return unknownAt(place);
    return { kind: "array", place, open: all.open, items: all.items.map((item) => valueOfCall(mapper, [item], unknownAt(place), steps)) };
  };

  const valueOfCall = (
    callee: Value & { kind: "function" },
    args: readonly Value[] | undefined,
    unknown: Value & { kind: "unknown" },
    steps: number,
  ): Value => {
    const facts = sources.facts(callee.place.file);
    const returns = facts?.functionAt(callee.place);
    if (returns === undefined || returns.generator || returns.endsOpen) return unknown;
    const [only = unknown, ...remainingValues] = returns.values;
    const isDecided = ({ name, index }: Binding): boolean => returns.conditionNames.has(name) && isDetermined(args?.[index], steps);
    if (remainingValues.length > 0)
      return args !== undefined && returns.bindings.some(isDecided)
        ? unknown
        : { kind: "choice", place: unknown.place, options: returns.values };
    const isBound = args !== undefined && facts !== undefined && ++bounds <= MOST_BOUND;
    // An object that the function creates contains the parameters' names, too.
    const returnValue = isBound && only.kind === "reference" ? lookAt(only, steps + 1) : only;
    const bound = !isBound
      ? only
      : bindParameters(returnValue.kind === "object" ? returnValue : only, {
          callee: callee.place,
          facts,
          bindings: returns.bindings,
          arguments: args,
          resolve: (part) => resolve(part, steps + 1),
          options: (part) => optionsAt(part, steps + 1),
        });
    if (bound === only && only.kind === "choice" && isBound && returns.bindings.some(isDecided)) return unknown;
    const result = lookAt(bound, steps + 1);
    // The function's own names have no meaning outside.
    return result.kind === "unknown" && result.call === undefined && result.builder === undefined ? unknown : result;
  };

  /**
   * Whether a condition on the argument can be decided, because it is known or omitted. Such a call returns one of the function's values,
   * but it is unknown which.
   */
  const isDetermined = (argument: Value | undefined, steps: number): boolean => {
    const kind = argument === undefined ? "undefined" : resolve(argument, steps + 1).kind;
    return kind !== "unknown" && kind !== "template";
  };

  /** Follows a path of names from an offset of a file. */
  const follow = (reference: Reference, file: string, offset: number, path: readonly string[], steps: number): Value => {
    const facts = sources.facts(file);
    if (facts === undefined || isTooFar(steps)) return unknownAt(reference.place);
    const [head = "", ...rest] = path;
    if (head.startsWith(REQUIRED)) {
      const module = head.slice(REQUIRED.length);
      return sources.isToolkit(module, file) ? inToolkit(reference, rest) : followExport(reference, file, module, rest, steps + 1);
    }
    const declaration = find(facts.declarations.get(head), offset);
    const isImport = declaration === undefined || (facts.imports.has(head) && declaration.scope.start === FILE_SCOPE.start);
    const imported = isImport ? facts.imports.get(head) : undefined;
    const exportedHere = declaration === undefined && imported === undefined ? ownExport(facts, path) : undefined;
    if (exportedHere !== undefined) return inExports(reference, facts, exportedHere, steps + 1);
    if (imported !== undefined) {
      if (sources.isToolkit(imported.module, file)) return inToolkit(reference, toolkitPath(path, imported));
      const target = imported.name === "*" ? path.slice(1) : [imported.name, ...path.slice(1)];
      return followExport(reference, file, imported.module, target, steps + 1);
    }
    const assigned = declaration?.value === undefined ? facts.declarations.assignedAt(head, offset) : undefined;
    if (assigned !== undefined) return assignedValue(reference, path, assigned, steps + 1);
    const isOneOfMany = declaration?.value?.kind === "unknown" && declaration.value.each !== undefined && path.length > 1;
    if (declaration?.value === undefined || isOneOfMany) return { kind: "unknown", place: reference.place, path };
    const own = facts.declarations.writtenAt(head, offset, path.length === 1) ?? declaration.value;
    const value = declaration.scope.start === FILE_SCOPE.start ? applyForeignChanges(file, head, own) : own;
    return within(reference, value, path.slice(1), steps + 1);
  };

  /** Returns the value of a reassigned name, or a choice if several of its values are possible there. */
  const assignedValue = (reference: Reference, path: readonly string[], { values, declared }: AssignedValues, steps: number): Value => {
    const { place } = reference;
    const [first, ...remaining] = declared ? [...values, { kind: "unknown" as const, place, path }] : values;
    if (first === undefined) return unknownAt(reference.place);
    if (remaining.length === 0)
      return first.kind === "unknown" && first.path === path ? first : within(reference, first, path.slice(1), steps);
    return path.length > 1 ? unknownAt(reference.place) : { kind: "choice", place, options: [first, ...remaining] };
  };

  /** Follows the path's names inside a value. */
  const within = (reference: Reference, value: Value, path: readonly string[], steps: number): Value => {
    if (isTooFar(steps)) return unknownAt(reference.place);
    if (value.kind === "reference") return follow(reference, value.place.file, inside(value), [...value.path, ...path], steps + 1);
    const name = path[0];
    if (name === undefined) return lookAt(value, steps + 1);
    const resolved = lookAt(value, steps + 1);
    if (resolved.kind === "choice") {
      const options = chosen(resolved, steps + 1);
      looks += options.length;
      if (looks > MOST_LOOKS) return unknownAt(reference.place);
      return { kind: "choice", place: reference.place, options: options.map((option) => within(reference, option, path, steps + 1)) };
    }
    if (resolved.kind === "unknown" && resolved.classValue !== undefined) {
      const { classValue } = resolved;
      return within(reference, classValue, ["prototype", ...path], steps + 1);
    }
    if (isConstructedUrl(resolved)) return path.length === 1 ? partOfUrl(resolved, name) : unknownAt(reference.place);
    const part = partOf(resolved, name);
    return part === undefined ? unknownAt(reference.place) : within(reference, part, path.slice(1), steps + 1);
  };

  /** Follows the path's names among the exports of a module. */
  const followExport = (reference: Reference, from: string, module: string, path: readonly string[], steps: number): Value => {
    if (isTooFar(steps)) return unknownAt(reference.place);
    const [name = WHOLE, ...rest] = path;
    const exporter = exporterOf(from, module, name, sources);
    if (exporter === "toolkit") return inToolkit(reference, name === "default" ? rest : path);
    return exporter === undefined ? unknownAt(reference.place) : inExports(reference, exporter, path, steps);
  };

  /** Follows the path's names among the exports of a file. */
  const inExports = (reference: Reference, exporter: FileFacts, path: readonly string[], steps: number): Value => {
    const [name = WHOLE, ...rest] = path;
    const exportFact = isTooFar(steps) ? undefined : exporter.exports.get(name);
    if (exportFact === undefined) return unknownAt(reference.place);
    const { file } = exporter;
    if ("value" in exportFact) {
      const value = changesToExport(exporter, name).reduce(applyMutation, exportFact.value);
      return within(reference, applyForeignChanges(file, exported(exporter, name), value), rest, steps + 1);
    }
    if ("local" in exportFact) return follow(reference, file, TOP_LEVEL, [exportFact.local, ...rest], steps + 1);
    return followExport(reference, file, exportFact.module, exportFact.name === "*" ? rest : [exportFact.name, ...rest], steps + 1);
  };

  const inToolkit = (reference: Reference, path: readonly string[]): Value =>
    enumMember(path, reference, sources.facts(reference.place.file)?.text ?? "") ?? unknownAt(reference.place);

  /** Returns the options without those that can never be chosen. */
  const chosen = ({ by, test, options }: ChoiceValue, steps: number): readonly Value[] => {
    const [first, ...remaining] = options;
    if (first === undefined || (by === undefined && test === undefined)) return options;
    const isThere = isSomething(resolve(test ?? first, steps), by ?? "||");
    return isThere === undefined ? options : isThere ? [first] : remaining;
  };

  const optionsAt = (value: Value, steps: number): readonly Value[] => {
    // Names that are assigned to each other form a circle.
    const visited = new Set<Value>();
    const all: Value[] = [];
    const add = (one: Value): void => {
      if (visited.has(one)) return;
      visited.add(one);
      const resolved = lookAt(one, steps);
      if (resolved.kind === "choice") for (const option of chosen(resolved, steps)) add(option);
      else all.push(one);
    };
    add(value);
    return all;
  };

  return {
    resolve: (value) => (isResolved(value) ? value : resolve(value, 0)),
    options: (value) => optionsAt(value, 0),
    memo,
    isReusable: () => !isCutShort && looks < MOST_LOOKS / 10 && bounds < MOST_BOUND / 10,
  };
}

const settled = (resolved: Value, value: Value): Value => (resolved.kind === "choice" ? unknownAt(value.place) : resolved);
