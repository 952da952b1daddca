// The headers between the broker and the sandbox, which pack code does not see.

/** Set on responses that sandbox.json does not define: what was sent instead, see {@link Echoed}. */
export const ECHO_HEADER = "pack-auth-sandbox-echo";

/** An echo of the request, or a sample response. */
export type Echoed = "request" | "sample";

/** Reads the value of {@link ECHO_HEADER}. */
export const readEchoed = (header: string | null): Echoed | undefined =>
  header === null ? undefined : header === "sample" ? "sample" : "request";

/** Set on requests that need no account, because of the formula or the request itself. The sandbox then requires no credential. */
export const WITHOUT_ACCOUNT_HEADER = "pack-auth-sandbox-without-account";
