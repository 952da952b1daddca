// The shape of a pack's definition as its process sends it. Fields that only describe the author's configuration are read leniently: a
// field of the wrong type is left out. The analysis reports such a field, and nothing here may fail because of it.

import {
  anything,
  count,
  dictionary,
  either,
  flag,
  lenient,
  list,
  type Optional,
  oneOf,
  optional,
  record,
  type Shape,
  text,
} from "../../base/shape.ts";
import { PARAMETER_KINDS } from "../../protocol/definition.ts";
import { TABLE_FUNCTIONS } from "../../protocol/run.ts";
import { type ConfigurationValues, DATA_FIELDS, type DataField } from "../../spec/configuration-fields.ts";
import { ENUMS, type FieldSpec, type ValueOfKind } from "../../spec/fields.ts";

const requirement = oneOf(...Object.values(ENUMS.ConnectionRequirement));

const named = record({ name: text, description: lenient(text), tokenPrefix: lenient(text) });
/** The protocol requires a description, but an author in JavaScript may have left it out. */
const credentials = (value: unknown) => list(named)(value).map((each) => ({ description: "", ...each }));

const SHAPES: { readonly [Kind in keyof ValueOfKind]: (field: FieldSpec) => Shape<ValueOfKind[Kind]> } = {
  string: ({ values }) => (values === undefined ? text : oneOf(...values)),
  url: () => text,
  boolean: () => flag,
  stringArray: () => list(text),
  stringOrStringArray: () => either(text, list(text)),
  function: () => oneOf(),
  record: () => dictionary(anything),
  enum: ({ enum: name }) => oneOf(...Object.values(name === undefined ? {} : ENUMS[name])),
  object: ({ fields = [] }) => record(shapesOf(fields)),
  objectArray: () => credentials,
};

const shapesOf = (fields: readonly FieldSpec[]): Readonly<Record<string, Shape<unknown>>> =>
  Object.fromEntries(fields.map((field) => [field.name, lenient<unknown>(SHAPES[field.kind](field))]));

const authentication = record({
  ...(shapesOf(DATA_FIELDS) as { readonly [Name in DataField]: Shape<Optional<Required<ConfigurationValues>[Name]>> }),
  type: text,
  hasGetConnectionName: flag,
  postSetup: list(record({ name: text, description: text, hasOptions: flag })),
});

const parameter = record({
  name: text,
  description: text,
  kind: oneOf(...PARAMETER_KINDS, "unknown"),
  shape: oneOf("scalar", "array", "sparseArray"),
  optional: flag,
  suggestedValue: optional(anything),
  hasAutocomplete: flag,
});

const runnableFields = {
  name: text,
  description: lenient(text),
  parameters: list(parameter),
  varargParameters: list(parameter),
  connectionRequirement: requirement,
  extraOAuthScopes: lenient(list(text)),
  schema: optional(anything),
};

/** See PackDefinition in protocol/definition.ts. */
export const definition = record({
  networkDomains: list(text),
  mcpServers: lenient(list(record({ name: text, endpointUrl: text }))),
  userAuthentication: optional(authentication),
  systemAuthentication: optional(authentication),
  formulas: list(
    record({
      ...runnableFields,
      isAction: flag,
      resultType: lenient(text),
      examples: lenient(list(record({ params: lenient(list(anything)), result: optional(anything) }))),
    }),
  ),
  syncTables: list(
    record({
      ...runnableFields,
      isDynamic: flag,
      functions: lenient(list(oneOf(...TABLE_FUNCTIONS))),
      updateOAuthScopes: lenient(list(text)),
      isTwoWay: lenient(flag),
      updateBatchSize: lenient(count),
      hasValidateParameters: lenient(flag),
    }),
  ),
  isUnnamed: lenient(flag),
});
