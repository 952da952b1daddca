import { customParamNames, propertyOf, removal, resolvedAuths } from "../configuration/config.ts";
import { carriersOf } from "../configuration/credential-placement.ts";
import type { Finding } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, Place } from "../model/values.ts";
import { isSecretHeader, isSecretParam } from "../requests/credential-names.ts";
import { namedPieces, userPiece } from "../requests/named-pieces.ts";
import { type MappedText, mapped, type Piece, piecesOf, TOKEN } from "../requests/partial-text.ts";
import { parameterAt } from "../requests/read-request.ts";
import { headersOf, requestsOf } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "invocation-token-as-secret",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 2.5",
  docs: `The invocation token is sent as if it were the user's credential.

\`context.invocationToken\` is an ID of this run and changes each time. No service knows it. Use it only in a Custom placeholder, \`{{name-<invocationToken>}}\`, where the platform puts the user's value. Other types of authentication add the credential by themselves. You may send it elsewhere as a unique ID of a request.`,
  supersedes: ["fetch-sets-credential"],
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: \`Bearer \${«context.invocationToken»}\` } });
        }`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { "X-API-Key": «context.invocationToken» } });
        }`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", body: JSON.stringify({ api_key: «context.invocationToken», requestId: context.invocationToken }) });
        }`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Accept: "application/json", Authorization: \`Bearer \${«context.invocationToken»}\` } });
        }`,
      change: [", Authorization: `Bearer ${context.invocationToken}`", ""],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: \`Bearer {{key-\${context.invocationToken}}}\`, "Idempotency-Key": context.invocationToken, "X-Request-Id": \`run-\${context.invocationToken}\` } });
        }`,
    },
  ],
  on: {
    *request(pack, request) {
      const { options, urls } = request;
      for (const { header, headers } of headersOf(pack, request)) {
        const piece = isHeader(pack, header.name) ? credentialToken(pack, piecesOf(header.value, pack.resolve)) : undefined;
        if (piece === undefined) continue;
        yield isFilledIn(pack, header.name)
          ? { place: piece.place, message: removeHeader(header.name), fixes: () => removal(pack, headers, header) }
          : finding(piece.place, `the header ${header.name}`);
      }
      for (const { pieces } of urls)
        if (pieces.some(mayBeToken)) yield* namedTokens(pack, mapped(pieces), (parameter) => `the parameter ${parameter}`);
      for (const name of ["body", "form"]) {
        const payloadProperty = options && propertyOf(options, name);
        if (payloadProperty !== undefined)
          yield* namedTokens(pack, mapped(piecesOf(payloadProperty.value, pack.resolve)), (field) =>
            name === "body" ? `the body's field ${field}` : `the form's field ${field}`,
          );
      }
    },
  },
});

/** Returns the token outside placeholders, also if it is encoded in base64, as for a Basic header. */
function credentialToken(pack: PackModel, all: readonly Piece[]): Piece | undefined {
  const { text, pieces } = mapped(all.map((piece) => tokenOf(pack, piece) ?? piece));
  for (const { piece } of pieces) {
    const encoded = piece.kind === "encoded" ? credentialToken(pack, piece.encodes) : undefined;
    if (encoded !== undefined) return encoded;
  }
  if (!text.includes(TOKEN)) return undefined;
  // Inside braces, the token belongs to a placeholder, whether or not the placeholder is correct.
  const at = text.replaceAll(/\{[^{}]*\}/g, (inside) => " ".repeat(inside.length)).indexOf(TOKEN);
  return at < 0 || text.slice(0, at).includes("{") ? undefined : pieces.find((candidate) => candidate.at === at)?.piece;
}

/** Returns the piece if it is the token. For a parameter, returns the argument of a caller if that is the token. */
function tokenOf(pack: PackModel, piece: Piece): Piece | undefined {
  if (piece.kind !== "parameter") return piece.kind === "token" ? piece : undefined;
  const facts = pack.facts.find(({ file }) => file === piece.place.file);
  const helperParameter = parameterAt(piece, facts);
  if (facts === undefined || helperParameter === undefined || helperParameter.rest.length > 1) return undefined;
  const { owner, index, rest } = helperParameter;
  if (facts.declarations.isWritten(piece.path[0] ?? "", owner.place)) return undefined;
  for (const { arguments: callerArguments } of requestsOf(pack).callers(owner.place)) {
    const argument =
      callerArguments[index] && (rest[0] === undefined ? callerArguments[index] : memberOf(pack, callerArguments[index], rest[0]));
    const [only, ...otherPieces] = argument === undefined ? [] : piecesOf(argument, pack.resolve);
    if (only?.kind === "token" && otherPieces.length === 0) return only;
  }
  return undefined;
}

const mayBeToken = ({ kind }: Piece): boolean => kind === "token" || kind === "parameter";

function memberOf(pack: PackModel, value: Expression, name: string): Expression | undefined {
  const object = pack.resolve(value);
  return object.kind === "object" ? propertyOf(object, name)?.value : undefined;
}

const isHeader = (pack: PackModel, name: string): boolean =>
  isSecretHeader(name) || resolvedAuths(pack).some((auth) => carriersOf(pack, auth).headers.includes(name.toLowerCase()));

/** Returns whether the platform sets the header itself, whichever authentication is in force. */
const isFilledIn = (pack: PackModel, name: string): boolean => {
  const auths = resolvedAuths(pack);
  const isAll = pack.authsComplete && auths.length > 0 && auths.length === pack.auths.length;
  return isAll && auths.every((auth) => carriersOf(pack, auth).headers.includes(name.toLowerCase()));
};

const removeHeader = (name: string): string =>
  `Remove this header. The platform puts the credential into ${name} itself. The invocation token is not a credential, so a request with it as the header ${name} fails.`;

const isParam = (pack: PackModel, name: string): boolean =>
  isSecretParam(name) ||
  customParamNames(pack)?.has(name) === true ||
  resolvedAuths(pack).some((auth) => carriersOf(pack, auth).params.includes(name));

function* namedTokens(pack: PackModel, carried: MappedText, where: (name: string) => string): Iterable<Finding> {
  for (const { name, piece } of namedPieces(carried)) {
    const token = mayBeToken(piece) && isParam(pack, name) ? tokenOf(pack, piece) : undefined;
    if (token !== undefined) yield finding(token.place, where(name));
  }
  const user = userPiece(carried);
  if (user?.kind === "token") yield finding(user.place, "the URL's user");
}

const finding = (place: Place, where: string): Finding => ({
  place,
  message: `Write {{name-<invocationToken>}} with Custom authentication, and the platform puts the user's value there. Other types add the credential themselves. The invocation token alone is not a credential, so a request with it as ${where} fails.`,
});
