import { flowKindOf } from "../../../spec/auth-types.ts";
import { isOAuth } from "../configuration/authorization-request.ts";
import { customParamNames, fix, propertyOf, propose, type ResolvedAuth } from "../configuration/config.ts";
import { namesHeaders, namesIn } from "../configuration/credential-placement.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression } from "../model/values.ts";
import { pack, rule, user } from "../rule.ts";
import { literalEdits, quoteLike, replace } from "../text/edit.ts";

export default rule({
  id: "param-name-invalid",
  severity: "error",
  verdict: "fails-when-run",
  source: "sdk-facts 2",
  docs: `A parameter or header for a credential has the name of another one, or a name that cannot be used.

The platform rejects two params of one name, and two headers whose names differ only in case. A Custom param's name is written between \`{{\` and \`-<invocationToken>}}\`, so braces in it end the placeholder early, and the platform puts no value there. Spaces are a warning, and an error where a placeholder leaves out those around the name. They are easily written differently in the placeholder, and APIs rarely have them in names. So are the signs of a URL around a name, as in \`?key=\`: the platform writes them itself.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.MultiQueryParamToken,
        params: [
          { name: "key", description: "Key" },
          { name: «"key"», description: "Secret" },
        ],`,
      change: ['"key", description: "Secret"', '"key2", description: "Secret"'],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.MultiHeaderToken, headers: [{ name: "X-Key", description: "Key" }, { name: «"x-key"», description: "Other" }] });`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: «"{{key}}"», description: "Key" }] });
        export const url = (context, name) => \`https://acme.example/?k={{\${name}-\${context.invocationToken}}}\`;`,
      change: ['"{{key}}"', '"key"'],
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: «"api key"», description: "Key" }] });
        export const url = (context, name) => \`https://acme.example/?k={{\${name}-\${context.invocationToken}}}\`;`,
      change: ['"api key"', '"api_key"'],
    },
    {
      bad: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: «"?api_key="» });`,
      fixed: pack`pack.setUserAuthentication({ type: coda.AuthenticationType.QueryParamToken, paramName: "api_key" });`,
    },
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: «"key "», description: "Key" }] });
        export const url = (context) => \`https://acme.example/?k={{key-\${context.invocationToken}}}\`;`,
      change: ['"key "', '"key"'],
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "Key" }, { name: "Key", description: "Another, since case counts" }] });
        export const url = (context) => \`https://acme.example/?k={{key-\${context.invocationToken}}}&o={{Key-\${context.invocationToken}}}\`;`,
    },
  ],
  on: {
    *auth(pack, auth) {
      const previousNames = new Set<string>();
      const isHeader = namesHeaders(auth);
      for (const sourceValue of namesIn(pack, auth)) {
        const name = pack.resolve(sourceValue);
        // The rule field-empty reports an empty name.
        if (name.kind !== "string" || name.value.trim() === "") continue;
        const key = isHeader ? name.value.toLowerCase() : name.value;
        if (previousNames.has(key)) yield duplicate(pack, sourceValue, name.value, previousNames, isHeader);
        // The rule header-name-invalid checks the characters of header names.
        else if (!isHeader) yield* unwritable(pack, auth, sourceValue, name.value, previousNames);
        previousNames.add(key);
      }
      const query = propertyOf(auth.config, "tokenQueryParam");
      const name = query === undefined || !isOAuth(auth) ? undefined : pack.resolve(query.value);
      if (query !== undefined && name?.kind === "string") yield* withSigns(pack, query.value, name.value);
    },
  },
});

const isCustom = ({ type }: ResolvedAuth): boolean => flowKindOf(type) === "custom";

function duplicate(pack: PackModel, sourceValue: Expression, name: string, previousNames: ReadonlySet<string>, isHeader: boolean): Finding {
  return {
    place: sourceValue.place,
    verdict: "will-be-rejected",
    message: isHeader
      ? `Name each header once. There are two called ${name} (upper and lower case are the same), and the platform rejects the pack.`
      : `Give each param a name of its own. There are two called ${name}, and the platform rejects the pack.`,
    fixes: () => {
      let number = 2;
      while (previousNames.has(`${isHeader ? name.toLowerCase() : name}${number}`)) number++;
      const next = `${name}${number}`;
      return literalEdits(pack, sourceValue, next).map((edit) => propose(`Rename to ${next}`, edit));
    },
  };
}

