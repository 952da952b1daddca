// The request of a command in its parts, with a mark for each placeholder. Refuses what the platform does not fetch.
import { isIP } from "node:net";
import { decodeText } from "../../../base/decode-text.ts";
import { isLoopback } from "../../../base/is-loopback.ts";
import { createDepthScan } from "../../../base/json-depth.ts";
import { unreadable } from "../unreadable.ts";
import type { Body, CurlCommand, Header, Part } from "./command.ts";
import { ENDPOINT_MARK, markPlaceholders } from "./placeholders.ts";
import { MARK } from "./words.ts";

export interface QueryPart extends Part {
  /** As it was written: `name=value`, encoded. */
  readonly raw: string;
}

export interface CurlRequest {
  readonly method: string;
  /** What the URL begins with: `https://api.acme.com`, or the mark of the account's endpoint. */
  readonly origin: string;
  /** The host, or the part that all accounts have in common; undefined if they have none. */
  readonly domain: string | undefined;
  readonly hasEndpoint: boolean;
  /** The path's parts between slashes; the first one is empty. */
  readonly segments: readonly string[];
  readonly query: readonly QueryPart[];
  readonly headers: readonly Header[];
  readonly body: Body | undefined;
  /** The user name and the password of the command or its URL, divided by a colon. */
  readonly user: string | undefined;
  readonly remarks: readonly string[];
}

export function requestOf(command: CurlCommand): CurlRequest {
  const url = markPlaceholders(command.url, "url");
  const [, scheme, authority = "", path = "", queryText] = /^(?:([A-Za-z][\w+.-]*):\/\/)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    throw unreadable("The URL is not of HTTP.", "Paste a command whose URL begins with https://.");
  const at = authority.lastIndexOf("@");
  const host = hostParts(authority.slice(at + 1));
  const isInsecure = host.domain !== undefined && scheme?.toLowerCase() !== "https";
  return {
    method: command.method,
    ...host,
    hasEndpoint: host.origin === ENDPOINT_MARK,
    segments: path.split("/"),
    query: queryText === undefined ? [] : queryText.split("&").filter(Boolean).map(queryPart),
    headers: command.headers.map(({ name, value }) => ({ name, value: markPlaceholders(value, "header") })),
    body: command.body === undefined ? undefined : markedBody(command.body),
    user: command.user ?? (at > 0 ? decodeText(authority.slice(0, at)) : undefined),
    remarks: [
      ...command.remarks,
      ...(isInsecure
        ? ["The command's URL does not begin with https://, and the platform fetches nothing else. Check that the API answers there."]
        : []),
    ],
  };
}

const queryPart = (raw: string): QueryPart => {
  const [name = "", ...rest] = raw.split("=");
  const decode = (text: string): string => decodeText(text.replaceAll("+", " "));
  return { raw, name: decode(name), value: decode(rest.join("=")) };
};

const markedBody = (body: Body): Body =>
  body.kind === "multipart"
    ? { kind: "multipart", parts: body.parts.map(({ name, value }) => ({ name, value: markPlaceholders(value, "body") })) }
    : { kind: body.kind, text: markPlaceholders(body.text, "body") };

const API_DOMAIN = "Paste a command with the API's public address, such as https://api.example.com/me.";

/** Names of networks that are not public (RFC 6762, RFC 8375, RFC 2606, and the names that private networks use). */
const PRIVATE_NAME = /(?:^|\.)(?:local|localhost|internal|intranet|lan|home|corp|home\.arpa|invalid|test)$/;

function hostParts(written: string): Pick<CurlRequest, "origin" | "domain"> {
  const [, text = "", port] = /^(.*?)(?::(\d{0,5}))?$/s.exec(written) ?? [];
  if (text.includes(MARK)) {
    const labels = text
      .slice(text.lastIndexOf(MARK) + 1)
      .split(".")
      .slice(1);
    return { origin: ENDPOINT_MARK, domain: labels.length < 2 ? undefined : publicHost(labels.join(".")) };
  }
  const host = publicHost(text);
  if (port !== undefined && !["", "80", "443"].includes(port))
    throw unreadable("The URL has a port, and the platform fetches the standard port of https only.", API_DOMAIN);
  return { origin: `https://${host}`, domain: host };
}

