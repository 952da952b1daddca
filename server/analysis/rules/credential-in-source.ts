import { getOrInsert } from "../../../base/get-or-insert.ts";
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { type Piece, piecesOf, readBeginning, textOf } from "../requests/partial-text.ts";
import type { UrlText } from "../requests/read-request.ts";
import { headersOf } from "../requests/requests.ts";
import { isWrittenInHeader, isWrittenInQuery } from "../requests/written-credential.ts";
import { pack, rule } from "../rule.ts";
import { looksLikePlaceholder } from "../syntax/secret-texts.ts";

/** Joined at run time, so that secret scanners do not report the example. */
const EXAMPLE = ["glpat", "q7Zr2Lx9Kd4Wm8Tb3Vf6"].join("-");

export default rule({
  id: "credential-in-source",
  severity: "error",
  source: "auth-spec 1",
  docs: `The source contains a credential.

Remove it, and revoke it where it was issued. Everyone who can read the pack, its repository or its bundle can use it. It cannot be changed without a new version either. Users enter credentials when they connect an account, or you enter them once for all users with \`setSystemAuthentication\`. The platform adds them to requests, and the pack never sees them.

Tokens of a known form, and private keys, are errors. A literal value of \`Authorization\` is a warning, and so is one of an API key's header, parameter or field of a body. A password in a URL is another.`,
  examples: [
    {
      bad: pack`
        pack.addNetworkDomain("gitlab.com");
        const TOKEN = "«${EXAMPLE}»";
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://gitlab.com/api/v4/user", headers: { "PRIVATE-TOKEN": TOKEN } });
        }`,
    },
    {
      bad: pack`
        export async function get(context) {
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: «"Bearer 8d7f3c1b9a5e42"» } });
        }`,
    },
    {
      good: pack`
        const EXAMPLE = "YOUR_SLACK_TOKEN";
        export async function get(context, jwt) {
          EXAMPLE;
          return context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: \`Bearer \${jwt}\`, "X-Request-Id": "8d7f3c1b9a5e42" } });
        }`,
    },
  ],
  on: {
    *file(_, { secrets }) {
      for (const { place, format } of secrets)
        yield {
          place,
          message: `Remove this ${format}, and revoke it where it was issued. Everyone who can read the pack can use it. Let users enter it when they connect the account.`,
        };
    },
    *request(pack, request) {
      for (const { header } of headersOf(pack, request)) {
        const pieces = piecesOf(header.value, pack.resolve);
        const { text, whole } = readBeginning(pieces);
        if (whole && isWrittenInHeader(header.name, text) && !isReported(pack, pieces))
          yield {
            place: header.value.place,
            severity: "warning",
            message: LET_USERS,
          };
      }
      for (const field of ["body", "form"]) {
        const value = request.options && propertyOf(request.options, field)?.value;
        if (value !== undefined && isWrittenInBody(pack, value) && !isReported(pack, piecesOf(value, pack.resolve)))
          yield { place: value.place, severity: "warning", message: LET_USERS };
      }
      for (const url of request.urls) {
        const isInQuery = isWrittenInQuery(url.text);
        if ((isInQuery || containsPassword(url)) && !isReported(pack, url.pieces))
          yield {
            place: url.place,
            severity: "warning",
            message: isInQuery
              ? "Let users enter the credential in this URL when they connect the account, and let the platform add it. Everyone who can read the pack can use it."
              : "Use WebBasic authentication, and the platform adds user name and password. Everyone who can read the pack can use those in this URL.",
          };
      }
    },
  },
});

const LET_USERS =
  "Let users enter this credential when they connect the account, and let the platform add it. Everyone who can read the pack can use it.";

/** The values of a request outlive an edit elsewhere. */
const isWrittenInBody = (pack: PackModel, value: Expression): boolean =>
  getOrInsert(pack.resolverMemo(pack.resolve, newBodies), value, () => isWrittenInQuery(textOf(piecesOf(value, pack.resolve))));
const newBodies = (): WeakMap<Expression, boolean> => new WeakMap();

const containsPassword = ({ leadingText }: UrlText): boolean =>
  /^https?:\/\/[^/?#@:]+:[^/?#@{}]+@/i.test(leadingText) && !looksLikePlaceholder(leadingText);

/** Returns whether a part of the text is already reported as a token. */
const isReported = (pack: PackModel, pieces: readonly Piece[]): boolean =>
  pieces.some(({ place: { file, start, end } }) =>
    pack.facts.some(({ secrets }) => secrets.some(({ place }) => place.file === file && place.start < end && start < place.end)),
  );