/** Separators of a query's parameters, and of a name and its value. */
const SIGNS = /^[?&]|=$/;

function* withSigns(pack: PackModel, sourceValue: Expression, name: string): Iterable<Finding> {
  const bareName = name.trim().replace(/^[?&]/, "").replace(/=$/, "");
  if (!SIGNS.test(name.trim()) || !/^[\w.-]+$/.test(bareName)) return;
  yield {
    place: sourceValue.place,
    severity: "warning",
    message: `Write ${JSON.stringify(bareName)}. The platform writes the signs ? & = of a URL itself, and encodes those in a name.`,
    fixes: () => literalEdits(pack, sourceValue, bareName).map((edit) => fix(`Change to ${JSON.stringify(bareName)}`, edit)),
  };
}

function* unwritable(
  pack: PackModel,
  auth: ResolvedAuth,
  sourceValue: Expression,
  name: string,
  previousNames: ReadonlySet<string>,
): Iterable<Finding> {
  if (!isCustom(auth) && SIGNS.test(name.trim())) {
    yield* withSigns(pack, sourceValue, name);
    return;
  }
  const hasBraces = /\{\{|\}\}/.test(name);
  if (hasBraces)
    yield {
      place: sourceValue.place,
      ...(isCustom(auth) ? {} : { severity: "warning" as const }),
      message: isCustom(auth)
        ? `Use a name without braces. Those in ${name} end its placeholder early, so the platform never puts the value there.`
        : `Use the API's own name of the parameter. ${name} contains the braces of a placeholder, and nothing is put there: it is sent as it is.`,
      fixes: () => rename(pack, auth, sourceValue, name, name.replaceAll(/[{}]/g, "").trim(), previousNames),
    };
  else if (isCustom(auth) && isNamedTrimmed(pack, name))
    yield {
      place: sourceValue.place,
      message: `Remove the space around this name: ${JSON.stringify(name)}. Its placeholder has none, so the platform puts no value there.`,
      fixes: () =>
        rename(
          pack,
          auth,
          sourceValue,
          name,
          name.trim(),
          previousNames,
          pack.placeholders.some((use) => use.name === undefined || use.name === name) ? propose : fix,
        ),
    };
  else if (/\s/.test(name))
    yield {
      place: sourceValue.place,
      severity: "warning",
      message: `${isCustom(auth) ? "Use a name without spaces. Every placeholder must repeat it exactly." : "Check this name. Parameters of APIs rarely have a space in theirs."} ${JSON.stringify(name)} has one.`,
      fixes: () => rename(pack, auth, sourceValue, name, name.trim().replaceAll(/\s+/g, "_"), previousNames),
    };
}

/** Returns whether a placeholder uses the name without its surrounding spaces, and no param has that name. */
const isNamedTrimmed = (pack: PackModel, name: string): boolean =>
  name !== name.trim() && customParamNames(pack)?.has(name.trim()) === false && pack.placeholders.some((use) => use.name === name.trim());

/** Renames the param and the placeholders that use it. */
function rename(
  pack: PackModel,
  auth: ResolvedAuth,
  sourceValue: Expression,
  name: string,
  next: string,
  previousNames: ReadonlySet<string>,
  make = propose,
): readonly Fix[] {
  if (sourceValue.kind !== "string" || next === "" || previousNames.has(next)) return [];
  const uses = isCustom(auth) ? pack.placeholders.filter((use) => use.name === name) : [];
  // Only the author can change a name that is computed.
  if (uses.some((use) => use.parts !== undefined)) return [];
  return [
    make(
      `Rename to ${next}`,
      replace(sourceValue.place, quoteLike(pack, sourceValue.place, next)),
      ...uses.map((use) => replace(use.place, next)),
    ),
  ];
}