function publicHost(text: string): string {
  const address = `https://${text}`;
  if (text === "" || !URL.canParse(address) || new URL(address).pathname !== "/")
    throw unreadable("The URL has no host.", "Put the URL inside quotes, with https:// at its beginning.");
  const { hostname } = new URL(address);
  if (isLoopback(hostname)) throw unreadable("The URL's host is this machine, which the platform cannot reach.", API_DOMAIN);
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0)
    throw unreadable("The URL's host is an IP address, and the platform fetches domain names only.", API_DOMAIN);
  if (!/^[a-z\d_-]+(?:\.[a-z\d_-]+)+\.?$/.test(hostname) || PRIVATE_NAME.test(hostname))
    throw unreadable("The URL's host is no public domain name, so the platform cannot reach it.", API_DOMAIN);
  return hostname.replace(/\.$/, "");
}

/** The fields of a body: of a form, or the strings and numbers in JSON by their path: `auth.token`. */
export function bodyFields(body: Body | undefined): readonly Part[] {
  if (body === undefined) return [];
  if (body.kind === "multipart") return body.parts;
  const json = parsedJson(body.text);
  if (json !== undefined) return [...textsIn(json, [])].map(({ path, value }) => ({ name: path.join("."), value }));
  return body.kind === "form" ? body.text.split("&").filter(Boolean).map(queryPart) : [];
}

/** Returns the text of a body that is XML or of another form, and is not read as fields. */
export const unreadText = (body: Body | undefined): string | undefined =>
  body !== undefined &&
  body.kind !== "multipart" &&
  parsedJson(body.text) === undefined &&
  (body.kind === "text" || /^\s*[{[<]/.test(body.text))
    ? body.text
    : undefined;

/** Returns the body with other values of fields; their marks stay. */
export function replaceFields(body: Body, replacements: ReadonlyMap<string, string>): Body {
  const whole = replacements.get("");
  if (whole !== undefined) return { kind: "text", text: whole };
  const replace = <T>(name: string, value: T): string | T => replacements.get(name) ?? value;
  if (body.kind === "multipart")
    return { kind: "multipart", parts: body.parts.map(({ name, value }) => ({ name, value: replace(name, value) })) };
  const json = parsedJson(body.text);
  if (json !== undefined) {
    const visit = (value: unknown, path: readonly string[]): unknown => {
      if (typeof value !== "object" || value === null) return replace(path.join("."), value);
      if (Array.isArray(value)) return value.map((each, index) => visit(each, [...path, `${index}`]));
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, [...path, name])]));
    };
    // A mark is a control character, which JSON escapes.
    return { kind: body.kind, text: JSON.stringify(visit(json, [])).replaceAll("\\u0000", MARK) };
  }
  const parts = body.text.split("&").map((raw) => {
    const value = replacements.get(queryPart(raw).name);
    return value === undefined ? raw : `${raw.split("=", 1)[0]}=${value}`;
  });
  return { kind: body.kind, text: parts.join("&") };
}

/** Levels of JSON that are searched. */
const DEEPEST = 100;

function* textsIn(value: unknown, path: readonly string[]): Iterable<{ readonly path: readonly string[]; readonly value: string }> {
  if (typeof value !== "object" || value === null) yield { path, value: String(value) };
  else for (const [name, each] of Object.entries(value)) yield* textsIn(each, [...path, name]);
}

/** Returns the object or list, or undefined for other texts. A mark outside a string is not JSON. */
function parsedJson(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text) || createDepthScan(DEEPEST)(text)) return undefined;
  try {
    // JSON forbids control characters in strings, so that marks are escaped.
    return JSON.parse(text.replaceAll(MARK, "\\u0000")) as object;
  } catch {
    return undefined;
  }
}
