// Collects from a provider's metadata (RFC 8414) what explains its errors. It only advises, because metadata need not be complete.
import type { ProviderMetadata } from "../diagnosis/failure.ts";
import type { Discovered, OtherServer, Server } from "./discovery.ts";

/** Returns the part of the metadata that diagnoses read, or undefined if there is none. */
export const metadataFacts = (server: Server | undefined): ProviderMetadata | undefined =>
  server && { scopes: server.scopes ?? [], challengeMethods: server.challengeMethods ?? [] };

/** Explains metadata that was not used, and which fields to set so that its addresses are used. */
export function explainOtherServer([other]: readonly OtherServer[]): string | undefined {
  if (other === undefined) return undefined;
  const { requestedIssuer, metadata } = other;
  const [issuer, requestedUrl] = [new URL(metadata.issuer).href, new URL(requestedIssuer).href];
  const addresses = (["authorizationUrl", "tokenUrl"] as const)
    .flatMap((field) => (metadata[field] === undefined ? [] : `${field}: ${JSON.stringify(metadata[field])}`))
    .join(" and ");
  const what =
    issuer === requestedUrl
      ? `The metadata of ${issuer} names other addresses.`
      : `The metadata of ${requestedUrl} names another issuer, ${issuer}, so it was not used (RFC 8414, section 3.3).`;
  return addresses === "" ? what : `${what} If that is the right provider, set ${addresses}.`;
}

/** Returns a note about a successful sign-in whose provider's metadata was not used, or undefined. */
export function unusedMetadataNote({ server, otherServers }: Discovered, tokenUrl: string): string | undefined {
  const [other] = server === undefined ? otherServers.filter(({ metadata }) => metadata.tokenUrl === tokenUrl) : [];
  return (
    other &&
    `The metadata of ${new URL(other.requestedIssuer).href} names another issuer, ${new URL(other.metadata.issuer).href}. It was not used (RFC 8414, section 3.3), so removing the account revokes nothing. The provider has to name ${new URL(other.requestedIssuer).href}.`
  );
}
