// Links in a configuration: the author's instructions, and the documentation of a known provider behind its URL.

import { refreshTokenAsk } from "../../../spec/providers.ts";
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, Property, Span } from "../model/values.ts";
import { insideQuotes } from "../text/edit.ts";

interface Link {
  readonly span: Span;
  readonly target: string;
  readonly tooltip: string;
}

export function linksIn(packs: readonly PackModel[], file: string): readonly Link[] {
  const all = packs.flatMap((pack) =>
    pack.auths.flatMap(({ config }): readonly Link[] => {
      const literal = (name: string): { readonly text: string; readonly span: Span } | undefined =>
        literalOf(pack, propertyOf(config, name), file);
      const instructions = literal("instructionsUrl");
      const authorization = literal("authorizationUrl");
      const source = authorization && refreshTokenAsk({ authorizationUrl: authorization.text })?.source;
      return [
        ...(instructions && isOpenable(instructions.text)
          ? [{ span: instructions.span, target: instructions.text, tooltip: "What users are shown" }]
          : []),
        ...(authorization && source && isOpenable(source)
          ? [{ span: authorization.span, target: source, tooltip: "The provider's documentation" }]
          : []),
      ];
    }),
  );
  return all.filter((link, index) => all.findIndex(({ span }) => span.start === link.span.start) === index);
}

/** Returns a string literal of this file that is the field's value, either directly or through a constant. */
function literalOf(
  pack: PackModel,
  property: Property | undefined,
  file: string,
): { readonly text: string; readonly span: Span } | undefined {
  const value: Expression | undefined = property === undefined ? undefined : pack.resolve(property.value);
  if (value?.kind !== "string" || value.place.file !== file) return undefined;
  const span = insideQuotes(pack, value.place);
  return span === undefined ? undefined : { text: value.value, span };
}

/** Returns whether the text is a web address without placeholders. */
function isOpenable(text: string): boolean {
  return /^https?:\/\/[^\s<>{}[\]$"]+$/i.test(text) && URL.canParse(text);
}
