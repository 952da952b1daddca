import { areNear } from "../../../base/closest.ts";
import { hasCredential } from "../../../spec/auth-types.ts";
import { propose } from "../configuration/config.ts";
import { addDomain } from "../configuration/declare-domain.ts";
import { declaredHosts, domainOf, isPlatformHost, isPublic, isUnder } from "../domains/hosts.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { isHostOpen, type RequestUrl, type WrittenUrl } from "../requests/read-request.ts";
import { requestsOf } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";
import { quoteLike, replace } from "../text/edit.ts";
import { part } from "../text/place.ts";

export default rule({
  id: "fetch-host-undeclared",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.7.4",
  docs: `A request goes to a host that the pack does not declare.

The platform sends requests to a pack's network domains and their subdomains alone, and refuses this one when it runs. Declare the domain with \`pack.addNetworkDomain\`, or correct the host. Only URLs that are fetched count; links in results may lead anywhere.`,
  examples: [
    {
      bad: pack`
        formula Me {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://«api.example.org»/me" });
          return response.body.name;
        }`,
      change: ["pack.addFormula", 'pack.addNetworkDomain("example.org");\npack.addFormula'],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        formula Me {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://«notacme.example»/me" });
          return response.body.name;
        }`,
      fixed: pack`
        pack.addNetworkDomain("acme.example");
        pack.addNetworkDomain("notacme.example");
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "acme.example" });
        formula Me {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://notacme.example/me" });
          return response.body.name;
        }`,
    },
    {
      good: pack`
        formula Me {
          let file = await context.fetcher.fetch({ method: "GET", url: "https://codahosted.io/docs/abc" });
          await context.fetcher.fetch({ method: "PUT", url: "https://eu.api.acme.example/me", body: file.body });
          return "https://elsewhere.org/a-link";
        }`,
    },
  ],
  supersedes: ["seen-host-refused"],
  on: {
    *request(pack, { urls }) {
      for (const url of urls) yield* checkHost(pack, url);
    },
  },
});

function* checkHost(pack: PackModel, url: RequestUrl): Iterable<Finding> {
  const { host } = url;
  // Checked first, because nearly every host is declared.
  if (host === undefined || isPlatformHost(host) || pack.domains.declared.some(({ value }) => isUnder(host, value))) return;
  if (pack.partial || !pack.domains.complete) return;
  // A table of hosts may have one for development.
  if (url.chosen && !isPublic(host)) return;
  const declared = declaredHosts(pack);
  // The author must fill in an empty domain first.
  if (declared.includes("") || declared.some((domain) => isUnder(host, domain))) return;
  if (isHostOpen(url) && declared.some((domain) => mayBecome(host, domain))) return;
  // Without any domain, another rule reports that, or requests go to the account's endpoint.
  if (declared.length === 0 && (!pack.authsComplete || pack.auths.some(({ type }) => hasCredential(type)))) return;
  yield {
    place: placeOfHost(pack, url, host),
    message: isPublic(host)
      ? `Declare the domain of ${host} with pack.addNetworkDomain, or correct the host. It is not in the pack's network domains (${declared.join(", ") || "there are none"}), so the platform refuses this request.`
      : `Write the API's public host. ${host} has no public name, so the platform refuses this request.`,
    fixes: () => [...respelt(pack, host), ...addDomain(pack, domainOf(host))],
  };
}

/** Offers to change the pack's only domain, if no request uses it and all requests go to a similar one. */
function respelt(pack: PackModel, host: string): readonly Fix[] {
  const [only, ...otherDomains] = pack.domains.declared;
  if (only === undefined || otherDomains.length > 0 || only.expression.kind !== "string") return [];
  const { value, expression } = only;
  const intendedDomain = host.split(".").slice(-value.split(".").length).join(".");
  const isIntended = requestsOf(pack).all.every(
    ({ urls }) => urls.length > 0 && urls.every((url) => url.host !== undefined && !isHostOpen(url) && isUnder(url.host, intendedDomain)),
  );
  // A domain that the pack mentions again is intended.
  const named = pack.facts.reduce((count, { text }) => count + text.split(value).length - 1, 0);
  if (!isIntended || named > 1 || !areNear(value, intendedDomain, 2) || areSiblings(value, intendedDomain)) return [];
  return [
    propose(
      `Change the network domain ${value} to ${intendedDomain}`,
      replace(expression.place, quoteLike(pack, expression.place, intendedDomain)),
    ),
  ];
}

/** Returns whether the domains differ only in their first label: `eu.acme.com` and `us.acme.com`. */
const areSiblings = (a: string, b: string): boolean => a.split(".").length > 2 && a.slice(a.indexOf(".")) === b.slice(b.indexOf("."));

/** Returns whether a host before an unknown part may continue to the domain: `api.acme.co` to `api.acme.com`, or to `api.acme.co.uk`. */
function mayBecome(host: string, domain: string): boolean {
  const labels = host.split(".");
  return labels.slice(0, -1).some((_, index) => domain.startsWith(labels.slice(index).join(".")));
}

/** Returns the place of the host in its literal, else the place of the URL. */
function placeOfHost(pack: PackModel, url: WrittenUrl, host: string): Place {
  for (const { kind, place } of url.pieces) {
    if (kind !== "text") break;
    const index = pack.text(place.file).slice(place.start, place.end).toLowerCase().indexOf(host);
    if (index >= 0) return part(place, index, index + host.length);
  }
  return url.place;
}
