// Whether all of a pack is known: what could not be read, or may be added by code that is not among its files. Rules that flag an
// absence ask this first.
import type { CallFact, FileFacts } from "../model/facts.ts";
import type { PackSources } from "../model/pack.ts";
import type { ObjectValue, Value } from "../model/values.ts";
import { isOwnModule } from "../modules/resolve-module.ts";

interface Known {
  readonly facts: readonly FileFacts[];
  /** What newPack and old manifests are given. */
  readonly definitions: readonly ObjectValue[];
  readonly sources: PackSources;
  readonly mayHaveMore: boolean;
  resolve(value: Value): Value;
  options(value: Value): readonly Value[];
}

/** Few rules ask, so each answer is found when it is asked for first. */
export class Completeness {
  readonly #known: Known;
  readonly #calls: readonly CallFact[];
  #runnables: boolean | undefined;
  #files: boolean | undefined;
  #packages: boolean | undefined;

  constructor(known: Known, calls: readonly CallFact[]) {
    this.#known = known;
    this.#calls = calls;
  }

  get auths(): boolean {
    return this.users && !this.#has("addAdminAuthentication") && this.#every(/^adminAuthentications$/, () => false);
  }

  get users(): boolean {
    return (
      !this.#known.mayHaveMore &&
      this.#isRead(SETTERS) &&
      this.#every(/^(defaultAuthentication|systemConnectionAuthentication)$/, (value) => this.#isObject(value))
    );
  }

  get runnables(): boolean {
    this.#runnables ??=
      !this.#known.mayHaveMore &&
      this.#isRead(ADDERS) &&
      !this.#has("addMCPServer") &&
      this.#every(/^(formulas|syncTables|mcpServers)$/, () => false);
    return this.#runnables;
  }

  get files(): boolean {
    this.#files ??= this.#known.facts.every(
      (file) =>
        !isUnreadCode(file) && file.modules.every((module) => !isOwnModule(module) || isAsset(module) || this.#isFound(file, module)),
    );
    return this.#files;
  }

  get packages(): boolean {
    this.#packages ??= this.#known.facts.every((file) =>
      file.modules.every(
        (module) => isOwnModule(module) || this.#known.sources.isToolkit(module, file.file) || this.#isFound(file, module),
      ),
    );
    return this.#packages;
  }

  #isObject(value: Value | undefined): boolean {
    if (value === undefined) return false;
    return this.#known.options(value).every((option) => this.#known.resolve(option).kind === "object");
  }

  #isRead(methods: ReadonlySet<string>): boolean {
    return this.#calls.every(({ method, arguments: args }) => !methods.has(method) || this.#isObject(args[0]));
  }

  #has(method: string): boolean {
    return this.#calls.some((call) => call.method === method);
  }

  /** Of the definitions' properties of these names. */
  #every(names: RegExp, holds: (value: Value) => boolean): boolean {
    return this.#known.definitions.every(
      ({ open, properties }) => !open && properties.every(({ name, value }) => !names.test(name) || holds(value)),
    );
  }

  #isFound(file: FileFacts, module: string): boolean {
    return this.#known.sources.resolveModule(file.file, module) !== undefined;
  }
}

const SETTERS = new Set(["setUserAuthentication", "setSystemAuthentication"]);
const ADDERS = new Set(["addFormula", "addSyncTable", "addDynamicSyncTable"]);

/** Code that nothing is known of; data cannot add to a pack. */
export const isUnreadCode = ({ file, unread }: FileFacts): boolean => unread !== undefined && !/\.json$/i.test(file);

/** `newPack(base)`: anything may be in it. */
export const hasUnreadableDefinition = (calls: readonly CallFact[], resolve: (value: Value) => Value): boolean =>
  calls.some(({ method, arguments: [given] }) => method === "newPack" && given !== undefined && resolve(given).kind !== "object");

/** Something that is imported and is no source. */
const isAsset = (module: string): boolean => /\.(?:css|scss|less|svg|png|jpe?g|gif|webp|html|md|txt|wasm|d|d\.[cm]?ts)$/i.test(module);
