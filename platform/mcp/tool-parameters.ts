// Converts a tool's JSON Schema to the parameters of a form. Values that the form cannot express are entered as JSON. The arguments are
// checked against the schema itself when the tool is called.
import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import type { ParameterDefinition, ParameterKind } from "../../protocol/definition.ts";
import type { McpTool } from "../../protocol/mcp.ts";
import type { ParameterValue } from "../../protocol/run.ts";

export interface ToolParameters {
  readonly parameters: readonly ParameterDefinition[];
  /** Whether the only parameter is an object of all arguments. */
  readonly isWhole: boolean;
}

const MOST_FIELDS = 100;
/** The number of consecutive references that are resolved. */
const MOST_REFERENCES = 10;
/** The number of characters of a description. */
const LONGEST = 1_000;

type Schema = Readonly<Record<string, unknown>>;

export function toolParameters({ inputSchema }: Pick<McpTool, "inputSchema">): ToolParameters {
  const root = resolved(inputSchema, inputSchema) ?? {};
  const properties = Object.entries(isRecord(root.properties) ? root.properties : {});
  const isComposed = ["anyOf", "oneOf", "allOf", "not", "if"].some((keyword) => keyword in root);
  if (properties.length > MOST_FIELDS || (properties.length === 0 && (isComposed || isRecord(root.additionalProperties))))
    return {
      parameters: [parameter("arguments", { description: "All arguments, as a JSON object" }, true, "json", "scalar")],
      isWhole: true,
    };
  const required = Array.isArray(root.required) ? root.required : [];
  return {
    parameters: properties.map(([name, schema]) => parameterOf(name, withoutNull(schema, inputSchema), required.includes(name))),
    isWhole: false,
  };
}

/** Returns the arguments for values in the order of the parameters. */
export function toolArguments(
  { parameters, isWhole }: ToolParameters,
  values: readonly ParameterValue[],
): Readonly<Record<string, unknown>> {
  if (isWhole) return isRecord(values[0]) ? values[0] : {};
  const entries = parameters.map(({ name }, index) => [name, values[index]] as const).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

/** Returns the schema, or the schema to which it refers in the same document. */
function resolved(schema: unknown, root: Schema): Schema | undefined {
  let at = schema;
  for (let count = 0; count < MOST_REFERENCES; count++) {
    if (!isRecord(at)) return undefined;
    const reference = at.$ref;
    if (typeof reference !== "string") return at;
    const path = reference.startsWith("#/") ? reference.slice(2).split("/") : [];
    if (path.length === 0) return undefined;
    at = path.reduce<unknown>((outer, name) => (isRecord(outer) && Object.hasOwn(outer, name) ? outer[name] : undefined), root);
  }
  return undefined;
}

/** Removes null from a schema's types. The form leaves the argument out instead. */
function withoutNull(unresolvedSchema: unknown, root: Schema): Schema {
  const schema = resolved(unresolvedSchema, root) ?? {};
  const variants = (Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : []).map((each) =>
    resolved(each, root),
  );
  const nonNullVariants = variants.filter((each) => each?.type !== "null");
  const [only] = nonNullVariants;
  if (only !== undefined && nonNullVariants.length === 1 && variants.length > 1)
    return { ...only, ...defined({ description: schema.description }) };
  if (!Array.isArray(schema.type)) return isRecord(schema.items) ? { ...schema, items: resolved(schema.items, root) } : schema;
  const types = schema.type.filter((type) => type !== "null");
  return { ...schema, type: types.length === 1 ? types[0] : types };
}

const KINDS: ReadonlyMap<unknown, ParameterKind> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
]);

const kindOf = (schema: Schema): ParameterKind | undefined => KINDS.get(schema.type);

function parameterOf(name: string, schema: Schema, isRequired: boolean): ParameterDefinition {
  const kind = kindOf(schema) ?? (choicesOf(schema) === undefined ? undefined : "string");
  if (kind !== undefined) return parameter(name, schema, isRequired, kind, "scalar", choicesOf(schema));
  const ofItems = schema.type === "array" && isRecord(schema.items) ? kindOf(schema.items) : undefined;
  return ofItems === undefined
    ? parameter(name, schema, isRequired, "json", "scalar")
    : parameter(name, withItems(schema), isRequired, ofItems, "array");
}

function parameter(
  name: string,
  { description, default: standard }: Schema,
  isRequired: boolean,
  kind: ParameterKind,
  shape: ParameterDefinition["shape"],
  choices?: readonly string[],
): ParameterDefinition {
  const descriptionText = typeof description === "string" ? description.slice(0, LONGEST) : "";
  const withDefault =
    standard === undefined || isRequired
      ? descriptionText
      : [descriptionText, `Default: ${JSON.stringify(standard).slice(0, LONGEST)}`].filter(Boolean).join(" · ");
  return {
    name,
    description: withDefault,
    kind,
    shape,
    optional: !isRequired,
    hasAutocomplete: false,
    ...(isRequired ? defined({ suggestedValue: standard }) : {}),
    ...defined({ choices }),
  };
}

/** Returns the values of an enum as strings, if all are of the schema's type. */
function choicesOf(schema: Schema): readonly string[] | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum.filter((value) => value !== null) : "const" in schema ? [schema.const] : [];
  const kind = kindOf(schema) ?? "string";
  return values.length > 0 && kind !== "boolean" && values.every((value) => typeof value === kind) ? values.map(String) : undefined;
}

function withItems(schema: Schema): Schema {
  const choices = isRecord(schema.items) ? choicesOf(schema.items) : undefined;
  if (choices === undefined) return schema;
  const descriptionText = typeof schema.description === "string" ? schema.description : "";
  return { ...schema, description: [descriptionText, `Each of: ${choices.join(", ")}`].filter(Boolean).join(" · ") };
}
