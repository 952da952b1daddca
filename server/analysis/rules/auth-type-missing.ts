import { AUTH_TYPES, type AuthTypeName, fieldsOf } from "../../../spec/auth-types.ts";
import { enumText, fix, headOf, isAbsent } from "../config.ts";
import { insertProperty, isOwn, replace } from "../edit.ts";
import type { AuthConfig, Finding, PackModel, Value } from "../model.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-type-missing",
  severity: "error",
  source: "auth-spec 2.1",
  about: "missingType",
  docs: `An authentication configuration has no \`type\`.

The type selects how users sign in and where the credential goes, so the platform rejects a pack without it. Add \`type\`.`,
  supersedes: ["field-missing"],
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.«setUserAuthentication»({});\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.HeaderBearerToken,\n});\n`,
    },
    {
      good: `import * as coda from "@codahq/packs-sdk";\nimport { base } from "somewhere";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ ...base });\n`,
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      if (!isAbsent(pack, auth, "type")) continue;
      const given = auth.typeProperty;
      const offered = Object.values(AUTH_TYPES).filter(
        (type) => !type.hidden && type.name !== "None" && (auth.scope === "user" || type.system),
      );
      const text = (name: string): string => `type: ${enumText(pack, auth.config.file, "AuthenticationType", name)}`;
      yield {
        place: given === undefined ? auth.place : headOf(auth),
        message:
          "The authentication has no type, so the platform cannot know how to sign in and rejects the pack. Add type: AuthenticationType.….",
        fixes: () => {
          if (given !== undefined && !isOwn(auth.config, given)) return [];
          // What the fields that are there belong to stands first.
          return [...offered]
            .sort((one, other) => strangers(auth, one.name) - strangers(auth, other.name))
            .map(({ name }) =>
              fix(
                `Add type: ${name}`,
                given === undefined
                  ? insertProperty(pack, auth.config, text(name), { first: true })
                  : replace({ file: auth.config.file, ...given.span }, text(name)),
              ),
            );
        },
      };
    }
    yield* notObjects(pack);
  },
});

/** How many of the configuration's fields a type does not have. */
function strangers({ config, scope }: AuthConfig, type: AuthTypeName): number {
  const fields = fieldsOf(type, scope);
  return config.properties.filter(({ name }) => !fields.some((field) => field.name === name)).length;
}

/** Setters that are given nothing, or what is known to be no configuration. */
function* notObjects(pack: PackModel): Iterable<Finding> {
  for (const call of pack.facts.flatMap(({ calls }) => calls)) {
    if (call.method !== "setUserAuthentication" && call.method !== "setSystemAuthentication") continue;
    const [argument] = call.arguments;
    const value = argument === undefined ? undefined : pack.resolve(argument);
    if (value !== undefined && (!NO_CONFIGURATIONS.has(value.kind) || isSpread(argument))) continue;
    yield {
      place: { file: call.file, ...call.nameSpan },
      message: `${call.method} takes a configuration, an object with a type, and ${argument === undefined ? "is given nothing" : "is given something else"}: the platform rejects the pack. Write { type: AuthenticationType.… }.`,
      // The type alone is what is meant where that is given.
      fixes: () =>
        argument?.kind === "member" && argument.enum === "AuthenticationType"
          ? [fix("Put it into a configuration", replace(argument, `{ type: ${argument.prefix}${argument.name} }`))]
          : [],
    };
  }
}

/** `...args`: its items are what is given. */
const isSpread = (argument: Value | undefined): boolean =>
  argument?.kind === "array" && argument.spreads?.[0]?.value.start === argument.start + 3;

const NO_CONFIGURATIONS: ReadonlySet<Value["kind"]> = new Set(["string", "number", "boolean", "null", "undefined", "array", "member"]);
