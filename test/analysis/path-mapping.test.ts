// Configurations of modules that inherit from themselves, from each other and from very many: each is read once, and what they say holds.
import assert from "node:assert/strict";
import { createPathMappings } from "../../server/analysis/modules/path-mapping.ts";
import { analyse } from "../support/analyse.ts";

const extending = (names: readonly string[], paths: object = {}): string => JSON.stringify({ extends: names, compilerOptions: { paths } });

describe("configurations that extend", () => {
  it("themselves, three times: read once", () => {
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

  it("nothing that parses, and nest 100,000 levels deep: read as if they were not there", () => {
    const mappings = createPathMappings({ readFile: (path) => (path === "/a/tsconfig.json" ? "[".repeat(100_000) : undefined) });
    assert.deepEqual(mappings.of("/a")?.("@/x") ?? [], []);
  });

  it("each other, two at each of forty steps: each read once, and the last one's paths hold", () => {
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

  it("a hundred thousand others: so many as anybody has", () => {
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

  it("nothing, with a hundred thousand paths of a hundred thousand targets: so many as anybody has", () => {
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

  it("are read again after an edit of one that another one extends, and that has any name", () => {
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
