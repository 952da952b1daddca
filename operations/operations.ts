// The table of operations. Each is loaded only when it is called, so that a host starts without the schemas.
import type { z } from "zod";

export const OPERATIONS = {
  "accounts list": async () => (await import("./accounts/list-accounts.ts")).listAccounts,
  "accounts refresh": async () => (await import("./accounts/refresh-account.ts")).refreshAccount,
  "accounts remove": async () => (await import("./accounts/remove-account.ts")).removeAccount,
  "api-token add": async () => (await import("./credentials/api-tokens.ts")).addApiToken,
  "api-token list": async () => (await import("./credentials/api-tokens.ts")).listApiTokens,
  "api-token remove": async () => (await import("./credentials/api-tokens.ts")).removeApiToken,
  check: async () => (await import("./sources/check.ts")).check,
  connect: async () => (await import("./connect/connect.ts")).connect,
  "credentials add": async () => (await import("./credentials/oauth-client.ts")).addClient,
  "credentials remove": async () => (await import("./credentials/oauth-client.ts")).removeClient,
  drift: async () => (await import("./publishing/drift.ts")).drift,
  drill: async () => (await import("./drill/drill.ts")).drill,
  explain: async () => (await import("./sources/explain.ts")).explain,
  handOver: async () => (await import("./publishing/hand-over.ts")).handOver,
  logs: async () => (await import("./publishing/logs.ts")).logs,
  outline: async () => (await import("./sources/outline.ts")).outline,
  setUp: async () => (await import("./setup/set-up.ts")).setUp,
  run: async () => (await import("./run/run.ts")).run,
  testLive: async () => (await import("./tests/live.ts")).testLive,
  testRecordAgain: async () => (await import("./tests/record-again.ts")).testRecordAgain,
  sandbox: async () => (await import("./sandbox/start-sandbox.ts")).startSandbox,
  preflight: async () => (await import("./publishing/preflight.ts")).preflight,
  testReplay: async () => (await import("./tests/replay.ts")).testReplay,
  upload: async () => (await import("./publishing/upload.ts")).upload,
} as const satisfies Readonly<Record<string, () => Promise<{ readonly about: string }>>>;

export type OperationId = keyof typeof OPERATIONS;

type OperationOf<Id extends OperationId> = Awaited<ReturnType<(typeof OPERATIONS)[Id]>>;

export type InputOf<Id extends OperationId> = z.output<OperationOf<Id>["input"]>;

/** What an observer of the operation hears while it is under way. */
export type PartOf<Id extends OperationId> = Parameters<Parameters<OperationOf<Id>["run"]>[3]["part"]>[0];

export type OutputOf<Id extends OperationId> = Awaited<ReturnType<OperationOf<Id>["run"]>>;
