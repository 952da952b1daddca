import { propertyOf } from "../config.ts";
import { CREDENTIAL_HEADER, CREDENTIAL_PARAM, namedPieces } from "../credential-names.ts";
import { listedParameters } from "../listed-parameters.ts";
import type { Finding, PackModel, Value } from "../model.ts";
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
    for (const { definition } of pack.runnables) {
      const execute = executeOf(pack, definition);
      const names = execute === undefined ? [] : listedParameters(execute, pack.text(execute.file));
      if (execute === undefined || names.length === 0) continue;
      const isParameter = ({ kind, file, start, end, ...piece }: Piece): boolean =>
        kind === "unknown" &&
        file === execute.file &&
        execute.start <= start &&
        end <= execute.end &&
        "path" in piece &&
        piece.path?.length === 1 &&
        names.includes(piece.path[0] ?? "");
      for (const request of requestsOf(pack).reachedFrom(execute).requests) yield* carried(pack, request, isParameter);
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

function* carried(pack: PackModel, { options, urls }: PackRequest, isParameter: (piece: Piece) => boolean): Iterable<Finding> {
  const property = options && propertyOf(options, "headers");
  const headers = property && pack.resolve(property.value);
  for (const header of headers?.kind === "object" ? headers.properties : []) {
    const piece = CREDENTIAL_HEADER.test(header.name) ? piecesOf(header.value, pack.resolve).find(isParameter) : undefined;
    if (piece !== undefined) yield finding(pack, piece, `the header ${header.name}`);
  }
  for (const url of urls)
    for (const { name, piece } of namedPieces(mapped(url.pieces)))
      if (CREDENTIAL_PARAM.test(name) && isParameter(piece)) yield finding(pack, piece, `the URL's parameter ${name}`);
}

const finding = (pack: PackModel, { file, start, end }: Piece, where: string): Finding => ({
  place: { file, start, end },
  message: `Declare an authentication for this, and users enter it once, where nobody sees it. As a formula's parameter, ${pack.text(file).slice(start, end)} is sent as ${where}, and whoever reads the document reads it.`,
});
