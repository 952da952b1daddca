// Follows a path of names through the declarations, imports and exports of a pack's files.
import type { AssignedValues, FileFacts } from "../model/facts.ts";
import type { PackSources } from "../model/pack.ts";
import type { Choice, Expression, Instance, Reference, Value } from "../model/values.ts";
import { exporterOf } from "../modules/exporter.ts";
import { exported, type ForeignChanges } from "../modules/written-imports.ts";
import { changesToExport, ownExport, REQUIRED } from "../syntax/commonjs.ts";
import { isUrl, partOfUrl } from "../syntax/constructed-url.ts";
import { WHOLE } from "../syntax/module-facts.ts";
import { FILE_SCOPE, find, TOP_LEVEL } from "../syntax/names/declarations.ts";
import { applyMutation, partOf, unknownAt } from "../syntax/names/mutations.ts";
import { enumMember, toolkitPath } from "../syntax/toolkit-names.ts";
import { absentIn, readFrom, withReceiver } from "./look-up.ts";
import type { ResolutionLimits } from "./resolution-limits.ts";

/** Evaluates what a name refers to. */
interface Evaluator {
  /** Returns the value, but keeps a choice. */
  look(expression: Expression, steps: number): Value | Choice;
  /** Returns the options without those that can never be chosen. */
  chosen(choice: Choice, steps: number): readonly Expression[];
  /** Returns a member of an object of a class. */
  memberOf(instance: Instance, name: string, steps: number): Value | Choice;
}

/** The offset after the reference's first character: at its start a scope may end, and a scope includes its end. */
const inside = ({ place: { start } }: Reference): number => start + 1;

export class NameFollower {
  readonly #sources: PackSources;
  readonly #applyForeignChanges: ForeignChanges;
  readonly #limits: ResolutionLimits;
  readonly #evaluator: Evaluator;

  constructor(sources: PackSources, applyForeignChanges: ForeignChanges, limits: ResolutionLimits, evaluator: Evaluator) {
    this.#sources = sources;
    this.#applyForeignChanges = applyForeignChanges;
    this.#limits = limits;
    this.#evaluator = evaluator;
  }

  /** Returns what the reference refers to. What cannot be followed is unknown. */
  follow(reference: Reference, steps: number): Value | Choice {
    return this.#follow(reference, reference.place.file, inside(reference), reference.path, steps);
  }

  /** Follows a path of names from an offset of a file. */
  #follow(reference: Reference, file: string, offset: number, path: readonly string[], steps: number): Value | Choice {
    const facts = this.#sources.facts(file);
    if (facts === undefined || this.#limits.isTooFar(steps)) return unknownAt(reference.place);
    const [head = "", ...rest] = path;
    if (head.startsWith(REQUIRED)) {
      const module = head.slice(REQUIRED.length);
      return this.#sources.isToolkit(module, file)
        ? this.#inToolkit(reference, rest)
        : this.#followExport(reference, file, module, rest, steps + 1);
    }
    const declaration = find(facts.declarations.get(head), offset);
    const isImport = declaration === undefined || (facts.imports.has(head) && declaration.scope.start === FILE_SCOPE.start);
    const imported = isImport ? facts.imports.get(head) : undefined;
    const exportedHere = declaration === undefined && imported === undefined ? ownExport(facts, path) : undefined;
    if (exportedHere !== undefined) return this.#inExports(reference, facts, exportedHere, steps + 1);
    if (imported !== undefined) {
      if (this.#sources.isToolkit(imported.module, file)) return this.#inToolkit(reference, toolkitPath(path, imported));
      const target = imported.name === "*" ? path.slice(1) : [imported.name, ...path.slice(1)];
      return this.#followExport(reference, file, imported.module, target, steps + 1);
    }
    const assigned = declaration?.value === undefined ? facts.declarations.assignedAt(head, offset) : undefined;
    if (assigned !== undefined) return this.#assignedValue(reference, path, assigned, steps + 1);
    const isOneOfMany = declaration?.value?.kind === "item" && path.length > 1;
    if (declaration?.value === undefined || isOneOfMany) return { kind: "parameter", place: reference.place, path };
    const own = facts.declarations.writtenAt(head, offset, path.length === 1) ?? declaration.value;
    const value = declaration.scope.start === FILE_SCOPE.start ? this.#applyForeignChanges(file, head, own) : own;
    return this.#within(reference, value, path.slice(1), steps + 1);
  }

  /** Returns the value of a reassigned name, or a choice if several of its values are possible there. */
  #assignedValue(reference: Reference, path: readonly string[], { values, declared }: AssignedValues, steps: number): Value | Choice {
    const { place } = reference;
    const [first, ...remaining] = declared ? [...values, { kind: "parameter" as const, place, path }] : values;
    if (first === undefined) return unknownAt(place);
    if (remaining.length === 0)
      return first.kind === "parameter" && first.path === path ? first : this.#within(reference, first, path.slice(1), steps);
    return path.length > 1 ? unknownAt(place) : { kind: "choice", place, decidedBy: "unknown", options: [first, ...remaining] };
  }

