// The command line's own fetch: through the proxy that the environment names, else straight, with every address that a name leads to
// checked once more at the moment of connecting.
import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Fetch } from "../../platform/host.ts";
import { isPrivateAddress } from "../../platform/requests/private-address.ts";
import { isLoopback } from "../../protocol/is-loopback.ts";

interface CliFetch {
  readonly fetch: Fetch;
  /** A proxy resolves the names: where they lead is not known here. */
  readonly behindProxy: boolean;
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"];

export function openFetch(env: NodeJS.ProcessEnv): CliFetch {
  const behindProxy = PROXY_VARIABLES.some((name) => env[name]);
  let opened: Promise<Fetch> | undefined;
  // Most calls send nothing, and to load undici takes as long as the rest of them.
  const open = async (): Promise<Fetch> => {
    const { Agent, EnvHttpProxyAgent, fetch } = await import("undici");
    const dispatcher = new (behindProxy ? EnvHttpProxyAgent : Agent)({ connect: { lookup: checkedLookup } });
    // undici's own types of requests and responses are those of the web, under other names.
    return (url, init) => fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1]) as unknown as Promise<Response>;
  };
  return {
    behindProxy,
    async fetch(url, init) {
      opened ??= open();
      return (await opened)(url, init);
    },
  };
}

/** node:dns's lookup, which refuses what leads into a private network. */
const checkedLookup: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    const inside = isLoopback(host) ? undefined : addresses?.find(({ address }) => isPrivateAddress(address));
    const refused = inside === undefined ? error : new Error(`${host} resolves to ${inside.address}, an address of a private network`);
    const [first] = addresses ?? [];
    if (refused !== null || first === undefined) callback(refused ?? new Error(`${host} has no address`), "", 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, isIP(first.address));
  });
};
