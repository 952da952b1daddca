import { nameOf, objectIn, propertyOf, propose, valueIn } from "../configuration/config.ts";
import type { PackModel } from "../model/pack.ts";
import type { ObjectValue } from "../model/values.ts";
import { oauth2, rule } from "../rule.ts";
import { insertItem, quoteIn } from "../text/edit.ts";

export default rule({
  id: "update-scopes-narrower",
  severity: "warning",
  source: "the SDK's OAuth guide",
  docs: `The scopes for editing a table leave out scopes of the table.

Repeat the table's scopes there. While rows are written back, \`updateOptions.extraOAuthScopes\` replaces the table's own \`extraOAuthScopes\`. It does not add to them.`,
  examples: [
    {
      bad: oauth2`

        pack.addSyncTable({
          name: "Items",
          identityName: "Item",
          schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String } }, idProperty: "id", displayProperty: "id" }),
          formula: {
            name: "SyncItems",
            description: "Items.",
            parameters: [],
            extraOAuthScopes: ["items:read"],
            updateOptions: { «extraOAuthScopes»: ["items:write"] },
            execute: async function ([], context) {
              return { result: [] };
            },
          },
        });`,
      change: ['"items:write"', '"items:write", "items:read"'],
      good: ['"items:write"', '"items:read", "items:write"'],
    },
  ],
  on: {
    *runnable(pack, { kind, definition }) {
      const formula = kind === "syncTable" ? objectIn(pack, definition, "formula") : undefined;
      const options = formula && objectIn(pack, formula, "updateOptions");
      const property = options && propertyOf(options, "extraOAuthScopes");
      const tableScopes = formula && listIn(pack, formula);
      const has = options && listIn(pack, options);
      if (options === undefined || property === undefined || tableScopes === undefined || has === undefined) return;
      const missing = tableScopes.filter((scope) => !has.includes(scope));
      if (missing.length === 0) return;
      yield {
        place: nameOf(property),
        message: `Repeat ${missing.join(", ")} here. While rows are edited, this list replaces the table's extraOAuthScopes.`,
        fixes: () => {
          const list = pack.resolve(property.value);
          const edit =
            list.kind === "array" ? insertItem(pack, list, missing.map((scope) => quoteIn(pack, options, scope)).join(", ")) : undefined;
          return edit === undefined ? [] : [propose(`Add ${missing.join(", ")}`, edit)];
        },
      };
    },
  },
});

/** Returns the scopes, or undefined if the array is not fully known. */
function listIn(pack: PackModel, object: ObjectValue): readonly string[] | undefined {
  const list = valueIn(pack, object, "extraOAuthScopes");
  if (list?.kind !== "array" || list.open) return undefined;
  const items = list.items.map((item) => pack.resolve(item));
  return items.every((item) => item.kind === "string") ? items.flatMap((item) => (item.kind === "string" ? item.value : [])) : undefined;
}