  /** Follows the path's names inside a value. */
  #within(reference: Reference, value: Expression, path: readonly string[], steps: number): Value | Choice {
    if (this.#limits.isTooFar(steps)) return unknownAt(reference.place);
    if (value.kind === "reference") return this.#follow(reference, value.place.file, inside(value), [...value.path, ...path], steps + 1);
    const name = path[0];
    const whole = this.#evaluator.look(value, steps + 1);
    // Code that knows the name may call methods of the object.
    const resolved = whole.kind === "instance" ? { ...whole, isShared: true } : whole;
    if (name === undefined) return resolved;
    if (resolved.kind === "choice") {
      const options = this.#evaluator.chosen(resolved, steps + 1);
      if (this.#limits.addLooks(options.length)) return unknownAt(reference.place);
      return {
        kind: "choice",
        place: reference.place,
        decidedBy: "unknown",
        options: options.map((option) => this.#within(reference, option, path, steps + 1)),
      };
    }
    if (isUrl(resolved)) return path.length === 1 ? partOfUrl(resolved, name) : unknownAt(reference.place);
    const part = resolved.kind === "instance" ? this.#evaluator.memberOf(resolved, name, steps + 1) : partOf(resolved, name);
    if (part === undefined) return absentIn(resolved, reference.place);
    return withReceiver(
      this.#within(reference, readFrom(resolved, part), path.slice(1), steps + 1),
      path.length === 1 ? resolved : unknownAt(reference.place),
    );
  }

  /** Follows the path's names among the exports of a module. */
  #followExport(reference: Reference, from: string, module: string, path: readonly string[], steps: number): Value | Choice {
    if (this.#limits.isTooFar(steps)) return unknownAt(reference.place);
    const [name = WHOLE, ...rest] = path;
    const exporter = exporterOf(from, module, name, this.#sources);
    if (exporter === "toolkit") return this.#inToolkit(reference, name === "default" ? rest : path);
    return exporter === undefined ? unknownAt(reference.place) : this.#inExports(reference, exporter, path, steps);
  }

  /** Follows the path's names among the exports of a file. */
  #inExports(reference: Reference, exporter: FileFacts, path: readonly string[], steps: number): Value | Choice {
    const [name = WHOLE, ...rest] = path;
    const exportFact = this.#limits.isTooFar(steps) ? undefined : exporter.exports.get(name);
    if (exportFact === undefined) return unknownAt(reference.place);
    const { file } = exporter;
    if ("value" in exportFact) {
      const value = changesToExport(exporter, name).reduce(applyMutation, exportFact.value);
      return this.#within(reference, this.#applyForeignChanges(file, exported(exporter, name), value), rest, steps + 1);
    }
    if ("local" in exportFact) return this.#follow(reference, file, TOP_LEVEL, [exportFact.local, ...rest], steps + 1);
    const target = exportFact.name === "*" ? rest : [exportFact.name, ...rest];
    return this.#followExport(reference, file, exportFact.module, target, steps + 1);
  }

  #inToolkit(reference: Reference, path: readonly string[]): Value {
    return enumMember(path, reference, this.#sources.facts(reference.place.file)?.text ?? "") ?? unknownAt(reference.place);
  }
}
