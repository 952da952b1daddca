import { propertyOf } from "../config.ts";
import { CREDENTIAL_HEADER, CREDENTIAL_PARAM, namedPieces } from "../credential-names.ts";
import { listedParameters } from "../listed-parameters.ts";
import type { PackModel, Place, Value } from "../model.ts";
import { mapped } from "../placeholder-texts.ts";
import { type PackRequest, requestsOf } from "../requests.ts";
import { rule } from "../rule.ts";
import { type Piece, piecesOf } from "../text-pieces.ts";

const FORMULA = (options: string): string =>
  `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.addFormula({\n  name: "Me",\n  description: "Me.",\n  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "key", description: "The key." })],\n  resultType: coda.ValueType.String,\n  execute: async function ([key], context) {\n    let response = await context.fetcher.fetch({ method: "GET", ${options} });\n    return response.body.name;\n  },\n});\n`;

export default rule({
  id: "credential-as-parameter",
  severity: "information",
  source: "auth-spec 1",
  about: "request",
  docs: `A formula takes a credential as a parameter.

What stands in a formula can be read by everyone who reads the document. With an authentication each user enters the credential once, the platform keeps it, and puts it into the requests. Call \`pack.setUserAuthentication\`, and take the parameter away.`,
  examples: [
    { bad: FORMULA('url: "https://example.com/me", headers: { Authorization: `Bearer ${«key»}` }') },
    { bad: FORMULA('url: coda.withQueryParams("https://example.com/me", { api_key: «key» })') },
    { good: FORMULA('url: "https://example.com/me?id=" + key, headers: { "X-Request-Id": key }') },
  ],
  *check(pack) {
    for (const request of requestsOf(pack).all)
      for (const { piece, where } of carried(pack, request)) {
        const { file, start, end } = piece;
        const execute = pack.runnables
          .map(({ definition }) => executeOf(pack, definition))
          .find((one) => one?.file === file && one.start <= start && end <= one.end);
        if (execute === undefined || !listedParameters(execute, pack.text(file)).includes(piece.name)) continue;
        yield {
          place: { file, start, end },
          message: `Declare an authentication for this, and users enter it once, where nobody sees it. As a formula's parameter, ${piece.name} is sent as ${where}, and whoever reads the document reads it.`,
        };
      }
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
interface NamedValue extends Place {
  readonly name: string;
}

function* carried(pack: PackModel, { options, urls }: PackRequest): Iterable<{ readonly piece: NamedValue; readonly where: string }> {
  const property = options && propertyOf(options, "headers");
  const headers = property && pack.resolve(property.value);
  for (const header of headers?.kind === "object" ? headers.properties : []) {
    if (!CREDENTIAL_HEADER.test(header.name)) continue;
    for (const piece of piecesOf(header.value, pack.resolve).flatMap(named)) yield { piece, where: `the header ${header.name}` };
  }
  for (const url of urls)
    if (url.text.includes("?"))
      for (const { name, piece } of namedPieces(mapped(url.pieces)))
        if (CREDENTIAL_PARAM.test(name)) for (const one of named(piece)) yield { piece: one, where: `the URL's parameter ${name}` };
}

function named(piece: Piece): readonly NamedValue[] {
  const [name, ...rest] = piece.kind === "unknown" ? (piece.path ?? []) : [];
  return name === undefined || rest.length > 0 ? [] : [{ file: piece.file, start: piece.start, end: piece.end, name }];
}
