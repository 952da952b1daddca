// A process that requests one address with the command line's fetch, and prints the result. Every name resolves to this machine, so that
// the address check can be tested without a network.
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

Object.assign(dns, {
  lookup: (_host: string, options: dns.LookupOptions, callback: (...results: unknown[]) => void) =>
    options.all === true ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4),
});
syncBuiltinESMExports();

async function main(url: string): Promise<string> {
  const { openFetch } = await import("../../cli/terminal/fetch.ts");
  const { fetch } = await openFetch(process.env);
  try {
    return String((await fetch(url, { signal: AbortSignal.timeout(20_000) })).status);
  } catch (error) {
    const { wasNeverSent } = await import("../../platform/network/network-failure.ts");
    const { explainNetwork } = await import("../../platform/diagnosis/network-words.ts");
    const { reason, advice } = explainNetwork(error, new URL(url).host);
    const description = `${reason} ${advice}`;
    return `${wasNeverSent(error) ? "never sent: " : ""}${description} ${(error as Error).cause ?? error}`;
  }
}

void main(process.argv[2] ?? "").then((text) => {
  process.stdout.write(text);
  process.exit(0);
});
