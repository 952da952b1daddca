// Resolves expressions to values: a function for each kind of expression. What cannot be determined stays unknown.

import { defined } from "../../../base/defined.ts";
import type { Memo, PackSources } from "../model/pack.ts";
import type {
  Binding,
  Call,
  Choice,
  ComputedText,
  Expression,
  FunctionValue,
  Instance,
  ListValue,
  MappedList,
  Names,
  NewPack,
  NewUrl,
  ObjectValue,
  Place,
  Resolve,
  Template,
  Unknown,
  Value,
} from "../model/values.ts";
import type { ForeignChanges } from "../modules/written-imports.ts";
import { isOpaque, withItems } from "../syntax/expressions.ts";
import { isSomething } from "../syntax/names/is-something.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";
import { NameFollower } from "./follow-names.ts";
import { InstanceReader } from "./instances.ts";
import { isReplacing, joinText, replacedText } from "./join-text.ts";
import { builtInCall, compared, eachArguments, lookUp, remainderOf } from "./look-up.ts";
import { ResolutionLimits } from "./resolution-limits.ts";
import { withSpreadItems, withSpreads } from "./resolve-spreads.ts";

/** Resolves values, including the spreads of objects. An unknown spread hides the properties before it. */
export interface Resolver extends Names {
  /** Keeps results that depend on resolved values. */
  readonly memo: Memo;
  /** Whether the results depend only on the files, because no limit is near. */
  isReusable(): boolean;
  /** Returns a method with its object as it is while a call of it runs, at the place. */
  after(called: FunctionValue, args: Call["arguments"], at: Place): FunctionValue;
}

/** Creates a resolver over the pack's files, which resolves each expression once. */
export function createResolver(sources: PackSources, applyForeignChanges: ForeignChanges, memo: Memo): Resolver {
  const limits = new ResolutionLimits();
  const evaluator = new Evaluator(sources, applyForeignChanges, limits);
  return {
    resolve: (expression) => evaluator.resolve(expression, 0),
    options: (expression) => evaluator.options(expression, 0),
    memo,
    isReusable: () => limits.isFar(),
    after: (called, args, at) => evaluator.after(called, args, 0, at),
  };
}

/** An expression that may have another value than itself. */
type Unresolved = Exclude<Expression, Value | Choice> | Template | ComputedText | ObjectValue | ListValue;

/** `steps` counts how far an expression is from the one that the analysis asks for. */
class Evaluator {
  /** The choices that are being decided. A choice that depends on itself is unknown. */
  readonly #deciding = new Set<Choice>();
  readonly #values = new WeakMap<Expression, Value | Choice>();
  readonly #sources: PackSources;
  readonly #limits: ResolutionLimits;
  readonly #names: NameFollower;

  constructor(sources: PackSources, applyForeignChanges: ForeignChanges, limits: ResolutionLimits) {
    this.#sources = sources;
    this.#limits = limits;
    this.#names = new NameFollower(sources, applyForeignChanges, limits, this);
  }

