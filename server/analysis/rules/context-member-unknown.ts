import { closest } from "../../../base/closest.ts";
import { CONTEXT_MEMBERS, UNDECLARED_MEMBERS, type UndeclaredMember } from "../../../spec/context-members.ts";
import { respell } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { Place } from "../model/values.ts";
import { functionsOf } from "../pack/functions-of.ts";
import { keyOf } from "../requests/requests.ts";
import { bearer, rule } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "context-member-unknown",
  severity: "warning",
  source: "auth-spec 2.5",
  docs: `The code reads a member of the context that does not exist.

It is \`undefined\`. The installed Packs SDK declares the members of a context. Credentials are not among them, because the platform puts them into requests. With Custom authentication a placeholder \`{{name-<invocationToken>}}\` says where.`,
  examples: [
    {
      bad: bearer`
        getConnectionName: async function (context) {
          return context.«connectionParams».user;
        },`,
      toolkit: "installed",
    },
    {
      bad: bearer`
        getConnectionName: async function (context) {
          let response = await context.fetcher.fetch({ method: "GET", url: "https://acme.example/" + context.«invocationTokn» });
          return response.body.name;
        },`,
      change: ["invocationTokn", "invocationToken"],
      toolkit: "installed",
    },
    {
      good: bearer`
        getConnectionName: async function (context) {
          return context.sync === undefined ? context.timezone : "";
        },`,
      toolkit: "installed",
    },
  ],
  on: {
    *file(pack, { contextMembers }) {
      const members = pack.toolkit?.contextMembers;
      if (members === undefined) return;
      for (const { place, name, owner, isTyped } of contextMembers) {
        if (members.has(name) || (IS_MEMBER.has(name) && !isUndeclared(name)) || name in Object.prototype) continue;
        if (!isTyped && !calledByPlatform(pack).has(keyOf(owner))) continue;
        // A member that the pack itself assigns exists. A cast may be to an extended context.
        if (pack.facts.some(({ uses }) => uses("extends", "context") || uses("assigns", name))) continue;
        if (isUndeclared(name)) {
          yield { place, message: UNDECLARED_MEMBERS[name] };
          continue;
        }
        const near = closest(name, members);
        const suggestion = near !== undefined && isOneWordMore(near, name) ? undefined : near;
        yield {
          place,
          message: `${suggestion === undefined ? "" : `Did you mean ${suggestion}? `}The context has no ${name}, so this is undefined. It never contains credentials: the platform puts them into requests.`,
          fixes: () =>
            suggestion === undefined
              ? []
              : [respell(`Change to ${suggestion}`, replace(place, isShorthand(pack, place) ? `${suggestion}: ${name}` : suggestion))],
        };
      }
    },
  },
});

/** Members that an older SDK does not declare; the platform passes them nevertheless. */
const IS_MEMBER: ReadonlySet<string> = new Set(CONTEXT_MEMBERS);

const isUndeclared = (name: string): name is UndeclaredMember => Object.hasOwn(UNDECLARED_MEMBERS, name);

/**
 * Returns whether the longer name adds a word. `authenticationName` is not a correction of `authentication`, because it has another
 * meaning.
 */
const isOneWordMore = (longer: string, name: string): boolean => longer.startsWith(name) && /^[A-Z]/.test(longer.slice(name.length));

/** Returns whether the name is a shorthand, as in `const { name } = context`, so that the rest of the function uses it. */
function isShorthand(pack: PackModel, { file, start, end }: Place): boolean {
  const text = pack.text(file);
  return !text.slice(0, start).trimEnd().endsWith(".") && !/^\s*:/.test(text.slice(end));
}

/** Returns the functions in definitions, by their place. The platform passes a context to each. */
const calledByPlatform = (pack: PackModel): ReadonlySet<string> => pack.memo(pack, findCalled);

const findCalled = (pack: PackModel): ReadonlySet<string> =>
  new Set(
    [...pack.runnables.map(({ definition }) => definition), ...pack.auths.map(({ config }) => config)]
      .flatMap((definition) => functionsOf(pack, definition).functions)
      .map(({ place }) => keyOf(place)),
  );
