import { propertyOf } from "../config.ts";
import type { Finding, PackModel, Place } from "../model.ts";
import type { UrlText } from "../read-request.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { isLiteralCredential, looksLikePlaceholder } from "../secret-formats.ts";
import { knownBeginning, piecesOf } from "../text-pieces.ts";

/** Put together, so that no scanner of sources takes the example for a leak. */
const EXAMPLE = ["glpat", "q7Zr2Lx9Kd4Wm8Tb3Vf6"].join("-");

export default rule({
  id: "credential-in-source",
  severity: "error",
  source: "auth-spec 1",
  about: "credential",
  docs: `A credential stands in the source.

Everyone who can read the pack, its repository or its bundle can use it, and it cannot be changed without a new version. Credentials are entered when an account is connected, or once for all users with \`setSystemAuthentication\`; the platform adds them to requests, and the pack never sees them. Remove it, and revoke it where it was issued. Tokens of a known form are errors; a literal \`Authorization\` header, or a password in a URL, is a warning.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("gitlab.com");\nconst TOKEN = "«${EXAMPLE}»";\nexport async function get(context) {\n  return context.fetcher.fetch({ method: "GET", url: "https://gitlab.com/api/v4/user", headers: { "PRIVATE-TOKEN": TOKEN } });\n}\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\nexport async function get(context) {\n  return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { Authorization: «"Bearer 8d7f3c1b9a5e42"» } });\n}\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\nconst EXAMPLE = "YOUR_SLACK_TOKEN";\nexport async function get(context, jwt) {\n  EXAMPLE;\n  return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { Authorization: \`Bearer \${jwt}\`, "X-Request-Id": "8d7f3c1b9a5e42" } });\n}\n`,
    },
  ],
  *check(pack) {
    const secrets: Place[] = [];
    for (const facts of pack.facts)
      for (const { file, start, end, format } of facts.secrets) {
        secrets.push({ file, start, end });
        yield {
          place: { file, start, end },
          message: `This is a ${format}, and everyone who can read the pack can use it. Remove it, revoke it where it was issued, and have it entered when the account is connected.`,
        };
      }
    for (const finding of literals(pack))
      if (!secrets.some((place) => place.file === finding.place.file && place.start < finding.place.end && finding.place.start < place.end))
        yield finding;
  },
});

/** A user name and a password are one by being written out; of anything else, how it looks decides. */
function isCredential(header: string): boolean {
  const encoded = /^Basic\s+([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  const pair = encoded === undefined || encoded.length % 4 !== 0 ? undefined : atob(encoded);
  const [, user = "", password = ""] = /^([^:]*):(.*)$/s.exec(pair ?? "") ?? [];
  if (pair === undefined || user + password === "") return isLiteralCredential(header);
  if (looksLikePlaceholder(pair) || /^(?:anonymous|guest|public)$/i.test(user)) return false;
  // Without a password the user name may be a key, and may be a name.
  return password === "" ? isLiteralCredential(user) : password.length + user.length > 3;
}

const holdsPassword = ({ known }: UrlText): boolean => /^https?:\/\/[^/?#@:]+:[^/?#@{}]+@/i.test(known) && !looksLikePlaceholder(known);

function* literals(pack: PackModel): Iterable<Finding> {
  const seen = new Set<string>();
  const once = (place: Place): boolean => {
    const key = `${place.file}:${place.start}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  };
  for (const request of requestsOf(pack).all) {
    const { options } = request;
    const property = options && propertyOf(options, "headers");
    const headers = property && pack.resolve(property.value);
    for (const header of headers?.kind === "object" ? headers.properties : []) {
      if (!/^(?:proxy-)?authorization$/i.test(header.name)) continue;
      const { text, whole } = knownBeginning(piecesOf(header.value, pack.resolve));
      const { file, start, end } = header.value;
      if (whole && isCredential(text) && once(header.value))
        yield {
          place: { file, start, end },
          severity: "warning",
          message:
            "A credential is written into the request, and everyone who can read the pack can use it. Have it entered when the account is connected, and let the platform add it.",
        };
    }
    if (!request.urls.some(holdsPassword)) continue;
    for (const url of request.urls) {
      const { place } = url;
      if (holdsPassword(url) && once(place))
        yield {
          place,
          severity: "warning",
          message:
            "A user name and password are written into the URL, and everyone who can read the pack can use them. Use WebBasic authentication: the platform then adds them.",
        };
    }
  }
}
