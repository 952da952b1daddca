// Links worth following in a configuration: the author's instructions, and a known provider's own documentation behind its URL.

import { refreshTokenAsk } from "../../../spec/providers.ts";
import { propertyOf } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Property, Span, Value } from "../model/values.ts";
import { hostOf } from "../requests/read-request.ts";
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
      const source = authorization && refreshTokenAsk(hostOf(authorization.text, true) ?? "", authorization.text)?.source;
      return [
        ...(instructions && isOpenable(instructions.text)
          ? [{ span: instructions.span, target: instructions.text, tooltip: "What users are shown" }]
          : []),
        ...(authorization && source ? [{ span: authorization.span, target: source, tooltip: "The provider's documentation" }] : []),
      ];
    }),
  );
  return all.filter((link, index) => all.findIndex(({ span }) => span.start === link.span.start) === index);
}

/** A text that is written out in this file, by the field or by a constant of it. */
function literalOf(
  pack: PackModel,
  property: Property | undefined,
  file: string,
): { readonly text: string; readonly span: Span } | undefined {
  const value: Value | undefined = property === undefined ? undefined : pack.resolve(property.value);
  if (value?.kind !== "string" || value.place.file !== file) return undefined;
  const span = insideQuotes(pack, value.place);
  return span === undefined ? undefined : { text: value.value, span };
}

/** A page on the web; nothing with slots to fill in. */
function isOpenable(text: string): boolean {
  return /^https?:\/\/[^\s<>{}[\]$"]+$/i.test(text) && URL.canParse(text);
}
