// A provider of the catalogue that `npm run generate` writes.
export interface ProviderFacts {
  readonly id: string;
  readonly title: string;
  /** In all URLs, each account replaces `[subdomain]` with its own. */
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The URL at which the API describes the user; absent if unknown. */
  readonly profileUrl?: string;
  /** The domains of the first two URLs, without subdomains; empty if the whole host is a placeholder. */
  readonly domains: readonly string[];
  /** Absent means unknown, not the default. */
  readonly scopeDelimiter?: " " | "," | ";";
}
