// The command line's fetch: through the proxy of the environment, else directly. A direct connection checks every resolved address again
// when it connects.
import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isLoopback } from "../../base/is-loopback.ts";
import type { Fetch } from "../../platform/host.ts";
import { leadsInside } from "../../platform/network/look-up.ts";
import { proxyFailure } from "../../platform/network/network-failure.ts";
import { isPrivateAddress } from "../../platform/network/private-address.ts";

interface CliFetch {
  readonly fetch: Fetch;
  /** A proxy resolves the names, so their addresses are unknown here. */
  readonly behindProxy: boolean;
}

/** The first set variable of each row counts, as in undici. */
const PROXY_VARIABLES = [
  ["https_proxy", "HTTPS_PROXY"],
  ["http_proxy", "HTTP_PROXY"],
] as const;

/** These count only if none of the others is set. undici does not read them. */
const FOR_ALL = ["all_proxy", "ALL_PROXY"] as const;

/** The hosts that are reached directly. */
const EXCEPTIONS = ["no_proxy", "NO_PROXY"] as const;

export function openFetch(env: NodeJS.ProcessEnv): CliFetch {
  const isNamed = PROXY_VARIABLES.flat().some((name) => env[name]);
  const forAll = isNamed ? undefined : FOR_ALL.find((name) => env[name]);
  const behindProxy = isNamed || forAll !== undefined;
  let pendingFetch: Promise<Fetch> | undefined;
  // Most calls send nothing, and loading undici would take as long as the rest of such a call.
  const open = async (): Promise<Fetch> => {
    const { Agent, EnvHttpProxyAgent: ProxyAgent, fetch, Pool } = await import("undici");
    for (const names of forAll === undefined ? PROXY_VARIABLES : [[forAll]]) refuseWrongProxy(names, env);
    const connect = { lookup: checkedLookup };
    const clientFactory = (origin: URL, options: object): Dispatcher => namingProxy(new Pool(origin, options));
    // undici reads the environment of the process for each option that is undefined.
    const [httpsProxy, httpProxy, noProxy] = [...PROXY_VARIABLES, EXCEPTIONS].map(([lower, upper]) => env[lower] ?? env[upper] ?? "");
    const proxies = { httpsProxy, httpProxy: forAll === undefined ? httpProxy : String(env[forAll]), noProxy };
    const dispatcher = behindProxy
      ? new ProxyAgent({ connect, clientFactory, ...proxies } as EnvHttpProxyAgent.Options)
      : new Agent({ connect });
    // undici's types of requests and responses are those of the web under other names.
    return (url, init) => fetch(url, { ...init, dispatcher } as Parameters<typeof fetch>[1]) as unknown as Promise<Response>;
  };
  return {
    behindProxy,
    async fetch(url, init) {
      pendingFetch ??= open();
      return (await pendingFetch)(url, init);
    },
  };
}

/** Throws if the variable is not the URL of an HTTP proxy. Does not show the value, which may contain a password. */
function refuseWrongProxy(names: readonly string[], env: NodeJS.ProcessEnv): void {
  const name = names.find((each) => env[each] !== undefined);
  const value = name === undefined ? "" : env[name];
  if (!value) return;
  const { protocol, hostname } = URL.canParse(value) ? new URL(value) : { protocol: "", hostname: "" };
  const example = "such as http://proxy.example.com:8080";
  if (/^socks/.test(protocol)) throw proxyError(`${name} names a SOCKS proxy, which is not supported. Set it to an HTTP proxy ${example}`);
  if (!/^https?:$/.test(protocol) || hostname === "") throw proxyError(`${name} is not a URL ${example}`);
}

const proxyError = (why: string): TypeError => new TypeError("fetch failed", { cause: proxyFailure(why) });

/** Blames the proxy if a tunnel cannot be opened, whatever the host of the request. */
function namingProxy(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    connect: async (options: Dispatcher.ConnectOptions) => {
      try {
        return await connect(options);
      } catch (error) {
        const { message, code = "" } = error as NodeJS.ErrnoException;
        throw proxyFailure(message || code, error);
      }
    },
  });
}

/** The lookup of node:dns, which also refuses addresses in a private network. */
const checkedLookup: LookupFunction = (host, options, callback) => {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    const inside = isLoopback(host) ? undefined : addresses?.find(({ address }) => isPrivateAddress(address));
    const lookupError = inside === undefined ? error : leadsInside(host, inside.address);
    const [first] = addresses ?? [];
    if (lookupError !== null || first === undefined) callback(lookupError ?? new Error(`${host} has no address`), "", 0);
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, isIP(first.address));
  });
};
