import { delimiterOf, isOAuth, scopesIn } from "../configuration/authorization-request.ts";
import { fix, formulaOf, isNoStringArray, nameOf, propertyOf, removal, resolvedAuths, unsureField } from "../configuration/config.ts";
import { misspeltField } from "../configuration/misspelt-field.ts";
import type { Finding, Fix } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue, Property } from "../model/values.ts";
import { oauth2, rule } from "../rule.ts";
import { replace } from "../text/edit.ts";

export default rule({
  id: "extra-scopes-form",
  severity: "error",
  verdict: "will-be-rejected",
  source: "sdk-facts 2",
  docs: `\`extraOAuthScopes\` or \`updateOptions\` has the wrong form.

The platform rejects the pack at upload. \`extraOAuthScopes\` is an array of strings, and the only field of \`updateOptions\` unless the installed Packs SDK declares others. Without an installed one, another field of it is a warning. So is an entry that contains several scopes.`,
  examples: [
    {
      bad: oauth2`

        formula Write, extraOAuthScopes: «"write"» {}`,
      change: ['"write"', '["write"]'],
      good: ['"write"', '["write"]'],
    },
    {
      bad: oauth2`

        formula Write, «extraOauthScopes»: ["write"] {}`,
      change: ["extraOauthScopes", "extraOAuthScopes"],
    },
  ],
  on: {
    *runnable(pack, runnable) {
      const formula = formulaOf(pack, runnable);
      if (formula === undefined) return;
      yield* checkScopes(pack, formula);
      yield* misspeltField(formula, "extraOAuthScopes");
      const options = runnable.kind === "syncTable" ? propertyOf(formula, "updateOptions") : undefined;
      const value = options && pack.resolve(options.value);
      if (options === undefined || value === undefined) return;
      if (NO_OBJECTS.has(value.kind)) yield { place: options.value.place, message: `Write updateOptions as an object. ${REJECTED}` };
      if (value.kind !== "object") return;
      yield* checkScopes(pack, value);
      for (const property of value.properties)
        if (!isUpdateOption(pack, property)) {
          const place = nameOf(property);
          yield pack.toolkit === undefined
            ? { place, severity: "warning", message: unsureField(property.name) }
            : {
                place,
                message: `Remove ${property.name}: updateOptions has extraOAuthScopes only. ${REJECTED}`,
                fixes: () => removal(pack, value, property),
              };
        }
    },
  },
});

/** Returns whether the installed SDK has the option; any option may exist if the SDK's declaration cannot be read. */
const isUpdateOption = ({ toolkit }: PackModel, { name }: Property): boolean =>
  name === "extraOAuthScopes" || (toolkit !== undefined && toolkit.innerFields.get("updateOptions")?.has(name) !== false);

const REJECTED = "The platform rejects the pack otherwise.";

const NO_OBJECTS: ReadonlySet<string> = new Set(["string", "template", "number", "boolean", "null", "array", "function"]);

function* checkScopes(pack: PackModel, holder: ObjectValue): Iterable<Finding> {
  const property = propertyOf(holder, "extraOAuthScopes");
  if (property === undefined) return;
  yield* joinedScopes(pack, property);
  if (isNoStringArray(pack, property))
    yield {
      place: property.value.place,
      message: `Write extraOAuthScopes as an array of strings. ${REJECTED}`,
      fixes: () => inBrackets(pack, property),
    };
}

function* joinedScopes(pack: PackModel, { value }: Property): Iterable<Finding> {
  const scopes = pack.resolve(value);
  const [delimiter, ...otherDelimiters] = new Set(resolvedAuths(pack).flatMap((auth) => (isOAuth(auth) ? [delimiterOf(pack, auth)] : [])));
  for (const item of scopes.kind === "array" && otherDelimiters.length === 0 ? scopes.items : []) {
    const scope = pack.resolve(item);
    const { length } = scope.kind === "string" ? scopesIn(pack, item, scope.value, delimiter) : [];
    if (length > 1)
      yield {
        place: item.place,
        severity: "warning",
        message: `Make each of these ${length} scopes an entry of its own. With another delimiter the provider would see one scope that it does not know.`,
      };
  }
}

/** Changes `"write"` to `["write"]`. */
function inBrackets(pack: PackModel, { value }: Property): readonly Fix[] {
  if (value.kind !== "string" || /[\s,]/.test(value.value)) return [];
  const { file, start, end } = value.place;
  return [fix("Make it an array", replace(value.place, `[${pack.text(file).slice(start, end)}]`))];
}
