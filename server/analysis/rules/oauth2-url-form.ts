import { fieldValue, fix, isAbsent, isTrue, knownAuths, propertyOf } from "../config.ts";
import { quoteLike, replace } from "../edit.ts";
import type { Finding, PackModel, Value } from "../model.ts";
import { rule } from "../rule.ts";
import { isAbsoluteUrl, knownStart, withScheme } from "../url-value.ts";

export default rule({
  id: "oauth2-url-form",
  severity: "error",
  source: "sdk-facts 2",
  docs: `An OAuth URL has the wrong form.

\`authorizationUrl\`, \`tokenUrl\` and \`resource\` must be absolute https URLs; with \`requiresEndpointUrl\` and no \`endpointKey\` the first two must be root-relative (\`/oauth/token\`) instead, since the user's endpoint is put before them. The platform rejects anything else, an address of your own machine included.`,
  supersedes: ["url-placeholder"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: «"login.acme.example/authorize"»,\n  tokenUrl: "https://login.acme.example/token",\n});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.acme.example/authorize",\n  tokenUrl: "https://login.acme.example/token",\n});\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: «"//login.acme.example/t"» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nimport { host } from "elsewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: \`\${host}/a\`, tokenUrl: "https://login.acme.example/t" });\n`,
    },
  ],
  types: ["OAuth2", "OAuth2ClientCredentials"],
  *check(pack) {
    for (const auth of knownAuths(pack)) {
      if (auth.type !== "OAuth2" && auth.type !== "OAuth2ClientCredentials") continue;
      const manual = isTrue(pack, auth, "requiresEndpointUrl");
      // Whether the endpoint is typed cannot be told where either field may be in a spread.
      const mayBeManual = !isAbsent(pack, auth, "requiresEndpointUrl");
      const keyless = isAbsent(pack, auth, "endpointKey");
      const key = fieldValue(pack, auth, "endpointKey");
      const keyed = key?.kind === "string" && key.value !== "";
      // There oauth2-manual-endpoint speaks: the URLs are not what is wrong.
      const otherRule =
        auth.type === "OAuth2" &&
        manual &&
        keyless &&
        ["authorizationUrl", "tokenUrl"].some((name) => isAbsoluteUrl(fieldValue(pack, auth, name)));
      for (const name of otherRule ? ["resource"] : ["authorizationUrl", "tokenUrl", "resource"]) {
        const property = propertyOf(auth.config, name);
        const value = fieldValue(pack, auth, name);
        const start = knownStart(value);
        if (property === undefined || value === undefined || start === undefined || (value.kind === "string" && value.value.trim() === ""))
          continue;
        const problem =
          auth.type === "OAuth2"
            ? codeProblem(name, start, value, { manual, mayBeManual: mayBeManual && !keyed, keyless })
            : clientProblem(name, start, value, mayBeManual);
        if (problem !== undefined) yield finding(pack, name, property.value, value, problem);
      }
    }
  },
});

interface Endpoint {
  readonly manual: boolean;
  readonly mayBeManual: boolean;
  readonly keyless: boolean;
}

const isRootRelative = (text: string): boolean => /^\/(?!\/)/.test(text);

function codeProblem(name: string, start: string, value: Value, endpoint: Endpoint): string | undefined {
  const relativeWanted = endpoint.manual && endpoint.keyless && name !== "resource";
  if (relativeWanted)
    return isRootRelative(start) ? undefined : "must be root-relative, such as /oauth/token, since the user's endpoint is put before it";
  if (endpoint.mayBeManual && isRootRelative(start)) return undefined;
  return httpsProblem(start, value);
}

function clientProblem(name: string, start: string, value: Value, mayBeManual: boolean): string | undefined {
  if (name !== "tokenUrl") return mayBeManual && isRootRelative(start) ? undefined : httpsProblem(start, value);
  if (isRootRelative(start)) return mayBeManual ? undefined : "is relative, which only works with requiresEndpointUrl";
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(start)?.[1];
  // Of http, url-insecure speaks.
  if (scheme !== undefined) return /^https?$/i.test(scheme) ? undefined : NO_SCHEME;
  return isWhole(start, value) ? "must be an absolute URL" : undefined;
}

/** The upload takes it. */
const NO_SCHEME = "must begin with https://";

/** A template that begins with less than a scheme may still become one. */
function isWhole(start: string, value: Value): boolean {
  return value.kind === "string" || start.length >= "https://".length;
}

function httpsProblem(start: string, value: Value): string | undefined {
  if (start.startsWith("https://") || !isWhole(start, value)) return undefined;
  return "must be an absolute URL that begins with https://";
}

function finding(pack: PackModel, name: string, given: Value, value: Value, problem: string): Finding {
  const text = value.kind === "string" ? value.value : "";
  const repaired = /^http:\/\//i.test(text) ? text.replace(/^http:/i, "https:") : withScheme(text);
  return {
    place: given,
    message: `${name} ${problem}; ${problem === NO_SCHEME ? "no token can be got from there" : "the platform rejects the pack"}.`,
    ...(repaired === undefined || given.kind !== "string" || !problem.includes("https://")
      ? {}
      : { fixes: () => [fix(`Change to ${repaired}`, replace(given, quoteLike(pack, given, repaired)))] }),
  };
}
