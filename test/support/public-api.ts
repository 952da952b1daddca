// A stand-in of the platform's public API, in a process of its own. Its answers have the types that the Packs SDK declares. It is an HTTP
// proxy that answers for every host: the product needs no switch, sends to https://coda.io, and its certificate check stays on.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fetch, ProxyAgent } from "undici";
import type { Fetch } from "../../platform/host.ts";
import type { ApiState, Change, FromChild, StartOrder, ToChild } from "./public-api-types.ts";
import { uniqueSecret } from "./secret-traces.ts";
import { trustAuthority } from "./trust-authority.ts";

export type { ApiFaults, ApiState, RecordedRequest } from "./public-api-types.ts";

export interface PublicApiStandIn {
  /** Reaches the stand-in under each of its hosts. */
  readonly fetch: Fetch;
  /** The environment with which the command line reaches the stand-in. This process trusts the stand-in without it. */
  readonly env: Readonly<Record<string, string>>;
  /** The only token that the stand-in accepts. */
  readonly token: string;
  readonly packId: number;
  readonly docId: string;
  /** Returns the present state, with every request since the start. */
  state(): Promise<ApiState>;
  change(change: Change): Promise<void>;
  close(): Promise<void>;
}

export const STAND_IN = {
  token: uniqueSecret(),
  packId: 123456,
  docId: "doc-stand-in",
  /** Where files are sent: another origin than the API's. */
  uploadHost: "upload.storage.example",
  /** A deployment for one tenant. */
  tenantHost: "tenant.example.com",
} as const;

/** Processes of closed stand-ins, for the next ones: each takes longer to start than a test takes. */
const idle: ChildProcess[] = [];

/** Starts a stand-in that answers for coda.io, for the tenant's host and for the upload host, and for `hosts`. */
export async function startPublicApi(order: Partial<StartOrder> & { readonly hosts?: readonly string[] } = {}): Promise<PublicApiStandIn> {
  const { token, packId, docId, uploadHost, tenantHost } = STAND_IN;
  const child = idle.pop() ?? fork(join(import.meta.dirname, "public-api-process.ts"), { execArgv: ["--import", "tsx"] });
  child.ref();
  child.channel?.ref();
  const ask = async (message: ToChild): Promise<FromChild> => {
    const answer = once(child, "message", { signal: AbortSignal.timeout(30_000) });
    child.send(message);
    return (await answer)[0] as FromChild;
  };
  let turn: Promise<unknown> = Promise.resolve();
  /** One question at a time, since an answer does not name its question. */
  const inTurn = (message: ToChild): Promise<FromChild> => {
    const answer = turn.then(() => ask(message));
    turn = answer.catch(() => {});
    return answer;
  };
  const started = await inTurn({
    start: {
      token,
      packId,
      docId,
      uploadHost,
      faults: {},
      versions: [],
      oauthConfig: {},
      logs: [],
      ...order,
      hosts: ["coda.io", tenantHost, uploadHost, ...(order.hosts ?? [])],
    },
  });
  if (!("port" in started)) throw new Error("the stand-in did not start");
  const proxy = `http://127.0.0.1:${started.port}`;
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-stand-in-"));
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, started.certificate);
  const endTrust = trustAuthority(started.certificate);
  const dispatcher = new ProxyAgent({ uri: proxy, requestTls: { ca: started.certificate } });
  return {
    // undici's types of requests and responses are those of the web under other names.
    fetch: (url, init) => fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1]) as unknown as Promise<Response>,
    env: { HTTPS_PROXY: proxy, NODE_EXTRA_CA_CERTS: authority },
    token,
    packId,
    docId,
    async state() {
      const answer = await inTurn("state");
      if (!("requests" in answer)) throw new Error("the stand-in did not tell its state");
      return answer;
    },
    change: async (change) => void (await inTurn({ change })),
    async close() {
      endTrust();
      await dispatcher.destroy();
      await inTurn("stop");
      child.unref();
      child.channel?.unref();
      idle.push(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
