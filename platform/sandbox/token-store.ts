// Where the provider keeps sessions, codes and tokens: in memory, one store for each setter of a pack, so that a token of one pack is
// unknown to another, and tokens outlive a change of the configuration.
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAt: number;
}

/** Beyond this, what has expired is thrown out before more is kept. */
const SWEEP_AT = 1_000;

export interface TokenStore {
  readonly adapter: AdapterFactory;
  /** Access tokens count no more; refresh tokens still do. */
  expireAccessTokens(): void;
  /** Refresh tokens count no more: taken back, or used already (RFC 9700, section 4.14.2). */
  endRefreshTokens(how: "revoked" | "used"): void;
}

export function createTokenStore(now: () => number = Date.now): TokenStore {
  const entries = new Map<string, Entry>();
  const sweep = (): void => {
    if (entries.size < SWEEP_AT) return;
    for (const [key, entry] of entries) if (entry.expiresAt <= now()) entries.delete(key);
  };
  const expireAccessTokens = (): void => {
    for (const key of entries.keys()) if (/^(AccessToken|ClientCredentials):/.test(key)) entries.delete(key);
  };
  const makeAdapter: AdapterFactory = (model) => {
    const find = (id: string): AdapterPayload | undefined => {
      const entry = entries.get(`${model}:${id}`);
      return entry === undefined || entry.expiresAt <= now() ? undefined : entry.payload;
    };
    const adapter: Adapter = {
      async upsert(id, payload, expiresIn) {
        sweep();
        entries.set(`${model}:${id}`, {
          payload,
          expiresAt: expiresIn === undefined ? Number.POSITIVE_INFINITY : now() + expiresIn * 1_000,
        });
      },
      find: async (id) => find(id),
      findByUid: async (uid) => search(entries, model, (payload) => payload.uid === uid),
      findByUserCode: async (code) => search(entries, model, (payload) => payload.userCode === code),
      async consume(id) {
        const payload = find(id);
        if (payload !== undefined) payload.consumed = Math.floor(now() / 1_000);
      },
      async destroy(id) {
        entries.delete(`${model}:${id}`);
      },
      async revokeByGrantId(grantId) {
        for (const [key, entry] of entries) if (entry.payload.grantId === grantId) entries.delete(key);
      },
    };
    return adapter;
  };
  const endRefreshTokens = (how: "revoked" | "used"): void => {
    for (const [key, { payload }] of entries) {
      if (!key.startsWith("RefreshToken:")) continue;
      if (how === "revoked") entries.delete(key);
      else payload.consumed = Math.floor(now() / 1_000);
    }
  };
  return { adapter: makeAdapter, expireAccessTokens, endRefreshTokens };
}

function search(
  entries: ReadonlyMap<string, Entry>,
  model: string,
  wanted: (payload: AdapterPayload) => boolean,
): AdapterPayload | undefined {
  for (const [key, { payload }] of entries) if (key.startsWith(`${model}:`) && wanted(payload)) return payload;
  return undefined;
}
