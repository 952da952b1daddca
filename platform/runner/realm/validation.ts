// Validates the loaded pack with the functions of the Packs SDK, in the order of the SDK's own `validate` command. Part of REALM_SOURCE.
export const VALIDATION = `  // ---- the upload validator ----------------------------------------------------------------------------------------------
  /** What the entry file exports as pack or manifest; the command looks at nothing else. */
  let exported;
  const MOST_PROBLEMS = 1000, DEEPEST_PATH = 50;
  const memberOf = (value, key) => { try { return value === null || value === undefined ? undefined : value[key]; } catch { return undefined; } };
  /** The validator joins the keys of a path with dots, and a key may contain dots: the longest key that exists is the right one. */
  const keyAt = (value, rest) => {
    let longest = "";
    try {
      for (const key of keys(value)) if (key.length > longest.length && rest.startsWith(key) && (rest.length === key.length || rest[key.length] === "." || rest[key.length] === "[")) longest = key;
    } catch { /* a proxy that refuses, or no object */ }
    if (longest !== "") return longest;
    const dot = rest.search(/[.[]/);
    return dot <= 0 ? rest : rest.slice(0, dot);
  };
  const pathIn = (metadata, path) => {
    const at = [];
    for (let value = metadata, rest = path; rest !== "" && at.length < DEEPEST_PATH; ) {
      const item = /^\\[(\\d+)\\]\\.?/.exec(rest);
      if (item !== null) {
        value = memberOf(value, item[1]);
        const name = typeof value === "string" ? value : text(memberOf(value, "name"));
        at.push({ index: toNumber(item[1]), name: name && name.slice(0, 200) });
        rest = rest.slice(item[0].length);
        continue;
      }
      const key = keyAt(value, rest);
      value = memberOf(value, key);
      at.push(key.slice(0, 200));
      rest = rest.slice(key.length + (rest[key.length] === "." ? 1 : 0));
    }
    return at;
  };
  const valueAt = (metadata, at) => at.reduce((value, part) => memberOf(value, typeof part === "string" ? part : part.index), metadata);
  const problemOf = (problem, metadata) => {
    const path = text(memberOf(problem, "path"));
    const message = toText(memberOf(problem, "message"));
    const at = path === undefined ? [] : pathIn(metadata, path.slice(0, 2000));
    // A message about a member may have the path of the object around it, and the member's name in quotes.
    const around = valueAt(metadata, at);
    const quoted = around !== null && typeof around === "object" ? (message.match(/"[^"]{1,200}"/g) || []).map((name) => name.slice(1, -1)).find((name) => hasOwn(around, name)) : undefined;
    if (quoted !== undefined) at.push(quoted);
    return { message, path: path === "" ? undefined : path, at };
  };
  const NOTHING_FITS = "Could not find any valid schema for this value.";
  /** A table's rows have the schema twice in the metadata. */
  const canonical = (path) => path.replace(/^(syncTables\\[\\d+\\]\\.)getter\\.schema\\.items(?![^.])/, "$1schema");
  /** The validator tries each table as a dynamic one too, and then misses the members that only those have. */
  const DYNAMIC_ONLY = /^(syncTables\\[\\d+\\])\\.(?:getName|getSchema|getDisplayUrl|listDynamicUrls|searchDynamicUrls|isDynamic)$/;
  /** The members by which the validator chooses a schema: it speaks of them for each schema that was not meant. */
  const CHOOSER = /^(.*\\.)(?:type|codaType)$/;
  const isOfOtherKind = (path, metadata) => {
    const of = path === undefined ? null : DYNAMIC_ONLY.exec(path);
    const tables = of === null ? undefined : memberOf(metadata, "syncTables");
    return tables !== undefined && memberOf(memberOf(tables, of[1].slice(11, -1)), "isDynamic") !== true;
  };
  /**
   * The validator speaks of each alternative, so that one mistake has several messages. They stand where the mistake is: at the member of
   * which another alternative says what is wrong, else at the one that chooses.
   */
  const refine = (problems, metadata) => {
    for (const problem of problems) {
      const parent = problem.path === undefined ? null : CHOOSER.exec(problem.path);
      if (parent === null) continue;
      const beside = problems.find(({ path, message }) => path !== undefined && message !== NOTHING_FITS && path.startsWith(parent[1]) && !CHOOSER.test(path));
      if (beside !== undefined) problem.at = beside.at;
    }
    const innermostFirst = slice(problems, 0, problems.length).sort((a, b) => canonical(b.path || "").length - canonical(a.path || "").length);
    for (const problem of innermostFirst) {
      const { message, path } = problem;
      if (message !== NOTHING_FITS || path === undefined || CHOOSER.test(path)) continue;
      const within = canonical(path);
      const deeper = innermostFirst.filter((other) => other.path !== undefined && canonical(other.path).length > within.length && canonical(other.path).startsWith(within));
      const why = deeper.find((other) => other.message !== NOTHING_FITS && !CHOOSER.test(other.path)) || deeper.find((other) => other.message !== NOTHING_FITS) || deeper[0];
      if (why !== undefined) problem.at = why.at;
      else if (memberOf(valueAt(metadata, problem.at), "type") !== undefined) problem.at = [...problem.at, "type"];
    }
    for (const problem of problems) {
      if (!isOfOtherKind(problem.path, metadata)) continue;
      const table = DYNAMIC_ONLY.exec(problem.path)[1] + ".";
      const ofOwnKind = problems.find((other) => other.path !== undefined && other.path.startsWith(table) && !isOfOtherKind(other.path, metadata));
      if (ofOwnKind !== undefined) problem.at = ofOwnKind.at;
    }
    return problems;
  };
  const problemsOf = async (validator, metadata, version, options) => {
    try {
      await validator.validatePackVersionMetadata(metadata, version, options);
      return [];
    } catch (error) {
      const problems = memberOf(error, "validationErrors");
      if (!isArray(problems) || problems.length === 0) return [{ message: thrown(error).message, at: [] }];
      return refine(slice(problems, 0, MOST_PROBLEMS).map((problem) => problemOf(problem, metadata)), metadata);
    }
  };
  /** The validator runs in Node, and asks URL whether a text is one. The platform's runtime has no URL, so packs get none. */
  const ValidatorURL = class URL {
    constructor(value) { if (!isUrl(toText(value))) throw new RealmTypeError("Invalid URL"); }
  };
  const validate = async (message) => {
    const validator = globalThis.__packAuthValidator;
    delete globalThis.__packAuthValidator;
    globalThis.__packAuthURL = ValidatorURL;
    const isUsable = validator && typeof validator.validatePackVersionMetadata === "function" && typeof validator.compilePackMetadata === "function";
    let json, errors = [], warnings = [];
    try {
      if (isUsable) {
        if (!exported) throw new RealmTypeError("The entry file exports neither pack nor manifest.");
        const metadata = validator.compilePackMetadata(exported);
        json = stringify(metadata);
        // The platform chooses a version that is left out, but the validator needs one.
        if (!metadata.version) metadata.version = "1";
        errors = await problemsOf(validator, metadata, message.toolkitVersion, undefined);
        if (errors.length === 0) warnings = await problemsOf(validator, metadata, message.toolkitVersion, { warningMode: true });
      }
    } catch (error) { errors = [{ message: thrown(error).message, at: [] }]; }
    delete globalThis.__packAuthURL;
    post({ type: "validated", id: message.id, isUsable: !!isUsable, errors, warnings }, json);
  };`;
