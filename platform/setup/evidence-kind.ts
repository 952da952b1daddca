// The kinds of evidence that a configuration can be set up from.

/** What each kind is. */
export const EVIDENCE = {
  curl: "a cURL command for a shell of Unix, or for cmd.exe",
  openapi: "an OpenAPI 3 or Swagger 2 description as JSON or YAML, or its URL",
  issuer: "the URL of an OAuth 2.0 or OpenID Connect issuer or of its metadata, or the metadata (RFC 8414)",
  mcp: "the URL of an MCP server",
  address: "the URL of an API, whose challenge is read (RFC 9110, section 11.6.1)",
  provider: "the name of a provider that has a page",
} as const;

export type EvidenceKind = keyof typeof EVIDENCE;

/** Bytes of a file of evidence: a little more than the largest description. */
export const LARGEST_EVIDENCE = 20 * 1024 * 1024;

export const EVIDENCE_KINDS = Object.keys(EVIDENCE) as readonly EvidenceKind[];
