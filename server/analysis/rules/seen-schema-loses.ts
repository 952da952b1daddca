import { nameOf, propose } from "../configuration/config.ts";
import { observationRule, pack } from "../rule.ts";
import { insertProperty, quoteIn } from "../text/edit.ts";

export default observationRule({
  id: "seen-schema-loses",
  severity: "warning",
  docs: `A property of the schema stays empty, because its value comes under another spelling.

A run showed this. Set \`fromKey\` to the key. No row had the property, but each had a key that differs only in case or punctuation, such as \`created_at\` for \`createdAt\`. The platform compares the exact names.`,
  examples: [
    {
      bad: pack`
        const TaskSchema = coda.makeObjectSchema({
          properties: {
            id: { type: coda.ValueType.String },
            «createdAt»: { type: coda.ValueType.String },
          },
          displayProperty: "id",
        });
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.Array,
          items: TaskSchema,
          execute: async function ([], context) {
            return [];
          },
        });`,
      evidence: { code: "schema-loses", formula: "Read", names: ["createdAt", "created_at"] },
      change: ["createdAt: { type: coda.ValueType.String }", 'createdAt: { type: coda.ValueType.String, fromKey: "created_at" }'],
    },
    {
      good: pack`
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.Object,
          schema: coda.makeObjectSchema({ properties: { createdAt: { type: coda.ValueType.String, fromKey: "created_at" } } }),
          execute: async function ([], context) {
            return {};
          },
        });`,
      evidence: { code: "schema-loses", formula: "Read", names: ["createdAt", "created_at"] },
    },
  ],
  reports: {
    *"schema-loses"(pack, property, [, key]) {
      if (key === undefined) return;
      yield {
        place: nameOf(property),
        message: `Add fromKey: "${key}" to ${property.name}. Its value comes under this key, so the property stays empty.`,
        fixes() {
          const value = pack.resolve(property.value);
          if (value.kind !== "object") return [];
          return [propose(`Read ${property.name} from ${key}`, insertProperty(pack, value, `fromKey: ${quoteIn(pack, value, key)}`))];
        },
      };
    },
  },
});