  resolve(expression: Expression, steps: number): Value {
    const result = this.look(expression, steps);
    if (result.kind !== "choice") return result;
    // A condition may depend on the value itself: `const f = f ? a : b`.
    if (result.decidedBy === "unknown" || this.#deciding.has(result) || this.#limits.isTooFar(steps)) return unknownAt(expression.place);
    this.#deciding.add(result);
    const [only, ...remaining] = this.chosen(result, steps + 1);
    // Beside an empty text or nothing, a name is still the only value.
    const mayBeOnly = remaining.every((one) => isSomething(one, "||") === false);
    const value = only && mayBeOnly ? this.resolve(only, steps + 1) : undefined;
    this.#deciding.delete(result);
    return value !== undefined && (remaining.length === 0 || value.kind === "parameter") ? value : unknownAt(expression.place);
  }

  /** Returns the value, but keeps the choice that a name refers to. Most expressions are values already. */
  look(expression: Expression, steps: number): Value | Choice {
    switch (expression.kind) {
      // The most frequent kind.
      case "string":
        return expression;
      case "object":
        return expression.spreads.length === 0 ? expression : this.#evaluateOnce(expression, steps);
      case "array":
        return expression.spreads.length === 0 ? expression : this.#evaluateOnce(expression, steps);
      case "computed":
        return isReplacing(expression) ? this.#evaluateOnce(expression, steps) : expression;
      case "reference":
      case "template":
      case "call":
      case "newPack":
      case "newUrl":
      case "lookUp":
      case "map":
      case "bound":
      case "property":
      case "comparison":
      case "remainder":
        return this.#evaluateOnce(expression, steps);
      default:
        return expression;
    }
  }

  #evaluateOnce(expression: Unresolved, steps: number): Value | Choice {
    const before = this.#values.get(expression);
    if (before !== undefined) return before;
    if (this.#limits.addLooks(1) || this.#limits.isTooFar(steps)) return unknownAt(expression.place);
    const value = this.#evaluate(expression, steps);
    this.#values.set(expression, value);
    return value;
  }

  #evaluate(expression: Unresolved, steps: number): Value | Choice {
    const resolve: Resolve = (part) => this.resolve(part, steps + 1);
    const look = (part: Expression): Value | Choice => this.look(part, steps + 1);
    switch (expression.kind) {
      case "reference":
        return this.#names.follow(expression, steps + 1);
      case "template":
        return joinText(expression, (part) => {
          const value = look(part);
          const [only, ...more] = value.kind === "choice" ? this.chosen(value, steps + 1) : [];
          return only === undefined || more.length > 0 ? value : look(only);
        });
      case "object":
        return withSpreads(expression, (part) => {
          const value = resolve(part);
          return value.kind === "instance" ? this.#reader(value, steps).fields() : value;
        });
      case "array":
        return withSpreadItems(expression, resolve);
      case "computed":
        return replacedText(expression, resolve);
      case "call":
        return this.#call(expression, steps);
      case "newPack":
        return this.#returned(expression, () => ({ kind: "builder", place: expression.place, builds: "pack" }), steps);
      case "newUrl":
        return this.#newUrl(expression, steps);
      case "lookUp":
        return lookUp(expression, resolve, look, (instance, name) => this.memberOf(instance, name, steps + 1));
      case "map":
        return this.#mappedList(expression, steps);
      case "bound":
        return look(expression.value);
      case "comparison":
        return compared(expression, resolve);
      case "remainder":
        return remainderOf(expression, resolve);
      // An object adds the property itself if it knows the key.
      case "property":
        return unknownAt(expression.place);
    }
  }

