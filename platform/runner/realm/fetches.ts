// Requests and blobs: the messages that they become, and the responses or errors that come back. Part of REALM_SOURCE.
import { REQUEST_LIMITS } from "../../../protocol/request-limits.ts";

export const FETCHES = `  /** Errors that the pack did not make. */
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
  const responseOf = ({ status, headers, body, echo }, attachment) => {
    const response = { status };
    defineProperty(response, HEADERS, { value: headers });
    defineProperty(response, "headers", HEADERS_WHEN_READ);
    response.body = typeof echo === "number" ? echoOf(bodyFrom(body, attachment), echo) : bodyFrom(body, attachment);
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
      reject(new RealmTypeError("The request contains a value that cannot be sent."));
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
  const blobName = (options) => (options && typeof options === "object" && options.downloadFilename !== undefined ? toText(options.downloadFilename) : undefined);`;
