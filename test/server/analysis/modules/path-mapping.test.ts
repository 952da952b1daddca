// Configurations of modules that inherit from themselves, from each other and from very many: each is read once, and what they say holds.
import assert from "node:assert/strict";
import { createPathMappings } from "../../../../server/analysis/modules/path-mapping.ts";
import { analyse } from "../../../support/analyse.ts";

const extending = (names: readonly string[], paths: object = {}): string => JSON.stringify({ extends: names, compilerOptions: { paths } });

describe("tsconfig.json files that extend others", () => {
  it("a file that extends itself three times ends after few reads", () => {
    let reads = 0;
    const text = extending(
      Array.from({ length: 3 }, () => "./tsconfig.json"),
      { "@/*": ["./src/*"] },
    );
    const mappings = createPathMappings({
      readFile(path) {
        reads++;
        return path === "/a/tsconfig.json" ? text : undefined;
      },
    });
    assert.deepEqual(mappings.of("/a")?.("@/x"), ["/a/src/x"]);
    assert.ok(reads < 20, `${reads} reads`);
  });

  it("a file with 100,000 nested levels is ignored", () => {
    const mappings = createPathMappings({ readFile: (path) => (path === "/a/tsconfig.json" ? "[".repeat(100_000) : undefined) });
    assert.deepEqual(mappings.of("/a")?.("@/x") ?? [], []);
  });

  it("files that extend each other twice, forty times over, end after few reads", () => {
    let reads = 0;
    const files = new Map<string, string>([["/a/tsconfig.json", extending(["./b0.json", "./b0.json"])]]);
    for (let index = 0; index < 40; index++)
      files.set(
        `/a/b${index}.json`,
        extending([`./b${index + 1}.json`, `./b${index + 1}.json`], index === 39 ? { "@/*": ["./src/*"] } : {}),
      );
    for (const [path, text] of files) files.set(path, text.replace('"paths":{}', '"strict":true'));
    const mappings = createPathMappings({
      readFile(path) {
        reads++;
        return files.get(path);
      },
    });
    assert.deepEqual(mappings.of("/a")?.("@/x"), ["/a/src/x"]);
    assert.ok(reads < 1_000, `${reads} reads`);
  });

  it("a list of 100,000 files to extend is read up to a limit", () => {
    let reads = 0;
    const text = extending(Array.from({ length: 100_000 }, (_, index) => `./b${index}.json`));
    createPathMappings({
      readFile(path) {
        reads++;
        return path === "/a/b/c/d/e/tsconfig.json" ? text : undefined;
      },
    }).of("/a/b/c/d/e");
    assert.ok(reads < 2_000, `${reads} reads`);
  });

  it("paths with 50,000 targets are tried up to a limit", () => {
    let reads = 0;
    const targets = Array.from({ length: 50_000 }, (_, index) => `./t${index}/*`);
    const files: Record<string, string> = {
      "/pack/tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": targets } } }),
      "/pack/pack.ts":
        'import { a } from "a";\nimport * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.addNetworkDomain(a);\n',
    };
    const mappings = createPathMappings({
      readFile(path) {
        reads++;
        return files[path];
      },
    });
    assert.ok((mappings.of("/pack")?.("a").length ?? 0) <= 20);
    assert.equal(analyse(files).diagnostics("/pack/pack.ts").length, 0);
    assert.ok(reads < 100);
  });

  it("an extended file of any name is read again after an edit", () => {
    const base = (folder: string) => `{ "compilerOptions": { "paths": { "@/*": ["./${folder}/*"] } } }`;
    const settings = (type: string) =>
      `import * as coda from "@codahq/packs-sdk";\nexport const settings = { type: coda.AuthenticationType.${type} };\n`;
    const files: Record<string, string> = {
      "/pack/pack.ts": `import * as coda from "@codahq/packs-sdk";\nimport { settings } from "@/settings";\nexport const pack = coda.newPack();\npack.setUserAuthentication(settings);\n`,
      "/pack/one/settings.ts": settings("HeaderBearerTokn"),
      "/pack/two/settings.ts": settings("None"),
      "/pack/tsconfig.json": `{ "extends": "./shared.json" }`,
      "/pack/shared.json": base("one"),
    };
    const analysis = analyse(files);
    analysis.open("/pack/shared.json", base("one"));
    const rules = () => ["/pack/pack.ts", "/pack/one/settings.ts"].flatMap((path) => analysis.diagnostics(path)).map(({ rule }) => rule);
    assert.ok(rules().includes("auth-type-unknown"));
    const start = base("one").indexOf("one");
    const lead = (folder: string) => analysis.change("/pack/shared.json", [{ start, end: start + 3, text: folder }]);
    for (const [folder, isWrong] of [
      ["two", false],
      ["one", true],
      ["two", false],
    ] as const) {
      lead(folder);
      assert.equal(rules().includes("auth-type-unknown"), isWrong, folder);
    }
  });
});
