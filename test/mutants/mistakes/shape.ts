// Fields that are missing, misspelled, of a wrong type, or of another kind of authentication.
import { ts } from "ts-morph";
import { AUTH_TYPES, fieldsOf, isAuthTypeName } from "../../../spec/auth-types.ts";
import { initializerOf } from "../pack-syntax.ts";
import { around, isSpread, type Mistakes, misspell, over, own, spanOf, withField, without } from "./mistake.ts";

export const shapeMistakes: Mistakes = function* ({ setters, executes }, source) {
  for (const setter of setters) {
    if (!own(setter) || isSpread(setter)) continue;
    const { object, name, call } = setter;
    const type = setter.field("type");
    if (type === undefined || !isAuthTypeName(setter.type)) continue;
    const typeValue = initializerOf(type);
    const scope = name.text === "setUserAuthentication" ? ("user" as const) : ("system" as const);
    const fields = fieldsOf(setter.type, scope);

    const unread = over(object, "globalThis.configuration");
    yield { mistake: "a configuration from elsewhere", rules: ["configuration-not-read"], edit: unread, where: spanOf(name) };
    const noType = without(type, source);
    yield { mistake: "no type", rules: ["auth-type-missing"], edit: noType, where: around(setter, noType) };
    if (typeValue) {
      const prefix = typeValue.getText().slice(0, -setter.type.length);
      yield { mistake: "type misspelt", rules: ["auth-type-unknown"], edit: over(typeValue, prefix + misspell(setter.type)) };
      yield { mistake: "type as a text that is none", rules: ["auth-type-unknown"], edit: over(typeValue, '"Bearer"') };
      for (const other of ["HeaderBearerToken", "CustomHeaderToken", "QueryParamToken", "Custom", "MultiHeaderToken", "OAuth2"] as const) {
        if (other === setter.type || (other === "OAuth2" && scope === "system")) continue;
        const otherFields = fieldsOf(other, scope).map((field) => field.name);
        const misplaced = object.properties.some((property) => !otherFields.includes(property.name?.getText() ?? ""));
        const missing = fieldsOf(other, scope).some(
          (field) => field.required && field.name !== "type" && setter.field(field.name) === undefined,
        );
        if (!misplaced && !missing && other !== "OAuth2") continue;
        const edit = over(typeValue, prefix + other);
        const rules = [
          "field-not-for-type",
          "field-missing",
          "oauth2-missing-token-url",
          "oauth2-missing-authorization-url",
          "field-unknown",
          "field-empty",
          "endpoint-key-not-oauth2",
        ];
        yield { mistake: `type swapped for ${other}`, rules, edit, where: around(setter, edit) };
      }
    }
    if (scope === "user" && !AUTH_TYPES[setter.type].system)
      yield {
        mistake: "set for the system",
        rules: ["auth-type-not-allowed"],
        edit: over(name, "setSystemAuthentication"),
        where: { start: name.getStart(), end: object.end + 2 },
      };
    const twice = call.parent;
    if (ts.isExpressionStatement(twice) && ts.isSourceFile(twice.parent) && /^pack\.\w+$/.test(call.expression.getText()))
      yield { mistake: "setter misspelt", rules: ["toolkit-import"], edit: over(name, misspell(name.text)) };
    if (ts.isExpressionStatement(twice) && ts.isSourceFile(twice.parent)) {
      const edit = { start: twice.end, end: twice.end, text: `\n${twice.getText()}` };
      yield {
        mistake: "set twice",
        rules: ["auth-set-twice"],
        edit,
        where: { start: twice.getStart(), end: twice.end + edit.text.length },
      };
      for (const { body } of executes.slice(0, 1))
        yield {
          mistake: "set while a formula runs",
          rules: ["auth-set-late"],
          edit: { start: body.getStart() + 1, end: body.getStart() + 1, text: ` ${call.expression.getText()}({ ${type.getText()} });` },
        };
    }
    for (const property of object.properties) {
      const { name: fieldName } = property;
      if (fieldName === undefined || fieldName.getText() === "type" || ts.isShorthandPropertyAssignment(property)) continue;
      const spec = fields.find((field) => field.name === fieldName.getText());
      if (spec === undefined) continue;
      yield { mistake: "field misspelt", rules: ["field-unknown"], edit: over(fieldName, misspell(spec.name)) };
      if (spec.name === "uxConfig") yield { mistake: "uxOptions", rules: ["field-unknown"], edit: over(fieldName, "uxOptions") };
      if (spec.required) {
        const edit = without(property, source);
        yield {
          mistake: "required field left out",
          rules: ["field-missing", "oauth2-missing-token-url", "oauth2-missing-authorization-url"],
          edit,
          where: around(setter, edit),
        };
      }
      const value = initializerOf(property);
      if (value === undefined) continue;
      const wrong = WRONG[spec.kind];
      if (wrong !== undefined) yield { mistake: `${spec.kind} of a wrong kind`, rules: ["field-type"], edit: over(value, wrong) };
      if (["headerName", "paramName", "tokenUrl", "authorizationUrl"].includes(spec.name))
        yield { mistake: "empty", rules: ["field-empty"], edit: over(value, '""') };
      if (spec.name === "headerName") {
        yield { mistake: "header with a blank", rules: ["header-name-invalid"], edit: over(value, '"X Key"') };
        yield { mistake: "header of the platform", rules: ["header-name-invalid"], edit: over(value, '"Host"') };
      }
      if ((spec.name === "params" || spec.name === "headers") && ts.isArrayLiteralExpression(value)) {
        const [first] = value.elements;
        if (first) {
          const edit = { start: first.end, end: first.end, text: `, ${first.getText()}` };
          yield {
            mistake: "a name twice",
            rules: ["param-name-invalid"],
            edit,
            where: { start: value.getStart(), end: value.end + edit.text.length },
          };
        }
        // Where the account is its endpoint, that is right.
        const isEndpoint = ["requiresEndpointUrl", "postSetup"].some((field) => setter.field(field) !== undefined);
        if (setter.type !== "Custom" && !isEndpoint) yield { mistake: "an empty list", rules: ["field-empty"], edit: over(value, "[]") };
      }
      if (spec.name === "instructionsUrl") yield { mistake: "no URL", rules: ["url-invalid"], edit: over(value, '"see the settings"') };
    }
    if (!fields.some((field) => field.name === "headerName"))
      yield { mistake: "field of another type", rules: ["field-not-for-type"], edit: withField(object, 'headerName: "X-Key"') };
    if (!fields.some((field) => field.name === "tokenUrl"))
      yield {
        mistake: "field of another type",
        rules: ["field-not-for-type"],
        edit: withField(object, 'tokenUrl: "https://example.net/token"'),
      };
    yield { mistake: "field that no type has", rules: ["field-unknown"], edit: withField(object, 'apiKey: "x"') };
    if (scope === "user" && setter.field("defaultConnectionRequirement") === undefined) {
      yield {
        mistake: "requirement that there is not",
        rules: ["requirement-unknown"],
        edit: withField(
          object,
          `defaultConnectionRequirement: ${typeValue?.getText().split("AuthenticationType")[0] ?? ""}ConnectionRequirement.Always`,
        ),
      };
    }
  }
};

const WRONG: Readonly<Record<string, string>> = {
  stringArray: '"all"',
  objectArray: '{ name: "a" }',
  boolean: '"true"',
  url: "1",
  string: "[1]",
  record: '"a"',
  object: "[]",
  function: '"name"',
};
