// The code that runs first inside the pack's realm. It is source text, not a module of the outer program: everything that pack
// code can reach must be made inside the realm, so that no constructor chain leads out of it. Invariant: the two functions
// of the outer realm (`send`, `random`) stay in this closure, take and give primitives, and their errors never get out.

import { REQUEST_LIMITS } from "../../protocol/request-limits.ts";

/**
 * Source of a function expression `(send, random) => { receive(json, attachment), importRefused(), … }`. `send` takes one JSON string
 * and the text of a body beside it, `random(count)` gives `count` bytes as hex.
 */
export const REALM_SOURCE = `
(function (send, random) {
  "use strict";
  // Taken now: pack code may replace any of these later.
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, create, keys, hasOwn, assign } = Object;
  const RealmError = Error, RealmTypeError = TypeError, RealmPromise = Promise, RealmDate = Date, RealmMap = Map, RealmSet = Set, RealmWeakSet = WeakSet;
  const PART = 200;
  const arraySlice = Array.prototype.slice, apply = Reflect.apply;
  const RealmProxy = Proxy, reflectGet = Reflect.get, reflectKeys = Reflect.ownKeys, reflectDefine = Reflect.defineProperty;
  const slice = (list, from, to) => apply(arraySlice, list, [from, to]);
  const isArray = Array.isArray, toNumber = Number, toText = String, isView = ArrayBuffer.isView, Bytes = Uint8Array;
  /** Why the last message that was none could not be written. */
  let unwritten;
  const post = (message, attachment) => {
    let text;
    try { text = stringify(message); } catch (error) { text = undefined; unwritten = error; }
    try { if (typeof text === "string") send(text, typeof attachment === "string" ? attachment : undefined); } catch { /* the error belongs to the outer realm: it stays here */ }
    return typeof text === "string";
  };

  // ---- globals that the platform has -------------------------------------------------------------------------------------
  const describe = (value, depth) => {
    if (typeof value === "string") return depth === 0 ? value : stringify(value);
    if (typeof value === "bigint") return value + "n";
    if (typeof value === "function") return "[Function: " + (value.name || "anonymous") + "]";
    if (typeof value === "symbol" || value === undefined || value === null || typeof value !== "object") return toText(value);
    if (value instanceof RealmError) return stackOf(value);
    if (value instanceof RealmDate) return isNaN(value) ? "Invalid Date" : value.toISOString();
    if (depth > 3) return isArray(value) ? "[Array]" : "[Object]";
    if (isArray(value)) {
      const shown = value.slice(0, 100).map((item) => describe(item, depth + 1));
      if (value.length > 100) shown.push("… " + (value.length - 100) + " more");
      return "[" + shown.join(", ") + "]";
    }
    if (value instanceof RealmMap) return "Map(" + value.size + ") " + describe([...value], depth);
    if (value instanceof RealmSet) return "Set(" + value.size + ") " + describe([...value], depth);
    const names = keys(value);
    const shown = names.slice(0, 100).map((key) => key + ": " + describe(value[key], depth + 1));
    if (names.length > 100) shown.push("… " + (names.length - 100) + " more");
    return shown.length === 0 ? "{}" : "{ " + shown.join(", ") + " }";
  };
  // What calls the pack is nothing that its author knows; the host maps what is left to the sources.
  const stackOf = (error) => {
    const stack = typeof error.stack === "string" && error.stack !== "" ? error.stack : error.name + ": " + error.message;
    return stack.split("\\n").filter((line) => !/^\\s+at /.test(line) || line.includes("pack-bundle.js:")).join("\\n");
  };
  // As the platform does it, which is Node's util.format.
  const format = (args) => {
    if (typeof args[0] !== "string" || args.length === 1) return args.map((arg) => describe(arg, 0)).join(" ");
    let next = 1;
    const text = args[0].replace(/%[sdifjoOc%]/g, (mark) => {
      if (mark === "%%") return "%";
      if (next >= args.length) return mark;
      const value = args[next++];
      if (mark === "%c") return "";
      if (mark === "%j") return toText(stringify(value));
      if (mark === "%d") return typeof value === "bigint" ? value + "n" : toText(typeof value === "object" ? NaN : toNumber(value));
      if (mark === "%i") return toText(parseInt(value, 10));
      if (mark === "%f") return toText(parseFloat(value));
      return describe(value, 0);
    });
    return [text, ...args.slice(next).map((arg) => describe(arg, 0))].join(" ");
  };
  let current;
  let entries = 0;
  const log = (level) => (...args) => {
    if (++entries > 5000) return;
    let message;
    try { message = format(args); } catch { message = "(a value that cannot be shown)"; }
    if (message.length > 65536) message = message.slice(0, 65536) + "… (cut)";
    if (entries === 5000) { level = "warn"; message = "Further output is left out: a run shows 5000 entries."; }
    post({ type: "console", executionId: current, entry: { time: RealmDate.now(), level, message } });
  };
  // The platform's runtime gives these, and no other.
  const makeConsole = () => ({ log: log("info"), info: log("info"), debug: log("debug"), trace: log("debug"), warn: log("warn"), error: log("error") });
  const define = (name, value) => defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  define("console", makeConsole());
  define("crypto", freeze({
    getRandomValues(array) {
      if (!isView(array) || array instanceof DataView || array instanceof Float32Array || array instanceof Float64Array) {
        throw new RealmTypeError("crypto.getRandomValues takes an integer typed array");
      }
      const bytes = new Bytes(array.buffer, array.byteOffset, array.byteLength);
      // Whatever the array said of itself, a primitive leaves the realm.
      const length = toNumber(bytes.length);
      if (length > 65536) throw new RealmError("crypto.getRandomValues gives at most 65536 bytes at a time");
      let hex = "";
      try { hex = random(length); } catch { throw new RealmError("crypto.getRandomValues failed"); }
      for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(i * 2, i * 2 + 2), 16);
      return array;
    },
  }));

  // ---- values across the boundary ----------------------------------------------------------------------------------------
  const revive = (value) => {
    if (isArray(value)) return value.map(revive);
    if (value === null || typeof value !== "object") return value;
    if (typeof value.$date === "string") return new RealmDate(value.$date);
    const result = {};
    for (const key of keys(value)) defineProperty(result, key, { value: revive(value[key]), writable: true, enumerable: true, configurable: true });
    return result;
  };
  const thrown = (error) => {
    try {
      if (error !== null && typeof error === "object") {
        const name = toText(error.name || "Error").slice(0, 200);
        const cause = error.cause === undefined ? "" : " (caused by " + (error.cause instanceof RealmError ? error.cause.name + ": " + error.cause.message : describe(error.cause, 1)) + ")";
        return {
          name, message: ((error.message === undefined ? "The pack threw " + describe(error, 0) + ", which is no Error." : toText(error.message)) + cause).slice(0, 65536),
          ...(typeof error.stack === "string" ? { stack: error.stack.slice(0, 32768) } : {}),
          userVisible: error.isUserVisible === true || name === "UserVisibleError", isOwn: !ofFetch.has(error),
        };
      }
      return { name: "Error", message: (typeof error === "string" ? error : "The pack threw " + describe(error, 0) + ", which is no Error.").slice(0, 65536) };
    } catch { return { name: "Error", message: "The pack threw a value that cannot be read." }; }
  };

  // What JSON makes something else of: a Date becomes its text, a promise and a Map or Set become {}. Where they stood is told, since the
  // platform's types know no such objects.
  let dates = 0, others = 0;
  /** Once, for all results: a prototype that changes with each of them makes V8 throw away what it knows of it, and keep the ways there. */
  const countLost = (prototype, count) => {
    const own = prototype.toJSON;
    const toJSON = typeof own === "function" ? function (key) { count(); return apply(own, this, [key]); } : function () { count(); return this; };
    defineProperty(prototype, "toJSON", { value: toJSON, writable: true, enumerable: false, configurable: true });
  };
  countLost(RealmDate.prototype, () => { dates++; });
  for (const { prototype } of [RealmPromise, RealmMap, RealmSet]) countLost(prototype, () => { others++; });
  const noteLost = (send, value) => {
    dates = others = 0;
    let found;
    const places = (which) => () => (dates + others === 0 ? undefined : (found = found || lostIn(value))[which]);
    return send({ dates: places("dates"), promises: places("promises"), collections: places("collections") });
  };
  const lostIn = (value) => {
    const found = { dates: [], promises: [], collections: [] };
    let looked = 0;
    const add = (list, path) => { if (list.length < 20) list.push(path); };
    const walk = (item, path, depth) => {
      if (item === null || typeof item !== "object" || depth > 20 || ++looked > 100000) return;
      if (item instanceof RealmDate) add(found.dates, path);
      else if (item instanceof RealmPromise) add(found.promises, path);
      else if (item instanceof RealmMap || item instanceof RealmSet) add(found.collections, path);
      else if (isArray(item)) for (let i = 0; i < item.length; i++) walk(item[i], path + "[" + i + "]", depth + 1);
      else for (const key of keys(item)) walk(item[key], path === "" ? key : path + "." + key, depth + 1);
    };
    try { walk(value, "", 0); } catch { /* a getter that throws: what was found is told */ }
    return found;
  };

  // ---- what the platform has otherwise -------------------------------------------------------------------------------------
  let seen = create(null), seenCount = 0;
  const notice = (what, name) => {
    const key = what + " " + name;
    if (seen[key] === true || seenCount >= 20) return;
    seen[key] = true;
    seenCount++;
    post({ type: "noticed", executionId: current, notice: { what, name, stack: framesOf(new RealmError().stack).slice(0, 4000) } });
  };
  const asOwn = (object, name, value) => defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  /** A field of the context that is told when pack code reads it. It is not enumerable: who logs or spreads a context did not ask for it. */
  const told = (name, value) => freeze({
    get() { notice(name); return value; }, set(own) { asOwn(this, name, own); }, enumerable: false, configurable: true,
  });
  // Made once: with functions of its own each context would have a shape of its own, which V8 keeps, page by page of a table.
  const TOLD_LOGGER = told("logger", makeConsole());
  const TOLD_OF_SYNC = ["syncStateService", "previousCompletion", "continuation"].map((name) => [name, told(name, undefined)]);
  const withSync = (context, sync) => {
    context.sync = sync;
    for (const [name, field] of TOLD_OF_SYNC) defineProperty(context, name, field);
    return context;
  };
  /** Headers that the toolkit's own documentation and samples read: the platform must show them. */
  const SHOWN = { "content-type": true, "content-disposition": true, link: true, location: true };
  const headersOf = (headers) => {
    let listed = false, written;
    return new RealmProxy(headers, {
      get(target, name, receiver) {
        if (!listed && typeof name === "string" && SHOWN[name] !== true && hasOwn(target, name) && !(written && written[name])) notice("responseHeader", name);
        return reflectGet(target, name, receiver);
      },
      // What the pack put there itself is no header of the response.
      defineProperty(target, name, descriptor) {
        written = written || create(null);
        written[name] = true;
        return reflectDefine(target, name, descriptor);
      },
      // Who looks at all of them, to log them, wants none.
      ownKeys(target) { listed = true; return reflectKeys(target); },
    });
  };

  /** Errors that the pack did not make. */
  const ofFetch = new RealmWeakSet();
  // ---- fetches -----------------------------------------------------------------------------------------------------------
  let nextFetch = 1;
  const waiting = new RealmMap();
  let toolkit;
  let RealmBuffer;
  const toBase64 = (bytes) => RealmBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const bodyOf = (body) => {
    if (body === undefined || body === null) return undefined;
    if (typeof body === "string") return { kind: "text", text: body };
    if (isView(body)) return { kind: "base64", text: toBase64(body) };
    if (typeof body.toString === "function" && typeof body !== "object") return { kind: "text", text: toText(body) };
    throw new RealmTypeError("A request's body must be a string or a Buffer.");
  };
  const textRecord = (record, most, what) => {
    if (record === undefined || record === null) return undefined;
    const result = {};
    const names = keys(record);
    if (names.length > most) throw new RealmTypeError("A request may have at most " + most + " " + what + ", and this one has " + names.length + ".");
    for (const key of names) if (record[key] !== undefined && record[key] !== null) result[key] = toText(record[key]);
    return result;
  };
  const bodyFrom = (body, attachment = "") => {
    if ("json" in body) return body.json;
    if (body.attached === "text") return attachment;
    if (body.attached === "base64") return RealmBuffer.from(attachment, "base64");
    if (body.attached !== "json") return undefined;
    try { return parse(attachment); } catch { return attachment; }
  };
  const HEADERS = Symbol("headers");
  /** Made when they are read, which few packs do: a proxy for each page of a table stays in memory for long. */
  const HEADERS_WHEN_READ = freeze({
    get() {
      const made = headersOf(this[HEADERS]);
      try { asOwn(this, "headers", made); } catch { /* a frozen response makes them each time */ }
      return made;
    },
    set(own) { asOwn(this, "headers", own); },
    enumerable: true, configurable: true,
  });
  const responseOf = ({ status, headers, body }, attachment) => {
    const response = { status };
    defineProperty(response, HEADERS, { value: headers });
    defineProperty(response, "headers", HEADERS_WHEN_READ);
    response.body = bodyFrom(body, attachment);
    return response;
  };
  const failureOf = (failure, attachment) => {
    if (failure.name !== "StatusCodeError" || !failure.response) {
      const error = new RealmError(failure.message);
      ofFetch.add(error);
      return error;
    }
    const response = responseOf(failure.response, attachment);
    const options = failure.options || {};
    const Class = toolkit && toolkit.StatusCodeError;
    if (typeof Class === "function") {
      try {
        const error = new Class(response.status, response.body, options, response);
        error.message = failure.message;
        return error;
      } catch { /* an unusual toolkit: fall through to a plain error of the same shape */ }
    }
    const error = new RealmError(failure.message);
    error.name = "StatusCodeError";
    error.statusCode = response.status; error.error = response.body; error.body = response.body; error.options = options; error.response = response;
    return error;
  };
  // Without its first line.
  const framesOf = (calledFrom) => {
    const stack = toText(calledFrom);
    const end = stack.indexOf("\\n");
    return end < 0 ? "" : stack.slice(end + 1);
  };
  const ask = (type, executionId, request, body, calledFrom) => new RealmPromise((resolve, reject) => {
    const fetchId = nextFetch++;
    // A failure arrives from outside the pack: the stack that helps is that of the call.
    const fail = (error) => {
      try { error.stack = error.name + ": " + error.message + "\\n" + framesOf(calledFrom); } catch { /* a frozen error keeps its own */ }
      reject(error);
    };
    waiting.set(fetchId, { executionId, calledFrom, resolve, reject: fail });
    if (!post({ type, executionId, fetchId, request, stack: type === "fetch" ? framesOf(calledFrom).slice(0, 4000) : undefined }, body)) {
      waiting.delete(fetchId);
      reject(new RealmTypeError("The request holds a value that cannot be sent."));
    }
  });
  const fetcherOf = (executionId) => freeze({
    async fetch(request) {
      const calledFrom = new RealmError().stack;
      if (request === null || typeof request !== "object") throw new RealmTypeError("fetch takes a request object.");
      const { method, url, headers, body, form, isBinaryResponse, ignoreRedirects, disableAuthentication, cacheTtlSecs, forceCache, encoding } = request;
      if (typeof url !== "string" && !(url !== null && typeof url === "object")) throw new RealmTypeError("The request needs a url, and it is " + describe(url, 1) + ".");
      const given = bodyOf(body);
      return ask("fetch", executionId, {
        method: toText(method === undefined ? "GET" : method).toUpperCase(), url: toText(url), headers: textRecord(headers, ${REQUEST_LIMITS.headers}, "headers"),
        body: given && { attached: given.kind }, form: textRecord(form, ${REQUEST_LIMITS.formFields}, "form fields"),
        isBinaryResponse: isBinaryResponse === true, ignoreRedirects: ignoreRedirects === true, disableAuthentication: disableAuthentication === true,
        cacheTtlSecs: typeof cacheTtlSecs === "number" ? cacheTtlSecs : undefined, forceCache: forceCache === true, encoding: encoding === undefined ? undefined : toText(encoding),
      }, given && given.text, calledFrom);
    },
  });
  const blobsOf = (executionId) => freeze({
    async storeUrl(url, options, more) {
      const { headers, disableAuthentication, cacheTtlSecs } = more || {};
      const type = options && typeof options === "object" && options.contentType !== undefined ? toText(options.contentType) : undefined;
      const response = await ask("storeBlob", executionId, {
        kind: "url", url: toText(url), name: blobName(options), contentType: type, headers: textRecord(headers),
        disableAuthentication: disableAuthentication === true, cacheTtlSecs: typeof cacheTtlSecs === "number" ? cacheTtlSecs : undefined,
      }, undefined, new RealmError().stack);
      return response.body;
    },
    async storeBlob(data, contentType, options) {
      const calledFrom = new RealmError().stack;
      if (!isView(data)) throw new RealmTypeError("storeBlob takes a Buffer.");
      const response = await ask("storeBlob", executionId, { kind: "data", contentType: toText(contentType), name: blobName(options) }, toBase64(data), calledFrom);
      return response.body;
    },
  });
  const blobName = (options) => (options && typeof options === "object" && options.downloadFilename !== undefined ? toText(options.downloadFilename) : undefined);

  // ---- the pack ----------------------------------------------------------------------------------------------------------
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
    return ["string", "number", "boolean", "date", "html", "image", "file", "markdown", "email"].includes(name) ? name : "unknown";
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
  const hasUserAuthentication = () => {
    const auth = pack.defaultAuthentication;
    return auth !== undefined && auth !== null && auth.type !== "None";
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
      if (typeof auth[key] === "function" || ["getConnectionName", "getConnectionUserId", "postSetup"].includes(key)) continue;
      const value = plain(auth[key]);
      if (value !== undefined) result[key] = value;
    }
    result.type = toText(auth.type);
    result.hasGetConnectionName = auth.getConnectionName !== undefined && auth.getConnectionName !== null;
    result.postSetup = listOf(auth.postSetup).map((step) => ({
      type: toText(step.type), name: toText(step.name), description: toText(step.description || ""), hasOptions: !!(step.getOptions || step.getOptionsFormula),
    }));
    if (typeof pack.$defaultConnectionRequirement === "string") result.defaultConnectionRequirement = pack.$defaultConnectionRequirement;
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
  const definitionOf = () => ({
    networkDomains: listOf(pack.networkDomains).map(toText),
    mcpServers: listOf(pack.mcpServers).map((server) => toText(server && server.endpointUrl)),
    userAuthentication: authenticationOf(pack.defaultAuthentication),
    systemAuthentication: authenticationOf(pack.systemConnectionAuthentication),
    formulas: formulasOf().map((formula) => ({
      name: toText(formula.name), description: text(formula.description),
      parameters: listOf(formula.parameters).map(parameterOf), varargParameters: listOf(formula.varargParameters).map(parameterOf),
      connectionRequirement: requirementOf(formula), isAction: formula.isAction === true, network: plain(formula.network),
      resultType: formula.resultType === undefined ? undefined : typeName(formula.resultType), schema: plain(formula.schema),
    })),
    syncTables: listOf(pack.syncTables).map((table) => {
      const getter = table.getter || {};
      return {
        name: toText(table.name), description: text(table.description),
        parameters: listOf(getter.parameters).map(parameterOf), varargParameters: listOf(getter.varargParameters).map(parameterOf),
        connectionRequirement: requirementOf(getter), isDynamic: table.isDynamic === true || table.getSchema !== undefined && table.listDynamicUrls !== undefined,
        functions: ["listDynamicUrls", "searchDynamicUrls", "getName", "getDisplayUrl", "getSchema"].filter((name) => table[name] !== undefined && table[name] !== null),
        isTwoWay: typeof getter.executeUpdate === "function", updateBatchSize: getter.maxUpdateBatchSize, hasValidateParameters: validatorOf(getter) !== undefined, propertyOptions: keys(table.namedPropertyOptions || {}),
        schema: plain(table.schema),
      };
    }),
    formats: listOf(pack.formats).map((format) => ({
      name: toText(format.name), formulaName: toText(format.formulaName), instructions: text(format.instructions), matchers: listOf(format.matchers).map(toText),
    })),
    version: text(pack.version),
  });

  const tableOf = (name) => {
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
  };

  const execute = async (message) => {
    current = message.id;
    seen = create(null);
    seenCount = 0;
    try {
      const call = lookUp(message.target);
      const given = message.context;
      const context = {
        fetcher: fetcherOf(message.id), temporaryBlobStorage: blobsOf(message.id), endpoint: given.endpoint,
        invocationLocation: { protocolAndHost: given.invocationLocation.protocolAndHost, source: given.invocationLocation.source }, timezone: given.timezone, invocationToken: given.invocationToken,
      };
      defineProperty(context, "logger", TOLD_LOGGER);
      // JSON has no undefined: an optional parameter that was left out arrives as null.
      const value = await call(message.parameters.map((item) => (item === null ? undefined : revive(item))), context);
      const unawaited = [];
      for (const entry of waiting.values()) if (entry.executionId === message.id && unawaited.length < 5) unawaited.push(framesOf(entry.calledFrom).slice(0, 4000));
      // Long lists go in parts, so that the host can do something else between reading two of them.
      const list = isArray(value) ? value : value !== null && typeof value === "object" && isArray(value.result) ? value.result : undefined;
      const sending = (lost) => {
        let sent = value === undefined ? null : value, parts;
        if (list !== undefined && list.length > PART) {
          for (let at = 0; at < list.length; at += PART) if (!post({ type: "part", id: message.id, items: slice(list, at, at + PART) })) return false;
          parts = list === value ? "value" : "result";
          sent = list === value ? [] : { ...value, result: [] };
        }
        // The members are turned into text in this order: what tells of the lost ones comes when all of them were met.
        return post({
          type: "succeeded", id: message.id, value: sent, parts, unawaited: unawaited.length === 0 ? undefined : unawaited,
          dates: { toJSON: lost.dates }, promises: { toJSON: lost.promises }, collections: { toJSON: lost.collections },
        });
      };
      if (!noteLost(sending, value)) {
        post({ type: "failed", id: message.id, error: { name: "TypeError", message: "The result cannot be sent as JSON: " + thrown(unwritten).message } });
      }
    } catch (error) {
      post({ type: "failed", id: message.id, error: thrown(error) });
    }
  };

  return freeze({
    /** After the toolkit's bundle ran: what every pack needs of it. */
    adoptToolkit() {
      const shared = globalThis.__packAuthToolkit;
      toolkit = shared.toolkit;
      RealmBuffer = shared.buffer.Buffer;
      define("Buffer", RealmBuffer);
    },
    /** After the bundle ran: take the pack out of its exports. */
    adopt() {
      try {
        const bundled = globalThis.__packAuthExports;
        delete globalThis.__packAuthExports;
        delete globalThis.__packAuthToolkit;
        const module = bundled && bundled.default && !bundled.pack && !bundled.manifest ? bundled.default : bundled;
        pack = module && (module.pack || module.manifest || (module.formulas || module.syncTables || module.defaultAuthentication ? module : undefined));
        if (!pack || typeof pack !== "object") {
          post({ type: "loadFailed", error: { name: "NotExported", message: "The entry file exports no pack." } });
          return;
        }
        const isNamed = bundled.pack === pack || bundled.manifest === pack;
        post({ type: "loaded", definition: { ...definitionOf(), isUnnamed: isNamed ? undefined : true } });
      } catch (error) {
        post({ type: "loadFailed", error: thrown(error) });
      }
    },
    receive(json, attachment) {
      const message = parse(json);
      if (message.type === "execute") { void execute(message); return; }
      const entry = waiting.get(message.fetchId);
      if (!entry) return;
      waiting.delete(message.fetchId);
      try {
        if (message.type === "fetched") entry.resolve(responseOf(message.response, attachment)); else entry.reject(failureOf(message.error, attachment));
      } catch (error) { entry.reject(error); }
    },
    describeThrown(error) { return stringify(thrown(error)); },
    importRefused() { return new RealmError("The platform has no dynamic import: import the module at the top of the file instead."); },
  });
})
`;
