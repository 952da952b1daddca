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
  const problemOf = (problem, metadata) => {
    const path = text(memberOf(problem, "path"));
    const message = toText(memberOf(problem, "message"));
    const at = path === undefined ? [] : pathIn(metadata, path.slice(0, 2000));
    // The path of an unknown key is that of the object around it.
    const unknownKey = /^Unrecognized keys?: "([^"]{1,200})"/.exec(message);
    if (unknownKey !== null) at.push(unknownKey[1]);
    return { message, path: path === "" ? undefined : path, at };
  };
  const NOTHING_FITS = "Could not find any valid schema for this value.";
  /** Where none of several schemas fits, a deeper message says why; else the member that chooses between them is the wrong one. */
  const refine = (problems, metadata) => {
    for (const problem of problems) {
      const { message, path } = problem;
      if (message !== NOTHING_FITS || path === undefined) continue;
      const deeper = problems.find((other) => other.path !== undefined && other.path.length > path.length && other.path.startsWith(path));
      if (deeper !== undefined) problem.at = deeper.at;
      else if (memberOf(problem.at.reduce((value, part) => memberOf(value, typeof part === "string" ? part : part.index), metadata), "type") !== undefined) problem.at.push("type");
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
  const validate = async (message) => {
    const validator = globalThis.__packAuthValidator;
    delete globalThis.__packAuthValidator;
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
    post({ type: "validated", id: message.id, isUsable: !!isUsable, errors, warnings }, json);
  };`;
