// Completes names inside additionalParams: the parameters that the provider requires before it issues a refresh token.
import { askOf } from "../../configuration/provider.ts";
import { type Completion, type CompletionPlace, configPlace, innermostObject } from "./completion.ts";
import { named } from "./fields.ts";
import { literally } from "./snippet.ts";

export function additionalParamCompletions(place: CompletionPlace): readonly Completion[] {
  const { pack, cursor } = place;
  const at = innermostObject(cursor.frames);
  if (cursor.spot !== "name" || cursor.frames[at - 1]?.property !== "additionalParams") return [];
  const auth = configPlace(pack, place.file, place.text, cursor, at - 1)?.auth;
  const ask = auth === undefined ? undefined : askOf(pack, auth);
  const present = cursor.frames[at]?.members ?? [];
  return (ask?.params ?? [])
    .filter(({ name, orParam }) => !present.includes(name) && (orParam === undefined || !present.includes(orParam)))
    .map((param, index) => ({
      ...named(place, param.name, () => `"${literally(param.value)}"`),
      kind: "field",
      detail: ask?.title ?? "",
      sort: String(index),
      docs: () => `Without it, ${param.without}. See ${ask?.source ?? ""}`,
    }));
}
