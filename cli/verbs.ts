// The table of verbs. Each verb is loaded only when it is called, so that it does not slow down the others.
import type { Verb } from "./frame/options.ts";

interface ListedVerb {
  /** Short usage for the overview. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

export const VERBS: Readonly<Record<string, ListedVerb>> = {
  check: {
    usage: "check [paths…]",
    summary: "find mistakes in files, folders or globs (default: .)",
    load: async () => (await import("./check/check.ts")).check,
  },
  run: {
    usage: "run <pack> <formula>",
    summary: "run a formula, a sync table or another function of a pack",
    load: async () => (await import("./other-verbs.ts")).run,
  },
  test: {
    usage: "test [paths…]",
    summary: "run saved tests again, without the network",
    load: async () => (await import("./other-verbs.ts")).test,
  },
  drill: {
    usage: "drill <pack> <formula>",
    summary: "run a formula with ten problems in the sandbox, and show what its user would see",
    load: async () => (await import("./other-verbs.ts")).drill,
  },
  preflight: {
    usage: "preflight <pack>",
    summary: "say what will become of a pack on the platform: rejected, to be approved, never tried",
    load: async () => (await import("./other-verbs.ts")).preflight,
  },
  init: {
    usage: "init [folder] --from …",
    summary: "set up authentication from a cURL command, an API description, an issuer or a provider",
    load: async () => (await import("./other-verbs.ts")).init,
  },
  connect: {
    usage: "connect <pack>",
    summary: "sign in and save the account, encrypted with a key in the system's keyring",
    load: async () => (await import("./other-verbs.ts")).connectVerb,
  },
  credentials: {
    usage: "credentials <pack>",
    summary: "show, change or remove the OAuth client ID and secret of a pack",
    load: async () => (await import("./other-verbs.ts")).credentials,
  },
  drift: {
    usage: "drift <pack>",
    summary: "compare the OAuth configuration of the published pack with this source",
    load: async () => (await import("./other-verbs.ts")).drift,
  },
  accounts: {
    usage: "accounts [list|refresh|remove]",
    summary: "list, refresh or remove the connected accounts",
    load: async () => (await import("./other-verbs.ts")).accounts,
  },
  "api-token": {
    usage: "api-token [list|add|remove]",
    summary: "store or remove the token of the platform's public API",
    load: async () => (await import("./other-verbs.ts")).apiToken,
  },
  upload: {
    usage: "upload <pack>",
    summary: "upload a version, and ask the platform whether it is there",
    load: async () => (await import("./other-verbs.ts")).uploadVerb,
  },
  sandbox: {
    usage: "sandbox <pack>",
    summary: "start a local provider and API instead of the real ones",
    load: async () => (await import("./other-verbs.ts")).sandbox,
  },
  logs: {
    usage: "logs <pack> --doc ADDRESS",
    summary: "print what the published pack logged in a doc: sign-ins, requests, errors",
    load: async () => (await import("./other-verbs.ts")).logs,
  },
  explain: {
    usage: "explain [rule]",
    summary: "explain a rule, or list all rules",
    load: async () => (await import("./other-verbs.ts")).explain,
  },
  mcp: {
    usage: "mcp [folder]",
    summary: "offer these tools to a coding agent, which never gets a credential",
    load: async () => (await import("./agents.ts")).mcp,
  },
  completion: {
    usage: "completion <shell>",
    summary: "print a script that completes commands and options in bash, zsh or fish",
    load: async () => (await import("./completion.ts")).completion(VERBS),
  },
};
