// The provider's storage for sessions, codes and tokens, in memory. Each authentication of a pack has its own store, so that the tokens of
// one pack are unknown to another. Tokens outlive a change of the configuration. The provider itself refuses expired tokens.
import type { AdapterFactory, AdapterPayload } from "oidc-provider";

/** The number of entries at which expired entries are removed. */
const SWEEP_AT = 1_000;

export interface TokenStore {
  readonly adapter: AdapterFactory;
  /** Expires all access tokens. Refresh tokens stay valid. */
  expireAccessTokens(): void;
  /** Ends all refresh tokens: removes them, or marks them as used (RFC 9700, section 4.14.2). */
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
      // The device flow, for devices without a browser, is not supported.
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
