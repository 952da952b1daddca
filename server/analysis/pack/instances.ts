// Members of the pack's own objects: `new Auth({ … }).build()`. The constructors and methods that ran on an object say what its fields are.
import type { ClassFacts } from "../model/function-facts.ts";
import type { PackSources } from "../model/pack.ts";
import type {
  Choice,
  Expression,
  FunctionValue,
  History,
  Instance,
  Names,
  ObjectValue,
  Place,
  Property,
  Steps,
  Value,
} from "../model/values.ts";
import { withItems } from "../syntax/expressions.ts";
import { partOf, unknownAt } from "../syntax/names/mutations.ts";
import { bindParameters } from "../syntax/names/substitute-arguments.ts";

interface Resolving extends Names {
  /** Resolves an expression, but keeps a choice. */
  readonly look: (expression: Expression) => Value | Choice;
}

/** Maximum number of classes that extend each other. */
const DEEPEST = 10;

const isSame = (a: Place, b: Place): boolean => a.file === b.file && a.start === b.start && a.end === b.end;

/** Reads an object by its class and the classes that this one extends. */
export class InstanceReader {
  readonly #instance: Instance;
  readonly #sources: PackSources;
  readonly #by: Resolving;
  /** The most derived class first. */
  readonly #classes: readonly ClassFacts[];
  /** Whether a class could not be read, such as one of a package. */
  readonly #isOpen: boolean;

  constructor(instance: Instance, sources: PackSources, by: Resolving) {
    this.#instance = instance;
    this.#sources = sources;
    this.#by = by;
    const classes: ClassFacts[] = [];
    let next: Expression | undefined = instance.class;
    while (next !== undefined && classes.length < DEEPEST) {
      const { kind, place } = by.look(next);
      const facts: ClassFacts | undefined = kind === "object" ? sources.facts(place.file)?.classAt(place) : undefined;
      if (facts === undefined) break;
      classes.push(facts);
      next = facts.base;
    }
    this.#classes = classes;
    this.#isOpen = next !== undefined;
  }

  /** Returns a member. A method remembers the object that it was read from. */
  member(name: string): Value | Choice {
    const { above, ...receiver } = this.#instance;
    const first =
      above === undefined
        ? 0
        : this.#classes.findIndex(({ changes }) => [...changes.values()].some(({ place }) => isSame(place, above))) + 1;
    const { members } = this.#classes.slice(first).find((one) => one.members.has(name)) ?? {};
    const member = members?.get(name);
    if (member?.kind === "function") return { ...member, receiver };
    // A getter is a call of its function.
    if (member?.kind === "call" && member.callee.kind === "function")
      return this.#by.look({ ...member, callee: { ...member.callee, receiver } });
    const isUnsure = receiver.isShared === true && this.#codes().some((code) => this.#mayWrite(code, name));
    const value = isUnsure || this.#classes.length === 0 ? undefined : this.#field(name);
    const result = value === undefined ? unknownAt(receiver.place) : this.#by.look(value);
    return result.kind === "function" ? { receiver, ...result } : result;
  }

  /** Returns the object as one of its fields. */
  fields(): ObjectValue {
    const { place } = this.#instance;
    const names = new Set<string>();
    // A getter is a field only for code that reads it from the object.
    let open = this.#classes.length === 0 || this.#classes.some(({ members }) => [...members.values()].some(({ kind }) => kind === "call"));
    for (let run = this.#instance.history ?? this.#created(); run !== undefined; run = run.before)
      for (const [count, { field, value }] of run.code.steps.slice(0, run.count).entries()) {
        const all = field === undefined ? this.#by.resolve(this.#bound(value, { ...run, count })) : undefined;
        if (all !== undefined && (all.kind !== "object" || all.open)) open = true;
        for (const name of all?.kind === "object" ? all.properties.map((property) => property.name) : [field ?? ""]) names.add(name);
      }
    const properties = [...names].map((name): Property => {
      const value = this.member(name);
      return { name, nameSpan: value.place, span: value.place, value };
    });
    return { kind: "object", place, properties, spreads: [], open, trailingComma: false };
  }

  /** Returns the object after a call of its method, up to where the method returns, or up to the place. */
  after({ place }: FunctionValue, args: History["arguments"], at?: Place): Instance {
    const code = this.#codes().find((one) => isSame(one.place, place));
    if (code === undefined) return this.#instance;
    const count = at === undefined ? code.atReturn : code.steps.filter(({ value }) => value.place.end <= at.start).length;
    return { ...this.#instance, history: { code, count, arguments: args, before: this.#instance.history ?? this.#created() } };
  }

  #codes(): readonly Steps[] {
    return this.#classes.flatMap(({ changes }) => [...changes.values()]);
  }

  /** Returns what the constructors have done to a new object, that of the base class first. */
  #created(): History | undefined {
    const { place, arguments: own } = this.#instance;
    let args = own;
    const all = this.#classes.map(({ construction: code, baseArguments }): Omit<History, "before"> => {
      const history = { code, count: code.steps.length, arguments: args };
      args = baseArguments?.map((value) => this.#bound(value, { ...history, count: 0, before: undefined })) ?? args;
      return history;
    });
    const unread: Steps = { place, bindings: [], steps: [{ value: unknownAt(place) }], atReturn: 1 };
    const first: History | undefined = this.#isOpen ? { code: unread, count: 1, arguments: [], before: undefined } : undefined;
    return all.reduceRight<History | undefined>((before, one) => ({ ...one, before }), first);
  }

  /** Returns the value that was last written to a field, or undefined if it is unknown. */
  #field(name: string): Expression | undefined {
    for (let run = this.#instance.history ?? this.#created(); run !== undefined; run = run.before)
      for (let count = run.count - 1; count >= 0; count--) {
        const { field, value } = run.code.steps[count] as Steps["steps"][number];
        if (field !== undefined && this.#isSetter(field)) return undefined;
        if (field === name) return this.#bound(value, { ...run, count });
        const all = field === undefined ? this.#by.resolve(this.#bound(value, { ...run, count })) : undefined;
        const part = all && partOf(all, name);
        if (part !== undefined || (all !== undefined && (all.kind !== "object" || all.open))) return part;
      }
    return undefined;
  }

  /** Returns a value of the code that ran last, with its parameters, and with the object as it was then. */
  #bound(value: Expression, history: History): Expression {
    const { code, arguments: own } = history;
    const args = own && withItems(own, this.#by.resolve);
    const facts = this.#sources.facts(code.place.file);
    if (facts === undefined) return unknownAt(value.place);
    const isNew = this.#classes.some(({ construction }) => construction === code);
    return bindParameters(value, {
      callee: code.place,
      facts,
      bindings: args === undefined ? [] : code.bindings,
      arguments: args ?? [],
      // Nobody else has an object that is still being created.
      receiver: { ...this.#instance, history, isShared: this.#instance.isShared === true && !isNew },
      passedIn: value.place,
      resolve: this.#by.resolve,
      options: this.#by.options,
    });
  }

  /** Whether the steps may write to the field. */
  #mayWrite({ steps }: Steps, name: string): boolean {
    return steps.some(({ field, isOwnCall }) => isOwnCall !== true && (field === undefined || field === name || this.#isSetter(field)));
  }

  readonly #isSetter = (name: string): boolean => this.#classes.some(({ setters }) => setters.has(name));
}
