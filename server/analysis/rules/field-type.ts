import { ENUMS, type EnumName, type FieldSpec } from "../../../spec/fields.ts";
import { delimiterOf } from "../configuration/authorization-request.ts";
import { fix, isNewerValue, isNothing, propertyOf, propose, type ResolvedAuth } from "../configuration/config.ts";
import { mayUseDefault } from "../configuration/default-requirement.ts";
import { enumText } from "../configuration/starter-values.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { ConfigField, PackModel } from "../model/pack.ts";
import type { BuiltIn, EnumMember, Expression, ObjectValue, Place, Value } from "../model/values.ts";
import { pack, rule, source, user } from "../rule.ts";
import { builtInOf, isOpaque } from "../syntax/expressions.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "field-type",
  severity: "error",
  verdict: "will-be-rejected",
  source: "auth-spec 2",
  docs: `A field has a value of the wrong type: scopes as a string, params as an object, a string instead of true or false.

Write a value of the field's type. The platform rejects the pack at upload otherwise.`,
  supersedes: ["url-class-missing"],
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.OAuth2,
        authorizationUrl: "https://login.acme.example/a",
        tokenUrl: "https://login.acme.example/t",
        scopes: «"read write"»,`,
      change: ['"read write"', '["read", "write"]'],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: «"true"» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, requiresEndpointUrl: true });`,
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: «{ name: "key", description: "Key" }» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }] });`,
    },
    {
      bad: pack`
        async function whoAmI(context) {
          const response = await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/me" });
          return response.body.name;
        }
        pack.setUserAuthentication({
          type: coda.AuthenticationType.HeaderBearerToken,
          getConnectionName: «whoAmI()»,
        });`,
      change: ["whoAmI()", "whoAmI"],
    },
    {
      good: pack`
        import { URL } from "url";
        const LOGIN = new URL("https://login.acme.example");
        pack.setUserAuthentication({
          type: coda.AuthenticationType.OAuth2,
          authorizationUrl: new URL("/a", LOGIN).href,
          tokenUrl: LOGIN.href,
        });`,
    },
    {
      good: source`
        import * as coda from "@codahq/packs-sdk";
        import { scopes } from "elsewhere";
        export const pack = coda.newPack();
        pack.addNetworkDomain("example.com");
        pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://login.acme.example/a", tokenUrl: "https://login.acme.example/t", scopes, additionalParams: { n: 1 } });`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const { fields, type } = auth;
      for (let index = 0; index < fields.length; index++) {
        const { field, property } = fields[index] as ConfigField;
        // The platform does not read the default requirement of the type None.
        const isRead = field.name !== "type" && !(type === "None" && field.name === "defaultConnectionRequirement");
        if (isRead) yield* checkField(pack, auth, field, property.value);
      }
    },
  },
});

function* checkField(pack: PackModel, auth: ResolvedAuth, field: FieldSpec, sourceValue: Expression): Iterable<Finding> {
  const value = pack.resolve(sourceValue);
  const expectedType = field.kind === "function" && givesNoFunction(pack, sourceValue) ? "a function" : mismatch(pack, field, value);
  if (expectedType !== undefined) {
    // The finding is in the configuration's own file, where the author can change the value. A missing enum member is `undefined` when the
    // pack runs, as if the field were absent.
    const isIgnored = value.kind === "member" && value.enum === field.enum;
    const isUnread = field.name === "defaultConnectionRequirement" && !mayUseDefault(pack);
    const consequence = isIgnored
      ? "the default takes its place"
      : field.kind === "function"
        ? "it cannot be called"
        : isUnread
          ? "the platform rejects the pack once a formula has no requirement of its own"
          : "the platform rejects the pack";
    yield {
      place: sourceValue.place,
      ...(isIgnored || isUnread ? { severity: "warning" as const } : {}),
      // A call in place of the function mostly throws while the pack loads.
      ...(field.kind === "function" && !givesNoFunction(pack, sourceValue) ? { verdict: "fails-when-run" as const } : {}),
      message: `${field.name} must be ${expectedType}, not ${describe(value)}. Otherwise ${consequence}.`,
      fixes: () => repair(pack, auth, field, value, sourceValue),
    };
    return;
  }
  if (field.fields === undefined) return;
  const items = value.kind === "array" ? value.items : [value];
  for (const item of items) {
    const object = pack.resolve(item);
    if (object.kind !== "object") {
      if (value.kind === "array" && !isSilent(object))
        yield {
          place: item.place,
          message: `An entry of ${field.name} must be an object, not ${describe(object)}. Otherwise the platform rejects the pack.`,
          fixes: () => (item.kind === "string" && isNamed(field) ? [describing(item.place, entry(textOf(pack, item.place), '""'))] : []),
        };
      continue;
    }
    for (const inner of field.fields) {
      // Another rule checks the fields that a step needs; only its strings are checked here.
      if (field.lenient && inner.kind !== "string") continue;
      const property = propertyOf(object, inner.name);
      if (property !== undefined) yield* checkField(pack, auth, inner, property.value);
    }
  }
}

