// Sources of one structure over and over, up to a megabyte: no question of an editor waits long, and the check of them ends.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { slowestTurn, startForAll } from "../fuzz/ask-server.ts";
import { createRandom } from "../fuzz/random.ts";
import { repeated } from "../fuzz/repeated.ts";
import { HANG_GUARD } from "../fuzz/repeated-sources.ts";
import type { LspClient } from "../support/lsp-client.ts";
import { root } from "../support/packs.ts";
import { partOf } from "../support/runs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n';
const BEARER = "pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });\n";
const formula = (execute: string): string =>
  `pack.addFormula({ name: "F", description: "d", parameters: [], resultType: coda.ValueType.String, execute: ${execute} });\n`;
const times = (count: number, make: (index: number) => string): string => Array.from({ length: count }, (_, index) => make(index)).join("");

/** The sources of a folder by their names; the first is opened. */
const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a configuration that extends itself three times": {
    "pack.ts": `import "@/x";\n${HEAD}`,
    "tsconfig.json": '{ "extends": ["./tsconfig.json", "./tsconfig.json", "./tsconfig.json"] }',
  },
  "helpers that call a helper twice, thirty-two times": {
    "pack.ts": `${HEAD}${BEARER}${times(32, (index) => `function f${index}(x) { return f${index + 1}(x) + f${index + 1}(x); }\n`)}function f32(x) { return x; }\n${formula('async ([x], context) => (await context.fetcher.fetch({ method: "GET", url: f0("a") })).body')}`,
  },
  "helpers that hand the context on twice, thirty-two times": {
    "pack.ts": `${HEAD}${BEARER}${times(32, (index) => `function f${index}(context, x) { return f${index + 1}(context, x + x) + f${index + 1}(context, x); }\n`)}function f32(context, x) { return context.fetcher.fetch({ method: "GET", url: x }); }\n${formula("async ([x], context) => f0(context, x)")}`,
  },
  "groups and stars in what is left out": {
    [`${"a".repeat(200)}.ts`]: HEAD,
    ".packauthrc.json": JSON.stringify({ ignore: ["(a+)+b", `${"*a".repeat(12)}b`] }),
    ".gitignore": `${"*a".repeat(12)}b\n`,
  },
  "a text that is put together seven hundred deep": {
    "pack.ts": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: ${'"a".concat('.repeat(700)}"b"${")".repeat(700)} });\n`,
  },
  "a chain of three hundred thousand names": {
    "pack.ts": `${HEAD}function f(context) { ${"a?.".repeat(330_000)} }\n`,
  },
  "a hundred thousand types inside one another": {
    "pack.ts": `${HEAD}${"f<".repeat(100_000)}{}${">(x)".repeat(100_000)};\n`,
  },
  "a thousand types inside one another, with comments between": {
    "pack.ts": `${HEAD}${"f</* a */".repeat(1_000)}a${">(x)// b\n".repeat(1_000)};\n`,
  },
  "types that may be comparisons, thirty-two inside one another": {
    "pack.ts": `${HEAD}pack.addNetworkDomain(${"f<(a = ".repeat(32)}x${")>(x)".repeat(32)});\n`,
  },
  "helpers that give a text of another twice, thirty times": {
    "pack.ts": `${HEAD}${times(30, (index) => `function f${index + 1}() { return \`\${f${index}()}/\${f${index}()}\`; }\n`)}pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: f30(), tokenUrl: f30() });\n`,
  },
  "twenty thousand functions with one name inside": {
    "pack.ts": `${HEAD}function f(context) { ${times(20_000, (index) => `function f${index}(b) { const a = b; a.v = 1; return a; } `)} }\n`,
  },
  "two hundred thousand blanks in a header's name": {
    "pack.ts": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: "X${" ".repeat(200_000)}x" });\n`,
  },
  "two hundred thousand slashes and dots in domains": {
    "pack.ts": `${HEAD}pack.addNetworkDomain("a${"/".repeat(200_000)}b");\npack.addNetworkDomain("${".".repeat(200_000)}x");\n`,
  },
  "two hundred thousand stars in a comment": { "pack.ts": `${HEAD}/*${"*".repeat(200_000)} pack-auth-disable x */\n${BEARER}` },
  "ten names that stand for each other": {
    "pack.ts": `${HEAD}${times(10, (a) => times(10, (b) => `function g${a}_${b}() { const n${a} = n${b}; n${a}.v = 1; }\nn${a}.p = n${b};\nconst c${a}_${b} = n${b};\n`))}const n0 = {};\npack.setUserAuthentication(n0);\n`,
  },
  "a chain of functions that write to what they are given": {
    "pack.ts": `${HEAD}const b0 = {};\n${times(300, (index) => `function f${index}(b) { const a = b; a.v = 1; return a; }\nconst b${index + 1} = f${index}(b${index});\n`)}pack.setUserAuthentication(b300);\n`,
  },
  "sixty thousand fields": {
    "pack.ts": `${HEAD}pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic, ${times(60_000, (index) => `f${index}: ${index}, `)}});\n`,
  },
  "a megabyte of modifiers": { "pack.ts": HEAD + "async ".repeat(166_000) },
  "a megabyte of mistakes": { "pack.ts": HEAD + "fetcher ".repeat(125_000) },
  "templates in each other, two thousand deep": {
    "pack.ts": `${HEAD}pack.setUserAuthentication(${"`{{key-${".repeat(2_000)}x${"}}}`".repeat(2_000)});\n`,
  },
  "lists that hold the one before them twice, as domains": {
    "pack.ts": `${HEAD}const a0 = ["x.example"];\n${times(40, (index) => `const a${index + 1} = [a${index}, a${index}];\n`)}pack.addNetworkDomain(...a40);\n`,
  },
  "a megabyte of parentheses in conditions": {
    "pack.ts": `${HEAD}pack.setUserAuthentication(${"x ? y : (".repeat(100_000)}x${")".repeat(100_000)});\n`,
  },
  "a megabyte of mistakes in an object": { "pack.ts": `${HEAD}pack.setUserAuthentication({ ...{${"if(a)".repeat(200_000)}} });\n` },
  "two hundred and forty domains and configurations": {
    "pack.ts":
      HEAD +
      times(
        240,
        (index) =>
          `pack.addNetworkDomain("a${index}.example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, authorizationUrl: "http://a${index}.example", tokenUrl: "x", scopes: ["a b"] });\n`,
      ),
  },
  "seven thousand imports with a mistake each, edited": {
    "pack.ts": HEAD + times(7_400, (index) => `aimport { a${index} } from './a${index}';\n`),
  },
  "nine thousand statements in a list that does not end, edited": {
    "pack.ts": `${HEAD}pack.addNetworkDomain([${times(9_000, (index) => `const b${index} = '{{key${index}}}'; `)}]);\n`,
  },
  "forty-five thousand re-exports": { "pack.ts": HEAD + times(45_000, (index) => `export * from "./a${index}";\n`) },
  "ten thousand suppressions": {
    "pack.ts": `${HEAD}${times(10_000, (index) => `// pack-auth-disable-next-line field-unknown -- r\na${index};\n`)}${BEARER}`,
  },
  "three hundred thousand rules in one suppression": {
    "pack.ts": `${HEAD}/* pack-auth-disable-next-line ${"x,".repeat(300_000)} */\n${BEARER}`,
  },
  "four hundred thousand rules in four hundred suppressions": {
    "pack.ts": HEAD + times(400, () => `/* pack-auth-disable-next-line ${"x,".repeat(990)} */\n${BEARER}`),
  },
  "four hundred mistakes in one line of a megabyte": {
    "pack.ts": `${HEAD}${"pack.addNetworkDomain('');".repeat(400)}/*${"y".repeat(900_000)}*/\n`,
  },
  "twenty thousand functions with a parameter of one name": {
    "pack.ts": `${HEAD}function g(context) {\n${times(20_000, (index) => `function f${index}(x) { return { ...f${index - 1}(x) }; }\n`)}}\n`,
  },
};

