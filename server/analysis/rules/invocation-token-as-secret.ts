import { carriersOf } from "../carriers.ts";
import { customParamNames, knownAuths, propertyOf } from "../config.ts";
import { CREDENTIAL_HEADER, CREDENTIAL_PARAM, namedPieces, userPiece } from "../credential-names.ts";
import type { Finding, PackModel, Place } from "../model.ts";
import { type MappedText, mapped } from "../placeholder-texts.ts";
import { requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { piecesOf, TOKEN } from "../text-pieces.ts";

const PACK = (headers: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });\nexport async function get(context) {\n  return context.fetcher.fetch({ method: "GET", url: "https://example.com/me", headers: { ${headers} } });\n}\n`;

const SENDING = (options: string): string => PACK("").replace("headers: {  }", options);

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
      bad: SENDING("body: JSON.stringify({ api_key: «context.invocationToken», requestId: context.invocationToken })"),
    },
    {
      good: PACK(
        'Authorization: `Bearer {{key-${context.invocationToken}}}`, "Idempotency-Key": context.invocationToken, "X-Request-Id": `run-${context.invocationToken}`',
      ),
    },
  ],
  *check(pack) {
    const carriers = knownAuths(pack).map((auth) => carriersOf(pack, auth));
    const entered = customParamNames(pack);
    const isHeader = (name: string): boolean =>
      CREDENTIAL_HEADER.test(name) || carriers.some(({ headers }) => headers.includes(name.toLowerCase()));
    const isParam = (name: string): boolean =>
      CREDENTIAL_PARAM.test(name) || entered?.has(name) === true || carriers.some(({ params }) => params.includes(name));
    const seen = new Set<string>();
    for (const finding of tokens(pack, isHeader, isParam)) {
      const key = `${finding.place.file}:${finding.place.start}`;
      if (seen.has(key)) continue;
      seen.add(key);
      yield finding;
    }
  },
});

function* tokens(pack: PackModel, isHeader: (name: string) => boolean, isParam: (name: string) => boolean): Iterable<Finding> {
  for (const { options, urls } of requestsOf(pack).all) {
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
    for (const { text, pieces } of urls) if (text.includes(TOKEN)) yield* namedTokens(mapped(pieces), isParam, "the parameter");
    for (const name of ["body", "form"]) {
      const sent = options && propertyOf(options, name);
      if (sent !== undefined) yield* namedTokens(mapped(piecesOf(sent.value, pack.resolve)), isParam, `the ${name}'s field`);
    }
  }
}

function* namedTokens(carried: MappedText, isParam: (name: string) => boolean, where: string): Iterable<Finding> {
  for (const { name, piece } of namedPieces(carried)) if (piece.kind === "token" && isParam(name)) yield finding(piece, `${where} ${name}`);
  const user = userPiece(carried);
  if (user?.kind === "token") yield finding(user, "the URL's user");
}

const finding = ({ file, start, end }: Place, where: string): Finding => ({
  place: { file, start, end },
  message: `The invocation token is an id of this run and no credential, so a request with it as ${where} fails. With Custom authentication write {{name-<invocationToken>}}, and the platform puts the user's value there; other types add the credential by themselves.`,
});
