// Packs whose formulas throw in helpers of several files, and the stacks that their built bundles really throw. A comment `site: name` marks
// the line that each formula throws at.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolkitBuild } from "../../platform/upload/toolkit-build.ts";
import { installToolkit, root } from "./packs.ts";

export interface ThrowingPack {
  readonly name: string;
  /** By path relative to the pack's folder; the first builds the pack. */
  readonly files: Readonly<Record<string, string>>;
  /** Names of formulas; each throws at its own site. */
  readonly formulas: readonly string[];
}

const TOOLKIT = 'import * as coda from "@codahq/packs-sdk";\n';
/** What a pack of formulas uses of the SDK. Minifying the SDK itself takes most of a build's time. */
const STAND_IN =
  'const coda = { ValueType: { String: "string" }, newPack: () => ({ formulas: [], addFormula(one) { this.formulas.push(one); } }) };\n';
const formula = (name: string, body: string): string =>
  `pack.addFormula({\n  name: "${name}",\n  description: "Throws.",\n  parameters: [],\n  resultType: coda.ValueType.String,\n  execute: async function ([], context) {\n    ${body}\n  },\n});\n`;
const withHead = (head: string, imports: string, formulas: readonly string[]): string =>
  `${head}${imports}\nexport const pack = coda.newPack();\n${formulas.join("")}`;
const main = (imports: string, ...formulas: readonly string[]): string => withHead(STAND_IN, imports, formulas);
const mainOfToolkit = (imports: string, ...formulas: readonly string[]): string => withHead(TOOLKIT, imports, formulas);

