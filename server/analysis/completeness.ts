// Whether all of a pack is known: what could not be read, or may be added by code that is not among its files. Rules that flag an
// absence ask this first.
import type { CallFact, FileFacts, ObjectValue, PackModel, Value } from "./model.ts";
import { isOwnModule } from "./modules.ts";
import type { PackSources } from "./resolve.ts";

interface Known {
  readonly facts: readonly FileFacts[];
  /** What newPack and old manifests are given. */
  readonly definitions: readonly ObjectValue[];
  readonly sources: PackSources;
  readonly mayHaveMore: boolean;
  resolve(value: Value): Value;
}

export function completenessOf(known: Known): PackModel["complete"] & { readonly auths: boolean } {
  const { facts, definitions, sources, resolve } = known;
  const calls = facts.flatMap((file) => file.calls);
  const mayHaveMore = known.mayHaveMore || hasUnreadableDefinition(calls, resolve);
  const isObject = (value: Value | undefined): boolean =>
    value !== undefined && (value.kind === "choice" ? value.options.every(isObject) : resolve(value).kind === "object");
  const isRead = (...methods: readonly string[]): boolean =>
    calls.every((call) => !methods.includes(call.method) || isObject(call.arguments[0]));
  const has = (method: string): boolean => calls.some((call) => call.method === method);
  /** Of the definitions' properties of these names. */
  const every = (names: RegExp, holds: (value: Value) => boolean): boolean =>
    definitions.every(({ open, properties }) => !open && properties.every(({ name, value }) => !names.test(name) || holds(value)));
  const isFound = (file: FileFacts, module: string): boolean => sources.resolveModule(file.file, module) !== undefined;
  return {
    auths:
      !mayHaveMore &&
      isRead("setUserAuthentication", "setSystemAuthentication") &&
      !has("addAdminAuthentication") &&
      every(/^(defaultAuthentication|systemConnectionAuthentication)$/, isObject) &&
      every(/^adminAuthentications$/, () => false),
    runnables:
      !mayHaveMore &&
      isRead("addFormula", "addSyncTable", "addDynamicSyncTable") &&
      !has("addMCPServer") &&
      every(/^(formulas|syncTables|mcpServers)$/, () => false),
    files: facts.every(
      (file) => !isUnreadCode(file) && file.modules.every((module) => !isOwnModule(module) || isAsset(module) || isFound(file, module)),
    ),
    packages: facts.every((file) =>
      file.modules.every((module) => isOwnModule(module) || sources.isToolkit(module, file.file) || isFound(file, module)),
    ),
  };
}

/** Code that nothing is known of; data cannot add to a pack. */
export const isUnreadCode = ({ file, unread }: FileFacts): boolean => unread !== undefined && !/\.json$/i.test(file);

/** `newPack(base)`: anything may be in it. */
export function hasUnreadableDefinition(calls: readonly CallFact[], resolve: (value: Value) => Value): boolean {
  return calls.some((call) => call.method === "newPack" && call.arguments[0] !== undefined && resolve(call.arguments[0]).kind !== "object");
}

/** Something that is imported and is no source. */
const isAsset = (module: string): boolean => /\.(?:css|scss|less|svg|png|jpe?g|gif|webp|html|md|txt|wasm|d|d\.[cm]?ts)$/i.test(module);
