// Which files a test suite can reach: by imports, by the bundles and programs that it starts, and by the verbs of the command line that it
// names. `npm run test:changed` selects suites by it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { ts } from "ts-morph";
import { targets } from "./build.ts";
import { SUITE } from "./test-titles.ts";

/** What files start although their text does not name it. A folder means each of its programs. */
const STARTED: Readonly<Record<string, readonly string[]>> = {
  // A window starts what the manifest names.
  "test/e2e/support/embedded.ts": ["dist/client.cjs", "dist/cli.cjs"],
  // Its callers choose one of the two.
  "client/panel/panel-html.ts": ["dist/webview.js", "dist/preflight.js"],
  // npm installs the programs of the manifest.
  "test/cli/installed/packed.deep.ts": ["dist/cli.cjs", "dist/server.cjs"],
  "test/interop/server-process.ts": ["test/interop/servers/"],
  // Its verbs are made of acts while it loads.
  "cli/other-verbs.ts": ["cli/acts.ts"],
  "test/cli/signing-in/keyring.test.ts": ["cli/accounts.ts", "cli/connect.ts", "cli/other-verbs.ts"],
};

const OWN = "scripts/import-graph.ts";
/** It names all sources of bundles, and starts none. */
const BUILD = "scripts/build.ts";
const CODE = /(?<!\.d)\.(?:ts|cjs|mjs)$/;
const VERB_TABLE = "cli/verbs.ts";
/** `run: { …, load: async () => (await import("./other-verbs.ts")).run }` */
const VERB = /"?([\w-]+)"?: \{[^}]*import\("(\.\/[^"]+)"\)\)\.(\w+)/g;

export interface ImportGraph {
  /** All files of the work tree, untracked ones too. */
  readonly files: readonly string[];
  /** Returns the files and bundles that a suite can reach, itself included. */
  reachOf(suite: string): ReadonlySet<string>;
  /** Returns the files that a file starts or loads by a path in its text. */
  startedBy(file: string): readonly string[];
  /** Returns the files that name a file or its folder. */
  namersOf(file: string): readonly string[];
  /** The tests that read the list of all files. */
  readonly listers: readonly string[];
}

