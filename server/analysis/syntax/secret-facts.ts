// Literals that contain a credential in a known format.

import { PRIVATE_KEY, SECRET_FORMATS } from "../../../spec/secret-formats.ts";
import type { SecretFact } from "../model/context-facts.ts";
import type { Placing } from "../text/place.ts";
import { ts } from "../typescript.ts";
import type { EvaluateContext } from "./evaluate.ts";
import { looksRandom, SECRET_BEGINNING } from "./secret-texts.ts";
import { nodesAt } from "./tree-search.ts";

export function collectSecrets(statement: ts.Statement, { source, places }: EvaluateContext): readonly SecretFact[] {
  return nodesAt(statement, source, SECRET_BEGINNING).flatMap((node) =>
    isLiteral(node) ? secretsIn(source.text, node.getStart(source), node.end, places) : [],
  );
}

function secretsIn(text: string, start: number, end: number, places: Placing): readonly SecretFact[] {
  const literal = text.slice(start, end);
  return [...literal.matchAll(SECRET_BEGINNING)].flatMap(({ index }) => {
    if (literal[index - 1] === "-") return [];
    const rest = literal.slice(index);
    for (const { name, pattern } of [...SECRET_FORMATS, PRIVATE_KEY]) {
      const [secret] = pattern.exec(rest) ?? [];
      if (secret !== undefined && looksRandom(secret.slice(4)))
        return [{ place: places.span(start + index, start + index + secret.length), format: name }];
    }
    return [];
  });
}

function isLiteral({ kind }: ts.Node): boolean {
  switch (kind) {
    case ts.SyntaxKind.StringLiteral:
    case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
    case ts.SyntaxKind.TemplateHead:
    case ts.SyntaxKind.TemplateMiddle:
    case ts.SyntaxKind.TemplateTail:
      return true;
    default:
      return false;
  }
}
