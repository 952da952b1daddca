import { isLoopback } from "../../../base/is-loopback.ts";
import { fieldValue, fix, isAbsent, isTrue, propertyOf, propose, type ResolvedAuth } from "../configuration/config.ts";
import { hasNoEndpointKey } from "../configuration/endpoint-source.ts";
import { hostOf, isAbsoluteUrl, staticPrefix, withScheme } from "../domains/url-value.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { oauth2, pack, rule, source, user } from "../rule.ts";
import { quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "oauth2-url-form",
  severity: "error",
  verdict: "will-be-rejected",
  rejectedSince: "1.8.6",
  source: "sdk-facts 2",
  docs: `An OAuth URL has the wrong form.

\`authorizationUrl\`, \`tokenUrl\` and \`resource\` must be absolute https URLs. The platform rejects anything else, an address of your own machine included. With \`requiresEndpointUrl\` and no \`endpointKey\` the first two must be root-relative (\`/oauth/token\`), since they are appended to the user's endpoint.

Two URLs that seem to be swapped, one ending in \`/token\` and the other in \`/authorize\`, are a warning.

For OAuth2ClientCredentials the upload accepts any scheme. A \`tokenUrl\` that is not https still returns no token, and a \`resource\` may be any absolute URI.`,
  supersedes: ["url-placeholder"],
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"login.acme.example/authorize"»,
        tokenUrl: "https://login.acme.example/token",`,
      fixed: oauth2``,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: «"//login.acme.example/t"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t" });`,
    },
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: «"https://login.acme.example/oauth/token"»,
        tokenUrl: "https://login.acme.example/oauth/authorize",`,
      fixed: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/oauth/authorize",
        tokenUrl: "https://login.acme.example/oauth/token",`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { host } from "elsewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: \`\${host}/a\`, tokenUrl: "https://login.acme.example/t" });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      if (auth.type !== "OAuth2" && auth.type !== "OAuth2ClientCredentials") return;
      const manual = isTrue(pack, auth, "requiresEndpointUrl");
      // If a spread may contain the field, the source of the endpoint is unknown.
      const typed = fieldValue(pack, auth, "requiresEndpointUrl");
      const mayBeManual = !isAbsent(pack, auth, "requiresEndpointUrl") && !(typed?.kind === "boolean" && !typed.value);
      const key = fieldValue(pack, auth, "endpointKey");
      const keyless = hasNoEndpointKey(pack, auth);
      const keyed = key?.kind === "string" && key.value !== "";
      // The rule oauth2-manual-endpoint reports this: the URLs are correct.
      const otherRule =
        auth.type === "OAuth2" &&
        manual &&
        keyless &&
        ["authorizationUrl", "tokenUrl"].some((name) => isAbsoluteUrl(fieldValue(pack, auth, name)));
      for (const name of otherRule ? ["resource"] : ["authorizationUrl", "tokenUrl", "resource"]) {
        const property = propertyOf(auth.config, name);
        const value = fieldValue(pack, auth, name);
        const start = staticPrefix(value);
        if (property === undefined || value === undefined || start === undefined || (value.kind === "string" && value.value.trim() === ""))
          continue;
        const problem =
          auth.type === "OAuth2"
            ? codeProblem(name, start, value, { manual, mayBeManual: mayBeManual && !keyed, keyless })
            : clientProblem(name, start, value, mayBeManual);
        if (problem !== undefined) yield finding(pack, name, property.value, value, problem);
      }
      yield* swapped(pack, auth);
    },
  },
});

/** Common last segments of the authorization URL and of the token URL. */
const SIGN_IN: ReadonlySet<string> = new Set(["authorize", "authorization", "auth"]);
const TOKEN: ReadonlySet<string> = new Set(["token", "access_token"]);

function* swapped(pack: PackModel, auth: ResolvedAuth): Iterable<Finding> {
  if (!TOKEN.has(lastStep(fieldValue(pack, auth, "authorizationUrl"))) || !SIGN_IN.has(lastStep(fieldValue(pack, auth, "tokenUrl"))))
    return;
  const authorization = propertyOf(auth.config, "authorizationUrl")?.value;
  const token = propertyOf(auth.config, "tokenUrl")?.value;
  if (authorization === undefined || token === undefined) return;
  const isWritten = [authorization, token].every(({ kind }) => kind === "string" || kind === "template");
  const textOf = ({ place: { file, start, end } }: Expression): string => pack.text(file).slice(start, end);
  yield {
    place: authorization.place,
    severity: "warning",
    message:
      "Swap authorizationUrl and tokenUrl. This one ends like the address of tokens, and the other like the page where users sign in.",
    fixes: () =>
      isWritten
        ? [propose("Swap the two URLs", replace(authorization.place, textOf(token)), replace(token.place, textOf(authorization)))]
        : [],
  };
}

