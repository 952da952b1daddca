// Completions inside addAdminAuthentication: its own fields. The authentication in it gets the completions of a configuration.
import type { Completion, CompletionPlace } from "./completion.ts";
import { named } from "./fields.ts";
import { blank } from "./snippet.ts";

const FIELDS: readonly { readonly name: string; readonly snippet: string; readonly docs: string }[] = [
  {
    name: "name",
    snippet: `"${blank(1, "Admin")}"`,
    docs: "The name by which formulas refer to this authentication. Accounts stop working when it changes.",
  },
  { name: "displayName", snippet: `"${blank(1, "Admin")}"`, docs: "The name that administrators see." },
  { name: "description", snippet: `"${blank(1)}"`, docs: "What administrators connect their account for." },
  { name: "authentication", snippet: `{ ${blank(1)} }`, docs: "The configuration, as setUserAuthentication takes it." },
];

export function adminAuthenticationCompletions({ cursor, ...place }: CompletionPlace): readonly Completion[] {
  const [call, inner] = cursor.frames.slice(-2);
  if (inner?.kind !== "object" || call?.kind !== "call" || !call.callee?.endsWith(".addAdminAuthentication") || cursor.spot !== "name")
    return [];
  return FIELDS.filter(({ name }) => !inner.members.includes(name)).map(({ name, snippet, docs }, index) => ({
    ...named({ ...place, cursor }, name, () => snippet),
    kind: "field",
    detail: "required",
    sort: String(index),
    docs: () => docs,
  }));
}