/** Returns whether the value is unknown, or has the effect of an absent field. */
const isSilent = (value: Value): boolean => value.kind === "undefined" || (isOpaque(value) && builtInOf(value) === undefined);

/** Returns the type that the field accepts, if the value certainly has another. */
function mismatch(pack: PackModel, field: FieldSpec, value: Value): string | undefined {
  if (isSilent(value) || isLeftOut(field, value)) return undefined;
  const isText = value.kind === "string" || value.kind === "template" || value.kind === "member";
  switch (field.kind) {
    case "string":
    case "url":
      if (!isText) return "a string";
      return field.values !== undefined && value.kind === "string" && !field.values.includes(value.value)
        ? `one of ${field.values.map((text) => JSON.stringify(text)).join(", ")}`
        : undefined;
    case "boolean":
      return value.kind === "boolean" ? undefined : "true or false";
    case "stringArray":
      return value.kind !== "array"
        ? "an array of strings"
        : value.items.some((item) => !isTextOrUnknown(pack.resolve(item)))
          ? "an array of strings only"
          : undefined;
    case "stringOrStringArray":
      return isText || (value.kind === "array" && value.items.every((item) => isTextOrUnknown(pack.resolve(item))))
        ? undefined
        : "a string or an array of strings";
    case "function":
      // A formula from another function is an object.
      return value.kind === "function" || value.kind === "object" ? undefined : "a function";
    case "record":
      return value.kind === "object" ? undefined : "an object";
    case "object":
      return value.kind === "object" || isWithoutFields(builtInOf(value)) ? undefined : "an object";
    case "objectArray":
      return value.kind === "array" ? undefined : "an array of objects";
    case "enum": {
      const values = field.enum === undefined ? [] : Object.values(ENUMS[field.enum]);
      if (value.kind === "member" && values.length > 0 && !isMemberOf(pack, field.enum, value)) return `a member of ${String(field.enum)}`;
      const isMember =
        value.kind !== "string" || values.length === 0 || values.includes(value.value) || isNewerText(pack, field, value.value);
      return isText && isMember ? undefined : `a member of ${String(field.enum)}`;
    }
  }
}

/**
 * Returns whether the value is a call without the context that the function reads. Its result is not a function, and the call mostly
 * throws.
 */
function givesNoFunction(pack: PackModel, value: Expression): boolean {
  if (value.kind !== "call" || value.arguments?.length !== 0) return false;
  const callee = pack.resolve(value.callee);
  const returns = callee.kind === "function" ? pack.functionAt(callee.place) : undefined;
  const parameter = returns?.parameters[0];
  if (returns === undefined || returns.async || returns.generator || parameter === undefined) return false;
  const [first] = returns.bindings;
  const start = `${parameter}.`;
  const isOfParameter = (returnValue: Expression): boolean => textOf(pack, returnValue.place).startsWith(start);
  const isNoFunction = (returnValue: Expression): boolean =>
    returnValue.kind === "string" || returnValue.kind === "template" || isOfParameter(returnValue);
  return first?.standard === undefined && returns.values.some(isOfParameter) && returns.values.every(isNoFunction);
}

const isNewerText = (pack: PackModel, field: FieldSpec, text: string): boolean =>
  field.enum !== undefined && isNewerValue(pack, field.enum, text);

const isMemberOf = (pack: PackModel, enumName: EnumName | undefined, value: EnumMember): boolean =>
  enumName === undefined ||
  (value.enum === enumName && (Object.hasOwn(ENUMS[enumName], value.name) || pack.toolkit?.enums.get(enumName)?.has(value.name) === true));

/** Returns whether the value is a built-in object. The upload checks only its fields, of which it requires none. */
const isWithoutFields = (builtIn: BuiltIn | undefined): boolean => builtIn === "Date" || builtIn === "RegExp";

/** Returns whether the SDK removes the field because of this value, as if it were absent. */
function isLeftOut(field: FieldSpec, value: Value): boolean {
  if (field.kind === "function") return isNothing(value);
  return value.kind === "null" && field.lenient === true;
}

const isTextOrUnknown = (value: Value): boolean => isSilent(value) || value.kind === "string" || value.kind === "template";

function describe(value: Value): string {
  switch (value.kind) {
    case "string":
      return JSON.stringify(value.value);
    case "number":
    case "boolean":
      return String(value.value);
    case "array":
      return "an array";
    case "object":
      return "an object";
    case "member":
      return `${value.enum}.${value.name}`;
    case "function":
      return "a function";
    case "template":
      return "a text";
    case "null":
    case "undefined":
      return value.kind;
    default: {
      const builtIn = builtInOf(value);
      return builtIn === undefined ? "something else" : BUILT_INS[builtIn];
    }
  }
}