/** Generated anew with each seed. */
const SEEDS = Number(process.env.TESTS_REPEATED_SEEDS ?? partOf(25));

describe("structures that repeat", function () {
  this.timeout(20 * HANG_GUARD);
  let folder: string;
  let server: LspClient | undefined;
  const isAlone = (name: string): boolean => Object.keys(FOLDERS[name] ?? {}).length === 1;
  const folderOf = (name: string): string => join(folder, isAlone(name) ? "alone" : "", name.replaceAll(" ", "-"));
  const endServer = (): void => {
    server?.child.kill("SIGKILL");
    server?.connection.dispose();
    server = undefined;
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-repeated-"));
    for (const [name, files] of Object.entries(FOLDERS)) {
      mkdirSync(folderOf(name), { recursive: true });
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folderOf(name), file), text);
    }
  });
  after(() => {
    endServer();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Its exit code; null where it hangs. */
  const check = (cwd: string): number | null =>
    spawnSync(process.execPath, [join(root, "dist/cli.cjs"), "check"], { cwd, timeout: 5 * HANG_GUARD, stdio: "ignore" }).status;

  // What belongs to a source is found where its folder is opened. One that stands alone needs no server and no check of its own.
  for (const [name, files] of Object.entries(FOLDERS))
    it(`the server answers${isAlone(name) ? "" : ", and the check ends"}: ${name}`, async () => {
      const [[file = "", text = ""] = []] = Object.entries(files);
      if (!isAlone(name)) endServer();
      server ??= await startForAll(isAlone(name) ? undefined : folderOf(name));
      const { method, milliseconds } = await slowestTurn(server, pathToFileURL(join(folderOf(name), file)).href, text, HANG_GUARD);
      if (!isAlone(name) || milliseconds >= HANG_GUARD) endServer();
      assert.ok(milliseconds < HANG_GUARD, `${method} hangs`);
      if (!isAlone(name)) assert.notEqual(check(folderOf(name)), null, "the check hangs");
    });

  it("the check ends with findings on all structures that need no other file", () => assert.equal(check(join(folder, "alone")), 1));

  it(`the server answers ${SEEDS} random structures`, async () => {
    const first = Number(process.env.TESTS_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
    server ??= await startForAll();
    for (let seed = first; seed < first + SEEDS; seed++) {
      const { what, text } = repeated(createRandom(seed));
      const { method, milliseconds } = await slowestTurn(server, `file:///pack${seed}/pack.ts`, text, HANG_GUARD);
      assert.ok(milliseconds < HANG_GUARD, `seed ${seed}: ${method} hangs over ${what}`);
    }
  });
});
