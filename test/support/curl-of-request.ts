// A request of a pack at the sandbox, written as a person would paste it.
import type { Fetch } from "../../platform/host.ts";
import type { RunWorld } from "../../platform/runs/run-world.ts";

export interface SandboxRequest {
  readonly method: string;
  /** The logical URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** Returns the world with a fetch that records each request as the sandbox receives it. */
export function recording(world: RunWorld): { readonly world: RunWorld; readonly requests: readonly SandboxRequest[] } {
  const requests: SandboxRequest[] = [];
  const fetch: Fetch = (url, init = {}) => {
    const { pathname, search } = new URL(url);
    const headers = Object.fromEntries(new Headers(init.headers as HeadersInit));
    const body = init.body === undefined || init.body === null ? undefined : Buffer.from(init.body as Uint8Array).toString();
    requests.push({ method: init.method ?? "GET", url: `https:/${pathname}${search}`, headers, body });
    return world.fetch(url, init);
  };
  return { world: { ...world, fetch }, requests };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const curlOf = ({ method, url, headers, body }: SandboxRequest): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !name.startsWith("pack-auth-"))
      .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
