import { closest } from "../../../base/closest.ts";
import { describeToolkit } from "../../../protocol/verdict.ts";
import { TYPE_ALIASES } from "../../../spec/auth-type-name.ts";
import { AUTH_TYPES, type AuthTypeName, isAuthTypeName } from "../../../spec/auth-types.ts";
import { spelling } from "../../../spec/spelling.ts";
import { fix, foreignFields, isNoText, mayBeNewer, respell } from "../configuration/config.ts";
import { typeText } from "../configuration/starter-values.ts";
import type { Finding } from "../model/findings.ts";
import type { AuthConfig, PackModel } from "../model/pack.ts";
import type { Expression, Place, Value } from "../model/values.ts";
import { toolkitName } from "../modules/toolkit-imports.ts";
import { typeName } from "../pack/pack.ts";
import { pack, rule, source } from "../rule.ts";
import { toolkitPath } from "../syntax/toolkit-names.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "auth-type-unknown",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2.1",
  docs: `The \`type\` of an authentication is unknown.

Neither the specification nor the installed Packs SDK has such a member of \`AuthenticationType\`, so the platform rejects the pack. Use one that exists.`,
  examples: [
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.«HeaderBearer» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: «"WebBsic"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: «coda.AuthenticationType», headerName: "X-Api-Key" });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X-Api-Key" });`,
    },
    {
      good: source`
        import { newPack, AuthenticationType } from "@codahq/packs-sdk";
        export const pack = newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: AuthenticationType.WebBasic });`,
    },
  ],
  on: {
    *configuration(pack, auth) {
      if (auth.typeProperty === undefined) return;
      const { value: typeValue } = auth.typeProperty;
      // Each option of a conditional type may be in force.
      for (const value of typeValue.kind === "choice" ? typeValue.options : [typeValue])
        if (isEnumAlone(pack, value)) yield memberMissing(pack, auth, value.place);
        else yield* checkType(pack, auth, pack.resolve(value));
    },
  },
});

function* checkType(pack: PackModel, auth: AuthConfig, value: Value): Iterable<Finding> {
  const { toolkit } = pack;
  const named = typeName(value);
  const type = named ?? (isNoText(value) ? abbreviate(pack.text(value.place.file).slice(value.place.start, value.place.end)) : undefined);
  if (type === undefined) return;
  // The installed SDK decides, because it may lack the types of newer versions.
  if (named !== undefined && (toolkit === undefined ? isAuthTypeName(type) : toolkit.authenticationTypes.has(type))) return;
  const names = namesFor(pack, auth);
  const aliasedType = TYPE_ALIASES.get(spelling(type));
  const near = aliasedType === undefined ? closest(type, names) : undefined;
  const offered = (): readonly AuthTypeName[] => fitting(auth, names, type, aliasedType);
  const isMember = value.kind === "member" && value.enum === "AuthenticationType";
  const place = isMember ? value.nameSpan : value.place;
  const suggestion =
    near !== undefined
      ? `Did you mean ${near}?`
      : aliasedType !== undefined && offered()[0] === aliasedType
        ? `Use ${aliasedType}.`
        : `Use one of ${names.join(", ")}.`;
  const text = (name: string): string => (isMember ? name : typeText(pack, value, name));
  const isNewer = isAuthTypeName(type) && toolkit !== undefined;
  // A newer SDK may have the type.
  const isUnsure = mayBeNewer(pack, value);
  yield {
    place,
    ...(isUnsure ? { severity: "warning" as const } : {}),
    message: isUnsure
      ? `${suggestion} Pack Auth knows no authentication type ${type}, and the platform rejects unknown ones.`
      : `${isNewer ? "Install a newer Packs SDK, or use another type. " : ""}${suggestion} ${isNewer ? `The installed ${describeToolkit(toolkit.version)} has no type ${type}` : `${type} is not an authentication type`}, so the platform rejects the pack.`,
    fixes: () =>
      near !== undefined
        ? [respell(`Change to ${near}`, replace(place, text(near)))]
        : offered().map((name) => fix(`Change to ${name}`, replace(place, text(name)))),
  };
}

const namesFor = ({ toolkit }: PackModel, auth: AuthConfig): readonly AuthTypeName[] =>
  OFFERED[auth.scope].filter((candidate) => toolkit?.authenticationTypes.has(candidate) !== false);

/** Orders the types: those with most of the existing fields first, then the alias, then those that share most words. */
const fitting = (auth: AuthConfig, names: readonly AuthTypeName[], type: string, aliasedType?: AuthTypeName): readonly AuthTypeName[] =>
  names
    .filter((name) => name !== "None" || aliasedType === "None")
    .sort(
      (one, other) =>
        foreignFields(auth, one) - foreignFields(auth, other) ||
        Number(other === aliasedType) - Number(one === aliasedType) ||
        likeness(other, type) - likeness(one, type),
    );

/** Matches `type: coda.AuthenticationType,`. Without the comma, the author may still be typing the member. */
function isEnumAlone(pack: PackModel, value: Expression): boolean {
  if (value.kind !== "reference") return false;
  const { file, end } = value.place;
  const imported = pack.facts.find((facts) => facts.file === file)?.imports.get(value.path[0] ?? "");
  if (imported === undefined || !pack.isToolkit(imported.module, file)) return false;
  return toolkitPath(value.path, imported).join(".") === "AuthenticationType" && /^[^\S\n]*,/.test(pack.text(file).slice(end));
}

const memberMissing = (pack: PackModel, auth: AuthConfig, place: Place): Finding => ({
  place,
  message: `Choose one of its members: ${namesFor(pack, auth).join(", ")}. AuthenticationType alone is the list of all types, and the platform rejects the pack.`,
  fixes: () =>
    fitting(auth, namesFor(pack, auth), "").map((name) =>
      fix(`Change to ${name}`, replace(place, `${toolkitName(pack, place.file, "AuthenticationType")}.${name}`)),
    ),
});

const VISIBLE_TYPES = Object.values(AUTH_TYPES).filter(({ isHidden }) => !isHidden);
const OFFERED = { user: VISIBLE_TYPES.map(({ name }) => name), system: VISIBLE_TYPES.flatMap(({ name, system }) => (system ? name : [])) };

/** Returns the share of words that two names have in common, or 0 if it is less than half: `CustomToken` and `CustomHeaderToken`. */
function likeness(one: string, other: string): number {
  const [ownWords, otherWords] = [wordsOf(one), wordsOf(other)];
  const share = (2 * ownWords.filter((word) => otherWords.includes(word)).length) / (ownWords.length + otherWords.length);
  return share >= 0.5 ? share : 0;
}

const wordsOf = (name: string): readonly string[] => name.match(/[A-Z]?[a-z\d]+|[A-Z]+/g)?.map((word) => word.toLowerCase()) ?? [];

/** Shortens a text, which may be a whole function, to its beginning. */
const abbreviate = (text: string): string => (text.length > 40 ? `${text.slice(0, 40).replaceAll(/\s+/g, " ").trimEnd()}…` : text);
