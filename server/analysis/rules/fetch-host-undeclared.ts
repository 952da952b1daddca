import { propertyOf } from "../config.ts";
import { addDomain } from "../declare-domain.ts";
import { declaredHosts, domainOf, isPlatformHost, isUnder } from "../hosts.ts";
import type { CallFact, PackModel, Place } from "../model.ts";
import { urlOf, type WrittenUrl } from "../read-request.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { piecesOf } from "../text-pieces.ts";

const FORMULA = (url: string): string =>
  `pack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async function ([], context) {\n    let response = await context.fetcher.fetch({ method: "GET", url: ${url} });\n    return response.body.name;\n  },\n});\n`;

export default rule({
  id: "fetch-host-undeclared",
  severity: "error",
  source: "auth-spec 5.7.4",
  about: "request",
  docs: `A request goes to a host that the pack does not declare.

The platform sends requests to a pack's network domains and their subdomains alone, and refuses this one when it runs. Declare the domain with \`pack.addNetworkDomain\`, or correct the host. Only URLs that are fetched count, and those of MCP servers; links in results may lead anywhere.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n${FORMULA('"https://«api.example.org»/me"')}`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("example.org");\n${FORMULA('"https://api.example.org/me"')}`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n${FORMULA('"https://«notexample.com»/me"')}`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("notexample.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "example.com" });\n${FORMULA('"https://notexample.com/me"')}`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addMCPServer({ name: "Tools", endpointUrl: "https://«mcp.example.org»/mcp" });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addNetworkDomain("mcp.example.org");\npack.addMCPServer({ name: "Tools", endpointUrl: "https://mcp.example.org/mcp" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async function ([], context) {\n    let file = await context.fetcher.fetch({ method: "GET", url: "https://codahosted.io/docs/abc" });\n    await context.fetcher.fetch({ method: "PUT", url: "https://eu.api.example.com/me", body: file.body });\n    return "https://elsewhere.org/a-link";\n  },\n});\n`,
    },
  ],
  *check(pack) {
    if (pack.partial || !pack.domains.complete) return;
    const declared = declaredHosts(pack);
    // One that is empty is to be filled in first.
    if (declared.includes("")) return;
    const auths = pack.auths.filter(({ type }) => type !== "None" && type !== "Various");
    // Without any domain: either another rule says so, or the account's endpoint is where requests go.
    if (declared.length === 0 && (auths.length > 0 || !pack.authsComplete)) return;
    const seen = new Set<string>();
    const isUndeclared = (host: string | undefined): boolean =>
      host !== undefined && !isPlatformHost(host) && !declared.some((domain) => isUnder(host, domain));
    const fetched = requestsOf(pack).hosts.some(isUndeclared) ? fetchedUrls(pack, isUndeclared) : [];
    for (const { url, outcome } of [...fetched, ...serverUrls(pack)]) {
      const { host } = url;
      if (host === undefined || !isUndeclared(host)) continue;
      const place = placeOfHost(pack, url, host);
      const key = `${place.file}:${place.start}:${host}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield {
        place,
        message: `${host} is under none of the pack's network domains (${declared.join(", ") || "there are none"}), so the platform ${outcome}. Declare its domain with pack.addNetworkDomain, or correct the host.`,
        fixes: () => addDomain(pack, domainOf(host)),
      };
    }
  },
});

interface Target {
  readonly url: WrittenUrl;
  /** What the platform does where it is not declared. */
  readonly outcome: string;
}

const fetchedUrls = (pack: PackModel, isMeant: (host: string | undefined) => boolean): readonly Target[] =>
  requestsOf(pack)
    .all.filter(({ urls }) => urls.some(({ host }) => isMeant(host)))
    .flatMap(({ urls }) => urls.map((url) => ({ url, outcome: "refuses this request when it runs" })));

/** Servers of tools, which the platform itself calls. */
function serverUrls(pack: PackModel): readonly Target[] {
  const found: Target[] = [];
  for (const { calls } of pack.facts)
    for (let index = 0; index < calls.length; index++) {
      const { method, arguments: given } = calls[index] as CallFact;
      if (method !== "addMCPServer") continue;
      const [argument] = given;
      const server = argument === undefined ? undefined : pack.resolve(argument);
      const property = server?.kind === "object" ? propertyOf(server, "endpointUrl") : undefined;
      if (property !== undefined)
        found.push({ url: urlOf(property.value, piecesOf(property.value, pack.resolve)), outcome: "rejects the pack" });
    }
  return found;
}

/** The host in the literal that holds it; else where the URL is written. */
function placeOfHost(pack: PackModel, url: WrittenUrl, host: string): Place {
  for (const { file, start, end, kind } of url.pieces) {
    if (kind !== "text") break;
    const index = pack.text(file).slice(start, end).toLowerCase().indexOf(host);
    if (index >= 0) return { file, start: start + index, end: start + index + host.length };
  }
  return url.place;
}
