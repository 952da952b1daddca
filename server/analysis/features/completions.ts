// Completions at a place: whole configurations, fields and their values, placeholders, and other parts of the pack that depend on its
// authentication. Every offer is correct: no rule reports it.

import type { PackModel } from "../model/pack.ts";
import { importsFor } from "../modules/toolkit-imports.ts";
import { additionalParamCompletions } from "./completions/additional-params.ts";
import { adminAuthenticationCompletions } from "./completions/admin-authentication.ts";
import { callCompletions } from "./completions/calls.ts";
import { type Completion, type CompletionPlace, placeAt, scopeOf } from "./completions/completion.ts";
import { configurationCompletions } from "./completions/configurations.ts";
import { fieldCompletions } from "./completions/fields.ts";
import { mcpServerCompletions } from "./completions/mcp-server.ts";
import { placeholderCompletions } from "./completions/placeholder.ts";
import { withoutStops } from "./completions/snippet.ts";
import { memberCompletions, valueCompletions } from "./completions/values.ts";

export type { Completion } from "./completions/completion.ts";

/** Returns the completions of the first of the file's packs that has any. */
export function completionsAt(packs: readonly PackModel[], file: string, offset: number): readonly Completion[] {
  for (const pack of packs) {
    const completions = completionsIn(placeAt(pack, file, offset));
    if (completions.length > 0) return completions.map((completion) => importing(pack, file, completion));
  }
  return [];
}

/** Adds the import of the names that the completion uses, if the file lacks it. */
function importing(pack: PackModel, file: string, completion: Completion): Completion {
  const imports = importsFor(pack, [{ file, ...completion.span, text: withoutStops(completion.snippet) }]);
  return imports.length === 0 ? completion : { ...completion, also: [...(completion.also ?? []), ...imports] };
}

function completionsIn(place: CompletionPlace): readonly Completion[] {
  const placeholders = placeholderCompletions(place);
  if (placeholders.length > 0) return placeholders;
  // A string over several lines is not a name, URL or domain.
  const { text } = place.cursor;
  if (place.cursor.spot === "none" || (text && place.text.slice(text.start, Math.max(text.end, place.offset)).includes("\n"))) return [];
  const members = memberCompletions(place);
  if (members !== undefined) return members;
  const { config, cursor } = place;
  const whole = wholeCompletions(place);
  if (config === undefined)
    return [
      ...whole,
      ...additionalParamCompletions(place),
      ...callCompletions(place),
      ...mcpServerCompletions(place),
      ...adminAuthenticationCompletions(place),
    ];
  return cursor.spot === "name" ? [...whole, ...fieldCompletions(place, config)] : valueCompletions(place, config);
}

/** Completions for an empty setter: `(|)`, or `({|})`. */
function wholeCompletions(place: CompletionPlace): ReturnType<typeof completionsIn> {
  const { text, cursor, offset } = place;
  const inner = cursor.frames.at(-1);
  if (cursor.text !== undefined) return [];
  if (inner?.kind === "call") {
    const scope = scopeOf(inner);
    // A call with an argument needs no second one.
    return scope === undefined || !/^\s*(?:[);]|$)/.test(text.slice(cursor.word.end))
      ? []
      : configurationCompletions(place, scope, inner, cursor.word, true);
  }
  const setter = inner?.kind === "object" ? cursor.frames.at(-2) : undefined;
  const scope = scopeOf(setter);
  if (inner === undefined || setter === undefined || scope === undefined || inner.members.length > 0) return [];
  const before = text.slice(inner.start + 1, cursor.word.start);
  const after = /^[ \t]*(?=\})/.exec(text.slice(cursor.word.end))?.[0].length;
  if (before.trim() !== "" || cursor.word.end < offset) return [];
  // The lines of the configuration replace spaces between braces on one line.
  const isOneLine = !before.includes("\n") && after !== undefined;
  if (isOneLine) return configurationCompletions(place, scope, setter, { start: inner.start + 1, end: cursor.word.end + after }, false);
  return configurationCompletions(place, scope, setter, cursor.word, false).map((completion) => ({
    ...completion,
    snippet: completion.snippet.replace(/^\n {2}|\n$/g, "").replaceAll("\n  ", "\n"),
  }));
}