  #call(call: Call, steps: number): Value | Choice {
    const resolve: Resolve = (part) => this.resolve(part, steps + 1);
    const unknown = unknownAt(call.place);
    const by = { look: (part: Expression) => this.look(part, steps + 1), resolve };
    const apply = (called: FunctionValue, args: readonly Expression[]) => this.#valueOfCall(called, args, unknown, steps + 1);
    const memberOf = (instance: Instance, name: string) => this.memberOf(instance, name, steps + 1);
    return this.#returned(call, () => builtInCall(call, { ...by, apply, memberOf }) ?? unknown, steps);
  }

  /** Returns a member of an object of a class. */
  memberOf(instance: Instance, name: string, steps: number): Value | Choice {
    return this.#limits.isTooFar(steps) ? unknownAt(instance.place) : this.#reader(instance, steps).member(name);
  }

  after(called: FunctionValue, args: Call["arguments"], steps: number, at?: Place): FunctionValue {
    const { receiver } = called;
    return receiver?.kind === "instance" ? { ...called, receiver: this.#reader(receiver, steps).after(called, args, at) } : called;
  }

  #reader(instance: Instance, steps: number): InstanceReader {
    return new InstanceReader(instance, this.#sources, {
      look: (part) => this.look(part, steps + 1),
      resolve: (part) => this.resolve(part, steps + 1),
      options: (part) => this.options(part, steps + 1),
    });
  }

  #newUrl({ class: classReference, url, place }: NewUrl, steps: number): Value {
    return isOpaque(this.resolve(classReference, steps + 1)) ? url : unknownAt(place);
  }

  /** Returns the list of `list.map(…)`, with the function's return value for each item. */
  #mappedList({ list, by, place }: MappedList, steps: number): ListValue | Unknown {
    const all = this.resolve(list, steps + 1);
    const mapper = this.resolve(by, steps + 1);
    if (all.kind !== "array" || mapper.kind !== "function") return unknownAt(place);
    const items = all.items.map((item, at) => this.#valueOfCall(mapper, eachArguments(item, at, all), unknownAt(place), steps));
    return { kind: "array", place, items, spreads: [], open: all.open };
  }

  /** Returns the return value of a function of the pack, or else the value of any other function. */
  #returned({ callee, arguments: args }: Call | NewPack, otherwise: () => Value | Choice, steps: number): Value | Choice {
    const called = this.resolve(callee, steps + 1);
    return called.kind === "function" ? this.#valueOfCall(called, args, otherwise(), steps) : otherwise();
  }

  /** Returns the return value if it is the same for all arguments, or else `otherwise`. */
  #valueOfCall(callee: FunctionValue, own: Call["arguments"], otherwise: Value | Choice, steps: number): Value | Choice {
    if (callee.async) return { kind: "builtIn", place: otherwise.place, of: "Promise" };
    const all = own && callee.leading ? [...callee.leading, ...own] : own;
    const args = all && withItems(all, (part) => this.resolve(part, steps + 1));
    const facts = this.#sources.facts(callee.place.file);
    const returns = facts?.functionAt(callee.place);
    if (returns === undefined || returns.generator || (returns.endsOpen && returns.result === undefined)) return otherwise;
    const { bindings, values } = returns;
    const [only = otherwise, ...more] = values;
    const result =
      returns.result ?? (more.length === 0 ? only : { kind: "choice", place: only.place, decidedBy: "unknown", options: values });
    const isDecided = ({ name, index }: Binding): boolean => returns.conditionNames.has(name) && this.#isDetermined(args?.[index], steps);
    const { receiver } = this.after(callee, args, steps);
    const isBound = args !== undefined && facts !== undefined && !this.#limits.addBound();
    const bind = (value: Expression): Expression => {
      const own = !isBound
        ? value
        : bindParameters(value, {
            callee: callee.place,
            facts,
            bindings,
            arguments: args,
            ...defined({ receiver }),
            // The functions that the value itself calls are evaluated.
            passedIn: result.place,
            resolve: (part) => this.resolve(part, steps + 1),
            options: (part) => this.options(part, steps + 1),
          });
      return callee.bind?.(own) ?? own;
    };
    const bound = bind(result);
    if (bound.kind === "choice" && isBound && bindings.some(isDecided)) return otherwise;
    const value = this.look(bound, steps + 1);
    if (value.kind === "function") return { ...value, bind: (inner) => bind(value.bind?.(inner) ?? inner) };
    return hasMeaningOutside(value) ? value : otherwise;
  }

  /**
   * Whether a condition on the argument can be decided, because it is known or omitted. Such a call returns one of the function's values,
   * but it is unknown which.
   */
  #isDetermined(argument: Expression | undefined, steps: number): boolean {
    if (argument === undefined) return true;
    const value = this.resolve(argument, steps + 1);
    return !isOpaque(value) && value.kind !== "template";
  }

  /** Returns the options without those that can never be chosen. */
  chosen({ decidedBy, options }: Choice, steps: number): readonly Expression[] {
    const [first, ...remaining] = options;
    if (first === undefined || decidedBy === "unknown") return options;
    const isOperator = decidedBy === "||" || decidedBy === "??";
    const isThere = isSomething(this.resolve(isOperator ? first : decidedBy, steps), isOperator ? decidedBy : "||");
    return isThere === undefined ? options : isThere ? [first] : remaining;
  }

  options(expression: Expression, steps: number): readonly Expression[] {
    // Names that are assigned to each other form a circle.
    const visited = new Set<Expression>();
    const all: Expression[] = [];
    const add = (one: Expression): void => {
      if (visited.has(one)) return;
      visited.add(one);
      const resolved = this.look(one, steps);
      if (resolved.kind === "choice") for (const option of this.chosen(resolved, steps)) add(option);
      else all.push(one);
    };
    add(expression);
    return all;
  }
}

/** Whether the value of a function's expression is the same outside. The function's own names have no meaning there. */
function hasMeaningOutside(value: Value | Choice): boolean {
  const isGlobal = value.kind === "parameter" && value.path[0] === "process";
  return isGlobal || !isOpaque(value) || OUTSIDE.has(value.kind);
}

/** Kinds of values that are opaque and mean the same everywhere. */
const OUTSIDE: ReadonlySet<string> = new Set<Value["kind"]>(["computed", "url", "builder", "instance"]);
