// Finds the pack's function for a target, and calls it as the SDK does. Part of REALM_SOURCE.
export const TARGETS = `  const tableOf = (name) => {
    const table = listOf(pack.syncTables).find((candidate) => candidate.name === name);
    if (!table) throw new RealmError("The pack has no sync table " + name + ".");
    return table;
  };
  /** The parameters of a table by their names, as its functions beside execute get them; what was left out is not there. */
  const namedOf = (table, parameters) => {
    const named = {};
    listOf(table.getter && table.getter.parameters).forEach((parameter, index) => {
      if (parameters[index] !== undefined) defineProperty(named, toText(parameter.name), { value: parameters[index], writable: true, enumerable: true, configurable: true });
    });
    return named;
  };
  const syncOf = (table, target, parameters) => ({
    dynamicUrl: target.dynamicUrl, schema: target.schema === undefined ? plain(table.getter && table.getter.schema) : revive(target.schema), parameters: namedOf(table, parameters),
  });
  // The toolkit normalises the schemas of what it defines, and nothing else: so it defines a formula of this one.
  const normalisedSchema = (schema) => toolkit.makeFormula({
    name: "Rows", description: "Rows.", parameters: [], resultType: "array", items: schema && schema.type === "array" ? schema.items : schema, execute() {},
  }).schema;
  const lookUp = (target) => {
    if (target.kind === "formula") {
      const formula = formulasOf().find((candidate) => candidate.name === target.name);
      if (!formula) throw new RealmError("The pack has no formula " + target.name + ".");
      return (parameters, context) => formula.execute(parameters, context);
    }
    if (target.kind === "syncTable") {
      const table = tableOf(target.name);
      return (parameters, context) => table.getter.execute(parameters, withSync(context, {
        ...syncOf(table, target, parameters), continuation: target.continuation === undefined ? undefined : revive(target.continuation),
        ...(target.previousCompletion === undefined ? {} : { previousCompletion: revive(target.previousCompletion) }),
      }));
    }
    if (target.kind === "update") {
      const table = tableOf(target.name);
      if (!table.getter.executeUpdate) throw new RealmError("The sync table " + target.name + " has no executeUpdate.");
      return async (parameters, context) => {
        const answer = await table.getter.executeUpdate(parameters, target.updates.map(revive), withSync(context, syncOf(table, target, parameters)));
        return !answer || !isArray(answer.result) ? undefined : answer.result.map((row) => (row instanceof RealmError
          ? { outcome: "error", error: { name: toText(row.name), message: toText(row.message) } } : { outcome: "success", finalValue: row }));
      };
    }
    if (target.kind === "table") {
      const table = tableOf(target.name);
      const formula = table[target.function];
      if (!formula || typeof formula.execute !== "function") throw new RealmError("The sync table " + target.name + " has no " + target.function + ".");
      return async (parameters, context) => {
        const value = await formula.execute([target.search || "", stringify(namedOf(table, parameters))], withSync(context, syncOf(table, target, parameters)));
        return target.function === "getSchema" ? normalisedSchema(value) : value;
      };
    }
    if (target.kind === "validateParameters") {
      const table = tableOf(target.name);
      const validate = validatorOf(table.getter || {});
      if (!validate) throw new RealmError("The sync table " + target.name + " has no validateParameters.");
      return (parameters, context) => {
        const given = withSync(context, syncOf(table, target, parameters));
        // The toolkit leaves that of a table as the function that it is.
        return typeof validate === "function" ? validate(given, "", parse(stringify(namedOf(table, parameters)))) : validate.execute(["", stringify(namedOf(table, parameters))], given);
      };
    }
    if (target.kind === "propertyOptions") {
      const table = tableOf(target.table);
      const named = table.namedPropertyOptions || {};
      const rows = target.schema === undefined ? table.schema : revive(target.schema);
      const properties = ((rows && rows.type === "array" ? rows.items : rows) || {}).properties || {};
      const writtenAs = (name) => (properties[name] && typeof properties[name].originalKey === "string" ? properties[name].originalKey : name);
      const key = keys(properties).find((name) => name === target.property || writtenAs(name) === target.property || properties[name].fromKey === target.property);
      const schema = key === undefined ? undefined : properties[key];
      const unwrapped = schema && schema.type === "array" ? schema.items : schema;
      const formula = named[target.property] || (unwrapped && named[unwrapped.options]) || named.__coda_dynamic__;
      if (!formula) throw new RealmError("The property " + target.property + " of " + target.table + " has no options that come from a function.");
      // Under the names that the pack writes: the schema's own and, where the value comes from another key, that one too.
      const propertyValues = {};
      const put = (name, value) => defineProperty(propertyValues, name, { value, writable: true, enumerable: true, configurable: true });
      for (const name of keys(target.values)) {
        const value = revive(target.values[name]);
        put(writtenAs(name), value);
        if (properties[name] && typeof properties[name].fromKey === "string") put(properties[name].fromKey, value);
      }
      return async (parameters, context) => {
        const found = await formula.execute([], assign(withSync(context, syncOf(table, target, parameters)), {
          propertyName: key === undefined ? target.property : writtenAs(key), propertyValues, propertySchema: schema, search: target.search,
        }));
        return found && !isArray(found) && isArray(found.result) ? found.result : found;
      };
    }
    if (target.kind === "authentication") {
      const auth = target.scope === "system" ? pack.systemConnectionAuthentication : pack.defaultAuthentication;
      if (!auth) throw new RealmError("The pack has no " + target.scope + " authentication.");
      let formula, search = "";
      if (target.function.name === "getConnectionName") formula = auth.getConnectionName;
      else if (target.function.name === "getConnectionUserId") formula = auth.getConnectionUserId;
      else {
        const step = listOf(auth.postSetup).find((candidate) => candidate.name === target.function.step);
        formula = step && (step.getOptions || step.getOptionsFormula);
        search = target.function.search || "";
      }
      if (!formula) throw new RealmError("The pack's authentication has no " + target.function.name + ".");
      if (typeof formula === "function") return (parameters, context) => formula(context, search);
      return (parameters, context) => formula.execute([search, "{}"], context);
    }
    const owner = target.ofSyncTable
      ? (listOf(pack.syncTables).find((candidate) => candidate.name === target.formula) || {}).getter
      : formulasOf().find((candidate) => candidate.name === target.formula);
    const parameter = owner && [...listOf(owner.parameters), ...listOf(owner.varargParameters)].find((candidate) => candidate.name === target.parameter);
    const autocomplete = parameter && parameter.autocomplete;
    if (!autocomplete || typeof autocomplete.execute !== "function") throw new RealmError("The parameter " + target.parameter + " has no autocomplete.");
    return (parameters, context) => autocomplete.execute([target.search, stringify(revive(target.values || {}))], target.dynamicUrl === undefined ? context : withSync(context, { dynamicUrl: target.dynamicUrl }));
  };`;
