// The methods that packs are set up with, and what builds a pack.

/** By name, this very text: a slice of a source is slow to compare, and these often are. */
export const PACK_METHODS: ReadonlyMap<string, string> = new Map(
  [
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
  ].map((name) => [name, name]),
);

/** Others, which the first stable Packs SDK did not have. */
export const LATER_METHODS: ReadonlySet<string> = new Set([
  "addSuggestedPrompt",
  "setBenchInitializationSkill",
  "setChatSkill",
  "setSkillEntrypoints",
]);

/** The lists of a pack's functions, by the methods that add to them. */
export const PACK_LISTS: ReadonlyMap<string, string> = new Map([
  ["formulas", "addFormula"],
  ["syncTables", "addSyncTable"],
  ["mcpServers", "addMCPServer"],
]);
