// The address of a request that the sandbox echoed, for people and for sandbox.json, without credentials.
import type { RequestTrace } from "../../protocol/run.ts";
import { MASK } from "../secrets/redact.ts";

/** Returns the request as a pattern of sandbox.json. Spaces are encoded, because a space would end the pattern. */
export function echoedRequest({ method, url }: Pick<RequestTrace, "method" | "url">): string {
  const { host, path } = echoedAddress(url);
  return `${method} https://${host}${path.replaceAll(/\s/g, "%20")}`;
}

/**
 * Returns the address of a masked URL, such as `https://api.github.com/user?page=2`. Parameters with a masked value are left out; elsewhere
 * the mask becomes `*`.
 */
export function echoedAddress(maskedUrl: string): { readonly host: string; readonly path: string } {
  const [, host = "", path = "/", query = ""] = /^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(maskedUrl) ?? [];
  const any = (text: string): string => text.split(MASK).join("*").split(encodeURIComponent(MASK)).join("*");
  const plainPairs = query.split("&").filter((pair) => pair !== "" && any(pair) === pair);
  return { host: any(host), path: `${any(path) || "/"}${plainPairs.length === 0 ? "" : `?${plainPairs.join("&")}`}` };
}
