// The address of a request that the sandbox had no answer for, as a person reads it and as sandbox.json names it: without credentials.
import type { RequestTrace } from "../../protocol/run.ts";
import { MASK } from "../secrets/redact.ts";

/** Of sandbox.json, for the same request: a blank would end the pattern. */
export function echoedRequest({ method, url }: Pick<RequestTrace, "method" | "url">): string {
  const { host, path } = echoedAddress(url);
  return `${method} https://${host}${path.replaceAll(/\s/g, "%20")}`;
}

/** `https://api.github.com/user?page=2` of a masked URL: parameters that hold a credential are left out, and elsewhere it is `*`. */
export function echoedAddress(maskedUrl: string): { readonly host: string; readonly path: string } {
  const [, host = "", path = "/", query = ""] = /^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(maskedUrl) ?? [];
  const any = (text: string): string => text.split(MASK).join("*").split(encodeURIComponent(MASK)).join("*");
  const plainPairs = query.split("&").filter((pair) => pair !== "" && any(pair) === pair);
  return { host: any(host), path: `${any(path) || "/"}${plainPairs.length === 0 ? "" : `?${plainPairs.join("&")}`}` };
}
