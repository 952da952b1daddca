// The globals that the platform's runtime has in addition to the language's: console and crypto. Also formats values as text. Part of
// REALM_SOURCE.
export const GLOBALS = `  // ---- globals that the platform has -------------------------------------------------------------------------------------
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
  }));`;
