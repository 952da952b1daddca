// The methods that packs are set up with, and what builds a pack.
import { AGENT_METHODS, BUILDER_METHODS, type PackMember } from "../../../spec/pack-builder.ts";

/** Those whose calls are looked at. */
const LOOKED_AT: readonly (keyof typeof BUILDER_METHODS | "newPack")[] = [
  "setUserAuthentication",
  "setSystemAuthentication",
  "addNetworkDomain",
  "addFormula",
  "addSyncTable",
  "addDynamicSyncTable",
  "addMCPServer",
  "addSkill",
  "addAdminAuthentication",
  "addColumnFormat",
  "newPack",
];

/** By name, this very text: a slice of a source is slow to compare, and these often are. */
export const PACK_METHODS: ReadonlyMap<string, string> = new Map(LOOKED_AT.map((name) => [name, name]));

/** Whether a builder of today's Packs SDK, of a pack or of an agent, has the method: it gives back that builder. */
export const isChainedMethod = (name: string): boolean => isBuilderMethod(name) || AGENT_METHODS.has(name);

/** Whether the builder of packs has the method in today's Packs SDK. */
export const isBuilderMethod = (name: string): boolean => Object.hasOwn(BUILDER_METHODS, name);

/** The lists of a pack's functions, by the methods that add to them. */
export const PACK_LISTS: ReadonlyMap<string, string> = new Map([
  ["formulas", "addFormula"],
  ["syncTables", "addSyncTable"],
  ["mcpServers", "addMCPServer"],
]);

/** Of each member of a pack: whether it has to do with accounts and requests, so that what is written to it is read. */
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

/** Whether a pack has a member of that name, which is read where it is written to. */
export const isReadMember = (name: string): boolean => READ_MEMBERS.has(name);

/** Whether a pack has a member of that name, and what is written to it says nothing of accounts and requests. */
export const isOtherMember = (name: string): boolean => OTHER_MEMBERS.has(name);

const membersThat = (isRead: boolean): ReadonlySet<string> =>
  new Set(Object.entries(HAS_TO_DO_WITH_ACCOUNTS).flatMap(([name, concerns]) => (concerns === isRead ? name : [])));
const READ_MEMBERS = membersThat(true);
const OTHER_MEMBERS = membersThat(false);