/** Reads all sources of the work tree in the current folder. */
export function readImportGraph(): ImportGraph {
  const files = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((file) => existsSync(file) && file !== "");
  const tree = new Set(files);
  const texts = new Map(files.filter((file) => CODE.test(file)).map((file) => [file, readFileSync(file, "utf8")]));
  const literals = new Map([...texts].map(([file, text]) => [file, literalsOf(text)]));
  const bundles = new Map(
    targets.flatMap(({ entryPoints = {}, outExtension }) =>
      Object.entries(entryPoints as Record<string, string>).map(([name, entry]) => [`${name}${outExtension?.[".js"] ?? ".js"}`, entry]),
    ),
  );
  const startedBy = (file: string): readonly string[] => [
    ...(STARTED[file] ?? []).flatMap((to) => (to.endsWith("/") ? files.filter((name) => name.startsWith(to)) : to)),
    ...((file === BUILD ? [] : literals.get(file)) ?? []).flatMap((literal) => {
      const bundle = basename(literal);
      if (bundles.has(bundle)) return `dist/${bundle}`;
      return CODE.test(literal) ? [normalize(join(dirname(file), literal)), literal].filter((path) => texts.has(path)) : [];
    }),
  ];
  const edges = new Map(
    [...texts].map(([file, text]) => [file, [...importsOf(file, text), ...startedBy(file)].filter((to) => to !== file)]),
  );
  for (const [bundle, entry] of bundles) edges.set(`dist/${bundle}`, [entry, BUILD]);

  // The table of verbs loads each verb on its own, many through one file that exports them. A suite reaches those that it names.
  const verbs = new Map<string, readonly [module: string, source: string]>();
  for (const [, verb = "", path = "", name = ""] of texts.get(VERB_TABLE)?.matchAll(VERB) ?? []) {
    const module = join(dirname(VERB_TABLE), path);
    const source = new RegExp(`\\b${name}\\b[^}]*\\} from "(.*)"`).exec(texts.get(module) ?? "")?.[1];
    verbs.set(verb, [module, source === undefined ? module : join(dirname(module), source)]);
  }
  const modules = [...verbs.values()].map(([module]) => module);
  const sources = new Set([...verbs.values()].map(([, source]) => source));
  for (const file of new Set([VERB_TABLE, ...modules.filter((module, index) => modules.indexOf(module) !== index)]))
    edges.set(
      file,
      (edges.get(file) ?? []).filter((to) => !sources.has(to) && !(file === VERB_TABLE && modules.includes(to))),
    );

  const follow = (reach: Set<string>, from: readonly string[]): void => {
    for (const file of from)
      if (!reach.has(file) && (tree.has(file) || edges.has(file))) {
        reach.add(file);
        follow(reach, edges.get(file) ?? []);
      }
  };
  const reachOf = (suite: string): ReadonlySet<string> => {
    const reach = new Set<string>();
    follow(reach, [suite, ...mochaRequires()]);
    if (!reach.has(VERB_TABLE)) return reach;
    const isCalledByProduct = [...reach].some(
      (file) => !/^(?:test|scripts|cli|launch|dist)\//.test(file) && edges.get(file)?.includes("dist/cli.cjs"),
    );
    const tests = [...reach].filter((file) => file.startsWith("test/"));
    for (const [verb, path] of verbs)
      if (
        isCalledByProduct ||
        tests.some((file) => literals.get(file)?.some((literal) => literal === verb || literal.includes(`pack-auth ${verb}`)))
      )
        follow(reach, path);
    return reach;
  };
  const namersOf = (file: string): readonly string[] => {
    const folders = dirname(file).split("/");
    const paths = new Set([file, ...folders.map((_, end) => folders.slice(0, end + 1).join("/")).filter((path) => path !== ".")]);
    const names = CODE.test(file) ? [] : [basename(file), ...folders.slice(1)];
    return [...literals].flatMap(([namer, inText]) => {
      const isTest = /^(?:test|scripts)\//.test(namer);
      if (namer === BUILD || namer === OWN || (CODE.test(file) && !isTest)) return [];
      const isNamed = (literal: string): boolean =>
        (isTest && names.some((name) => literal === name || literal.endsWith(`/${name}`))) ||
        (/\w\/|\/\w/.test(literal) &&
          [literal, join(dirname(namer), literal)].some((path) => paths.has(normalize(path).replace(/\/$/, ""))));
      return inText.some(isNamed) ? namer : [];
    });
  };
  const listers = [...literals].flatMap(([file, inText]) => (SUITE.test(file) && inText.includes("ls-files") ? file : []));
  return { files, reachOf, startedBy, namersOf, listers };
}

const mochaRequires = (): readonly string[] =>
  (JSON.parse(readFileSync(".mocharc.json", "utf8")) as { readonly require: readonly string[] }).require.map((path) => normalize(path));

/** Returns the imported files of this project. Types are nothing at run time. */
function importsOf(file: string, text: string): readonly string[] {
  const atRunTime = text.replace(/^(?:import|export) type [^;]*;/gm, "");
  return ts
    .preProcessFile(atRunTime, true, true)
    .importedFiles.flatMap(({ fileName }) => (fileName.startsWith(".") ? normalize(join(dirname(file), fileName)) : []));
}

const FROM = /^(?:import|export)\b[^;"]*from "[^"]*";$|^import "[^"]*";$|\bimport\("[^"]*"\)/gm;
const QUOTED = /(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
/** `join(root, "test", name)` names a folder of the tree. */
const JOINED = /\bjoin\([\w.]+((?:, "[^"]+")+)/g;

/** Returns the texts between quotes, but for imports. Those in comments do no harm. A folder that is read ends with a slash. */
const literalsOf = (text: string): readonly string[] => {
  const withoutImports = text.replace(FROM, "");
  return [
    ...[...withoutImports.matchAll(QUOTED)].map(([, , literal = ""]) => literal),
    ...[...withoutImports.matchAll(JOINED)].map(
      ([, parts = ""]) => `${[...parts.matchAll(/"([^"]+)"/g)].map(([, part]) => part).join("/")}/`,
    ),
    ...[...withoutImports.matchAll(/readdirSync\("([^"]+)"/g)].map(([, folder]) => `${folder}/`),
  ];
};
