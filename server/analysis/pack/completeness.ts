// Whether everything in a pack is known, or some of it could not be read or may be added by code outside its files. Rules that flag an
// absence check this first.
import type { CallFact, FileFacts } from "../model/facts.ts";
import type { PackModel, PackSources } from "../model/pack.ts";
import type { Expression, Names, ObjectValue, Resolve } from "../model/values.ts";
import { isOwnModule } from "../modules/resolve-module.ts";
import { loopItems } from "./loop-items.ts";

interface CompletenessInput extends Names {
  readonly facts: readonly FileFacts[];
  readonly calls: readonly CallFact[];
  /** The arguments of newPack, and old manifests. */
  readonly definitions: readonly ObjectValue[];
  readonly sources: PackSources;
  readonly mayHaveMore: boolean;
}

export function completenessOf(input: CompletenessInput): PackModel["complete"] & { readonly auths: boolean } {
  const { facts, calls, definitions, sources, mayHaveMore, resolve, options } = input;
  const isObject = (value: Expression | undefined): boolean =>
    value !== undefined &&
    options(value).every((option) => loopItems(option, resolve, facts).every((item) => resolve(item).kind === "object"));
  const areRead = (methods: ReadonlySet<string>): boolean =>
    calls.every(({ method, arguments: [argument] }) => !methods.has(method) || isObject(argument));
  const has = (name: string): boolean => calls.some(({ method }) => method === name);
  /** Whether all properties with these names match, in all definitions. */
  const every = (names: RegExp, isMatch: (value: Expression) => boolean): boolean =>
    definitions.every(({ open, properties }) => !open && properties.every(({ name, value }) => !names.test(name) || isMatch(value)));
  const everyModule = (isMatch: (module: string, file: string) => boolean): boolean =>
    facts.every(({ file, modules }) => modules.every((module) => isMatch(module, file)));
  const canResolve = (module: string, file: string): boolean => sources.resolveModule(file, module) !== undefined;
  const users = !mayHaveMore && areRead(SETTERS) && every(/^(defaultAuthentication|systemConnectionAuthentication)$/, isObject);
  return {
    users,
    auths: users && !has("addAdminAuthentication") && every(/^adminAuthentications$/, () => false),
    runnables: !mayHaveMore && areRead(ADDERS) && !has("addMCPServer") && every(/^(formulas|syncTables|mcpServers)$/, () => false),
    files: !facts.some(isUnreadCode) && everyModule((module, file) => !isOwnModule(module) || isAsset(module) || canResolve(module, file)),
    packages: everyModule((module, file) => isOwnModule(module) || sources.isToolkit(module, file) || canResolve(module, file)),
  };
}

const SETTERS = new Set(["setUserAuthentication", "setSystemAuthentication"]);
const ADDERS = new Set(["addFormula", "addSyncTable", "addDynamicSyncTable"]);

/** Whether the file is code that was not analysed. Data files cannot add to a pack. */
export const isUnreadCode = ({ file, unread }: FileFacts): boolean => unread !== undefined && !/\.json$/i.test(file);

/** Whether newPack has an argument that could not be read, as in `newPack(base)`. */
export const hasUnreadableDefinition = (calls: readonly CallFact[], resolve: Resolve): boolean =>
  calls.some(({ method, arguments: [argument] }) => method === "newPack" && argument !== undefined && resolve(argument).kind !== "object");

/** Whether the module is imported but is not a source, such as a style sheet. */
const isAsset = (module: string): boolean => /\.(?:css|scss|less|svg|png|jpe?g|gif|webp|html|md|txt|wasm|d|d\.[cm]?ts)$/i.test(module);
