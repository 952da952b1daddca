import { AUTH_TYPES } from "../../../spec/auth-types.ts";
import { fix, foreignFields, headOf, isAbsent } from "../configuration/config.ts";
import { enumText } from "../configuration/starter-values.ts";
import type { Value } from "../model/values.ts";
import { pack, rule, source, user } from "../rule.ts";
import { builtInOf, isSpread } from "../syntax/expressions.ts";
import { insertProperty, isOwn, replace } from "../text/edit.ts";

export default rule({
  id: "auth-type-missing",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 2.1",
  docs: `An authentication configuration has no \`type\`.

Add \`type\`. It says how users sign in and where the credential goes, so nobody can sign in without it. The upload may still accept the pack.`,
  supersedes: ["field-missing"],
  examples: [
    { bad: pack`pack.«setUserAuthentication»({});`, fixed: user`type: coda.AuthenticationType.HeaderBearerToken,` },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { base } from "somewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ ...base });`,
    },
  ],
  on: {
    *configuration(pack, auth) {
      if (!isAbsent(pack, auth, "type")) return;
      const typeProperty = auth.typeProperty;
      const offered = Object.values(AUTH_TYPES).filter(
        (type) => !type.isHidden && type.name !== "None" && (auth.scope === "user" || type.system),
      );
      const text = (name: string): string => `type: ${enumText(pack, auth.config.place.file, "AuthenticationType", name)}`;
      yield {
        place: typeProperty === undefined ? auth.place : headOf(auth),
        // The SDK's validator accepts this in an admin authentication.
        ...(auth.isAdmin ? { severity: "warning" as const } : {}),
        ...(typeProperty === undefined ? {} : { verdict: "will-be-rejected" as const }),
        message: "Add type: AuthenticationType.…. Without it the platform cannot know how to sign in.",
        fixes: () => {
          if (typeProperty !== undefined && !isOwn(auth.config, typeProperty)) return [];
          // The type to which most of the existing fields belong comes first.
          return [...offered]
            .sort((one, other) => foreignFields(auth, one.name) - foreignFields(auth, other.name))
            .map(({ name }) =>
              fix(
                `Add type: ${name}`,
                typeProperty === undefined
                  ? insertProperty(pack, auth.config, text(name), { first: true })
                  : replace(typeProperty.span, text(name)),
              ),
            );
        },
      };
    },
    *call(pack, call) {
      if (call.method !== "setUserAuthentication" && call.method !== "setSystemAuthentication") return;
      const [argument] = call.arguments;
      const value = argument === undefined ? undefined : pack.resolve(argument);
      if (value !== undefined && !isPromise(value) && (!NO_CONFIGURATIONS.has(value.kind) || isSpread(argument))) return;
      // The upload finds no field in a promise, and does not look further.
      const isUnread = value !== undefined && isPromise(value);
      yield {
        place: call.nameSpan,
        ...(isUnread ? {} : { verdict: "will-be-rejected" as const }),
        message: `Give ${call.method} an object with a type: { type: AuthenticationType.… }. ${argument === undefined ? "It has no argument" : "Its argument is something else"}, ${isUnread ? "so the platform cannot know how to sign in" : "and the platform rejects the pack"}.`,
        // An argument that is only a type belongs into a configuration.
        fixes: () =>
          argument?.kind === "member" && argument.enum === "AuthenticationType"
            ? [fix("Put it into a configuration", replace(argument.place, `{ type: ${argument.prefix}${argument.name} }`))]
            : [],
      };
    },
  },
});

const isPromise = (value: Value): boolean => builtInOf(value) === "Promise";

const NO_CONFIGURATIONS: ReadonlySet<Value["kind"]> = new Set(["string", "number", "boolean", "null", "undefined", "array", "member"]);
