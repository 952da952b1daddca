// Makes a value that conforms to a schema, under the pack's own keys, as an API might return it.
import { asSchema, keyOf, propertiesOf, type Schema } from "../runs/schema.ts";

/** The deepest level of nested schemas that is filled. Deeper objects are empty. */
const DEEPEST = 5;

/** Sample values by codaType. Other values follow the type and the name. */
const BY_HINT: Readonly<Record<string, unknown>> = {
  date: "2026-01-31",
  datetime: "2026-01-31T09:30:00Z",
  time: "09:30",
  duration: "2 hours",
  email: "alice@example.com",
  person: "alice@example.com",
  url: "https://example.com/1",
  embed: "https://example.com/1",
  image: "https://example.com/1.png",
  imageAttachment: "https://example.com/1.png",
  attachment: "https://example.com/1.pdf",
  percent: 0.5,
  markdown: "Some **text**",
  html: "<p>Some text</p>",
};

export function sampleValue(schema: Schema | undefined, name: string, depth = 0): unknown {
  if (schema === undefined) return null;
  const properties = propertiesOf(schema);
  if (properties !== undefined) {
    if (depth >= DEEPEST) return {};
    const members = Object.entries(properties).map(([own, property]) => {
      const key = keyOf(own, property);
      return [key, sampleValue(property, key, depth + 1)] as const;
    });
    return Object.fromEntries(members);
  }
  if (schema.type === "array") return [sampleValue(asSchema(schema.items), name, depth + 1)];
  if (schema.type === "boolean") return true;
  const hinted = typeof schema.codaType === "string" && Object.hasOwn(BY_HINT, schema.codaType) ? BY_HINT[schema.codaType] : undefined;
  if (schema.type === "number") return typeof hinted === "number" ? hinted : schema.codaType === undefined ? 1 : numberFor(schema);
  if (schema.type === "object") return {};
  return typeof hinted === "string" ? hinted : sampleText(name);
}

/** Returns seconds since the epoch for a date, else the minimum or 1. */
const numberFor = ({ codaType, minimum }: Schema): number =>
  codaType === "date" || codaType === "datetime" ? 1_769_817_600 : typeof minimum === "number" ? minimum : 1;

/** Returns a string for a field of which only the name is known. Fields of pagination are null, so that paging ends. */
export const sampleText = (name: string): string | null =>
  /next|more|cursor|continu|offset|token/i.test(name) ? null : name === "" ? "sample" : `sample ${name}`;