export const THROWING_PACKS: readonly ThrowingPack[] = [
  {
    name: "helpers",
    formulas: ["Direct", "Nested", "Deep"],
    files: {
      "pack.ts": main(
        'import { first } from "./lib/first";\nimport { outer } from "./lib/deep/outer";',
        formula("Direct", 'throw new Error("direct"); // site: Direct'),
        formula("Nested", 'return first("x");'),
        formula("Deep", "return outer({ depth: 3 });"),
      ),
      "lib/first.ts":
        'interface Unused { readonly a: string }\n\nexport function first(text: string): string {\n  const parts = text.split("");\n  if (parts.length > 0) throw new RangeError(`nested ${parts[0]}`); // site: Nested\n  return text;\n}\n',
      "lib/deep/outer.ts":
        'import { inner } from "./inner";\nexport const outer = (options: { depth: number }): string =>\n  options.depth === 0 ? inner("end") : outer({ depth: options.depth - 1 });\n',
      "lib/deep/inner.ts":
        "type Text = string;\n\n\nexport const inner = (text: Text): string => {\n  const nothing = undefined as unknown as { name: string };\n  return text + nothing.name; // site: Deep\n};\n",
    },
  },
  {
    name: "classes",
    formulas: ["Method", "Getter", "Constructor"],
    files: {
      "pack.ts": main(
        'import { Client } from "./client";',
        formula("Method", "return new Client(1).read();"),
        formula("Getter", "return new Client(1).name;"),
        formula("Constructor", "return new Client(0).read();"),
      ),
      "client.ts":
        'export class Client {\n  readonly #id: number;\n  constructor(id: number) {\n    if (id === 0) throw new Error("no client"); // site: Constructor\n    this.#id = id;\n  }\n\n  read(): string {\n    throw new Error(`read ${this.#id}`); // site: Method\n  }\n\n  get name(): string {\n    throw new TypeError("name"); // site: Getter\n  }\n}\n',
    },
  },
  {
    name: "asynchronous",
    formulas: ["Awaited", "Callback", "Rejected"],
    files: {
      "pack.ts": main(
        'import * as work from "./work";',
        formula("Awaited", "return work.awaited();"),
        formula("Callback", 'return work.callback(["a", "b"]);'),
        formula("Rejected", "return work.rejected();"),
      ),
      "work.ts":
        'const later = <T>(value: T): Promise<T> => Promise.resolve(value);\n\nexport async function awaited(): Promise<string> {\n  const value = await later(1);\n  throw new Error(`awaited ${value}`); // site: Awaited\n}\n\nexport const callback = (list: string[]): string =>\n  list\n    .map((item, index) => {\n      if (index === 1) throw new Error(item); // site: Callback\n      return item;\n    })\n    .join();\n\nexport function rejected(): Promise<string> {\n  return Promise.reject(new Error("rejected")); // site: Rejected\n}\n',
    },
  },
  {
    name: "javascript",
    formulas: ["Plain", "Parsed", "Iterated"],
    files: {
      "pack.js": main(
        'import { plain, parsed, iterated } from "./plain.js";',
        formula("Plain", "return plain();"),
        formula("Parsed", "return parsed('{');"),
        formula("Iterated", "return iterated();"),
      ),
      "plain.js":
        'export function plain() {\n  const value = null;\n  return value.length; // site: Plain\n}\nexport function parsed(text) {\n  return JSON.parse(text).name; // site: Parsed\n}\nfunction* numbers() {\n  yield 1;\n  throw new Error("no more"); // site: Iterated\n}\nexport const iterated = () => [...numbers()].join();\n',
    },
  },
  {
    name: "windows-lines",
    formulas: ["Carriage", "Marked", "Switched"],
    files: {
      "pack.ts": main(
        'import { carriage, switched } from "./carriage";\nimport { marked } from "./marked";',
        formula("Carriage", "return carriage();"),
        formula("Marked", "return marked();"),
        formula("Switched", "return switched(2);"),
      ),
      "carriage.ts":
        'export function carriage(): string {\r\n  // A comment.\r\n\r\n  throw new Error("carriage"); // site: Carriage\r\n}\r\nexport function switched(value: number): string {\r\n  switch (value) {\r\n    case 1:\r\n      return "";\r\n    default:\r\n      throw new Error(String(value)); // site: Switched\r\n  }\r\n}\r\n',
      "marked.ts": "\uFEFFexport function marked(): string {\n  const { a } = undefined as any; // site: Marked\n  return a;\n}\n",
    },
  },
  {
    name: "package",
    formulas: ["InPackage", "FromPackage", "UserVisible"],
    files: {
      "pack.ts": mainOfToolkit(
        'import { call, fail } from "small-helper";\nimport { text } from "./text";',
        formula("InPackage", "return fail(); // site: InPackage"),
        formula("FromPackage", "return call(text);"),
        formula("UserVisible", 'throw new coda.UserVisibleError("for the user"); // site: UserVisible'),
      ),
      "text.ts": 'export const text = (): string => {\n  throw new Error("text"); // site: FromPackage\n};\n',
      "node_modules/small-helper/package.json": '{"name":"small-helper","version":"1.0.0","main":"index.js"}',
      "node_modules/small-helper/index.js":
        'exports.call = function call(work) {\n  return work();\n};\nexports.fail = function fail() {\n  throw new Error("in the package");\n};\n',
      "package.json": '{"name":"a-pack","dependencies":{"small-helper":"1.0.0"}}',
    },
  },
  {
    name: "workspace",
    formulas: ["Shared", "Default", "Rest"],
    files: {
      "packs/one/pack.ts": main(
        'import { shared, byDefault, rest } from "../../shared/shared";',
        formula("Shared", "return shared();"),
        formula("Default", "return byDefault();"),
        formula("Rest", "return rest(1, 2, 3);"),
      ),
      "packs/one/package.json": '{"name":"one"}',
      "package.json": '{"name":"root","workspaces":["packs/*"]}',
      "shared/shared.ts":
        'export function shared(): string {\n  throw new Error("shared"); // site: Shared\n}\nconst needed = (): string => {\n  throw new Error("default"); // site: Default\n};\nexport const byDefault = (value: string = needed()): string => value;\nexport function rest(...numbers: number[]): string {\n  return numbers.reduce((sum, each) => {\n    if (each === 3) throw new Error("rest"); // site: Rest\n    return sum + each;\n  }, 0).toString();\n}\n',
    },
  },
  {
    name: "rethrown",
    formulas: ["Caught", "Cause", "Finally"],
    files: {
      "src/pack.ts": main(
        'import { caught, cause, last } from "./caught";',
        formula("Caught", "return caught();"),
        formula("Cause", "return cause();"),
        formula("Finally", "return last();"),
      ),
      "src/caught.ts":
        'function first(): never {\n  throw new Error("first"); // site: Caught\n}\nexport function caught(): string {\n  try {\n    return first();\n  } catch (error) {\n    throw error;\n  }\n}\nexport function cause(): string {\n  try {\n    return first();\n  } catch (error) {\n    throw new Error("second"); // site: Cause\n  }\n}\nexport function last(): string {\n  try {\n    return "";\n  } finally {\n    throw new Error("last"); // site: Finally\n  }\n}\n',
      "package.json": '{"name":"rethrown"}',
    },
  },
  {
    name: "long-file",
    formulas: ["Far", "Wide", "Inline"],
    files: {
      "pack.ts": mainOfToolkit(
        'import { far, wide } from "./long";',
        formula("Far", "return far();"),
        formula("Wide", "return wide();"),
        formula("Inline", '((n: number) => { throw new Error(`inline ${n}`); })(1); return ""; // site: Inline'),
      ),
      "long.ts": `${Array.from({ length: 800 }, (_, index) => `export const value${index} = ${index};`).join("\n")}\nexport function far(): string {\n  throw new Error("far"); // site: Far\n}\nexport function wide(): string {\n  const list = [${Array.from({ length: 300 }, (_, index) => `"item ${index}"`).join(", ")}]; if (list.length > 2) throw new Error("wide"); // site: Wide\n  return list.join();\n}\n`,
    },
  },
  {
    name: "commonjs",
    formulas: ["Required", "Replaced", "Url"],
    files: {
      "pack.ts": main(
        'const { required, replaced, url } = require("./old");',
        formula("Required", "return required();"),
        formula("Replaced", 'return replaced("abc");'),
        formula("Url", "return url();"),
      ),
      "old.js":
        'function required() {\n  throw new Error("required"); // site: Required\n}\nfunction replaced(text) {\n  return text.replace(/b/, () => {\n    throw new Error("replaced"); // site: Replaced\n  });\n}\nfunction url() {\n  return missingName.href; // site: Url\n}\nmodule.exports = { required, replaced, url };\n',
    },
  },
];

