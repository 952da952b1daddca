// The headers between the broker and the sandbox. Pack code does not see them.

/** Of the API's answers for which sandbox.json has none: what was sent in its place, see {@link Echoed}. Pack code does not see it. */
export const ECHO_HEADER = "pack-auth-sandbox-echo";

/** The request itself, or a sample answer. */
export type Echoed = "request" | "sample";

/** Reads the value of {@link ECHO_HEADER}. */
export const readEchoed = (header: string | null): Echoed | undefined =>
  header === null ? undefined : header === "sample" ? "sample" : "request";

/** Of a request that takes no account, as its formula or the request itself says: the sandbox asks for no credential. */
export const WITHOUT_ACCOUNT_HEADER = "pack-auth-sandbox-without-account";
