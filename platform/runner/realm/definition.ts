// The running pack's definition, as plain data. Part of REALM_SOURCE.
import { PARAMETER_KINDS } from "../../../protocol/definition.ts";
import { TABLE_FUNCTIONS } from "../../../protocol/run.ts";

export const DEFINITION = `  // ---- the pack ----------------------------------------------------------------------------------------------------------
  let pack;
  const listOf = (value) => (isArray(value) ? value : value && typeof value === "object" ? keys(value).map((key) => value[key]) : []);
  const text = (value) => (typeof value === "string" ? value : undefined);
  const plain = (value) => { try { return value === undefined ? undefined : parse(stringify(value)); } catch { return undefined; } };
  const typeName = (type) => {
    const Type = (toolkit && toolkit.Type) || { string: 0, number: 1, object: 2, boolean: 3, date: 4, html: 5, image: 6, file: 7, markdown: 8, email: 9 };
    return keys(Type).find((key) => Type[key] === type && isNaN(toNumber(key)));
  };
  const parameterKind = (type) => {
    const name = typeName(type);
    return ${JSON.stringify(PARAMETER_KINDS)}.includes(name) ? name : "unknown";
  };
  const parameterOf = (parameter) => {
    const type = parameter.type;
    const list = type !== null && typeof type === "object";
    return {
      name: toText(parameter.name), description: toText(parameter.description || ""),
      kind: parameterKind(list ? type.items : type), shape: list ? (type.allowEmpty ? "sparseArray" : "array") : "scalar",
      optional: parameter.optional === true, suggestedValue: plain(parameter.suggestedValue === undefined ? parameter.defaultValue : parameter.suggestedValue),
      hasAutocomplete: parameter.autocomplete !== undefined && parameter.autocomplete !== null,
    };
  };
  const requirementOf = (definition) => {
    const own = definition.connectionRequirement;
    if (own === "none" || own === "optional" || own === "required") return own;
    const network = definition.network;
    if (network && network.requiresConnection === true) return "required";
    if (network && network.requiresConnection === false) return "none";
    return "none";
  };
  const authenticationOf = (auth) => {
    if (auth === undefined || auth === null || typeof auth !== "object") return undefined;
    const result = {};
    for (const key of keys(auth)) {
      const value = plain(auth[key]);
      if (value !== undefined) result[key] = value;
    }
    result.type = toText(auth.type);
    result.hasGetConnectionName = auth.getConnectionName !== undefined && auth.getConnectionName !== null;
    result.postSetup = listOf(auth.postSetup).map((step) => ({
      name: toText(step.name), description: toText(step.description || ""), hasOptions: !!(step.getOptions || step.getOptionsFormula),
    }));
    return result;
  };
  const formulasOf = () => {
    const formulas = pack.formulas;
    if (isArray(formulas)) return formulas;
    // The oldest packs group formulas by namespace.
    return listOf(formulas).flatMap((group) => listOf(group));
  };
  const validatorOf = (getter) => {
    const validate = getter.validateParameters;
    return validate && (typeof validate === "function" || typeof validate.execute === "function") ? validate : undefined;
  };
  const scopesOf = (definition) => (definition && isArray(definition.extraOAuthScopes) ? definition.extraOAuthScopes.map(toText) : undefined);
  const definitionOf = () => ({
    networkDomains: listOf(pack.networkDomains).map(toText),
    mcpServers: listOf(pack.mcpServers).filter(Boolean).map((server) => ({ name: toText(server.name), endpointUrl: toText(server.endpointUrl) })),
    userAuthentication: authenticationOf(pack.defaultAuthentication),
    systemAuthentication: authenticationOf(pack.systemConnectionAuthentication),
    formulas: formulasOf().map((formula) => ({
      name: toText(formula.name), description: text(formula.description),
      parameters: listOf(formula.parameters).map(parameterOf), varargParameters: listOf(formula.varargParameters).map(parameterOf),
      connectionRequirement: requirementOf(formula), isAction: formula.isAction === true, extraOAuthScopes: scopesOf(formula),
      resultType: formula.resultType === undefined ? undefined : typeName(formula.resultType), schema: plain(formula.schema),
      examples: plain(listOf(formula.examples).slice(0, 3).map((example) => ({ params: plain(example && example.params), result: plain(example && example.result) }))),
    })),
    syncTables: listOf(pack.syncTables).map((table) => {
      const getter = table.getter || {};
      return {
        name: toText(table.name), description: text(table.description),
        parameters: listOf(getter.parameters).map(parameterOf), varargParameters: listOf(getter.varargParameters).map(parameterOf),
        connectionRequirement: requirementOf(getter), isDynamic: table.isDynamic === true || table.getSchema !== undefined && table.listDynamicUrls !== undefined,
        functions: ${JSON.stringify(TABLE_FUNCTIONS)}.filter((name) => table[name] !== undefined && table[name] !== null),
        extraOAuthScopes: scopesOf(getter), updateOAuthScopes: scopesOf(getter.updateOptions),
        isTwoWay: typeof getter.executeUpdate === "function", updateBatchSize: getter.maxUpdateBatchSize, hasValidateParameters: validatorOf(getter) !== undefined,
        schema: plain(table.schema),
      };
    }),
  });`;