/** Returns the last segment of the URL's path, in lower case. */
const lastStep = (value: Expression | undefined): string =>
  value?.kind === "string" ? (value.value.split(/[?#]/, 1)[0]?.split("/").filter(Boolean).at(-1)?.toLowerCase() ?? "") : "";

interface Endpoint {
  readonly manual: boolean;
  readonly mayBeManual: boolean;
  readonly keyless: boolean;
}

const isRootRelative = (text: string): boolean => /^\/(?!\/)/.test(text);

/** Returns whether the text is a path that only lacks its slash. A first segment with a dot may be a host, unless it has an underscore. */
const isPath = (text: string): boolean => {
  const [first = ""] = text.split("/");
  return /^\w[\w./-]*$/.test(text) && (!first.includes(".") || first.includes("_"));
};

interface Problem {
  readonly text: string;
  /** What happens at the upload, or later if the upload accepts the URL. */
  readonly consequence: string;
  /** The corrected text of the whole URL. */
  readonly replacement?: string;
  /** Whether some providers accept the text. */
  readonly mayWork: boolean;
}

const REJECTED = "the platform rejects the pack";
const rejected = (text: string): Problem => ({ text, consequence: REJECTED, mayWork: false });

function codeProblem(name: string, start: string, value: Expression, endpoint: Endpoint): Problem | undefined {
  // If the user may enter the endpoint, the upload accepts any resource.
  if (name === "resource" && endpoint.mayBeManual) return undefined;
  if (endpoint.manual && endpoint.keyless && name !== "resource")
    return isRootRelative(start)
      ? undefined
      : {
          ...rejected("must be root-relative, such as /oauth/token, since the user's endpoint is put before it"),
          ...(isPath(start) ? { replacement: `/${start}` } : {}),
        };
  if (endpoint.mayBeManual && isRootRelative(start)) return undefined;
  if (start.startsWith("https://") || !isWhole(start, value)) return undefined;
  if (/^\s+https:\/\//.test(start)) return rejected("must begin with https://, without a space before it");
  return rejected("must be an absolute URL that begins with https://");
}

function clientProblem(name: string, start: string, value: Expression, mayBeManual: boolean): Problem | undefined {
  const text = start.trimStart();
  // The platform prepends the endpoint only to the token URL.
  if (name === "tokenUrl" && isRootRelative(text))
    return mayBeManual ? undefined : rejected("must be absolute, or requiresEndpointUrl must be true");
  const scheme = schemeOf(text, value);
  if (scheme === undefined) return isWhole(text, value) ? rejected("must be an absolute URL") : undefined;
  if (name === "resource") return resourceProblem(text);
  // The rule url-insecure reports http. URL parsers add missing slashes after `https:`.
  return scheme === "https" || /^http:\/\//i.test(text)
    ? undefined
    : { text: "must begin with https://", consequence: "nobody gets a token there", mayWork: false };
}

/** A resource may have any scheme (RFC 8707, section 2), and the provider receives it unchanged. */
const resourceProblem = (text: string): Problem | undefined =>
  /^https?:(?!\/\/)/i.test(text)
    ? {
        text: "must begin with https:// and both slashes",
        consequence: "the provider gets it as it is written, and may not know it",
        mayWork: true,
      }
    : undefined;

/** Returns the scheme in lower case, or undefined if the text has none or is not a URL. */
function schemeOf(text: string, value: Expression): string | undefined {
  if (value.kind === "string" && !URL.canParse(text)) return undefined;
  return /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
}

/** A template whose start is shorter than a scheme may still become a URL with one. */
function isWhole(start: string, value: Expression): boolean {
  return value.kind === "string" || start.length >= "https://".length;
}

function finding(
  pack: PackModel,
  name: string,
  sourceValue: Expression,
  value: Expression,
  { text: problem, consequence, mayWork, replacement }: Problem,
): Finding {
  const text = value.kind === "string" ? value.value.trim() : "";
  if (replacement !== undefined && sourceValue.kind === "string")
    return {
      place: sourceValue.place,
      message: `${name} ${problem}. Otherwise the platform rejects the pack.`,
      fixes: () => [fix(`Change to ${replacement}`, replace(sourceValue.place, quoteLike(pack, sourceValue.place, replacement)))],
    };
  const repaired = /^https?:/i.test(text) ? text.replace(/^https?:[\\/]*/i, "https://") : withScheme(text);
  return {
    place: sourceValue.place,
    ...(mayWork ? { severity: "warning" as const } : {}),
    ...(consequence === REJECTED ? {} : { verdict: "fails-when-run" as const }),
    message: `${name} ${problem}. Otherwise ${consequence}.`,
    ...(repaired === undefined || !URL.canParse(repaired) || sourceValue.kind !== "string" || !problem.includes("https://")
      ? {}
      : { fixes: () => [fixOf(text)(`Change to ${repaired}`, replace(sourceValue.place, quoteLike(pack, sourceValue.place, repaired)))] }),
  };
}

/** A server on this machine may support http only, so the fix needs confirmation. */
const fixOf = (text: string): typeof fix => (isLoopback(hostOf(text) ?? "") ? propose : fix);
