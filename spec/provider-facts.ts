// What is known of a provider in the catalogue that `npm run generate` writes.
export interface ProviderFacts {
  readonly id: string;
  readonly title: string;
  /** In all URLs, `[subdomain]` is a slot that each account fills differently. */
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** Where the API tells who the user is; absent where that is not known. */
  readonly profileUrl?: string;
  /** The domains of the first two, without subdomains; empty where the slot is the whole host. */
  readonly domains: readonly string[];
  /** Absent: not known, which does not mean that it is the default. */
  readonly scopeDelimiter?: " " | "," | ";";
}
