// The mistakes that the catalogue names, each made wherever a pack gives the occasion for it.
import type { Span } from "../../server/analysis/model/values.ts";
import type { BasePack } from "./corpus.ts";
import { domainMistakes } from "./mistakes/domain.ts";
import { endpointMistakes } from "./mistakes/endpoint.ts";
import { spanOf } from "./mistakes/mistake.ts";
import { nameMistakes } from "./mistakes/name.ts";
import { oauthMistakes } from "./mistakes/oauth.ts";
import { placeholderMistakes } from "./mistakes/placeholder.ts";
import { requestMistakes } from "./mistakes/request.ts";
import { shapeMistakes } from "./mistakes/shape.ts";
import type { Mutant } from "./mutant.ts";
import { readPackSyntax } from "./pack-syntax.ts";

export function mutantsOf(base: BasePack): readonly Mutant[] {
  const syntax = readPackSyntax(base.file, base.text);
  const mutants: Mutant[] = [];
  for (const mistakes of [
    shapeMistakes,
    oauthMistakes,
    endpointMistakes,
    placeholderMistakes,
    nameMistakes,
    domainMistakes,
    requestMistakes,
  ])
    for (const { where, on, ...mistake } of mistakes(syntax, base.text)) {
      const { edit } = mistake;
      const moved = on?.map((node) => moveBy(spanOf(node), edit));
      const spans = moved ?? [where ?? { start: edit.start, end: edit.start + edit.text.length }];
      mutants.push({ base, ...mistake, where: spans.length === 0 ? undefined : spans });
    }
  return mutants;
}

/** Where a span is after the edit. */
function moveBy({ start, end }: Span, edit: Span & { text: string }): Span {
  const by = edit.text.length - (edit.end - edit.start);
  return { start: start >= edit.end ? start + by : start, end: end >= edit.end ? end + by : end };
}
