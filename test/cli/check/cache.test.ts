// `check --cache`: whatever has changed since, the results are those of a check without it.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { CachedResults } from "../../../cli/check/cache-file.ts";
import { checkCached } from "../../../cli/check/check-cached.ts";
import { checkFiles } from "../../../cli/check/check-files.ts";
import type { Disk } from "../../../cli/check/disk.ts";
import { partOf } from "../../support/runs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\n';
const PACK = `${HEAD}export const pack = coda.newPack();\npack.addNetworkDomain("example.com");\n`;

function diskOf(files: Readonly<Record<string, string>>): Disk {
  return { read: (path) => files[path], failure: () => "", isExact: () => true };
}

type FindingTexts = Record<string, string[]>;

const findingTexts = (diagnostics: ReadonlyMap<string, readonly { rule: string; message: string }[]>): FindingTexts =>
  Object.fromEntries(
    [...diagnostics]
      .filter(([, list]) => list.length > 0)
      .map(([path, list]) => [path, list.map(({ rule, message }) => `${rule} ${message}`)] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  );

const sourcesOf = (files: Readonly<Record<string, string>>): string[] =>
  Object.keys(files)
    .filter((path) => path.startsWith("/a/") && path.endsWith(".ts"))
    .sort();

/** The next state of the cache, having compared what it gives with a fresh check. `looked`: whether anything was analysed. */
async function step(files: Readonly<Record<string, string>>, before: CachedResults | undefined) {
  const paths = sourcesOf(files);
  const fresh = checkFiles(paths, (path) => files[path]);
  const { checked, results } = await checkCached(
    paths,
    diskOf(files),
    "key",
    before && (JSON.parse(JSON.stringify(before)) as CachedResults),
  );
  assert.deepEqual(findingTexts(checked.diagnostics), findingTexts(fresh.diagnostics));
  assert.deepEqual([...checked.ignored].sort(), [...fresh.ignored].sort());
  return { results: results ?? before, isRechecked: results !== undefined, findings: findingTexts(fresh.diagnostics) };
}

describe("check --cache", () => {
  it("a cached check reads again only what a changed file, import, setting or toolkit affects", async () => {
    const files: Record<string, string> = {
      "/a/pack.ts": `import { key } from "./params";\n${PACK}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: key, description: "K" }] });\nimport "../../b/requests";\n`,
      "/a/params.ts": 'export const key = "key";\n',
      "/b/requests.ts": 'export const url = (context) => "https://example.com/{{key-" + context.invocationToken + "}}";\n',
      "/a/other.ts": `${PACK}pack.setUserAuthentication({});\n`,
    };
    const first = await step(files, undefined);
    assert.ok(first.findings["/a/other.ts"]);
    const second = await step(files, first.results);
    assert.equal(second.isRechecked, false);
    const changes: Record<string, string>[] = [
      { "/a/params.ts": 'export const key = "kez";\n' },
      { "/b/requests.ts": "" },
      { "/a/.packauthrc.json": '{ "rules": { "auth-type-missing": "warning" } }' },
      { "/a/node_modules/@codahq/packs-sdk/package.json": '{ "version": "1.0.0" }' },
      { "/a/new.ts": "export {};\n" },
    ];
    for (const change of changes) {
      Object.assign(files, change);
      const next = await step(files, second.results);
      assert.equal(next.isRechecked, true, JSON.stringify(change));
      assert.equal((await step(files, next.results)).isRechecked, false);
    }
  });

  it("a new file that imports one of a group has the whole group checked again", async () => {
    const files = {
      "/a/p.ts": `import "./q";\n${PACK}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "K" }] });\n`,
      "/a/q.ts": 'export const url = (context) => "https://example.com/{{kez-" + context.invocationToken + "}}";\n',
    };
    const first = await step(files, undefined);
    assert.ok(first.findings["/a/q.ts"]);
    await step({ ...files, "/a/r.ts": `import "./q";\n${PACK}` }, first.results);
  });

  it("a cached check equals a check without the cache, whatever changes", async () => {
    const imports = fc.subarray(["./p", "./q", "./r", "./s", "../out"]).map((names) => names.map((name) => `import "${name}";\n`).join(""));
    const bodies = fc.constantFrom(
      "export {};\n",
      `${PACK}pack.setUserAuthentication({});\n`,
      `${PACK}pack.setUserAuthentication({ type: coda.AuthenticationType.Custom, params: [{ name: "key", description: "K" }] });\n`,
      `${HEAD}import { pack } from "./p";\npack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2 });\n`,
      `${HEAD}export function setup(pack) { pack.addNetworkDomain("other.com"); }\n`,
      'export const url = (context) => "https://example.com/{{kez-" + context.invocationToken + "}}";\n',
      "// pack-auth-disable-next-line auth-type-missing\n",
    );
    const source = fc.tuple(imports, bodies).map((parts) => parts.join(""));
    const settings = fc.constantFrom('{ "rules": { "auth-type-missing": "off" } }', '{ "ignore": ["q.ts"] }', "{}");
    const change = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constantFrom("/a/p.ts", "/a/q.ts", "/a/r.ts", "/a/s.ts", "/out.ts"), fc.option(source)) },
      { weight: 1, arbitrary: fc.tuple(fc.constant("/a/.packauthrc.json"), fc.option(settings)) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 6 }), async (steps) => {
        const files: Record<string, string> = {};
        let results: CachedResults | undefined;
        for (const changes of steps) {
          for (const [path, text] of changes) {
            if (typeof text === "string") files[path] = text;
            else delete files[path];
          }
          ({ results } = await step(files, results));
        }
      }),
      { numRuns: partOf(100) },
    );
  }).timeout(120_000);
});
