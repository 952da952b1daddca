import { carriersOf } from "../carriers.ts";
import { knownAuths, propertyOf } from "../config.ts";
import type { Finding, PackModel, Place } from "../model.ts";
import { mapped } from "../placeholder-texts.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { piecesOf, TOKEN } from "../text-pieces.ts";

const PACK = (headers: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\nexport async function get(context) {\n  return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { ${headers} } });\n}\n`;

export default rule({
  id: "invocation-token-as-secret",
  severity: "error",
  source: "auth-spec 2.5",
  about: "invocationToken",
  docs: `The invocation token is sent as if it were the user's credential.

\`context.invocationToken\` is an id of this run, made anew each time; no service knows it. It only marks the place in a Custom placeholder, \`{{name-<invocationToken>}}\`, where the platform puts the user's value. Other types of authentication add the credential by themselves. As a unique id of a request it may be sent anywhere else.`,
  supersedes: ["fetch-sets-credential"],
  examples: [
    { bad: PACK("Authorization: `Bearer ${«context.invocationToken»}`") },
    { bad: PACK('"X-API-Key": «context.invocationToken»') },
    {
      good: PACK(
        'Authorization: `Bearer {{key-${context.invocationToken}}}`, "Idempotency-Key": context.invocationToken, "X-Request-Id": `run-${context.invocationToken}`',
      ),
    },
  ],
  *check(pack) {
    const carriers = knownAuths(pack).map((auth) => carriersOf(pack, auth));
    const isHeader = (name: string): boolean =>
      CREDENTIAL_HEADER.test(name) || carriers.some(({ headers }) => headers.includes(name.toLowerCase()));
    const isParam = (name: string): boolean => CREDENTIAL_PARAM.test(name) || carriers.some(({ params }) => params.includes(name));
    const seen = new Set<string>();
    for (const finding of tokens(pack, isHeader, isParam)) {
      const key = `${finding.place.file}:${finding.place.start}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield finding;
    }
  },
});

const CREDENTIAL_HEADER = /^(?:(?:proxy-)?authorization|(?:x-)?(?:api|access|auth)[-_]?(?:key|token))$/i;
const CREDENTIAL_PARAM = /^(?:api|access|auth)_?(?:key|token)$/i;

function* tokens(pack: PackModel, isHeader: (name: string) => boolean, isParam: (name: string) => boolean): Iterable<Finding> {
  for (const request of requestsOf(pack).all) {
    const { options } = request;
    const property = options && propertyOf(options, "headers");
    const headers = property && pack.resolve(property.value);
    for (const header of headers?.kind === "object" ? headers.properties : []) {
      if (!isHeader(header.name)) continue;
      const { text, pieces } = mapped(piecesOf(header.value, pack.resolve));
      // Inside braces it belongs to a placeholder, right or wrong.
      const at = text.replaceAll(/\{[^{}]*\}/g, (inside) => " ".repeat(inside.length)).indexOf(TOKEN);
      const piece = at < 0 || text.slice(0, at).includes("{") ? undefined : pieces.find((candidate) => candidate.at === at)?.piece;
      if (piece !== undefined) yield finding(piece, `the header ${header.name}`);
    }
    if (!request.urls.some(({ text }) => text.includes(TOKEN))) continue;
    for (const url of request.urls) {
      const { text, pieces } = mapped(url.pieces);
      for (const { index, 0: whole, 1: name = "" } of text.matchAll(/[?&\n]([\w.-]+)=\uE001/g)) {
        const piece = pieces.find((candidate) => candidate.at === index + whole.length - 1)?.piece;
        if (piece !== undefined && isParam(name)) yield finding(piece, `the parameter ${name}`);
      }
    }
  }
}

const finding = ({ file, start, end }: Place, where: string): Finding => ({
  place: { file, start, end },
  message: `The invocation token is an id of this run and no credential, so a request with it as ${where} fails. With Custom authentication write {{name-<invocationToken>}}, and the platform puts the user's value there; other types add the credential by themselves.`,
});
