// The server that the pack's requests go to: one address, or one for each account.

import { isLoopback } from "../../../base/is-loopback.ts";
import { quote } from "../../../base/quote.ts";
import type { Origin, ProposedField, TextWithSlots } from "../../../protocol/setup.ts";
import { withoutEndSlashes } from "../../network/endpoint.ts";
import { certaintyOf } from "../curl/names.ts";
import type { ReaderContext } from "../reader.ts";
import type { Server } from "./api-description.ts";
import { shownName } from "./raw.ts";

export interface ServerAddress {
  /** The beginning of each request's URL, without a slash at its end. */
  readonly base: TextWithSlots;
  /** The base if all accounts share it. */
  readonly url?: string;
  /** Absent if the whole host differs between accounts. */
  readonly domain?: { readonly domain: string; readonly origin: Origin };
  /** What makes the account have an endpoint; empty if all accounts share the address. */
  readonly fields: readonly ProposedField[];
  readonly remarks: readonly string[];
}

/**
 * Chooses the server.
 *
 * @param endpoint The fields for an account that has its own endpoint, which users enter or the token response contains.
 */
export function chooseServer(
  servers: readonly Server[],
  context: ReaderContext,
  endpoint: (domain: string | undefined, origin: Origin) => readonly ProposedField[] | undefined,
): ServerAddress {
  const server = chooseOne(servers, context);
  if (server === undefined) return askHost("", context);
  const remarks: string[] = [];
  const [, scheme = "", authority = "", path = ""] = /^([^/?#]*:)?(?:\/\/([^/?#]*))?([^?#]*)/.exec(server.url) ?? [];
  const fill = (text: string): string =>
    text.replace(/\{([^{}]+)\}/g, (slot, name: string) => {
      const variable = server.variables.get(name);
      if (variable === undefined || certaintyOf(name, variable.value) === "credential") return slot;
      if (variable.allowed.length > 1) return chooseValue(name, variable, context);
      return variable.allowed[0] ?? variable.value;
    });
  const rest = withoutEndSlashes(fill(path));
  if (authority === "") return askHost(rest, context);
  if (scheme === "http:")
    remarks.push(
      `The description has the server ${shownName(server.url, 200)}. The platform sends only https requests: check that the host answers them.`,
    );
  const host = fillHost(authority, server, fill);
  if (!host.includes("{")) {
    if (isUnreachable(host)) return askHost(rest, context);
    return { ...sharedAddress(host, rest, server.origin), remarks };
  }
  // Behind the last variable are the labels that all hosts share.
  const common = /\}\.((?:[\w-]+\.)+[\w-]+)(?::\d+)?$/.exec(host)?.[1]?.toLowerCase();
  const fields = endpoint(common, server.origin);
  if (fields === undefined) return askHost(rest, context);
  return {
    base: rest === "" ? [{ endpoint: true }] : [{ endpoint: true }, rest],
    ...(common === undefined ? {} : { domain: { domain: common, origin: server.origin } }),
    fields,
    remarks,
  };
}

/** Variables of the host that take any value differ between accounts, and stay. A port has the description's value. */
function fillHost(authority: string, server: Server, fill: (text: string) => string): string {
  const [, name = "", port = ""] = /^(.*?)(:(?:\d+|\{[^{}]+\}))?$/.exec(authority) ?? [];
  const open = (slot: string): boolean => server.variables.get(slot.slice(1, -1))?.allowed.length === 0;
  return name.replace(/\{[^{}]+\}/g, (slot) => (open(slot) ? slot : fill(slot))) + fill(port);
}

function chooseOne(servers: readonly Server[], context: ReaderContext): Server | undefined {
  const secure = servers.map(withHttps);
  const httpsOnly = secure.filter(({ url }) => !/^http:/i.test(url));
  const reachable = (httpsOnly.length > 0 ? httpsOnly : secure).filter(({ url }) => !isUnreachable(hostOf(url)));
  const distinct = [...new Map(reachable.map((server) => [server.url, server])).values()];
  if (distinct.length <= 1) return distinct[0] ?? secure[0];
  const answer = context.choose({
    id: "server",
    text: "The description has several servers. Which one do the pack's requests go to?",
    options: distinct.map(({ url, description }) => ({
      value: url,
      label: shownName(url, 200),
      ...(description === "" ? {} : { detail: description }),
    })),
  });
  return distinct.find(({ url }) => url === answer);
}

/** A scheme that is a variable is https where the description allows it. */
function withHttps(server: Server): Server {
  const [slot, name = ""] = /^\{([^{}]+)\}(?=:\/\/)/.exec(server.url) ?? [];
  if (slot === undefined) return server;
  const { allowed = [], value = "" } = server.variables.get(name) ?? {};
  return { ...server, url: server.url.replace(slot, allowed.includes("https") ? "https" : value || "https") };
}

const hostOf = (url: string): string => /^[^/?#]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? "";

/** The platform reaches public hosts alone. */
const isUnreachable = (host: string): boolean => isLoopback(host.replace(/:\d+$/, "").toLowerCase()) || host.startsWith("0.0.0.0");

const chooseValue = (
  name: string,
  variable: { readonly allowed: readonly string[]; readonly description: string },
  context: ReaderContext,
) =>
  context.choose({
    id: `server-${name}`,
    text: `Which value has the variable ${shownName(name)} of the server's URL?${variable.description === "" ? "" : ` ${quote(variable.description)}`}`,
    options: variable.allowed.map((value) => ({ value, label: shownName(value, 200) })),
  });

function sharedAddress(host: string, path: string, origin: Origin): Omit<ServerAddress, "remarks"> {
  const url = `https://${host}`;
  const { host: normal, hostname } = new URL(url);
  return { base: [`https://${normal}${path}`], url: `https://${normal}${path}`, domain: { domain: hostname, origin }, fields: [] };
}

function askHost(path: string, context: ReaderContext): ServerAddress {
  const host = context.ask({
    id: "host",
    text: "The description does not name a public host of the API. Which host do requests go to?",
    example: "api.example.com",
    problem: (answer) =>
      /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z][a-z\d-]*(?::\d+)?$/i.test(answer) && URL.canParse(`https://${answer}`)
        ? undefined
        : "Enter the name of a host without https:// and without a path, such as api.example.com.",
  });
  return { ...sharedAddress(host, path, "your answer about the host"), remarks: [] };
}