const BUILT_INS: Readonly<Record<BuiltIn, string>> = {
  RegExp: "a regular expression",
  Date: "a date",
  URL: "a URL object",
  BigInt: "a bigint",
  Promise: "a promise",
};

function repair(pack: PackModel, auth: ResolvedAuth, field: FieldSpec, value: Expression, sourceValue: Expression): Fix[] {
  // The fix does not change a constant that the field refers to.
  if (sourceValue.kind === "reference") return [];
  // The name of a parameter may be a shorthand, and its value is another one's.
  if (/^(?!(?:true|false)$)[A-Za-z_$][\w$]*$/.test(textOf(pack, sourceValue.place))) return [];
  if (value.kind === "string" && (field.kind === "stringArray" || field.kind === "stringOrStringArray")) {
    const items = value.value.split(/[\s,;]+/).filter(Boolean);
    // The fix is safe only if the request stays the same.
    const signs = value.value.trim().match(/[\s,;]+/g) ?? [];
    const make = signs.every((sign) => (sign.trim() || " ") === delimiterOf(pack, auth)) ? fix : propose;
    return [make("Split into an array", replace(sourceValue.place, `[${items.map((item) => JSON.stringify(item)).join(", ")}]`))];
  }
  if (field.kind === "boolean" && value.kind === "string" && /^(true|false)$/i.test(value.value))
    return [fix(`Change to ${value.value.toLowerCase()}`, replace(sourceValue.place, value.value.toLowerCase()))];
  if (field.kind === "boolean" && value.kind === "number")
    return [fix(`Change to ${value.value !== 0}`, replace(sourceValue.place, String(value.value !== 0)))];
  if (field.kind === "objectArray" && value.kind === "object") return inArray(pack, field, value, sourceValue.place);
  if (field.kind === "string" && field.values === undefined && (value.kind === "number" || value.kind === "boolean"))
    return [fix("Make it a string", replace(sourceValue.place, JSON.stringify(String(value.value))))];
  if (field.kind === "function" && sourceValue.kind === "call") {
    const { place } = sourceValue.callee;
    const make = sourceValue.arguments?.length === 0 ? fix : propose;
    return [make("Pass the function itself", replace(sourceValue.place, textOf(pack, place)))];
  }
  if (field.enum !== undefined && field.kind === "enum") {
    const { enum: enumName } = field;
    return choices(
      Object.keys(ENUMS[enumName]),
      value,
      (member) => [member, enumText(pack, sourceValue.place.file, enumName, member)],
      sourceValue.place,
    );
  }
  if (field.values !== undefined && (value.kind === "string" || value.kind === "number" || value.kind === "boolean"))
    return choices(field.values, value, (legal) => [JSON.stringify(legal), JSON.stringify(legal)], sourceValue.place);
  return [];
}

/** Returns fixes for the legal value that matches except for case and spaces, or else for each legal value. */
function choices(
  legal: readonly string[],
  value: Expression,
  formatChoice: (legal: string) => readonly [title: string, text: string],
  place: Place,
): Fix[] {
  const match = value.kind === "string" ? legal.find((name) => name.toLowerCase() === value.value.trim().toLowerCase()) : undefined;
  return (match === undefined ? legal : [match]).map((name) => {
    const [title, text] = formatChoice(name);
    return fix(`Change to ${title}`, replace(place, text));
  });
}

/** Offers to wrap one entry in an array, or to convert an object of names and descriptions to entries. */
function inArray(pack: PackModel, field: FieldSpec, { properties, open }: ObjectValue, place: Place): Fix[] {
  const fieldProperties = properties.filter(({ name }) => field.fields?.some((inner) => inner.name === name));
  if (fieldProperties.length > 0)
    return fieldProperties.length < properties.length ? [] : [fix("Put it into an array", replace(place, `[${textOf(pack, place)}]`))];
  const isWritten = properties.length > 0 && !open && properties.every(({ value }) => value.kind === "string");
  if (!isNamed(field) || !isWritten) return [];
  const entries = properties.map(({ name, value }) => entry(JSON.stringify(name), textOf(pack, value.place)));
  return [describing(place, `[${entries.join(", ")}]`)];
}

/** Returns whether the entries are values that users enter, each with a name and a description. */
const isNamed = ({ kind, lenient }: FieldSpec): boolean => kind === "objectArray" && lenient !== true;

const entry = (name: string, description: string): string => `{ name: ${name}, description: ${description} }`;

const describing = (place: Place, text: string): Fix => propose("Write it with name and description", replace(place, text));

const textOf = (pack: PackModel, { file, start, end }: Place): string => pack.text(file).slice(start, end);
