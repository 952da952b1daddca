// Reads an OAuth 2.0 or OpenID Connect issuer: its URL, the URL of its metadata, or the metadata itself.

import { isRecord } from "../../../base/is-record.ts";
import { quoteName } from "../../../base/quote.ts";
import type { PackAuthError } from "../../errors.ts";
import { isReachable } from "../../network/reachable-address.ts";
import { discoverServer, type ServerMetadata } from "../../oauth/discovery.ts";
import { discoveryProblem } from "../../oauth/provider.ts";
import { outcomeOfMetadata } from "../from-metadata.ts";
import { lookUpAddress, lookUpReach } from "../look-up.ts";
import type { SetupOutcome } from "../outcome.ts";
import type { EvidenceReader, ReaderContext } from "../reader.ts";
import { ANOTHER_WAY, unreadable } from "../unreadable.ts";

export const readIssuer: EvidenceReader = async (text, context): Promise<SetupOutcome> => {
  if (text.trimStart().startsWith("{")) {
    const origin = "the metadata that you entered";
    const remarks = ["The metadata was entered as a text, so nothing proves that the issuer published it."];
    return outcomeOfMetadata(parseMetadata(text), { origin, remarks }, context);
  }
  const { url, remarks } = lookUpAddress(text);
  const issuer = issuerOf(url);
  return outcomeOfMetadata(await metadataOf(issuer, context), { origin: `the metadata of ${issuer}`, remarks }, context);
};

/** Returns the issuer's metadata. Throws evidence-unreadable if the issuer publishes none, or its metadata names another issuer. */
async function metadataOf(issuer: string, context: ReaderContext): Promise<ServerMetadata> {
  const discovery = await discoverMetadata(issuer, context);
  if ("problem" in discovery) throw discovery.problem;
  return discovery.metadata;
}

type MetadataDiscovery = { readonly metadata: ServerMetadata } | { readonly problem: PackAuthError };

/** Returns the issuer's metadata, or why there is none. Throws if its host may not be asked. */
export async function discoverMetadata(issuer: string, context: ReaderContext, isRetry = false): Promise<MetadataDiscovery> {
  const { reach, problems } = lookUpReach(context);
  const { metadata, otherServers } = await discoverServer(issuer, reach);
  context.signal.throwIfAborted();
  if (metadata !== undefined) return { metadata };
  const { host } = new URL(issuer);
  const [other] = otherServers;
  // A slash at the end of an identifier does not change the address of its metadata.
  if (other !== undefined && !isRetry && isSameButSlash(other.metadata.issuer, issuer))
    return discoverMetadata(other.metadata.issuer, context, true);
  if (other !== undefined)
    return {
      problem: unreadable(
        `The metadata of ${issuer} names another issuer, ${quoteName(other.metadata.issuer)}, so it was not used (RFC 8414, section 3.3).`,
        "If that is the right issuer, enter its address. If it has a placeholder, enter the address with your own value.",
      ),
    };
  const explanation = problems.map((problem) => discoveryProblem(problem, host)).find((problem) => problem !== undefined);
  return {
    problem: unreadable(
      explanation ?? `${host} publishes no metadata of an issuer ${issuer} (RFC 8414, OpenID Connect Discovery).`,
      `Check the issuer's address in the provider's documentation. ${ANOTHER_WAY}`,
    ),
  };
}

const isSameButSlash = (a: string, b: string): boolean => a !== b && a.replace(/\/$/, "") === b.replace(/\/$/, "");

/** Returns the issuer whose metadata has the address: the well-known part is in front of its path, or behind it. */
function issuerOf({ origin, pathname }: URL): string {
  return `${origin}${pathname.replace(/\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?=\/|$)/, "")}`;
}

function parseMetadata(text: string): ServerMetadata {
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes the text.
    throw unreadable("The metadata is not valid JSON.", "Copy the whole document, from { to }.");
  }
  if (!isRecord(metadata) || !isReachable(metadata.issuer))
    throw unreadable(
      "The metadata has no member issuer with an https address (RFC 8414, section 2).",
      "Enter the document that the issuer publishes, or its address.",
    );
  return metadata as unknown as ServerMetadata;
}
