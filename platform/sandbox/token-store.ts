// Where the provider keeps sessions, codes and tokens: in memory, one store for each setter of a pack, so that a token of one pack is
// unknown to another, and tokens outlive a change of the configuration. What has expired the provider itself refuses.
import type { AdapterFactory, AdapterPayload } from "oidc-provider";

/** Beyond this, what has expired is thrown out before more is kept. */
const SWEEP_AT = 1_000;

export interface TokenStore {
  readonly adapter: AdapterFactory;
  /** Access tokens count no more; refresh tokens still do. */
  expireAccessTokens(): void;
  /** Refresh tokens count no more: taken back, or used already (RFC 9700, section 4.14.2). */
  endRefreshTokens(how: "revoked" | "used"): void;
}

const nowInSeconds = (): number => Math.floor(Date.now() / 1_000);

export function createTokenStore(): TokenStore {
  const entries = new Map<string, AdapterPayload>();
  const deleteWhere = (isMatch: (payload: AdapterPayload, key: string) => boolean): void => {
    for (const [key, payload] of entries) if (isMatch(payload, key)) entries.delete(key);
  };
  return {
    adapter: (model) => ({
      async upsert(id, payload) {
        if (entries.size >= SWEEP_AT) deleteWhere(({ exp = Number.POSITIVE_INFINITY }) => exp <= nowInSeconds());
        entries.set(`${model}:${id}`, payload);
      },
      find: async (id) => entries.get(`${model}:${id}`),
      findByUid: async (uid) => [...entries].find(([key, payload]) => key.startsWith(`${model}:`) && payload.uid === uid)?.[1],
      // Of devices without a browser, which do not sign in here.
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = entries.get(`${model}:${id}`);
        if (payload !== undefined) payload.consumed = nowInSeconds();
      },
      async destroy(id) {
        entries.delete(`${model}:${id}`);
      },
      revokeByGrantId: async (grantId) => deleteWhere((payload) => payload.grantId === grantId),
    }),
    expireAccessTokens: () => deleteWhere((_payload, key) => /^(AccessToken|ClientCredentials):/.test(key)),
    endRefreshTokens(how) {
      if (how === "revoked") return deleteWhere((_payload, key) => key.startsWith("RefreshToken:"));
      for (const [key, payload] of entries) if (key.startsWith("RefreshToken:")) payload.consumed = nowInSeconds();
    },
  };
}
