// The sandbox's OAuth metadata: of the pack's resources (RFC 9728) and of the provider (RFC 8414, OpenID Connect Discovery). Its addresses
// are the sandbox's own, so that any client understands them. The extension's sign-in reads them as logical addresses.
import type { AuthenticationDefinition, PackDefinition } from "../../protocol/definition.ts";
import { covers } from "../network/url-policy.ts";
import { withEndpoint } from "../oauth/configured-url.ts";
import type { SandboxProvider } from "./provider.ts";

export const mcpAddresses = ({ mcpServers = [] }: PackDefinition, endpoint: string | undefined): readonly URL[] =>
  mcpServers
    .map(({ endpointUrl }) => withEndpoint(endpointUrl, endpoint))
    .flatMap((address) => (URL.canParse(address) ? new URL(address) : []));

/**
 * Returns the configuration with OAuth addresses if it leaves them to discovery. They are at the pack's first MCP server, or at its first
 * domain.
 */
export function withAddresses(
  auth: AuthenticationDefinition,
  definition: PackDefinition,
  endpoint: string | undefined,
): AuthenticationDefinition {
  const leaves = auth.useDynamicClientRegistration === true && auth.authorizationUrl === undefined && auth.tokenUrl === undefined;
  const [server] = mcpAddresses(definition, endpoint);
  const first = server?.origin ?? `https://${definition.networkDomains[0] ?? ""}`;
  if (!leaves || !URL.canParse(first)) return auth;
  const { origin } = new URL(first);
  return { ...auth, authorizationUrl: `${origin}/oauth/authorize`, tokenUrl: `${origin}/oauth/token` };
}

/** Whether the address is a resource of the pack. `address` is a logical one, or one of the sandbox's own below `origin`. */
export function isResourceOf(address: string, origin: string, definition: PackDefinition, endpoint: string | undefined): boolean {
  const logical = address.startsWith(`${origin}/`) ? `https://${address.slice(origin.length + 1)}` : address;
  if (!URL.canParse(logical)) return false;
  const url = new URL(logical);
  if (mcpAddresses(definition, endpoint).some((mcpAddress) => mcpAddress.href === url.href)) return true;
  return url.href === `${url.origin}/` && definition.networkDomains.some((domain) => covers(domain, url.hostname));
}

/**
 * The well-known part precedes the path, after the sandbox's host or the logical one (RFC 9728, section 3.1, and RFC 8414, section 3.1).
 */
const WELL_KNOWN = "\\.well-known/(oauth-protected-resource|oauth-authorization-server|openid-configuration)";
const FORMS = [new RegExp(`^/${WELL_KNOWN}(?<place>/.+)$`), new RegExp(`^(?<host>/[^/]+)/${WELL_KNOWN}(?<path>/.*)?$`)];

/** Returns the metadata address of the resource at `origin` plus `place`, which is a path such as `/api.acme.example/mcp`. */
export const resourceMetadataAddress = (origin: string, place: string): string => `${origin}/.well-known/oauth-protected-resource${place}`;

/** Returns the metadata at a path, or undefined if the path is not a metadata path or there is no metadata for it. */
export function metadataAt(
  pathname: string,
  origin: string,
  providers: readonly SandboxProvider[],
  isResource: (address: string) => boolean,
): Readonly<Record<string, unknown>> | undefined {
  const pathMatch = FORMS.map((form) => form.exec(pathname)).find((match) => match !== null);
  const { place, host, path = "" } = pathMatch?.groups ?? {};
  const requestedAddress = `${origin}${place ?? `${host}${path}`}`;
  if (pathMatch === undefined || providers.length === 0) return undefined;
  if (!pathMatch[0].includes("oauth-protected-resource"))
    return providers.map(({ metadata }) => metadata).find(({ issuer }) => issuer === requestedAddress);
  if (!isResource(requestedAddress)) return undefined;
  const scopes = providers.flatMap(({ metadata }) => metadata.scopes_supported ?? []);
  return {
    resource: requestedAddress,
    ...(scopes.length === 0 ? {} : { scopes_supported: [...new Set(scopes)] }),
    authorization_servers: providers.map(({ metadata }) => metadata.issuer),
    bearer_methods_supported: ["header"],
  };
}
