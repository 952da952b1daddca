import { AUTH_TYPES, isAuthTypeName } from "../../../spec/auth-types.ts";
import { closest } from "../closest.ts";
import { enumText, fix, mayBeNewer, respell } from "../config.ts";
import { quoteLike, replace } from "../edit.ts";
import type { AuthConfig, Finding, PackModel, Value } from "../model.ts";
import { typeName } from "../pack.ts";
import { rule } from "../rule.ts";

export default rule({
  id: "auth-type-unknown",
  severity: "error",
  source: "auth-spec 2.1",
  about: "doubtfulType",
  docs: `The \`type\` of an authentication is no authentication type.

Neither the specification nor the installed Packs SDK has such a member of \`AuthenticationType\`; the platform rejects the pack. Take one that exists.`,
  examples: [
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.«HeaderBearer» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n`,
    },
    {
      bad: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: «"WebBsic"» });\n`,
      fixed: `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: "WebBasic" });\n`,
    },
    {
      good: `import { newPack, AuthenticationType } from "@codahq/packs-sdk";\nexport const pack = newPack();\npack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: AuthenticationType.WebBasic });\n`,
    },
  ],
  *check(pack) {
    for (const auth of pack.auths) {
      if (auth.typeProperty === undefined) continue;
      const { value: given } = auth.typeProperty;
      // Each of a condition's types is one that may be in force.
      for (const value of given.kind === "choice" ? given.options : [given]) yield* checkType(pack, auth, pack.resolve(value));
    }
  },
});

function* checkType(pack: PackModel, { scope }: AuthConfig, value: Value): Iterable<Finding> {
  const { toolkit } = pack;
  const named = typeName(value);
  const type = named ?? (NO_TYPES.has(value.kind) ? pack.text(value.file).slice(value.start, value.end) : undefined);
  if (type === undefined) return;
  // An installed toolkit decides by itself: it may lack what newer ones have.
  if (named !== undefined && (toolkit === undefined ? isAuthTypeName(type) : toolkit.authenticationTypes.has(type))) return;
  const names = OFFERED[scope].filter((known) => toolkit?.authenticationTypes.has(known) !== false);
  const near = closest(type, names);
  const isMember = value.kind === "member" && value.enum === "AuthenticationType";
  const place = isMember ? { file: value.file, ...value.nameSpan } : value;
  const offered = near === undefined ? names.filter((name) => name !== "None") : [near];
  const meant = near === undefined ? `There are: ${names.join(", ")}.` : `Did you mean ${near}?`;
  const isNewer = isAuthTypeName(type) && toolkit !== undefined;
  const text = (name: string): string =>
    isMember ? name : value.kind === "string" ? quoteLike(pack, value, name) : enumText(pack, value.file, "AuthenticationType", name);
  // A newer SDK may have the type.
  const isUnsure = mayBeNewer(pack, value);
  yield {
    place,
    ...(isUnsure ? { severity: "warning" as const } : {}),
    message: isUnsure
      ? `No authentication type ${type} is known here, and the platform rejects one that there is not. ${meant}`
      : `${isNewer ? `The installed Packs SDK (${toolkit?.version}) has no type ${type}` : `${type} is no authentication type`}, so the platform rejects the pack. ${isNewer ? "Install a newer Packs SDK, or take another type. " : ""}${meant}`,
    fixes: () => offered.map((name) => (name === near ? respell : fix)(`Change to ${name}`, replace(place, text(name)))),
  };
}

const SHOWN = Object.values(AUTH_TYPES).filter(({ hidden }) => !hidden);
const OFFERED = { user: SHOWN.map(({ name }) => name), system: SHOWN.flatMap(({ name, system }) => (system ? name : [])) };

const NO_TYPES: ReadonlySet<Value["kind"]> = new Set(["null", "number", "boolean", "array", "object"]);
