import { t } from "@vscode/l10n";
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place, Value } from "../model/values.ts";
import { listedParameters } from "../pack/listed-parameters.ts";
import { CREDENTIAL_COOKIE, CREDENTIAL_HEADER, CREDENTIAL_PARAM } from "../requests/credential-names.ts";
import { namedPieces } from "../requests/named-pieces.ts";
import { type Piece, piecesOf } from "../requests/partial-text.ts";
import { mapped } from "../requests/placeholder-texts.ts";
import { headersOf, type PackRequest } from "../requests/requests.ts";
import { pack, rule } from "../rule.ts";
import { isWithin } from "../text/edit.ts";

export default rule({
  id: "credential-as-parameter",
  severity: "information",
  source: "auth-spec 1",
  docs: `A formula takes a credential as a parameter.

Call \`pack.setUserAuthentication\`, and remove the parameter. Everyone who reads the document can read its formulas. With an authentication each user enters the credential once, and the platform adds it to the requests.`,
  examples: [
    {
      bad: pack`
        pack.addFormula({
          name: "Me",
          description: "Me.",
          parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "key", description: "The key." })],
          resultType: coda.ValueType.String,
          execute: async function ([key], context) {
            let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/me", headers: { Authorization: \`Bearer \${«key»}\` } });
            return response.body.name;
          },
        });
      `,
    },
    {
      bad: pack`
        pack.addFormula({
          name: "Me",
          description: "Me.",
          parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "key", description: "The key." })],
          resultType: coda.ValueType.String,
          execute: async function ([key], context) {
            let response = await context.fetcher.fetch({ method: "GET", url: coda.withQueryParams("https://acme.example/me", { api_key: «key» }) });
            return response.body.name;
          },
        });
      `,
    },
    {
      good: pack`
        pack.addFormula({
          name: "Me",
          description: "Me.",
          parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "key", description: "The key." })],
          resultType: coda.ValueType.String,
          execute: async function ([key], context) {
            let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/me?id=" + key, headers: { "X-Request-Id": key } });
            return response.body.name;
          },
        });
      `,
    },
  ],
  on: {
    *request(pack, request) {
      for (const { piece, where } of carried(pack, request)) {
        const { place } = piece;
        const execute = pack.runnables
          .map(({ definition }) => executeOf(pack, definition))
          .find((one) => one !== undefined && isWithin(place, one.place));
        if (execute === undefined || !listedParameters(execute.place, pack.text(place.file)).includes(piece.name)) continue;
        yield {
          place,
          message: t`${pack.auths.length === 0 ? t`Declare an authentication for this` : t`Leave this to the pack's authentication`}. Users then enter it once, where nobody sees it. As a parameter, ${piece.name} is sent as ${where}, and everybody who reads the document can read it.`,
        };
      }
    },
  },
});

function executeOf(pack: PackModel, definition: Value & { kind: "object" }): (Value & { kind: "function" }) | undefined {
  const formula = propertyOf(definition, "formula");
  const inner = formula === undefined ? definition : pack.resolve(formula.value);
  const execute = inner.kind === "object" ? propertyOf(inner, "execute") : undefined;
  const value = execute === undefined ? undefined : pack.resolve(execute.value);
  return value?.kind === "function" ? value : undefined;
}

/** A value that has a name alone. */
interface NamedValue {
  readonly place: Place;
  readonly name: string;
}

function* carried(pack: PackModel, request: PackRequest): Iterable<{ readonly piece: NamedValue; readonly where: string }> {
  for (const { header } of headersOf(pack, request)) {
    const isCookie = header.name.toLowerCase() === "cookie";
    if (!isCookie && !CREDENTIAL_HEADER.test(header.name)) continue;
    const { text, pieces } = mapped(piecesOf(header.value, pack.resolve));
    for (const { at, piece } of pieces)
      if (!isCookie || isCredentialCookie(text.slice(0, at)))
        for (const one of named(piece)) yield { piece: one, where: t`the header ${header.name}` };
  }
  for (const url of request.urls)
    if (url.text.includes("?"))
      for (const { name, piece } of namedPieces(mapped(url.pieces)))
        if (CREDENTIAL_PARAM.test(name)) for (const one of named(piece)) yield { piece: one, where: t`the URL's parameter ${name}` };
}

function named(piece: Piece): readonly NamedValue[] {
  const [name, ...rest] = piece.kind === "unknown" ? (piece.path ?? []) : [];
  return name === undefined || rest.length > 0 ? [] : [{ place: piece.place, name }];
}

/** What stands before the value: `lang=en; session=`. */
function isCredentialCookie(before: string): boolean {
  const name = before.slice(before.lastIndexOf(";") + 1).trim();
  return name.endsWith("=") && CREDENTIAL_COOKIE.test(name.slice(0, -1));
}