/** Writes a pack into a new folder. Returns the folder and the path of its entry. */
export function writePack({ name, files }: ThrowingPack): { readonly folder: string; readonly entry: string } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `thrown-${name}-`)));
  installToolkit(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return { folder, entry: join(folder, Object.keys(files)[0] ?? "") };
}

/** The line of a site, starting at 0, with the path of its file relative to the folder. */
export function siteOf({ files }: ThrowingPack, site: string): { readonly path: string; readonly line: number } {
  for (const [path, text] of Object.entries(files)) {
    const line = text.split(/\r?\n/).findIndex((each) => each.endsWith(`// site: ${site}`));
    if (line >= 0) return { path, line };
  }
  throw new Error(`There is no site ${site}.`);
}

/** How the platform may name the bundle; `translated` has been mapped by the SDK's own function. */
export type StackForm = "bundle.js" | "/packs/1/bundle.js" | "file:///packs/1/bundle.js" | "<isolated-vm>" | "translated";

/** Runs a formula of the bundle in a process of its own, in a bare context. Returns the stack of the error that it throws. */
export function thrownStack({ bundle, sourceMap }: ToolkitBuild, name: string, form: StackForm): string {
  const folder = mkdtempSync(join(tmpdir(), "thrown-bundle-"));
  const path = join(folder, "bundle.js");
  writeFileSync(path, bundle);
  writeFileSync(`${path}.map`, sourceMap);
  const script = `
    const vm = require("vm"), fs = require("fs");
    const { translateErrorStackFromVM } = require(${JSON.stringify(join(root, "node_modules/@codahq/packs-sdk/dist/runtime/common/source_map.js"))});
    const context = vm.createContext({ exports: {}, console, URL });
    context.global = context;
    vm.runInContext(fs.readFileSync(${JSON.stringify(path)}, "utf8"), context, { filename: ${JSON.stringify(form === "translated" ? path : form)} });
    const { pack } = context.module.exports;
    const formula = pack.formulas.find(({ name }) => name === ${JSON.stringify(name)});
    (async () => formula.execute([], {}))().then(() => process.exit(1), async (error) => {
      const stack = error.stack;
      process.stdout.write(${form === "translated" ? `stack.split("\\n")[0] + "\\n" + await translateErrorStackFromVM({ stacktrace: stack, bundleSourceMapPath: ${JSON.stringify(`${path}.map`)}, vmFilename: ${JSON.stringify(path)} })` : "stack"});
    });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", cwd: folder });
  if (status !== 0) throw new Error(`${name} threw nothing: ${stderr}`);
  return stdout;
}
