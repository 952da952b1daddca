// The methods that set up a pack, and the ones that build it.
import { AGENT_METHODS, BUILDER_METHODS, type PackMember } from "../../../spec/pack-builder.ts";

/** Methods whose calls the analysis reads. */
const LOOKED_AT: readonly string[] = [...Object.keys(BUILDER_METHODS), "newPack"];

/** Maps each name to its own string constant, since a slice of a source is slow to compare, and these are compared often. */
export const PACK_METHODS: ReadonlyMap<string, string> = new Map(LOOKED_AT.map((name) => [name, name]));

/** Whether a pack or agent builder of the current SDK has the method. Such a method returns the builder. */
export const isChainedMethod = (name: string): boolean => isBuilderMethod(name) || AGENT_METHODS.has(name);

/** Whether the pack builder of the current SDK has the method. */
export const isBuilderMethod = (name: string): boolean => Object.hasOwn(BUILDER_METHODS, name);

/** The methods that add to a pack's lists, by list. */
export const PACK_LISTS: ReadonlyMap<string, string> = new Map([
  ["formulas", "addFormula"],
  ["syncTables", "addSyncTable"],
  ["mcpServers", "addMCPServer"],
]);

/** For each member of a pack, whether it concerns accounts and requests, so that writes to it are read. */
const HAS_TO_DO_WITH_ACCOUNTS: Readonly<Record<PackMember, boolean>> = {
  version: false,
  formulas: true,
  formats: false,
  syncTables: true,
  skills: false,
  skillEntrypoints: false,
  chatSkill: false,
  benchInitializationSkill: false,
  suggestedPrompts: false,
  networkDomains: true,
  mcpServers: true,
  defaultAuthentication: true,
  systemConnectionAuthentication: true,
  adminAuthentications: true,
  formulaNamespace: false,
};

/** Whether it is a member of a pack whose writes are read. */
export const isReadMember = (name: string): boolean => READ_MEMBERS.has(name);

/** Whether it is a member of a pack whose writes do not concern accounts and requests. */
export const isOtherMember = (name: string): boolean => OTHER_MEMBERS.has(name);

const membersThat = (isRead: boolean): ReadonlySet<string> =>
  new Set(Object.entries(HAS_TO_DO_WITH_ACCOUNTS).flatMap(([name, concerns]) => (concerns === isRead ? name : [])));
const READ_MEMBERS = membersThat(true);
const OTHER_MEMBERS = membersThat(false);
