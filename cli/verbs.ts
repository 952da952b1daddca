// The table of verbs: one file each, loaded when it is called, so that none pays for the others.

/** Takes what follows the verb and gives the exit code: 0 fine, 1 found something, 2 the call itself is wrong (by throwing UsageError). */
export type Run = (args: readonly string[]) => Promise<number>;

export interface Verb {
  /** How it is called, for the overview. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Run>;
}

export const VERBS: Readonly<Record<string, Verb>> = {
  check: {
    usage: "check [paths…]",
    summary: "flag mistakes in files, folders or globs (default: .)",
    load: async () => (await import("./check/check.ts")).check,
  },
  run: {
    usage: "run <pack> <formula>",
    summary: "run a formula, a sync table or another function of a pack",
    load: async () => (await import("./other-verbs.ts")).run,
  },
  test: {
    usage: "test [paths…]",
    summary: "run saved tests again, with no network",
    load: async () => (await import("./other-verbs.ts")).test,
  },
  drill: {
    usage: "drill <pack> <formula>",
    summary: "run a formula on ten bad days in the sandbox: what its user would see",
    load: async () => (await import("./other-verbs.ts")).drill,
  },
  connect: {
    usage: "connect <pack>",
    summary: "sign in, and keep the account under a key in the system's keyring",
    load: async () => (await import("./other-verbs.ts")).connectVerb,
  },
  credentials: {
    usage: "credentials <pack>",
    summary: "the client ID and secret of a pack's OAuth: shown, changed or removed",
    load: async () => (await import("./other-verbs.ts")).credentials,
  },
  accounts: {
    usage: "accounts [list|refresh|remove]",
    summary: "the accounts that were connected",
    load: async () => (await import("./other-verbs.ts")).accounts,
  },
  sandbox: {
    usage: "sandbox <pack>",
    summary: "a local provider and API in place of the real ones",
    load: async () => (await import("./other-verbs.ts")).sandbox,
  },
  explain: {
    usage: "explain [rule]",
    summary: "say what a rule is about, or list all rules",
    load: async () => (await import("./analysis.ts")).explain,
  },
};
