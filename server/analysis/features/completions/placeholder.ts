// Completes `{{` in strings of a pack with Custom authentication: the declared params, with the invocation token as it is written there.

import { customParams } from "../../configuration/config.ts";
import { describeParam } from "../describe.ts";
import type { Completion, CompletionPlace } from "./completion.ts";
import { literally } from "./snippet.ts";
import { tokenExpression } from "./token-in-scope.ts";

export function placeholderCompletions({ pack, file, text: source, offset, cursor }: CompletionPlace): readonly Completion[] {
  const { text } = cursor;
  if (text === undefined) return [];
  const typed = /\{\{([^{}"'`\r\n]*)$/.exec(source.slice(text.content.start, offset))?.[1];
  const params = typed === undefined ? [] : customParams(pack).filter(({ name }) => name?.trim());
  if (typed === undefined || params.length === 0) return [];
  const token = tokenExpression(source, file, offset);
  // The rest of a half-written placeholder, including the braces that an editor closes automatically.
  const rest = /^[\w-]*\}{0,2}/.exec(source.slice(offset, text.content.end))?.[0].length ?? 0;
  const { quote } = text;
  const middle = quote === "`" ? `${literally("${")}${token}${literally("}")}` : `${quote} + ${token} + ${quote}`;
  const offeredNames = new Set<string>();
  return params.flatMap(({ name = "", description }, index): readonly Completion[] => {
    if (offeredNames.has(name) || name.includes(quote) || /[\\\r\n]/.test(name)) return [];
    offeredNames.add(name);
    return [
      {
        label: name,
        kind: "value",
        snippet: `${literally(name)}-${middle}${literally("}}")}${text.isClosed ? "" : quote}`,
        span: { start: offset - typed.length, end: offset + rest },
        detail: "Custom param",
        sort: String(index).padStart(2, "0"),
        docs: () => describeParam(name, description),
      },
    ];
  });
}
