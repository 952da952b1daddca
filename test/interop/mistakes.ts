// What authors get wrong, at which server it shows, and what has to be said of it. Where a server cannot show a mistake, it says why.
import type { Fetch } from "../../platform/host.ts";
import type { ServerName } from "./servers.ts";
import type { Configuration, TrialOptions } from "./trial.ts";

export interface Situation extends TrialOptions {
  /** A fetch that trusts no authority but the public ones. */
  readonly untrusting: Fetch;
}

export interface Mistake {
  /** What the first sentence names. */
  readonly names: (redirectUri: string) => readonly string[];
  /** The field that `configPath` blames; "" where it is none: what is registered at the provider, or the client's credentials. */
  readonly field: string;
  /** The right situation with the mistake in it. */
  readonly apply: (right: Situation) => Situation;
  /** Where it shows: the sign-in fails, or it works and a formula fails. */
  readonly shows: "sign-in" | "run";
  /** Servers at which the sign-in works, with a warning. */
  readonly warns?: readonly ServerName[];
  /** Servers that cannot show it, and why. */
  readonly invisibleAt: Readonly<Partial<Record<ServerName, string>>>;
}

type FieldMistake = Pick<Mistake, "invisibleAt" | "warns"> &
  Partial<Pick<Mistake, "shows">> & { readonly wrong: (right: Configuration) => unknown };

/** A field with a wrong value; undefined: it is left out. */
const inField = (field: string, { wrong, shows = "sign-in", ...where }: FieldMistake): Mistake => ({
  names: () => [field],
  field,
  apply: (right) => ({ ...right, configuration: { ...right.configuration, [field]: wrong(right.configuration) } }),
  shows,
  ...where,
});

const tokenUrlOf = (configuration: Configuration): string => String(configuration.tokenUrl);

export const MISTAKES: Readonly<Record<string, Mistake>> = {
  "a wrong token path": inField("tokenUrl", { wrong: (right) => tokenUrlOf(right).replace(/token\/?$/, "tokens"), invisibleAt: {} }),
  "a forgotten slash": inField("tokenUrl", {
    // Where none is at the end, one too many.
    wrong: (right) => (tokenUrlOf(right).endsWith("/") ? tokenUrlOf(right).slice(0, -1) : `${tokenUrlOf(right)}/`),
    invisibleAt: {
      jmondi: "its address works with and without a slash",
      oauth2orize: "its address works with and without a slash",
      mcp: "its address works with and without a slash",
      openauth: "its address works with and without a slash",
      "oauth2-mock-server": "its address works with and without a slash",
    },
  }),
  "authorizationUrl as tokenUrl": inField("tokenUrl", { wrong: (right) => right.authorizationUrl, invisibleAt: {} }),
  "a wrong secret": {
    names: () => ["client ID or secret"],
    field: "",
    apply: (right) => ({ ...right, typed: [{ clientId: right.client?.clientId ?? "", clientSecret: "not-the-secret" }] }),
    shows: "sign-in",
    invisibleAt: { openauth: "it has no secrets", "oauth2-mock-server": "it takes every secret" },
  },
  "a redirect address that is not registered": {
    names: (redirectUri) => [redirectUri],
    field: "",
    apply: (right) => ({ ...right, registered: "http://localhost:1/other" }),
    shows: "sign-in",
    invisibleAt: { "oauth2-mock-server": "it takes every address" },
  },
  "a scope that does not exist": inField("scopes", {
    wrong: () => ["read", "wirte"],
    warns: ["mcp"],
    invisibleAt: { openauth: "it has no scopes", "oauth2-mock-server": "it takes every scope" },
  }),
  "another delimiter": inField("scopeDelimiter", {
    wrong: (right) => (right.scopeDelimiter === undefined ? "," : undefined),
    warns: ["mcp"],
    invisibleAt: { openauth: "it has no scopes", "oauth2-mock-server": "it takes every scope" },
  }),
  "PKCE left out": inField("useProofKeyForCodeExchange", {
    wrong: () => undefined,
    invisibleAt: {
      "node-oauth": "it demands none",
      oauth2orize: "it demands none",
      openauth: "it demands none",
      "oauth2-mock-server": "it demands none",
    },
  }),
  "another tokenPrefix": inField("tokenPrefix", { wrong: () => "Token", shows: "run", invisibleAt: {} }),
  "an authority of one's own": {
    names: () => ["the certificate of", "is not trusted"],
    field: "tokenUrl",
    apply: (right) => ({ ...right, fetch: right.untrusting }),
    shows: "sign-in",
    invisibleAt: {},
  },
};
