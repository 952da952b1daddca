// `check --fix`: to the point where nothing is left to mend, on files that parse, before and after.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createDisk, type Disk } from "../../../cli/sources/disk.ts";
import { fixFiles, writeFixed } from "../../../cli/sources/fix-files.ts";
import { replaceFile } from "../../../platform/files/write-file.ts";
import type { Analysis } from "../../../server/analysis/analysis.ts";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { unasked } from "../../../server/analysis/features/fixes/fix-all.ts";
import type { Diagnostic } from "../../../server/analysis/model/findings.ts";
import { RULES } from "../../../server/analysis/rules/index.ts";
import { parses } from "../../../server/analysis/text/parse.ts";
import { split, unmark } from "../../support/analyse.ts";
import { partOf } from "../../support/runs.ts";

const HEAD = 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n';

function fixed(files: Readonly<Record<string, string>>, paths = Object.keys(files)) {
  const disk: Disk = { read: (path) => files[path], failure: () => "", isExact: () => true };
  const texts = new Map<string, string>();
  const analysis = createAnalysis({ readFile: (path) => texts.get(path) ?? files[path] });
  analysis.addCandidates(paths);
  const { appliedFixes, texts: changedTexts } = fixFiles(paths, analysis, texts, disk);
  return {
    appliedFixes: appliedFixes,
    analysis,
    changedTexts: changedTexts,
    files: { ...files, ...Object.fromEntries(changedTexts) } as Record<string, string>,
  };
}

describe("check --fix", () => {
  it("unambiguous fixes are made over several rounds and files, without removing a field", () => {
    const config = (type: string, requires: string): string =>
      `${HEAD}pack.addNetworkDomain("example.com");\npack.setUserAuthentication({\n  type: coda.AuthenticationType.${type},\n  headerName: "X",\n  uxConfig: { usernameOnly: ${requires} },\n});\n`;
    const { appliedFixes, files } = fixed({ "/pack/pack.ts": config("WebBsic", '"true"'), "/pack/sub/pack.ts": config("WebBsic", "true") });
    assert.equal(files["/pack/pack.ts"], config("WebBasic", "true"));
    assert.equal(files["/pack/sub/pack.ts"], config("WebBasic", "true"));
    // What the field holds is known to be wrong only once the type is known.
    assert.deepEqual(
      appliedFixes.map(({ path, rule }) => `${path} ${rule}`),
      ["/pack/pack.ts auth-type-unknown", "/pack/sub/pack.ts auth-type-unknown", "/pack/pack.ts field-type"],
    );
  });

  it("unchecked files and files that do not parse are left alone", () => {
    const broken = `${HEAD}pack.addNetworkDomain("example.com");\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic );\n`;
    assert.equal(fixed({ "/pack/pack.ts": broken }).changedTexts.size, 0);
    const domain = 'export const domain = "example.com";\n';
    const { changedTexts } = fixed(
      {
        "/pack/requests.ts": 'export const url = (context) => "https://example.com/{{tokn-" + context.invocationToken + "}}";\n',
        "/pack/pack.ts": `import "./requests";\n${domain}`,
      },
      ["/pack/pack.ts"],
    );
    assert.equal(changedTexts.size, 0);
  });

  it("a fix that would break the syntax is skipped, and the others are made", () => {
    const text = "const a = 1;\nconst b = 2;\n";
    const edit = (title: string, start: number, newText: string): Diagnostic => ({
      rule: title,
      severity: "error",
      message: title,
      place: { file: "/a.ts", start, end: start + 1 },
      fixes: [{ title, edits: [{ file: "/a.ts", start, end: start + 1, text: newText }] }],
    });
    const texts = new Map<string, string>();
    const analysis = {
      diagnostics: () => (texts.has("/a.ts") ? [] : [edit("breaks", 6, "{"), edit("works", 19, "c"), edit("works too", 10, "3")]),
      filesChanged: () => {},
    } as unknown as Analysis;
    const { appliedFixes, texts: changedTexts } = fixFiles(["/a.ts"], analysis, texts, {
      read: () => text,
      failure: () => "",
      isExact: () => true,
    });
    assert.deepEqual(
      appliedFixes.map(({ title }) => title),
      ["works", "works too"],
    );
    assert.equal(changedTexts.get("/a.ts"), "const a = 3;\nconst c = 2;\n");
  });

  it("a fix is made although another with its title and text is refused", () => {
    const text = "const a = 1;\nf(1, 2);\ng(3, 4);\n";
    const remove = (part: string): Diagnostic => {
      const start = (texts.get("/a.ts") ?? text).indexOf(part);
      const place = { file: "/a.ts", start, end: start + part.length };
      return { rule: "one", severity: "error", message: "x", place, fixes: [{ title: "Remove x", edits: [{ ...place, text: "" }] }] };
    };
    const texts = new Map<string, string>();
    let round = 0;
    const analysis = {
      // What a round leaves for the next one.
      diagnostics: () =>
        [
          [remove("a "), remove(", 2")],
          [remove("a "), remove(", 4")],
        ][round++] ?? [],
      filesChanged: () => {},
    } as unknown as Analysis;
    const { texts: changedTexts } = fixFiles(["/a.ts"], analysis, texts, { read: () => text, failure: () => "", isExact: () => true });
    assert.equal(changedTexts.get("/a.ts"), "const a = 1;\nf(1);\ng(3);\n");
  });

  it("two fixes that undo each other come to an end", () => {
    const texts = new Map<string, string>();
    const analysis = {
      diagnostics: () => {
        const text = (texts.get("/a.ts") ?? "a;") === "a;" ? "b" : "a";
        const place = { file: "/a.ts", start: 0, end: 1 };
        return [{ rule: "x", severity: "error", message: "x", place, fixes: [{ title: text, edits: [{ ...place, text }] }] }];
      },
      filesChanged: () => {},
    } as unknown as Analysis;
    assert.ok(fixFiles(["/a.ts"], analysis, texts, { read: () => "a;", failure: () => "", isExact: () => true }).appliedFixes.length < 5);
  });

  it("fixing ends with nothing left and everything parsing, on pieces of every rule's examples", () => {
    const bad = RULES.flatMap((rule) => rule.examples.flatMap(({ bad: source }) => (source === undefined ? [] : [source])));
    const fields = [
      "uxOptions: {},",
      "headerNam: 'x',",
      "params: 3,",
      "type: coda.AuthenticationType.Cstom,",
      "scopes: 'a b',",
      "tokenUrl: 'http://x',",
      "",
      "{",
      "}",
      "// x\n",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...bad),
        fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...fields)), { maxLength: 4 }),
        (source, inserts) => {
          const { files: before } = unmark(split(source));
          const [path = "", text = ""] = Object.entries(before).find(([name]) => name.endsWith(".ts")) ?? [];
          const places = [...text.matchAll(/[{,;]/g)].map(({ index }) => index + 1);
          let mutated = text;
          for (const [at, insert] of [...inserts].sort((a, b) => b[0] - a[0])) {
            const place = places[at % Math.max(1, places.length)] ?? 0;
            mutated = mutated.slice(0, place) + insert + mutated.slice(place);
          }
          const files = { ...before, [path]: mutated };
          const after = fixed(files);
          for (const [file, fresh] of after.changedTexts) {
            assert.ok(parses(file, files[file] ?? ""));
            assert.ok(parses(file, fresh), fresh);
          }
          const again = fixed(after.files);
          assert.deepEqual(again.appliedFixes, [], JSON.stringify(after.files));
          const left = Object.keys(after.files).flatMap((file) =>
            parses(file, after.files[file] ?? "") ? after.analysis.diagnostics(file) : [],
          );
          assert.deepEqual(
            left
              .filter((diagnostic) =>
                unasked(diagnostic).some(({ edits }) => edits.every((edit) => parses(edit.file, after.files[edit.file] ?? ""))),
              )
              .map(({ rule }) => rule),
            [],
          );
        },
      ),
      { numRuns: partOf(100) },
    );
  }).timeout(120_000);
});

describe("the writing of a fixed file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-fix-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("the written file keeps its mode, follows a link, and leaves nothing beside it", async () => {
    const file = join(folder, "a.ts");
    writeFileSync(file, "old");
    chmodSync(file, 0o755);
    symlinkSync(file, join(folder, "link.ts"));
    await replaceFile(join(folder, "link.ts"), "new", () => true);
    assert.equal(readFileSync(file, "utf8"), "new");
    assert.equal(statSync(file).mode & 0o777, 0o755);
    assert.deepEqual(readdirSync(folder), ["a.ts", "link.ts"]);
    await assert.rejects(async () => replaceFile(join(folder, "gone.ts"), "new", () => true));
    assert.deepEqual(readdirSync(folder), ["a.ts", "link.ts"]);
  });

  it("a file that changed meanwhile is not written", async () => {
    const file = join(folder, "a.ts");
    writeFileSync(file, "old");
    const disk = createDisk();
    disk.read(file);
    writeFileSync(file, "newer");
    const writeFailures = await writeFixed({ texts: new Map([[file, "fixed"]]) }, disk);
    assert.match(writeFailures.get(file) ?? "", /changed while it was checked/);
    assert.equal(readFileSync(file, "utf8"), "newer");
  });

  it("a file with bytes that are no text is not exact", () => {
    const file = join(folder, "a.ts");
    writeFileSync(file, Buffer.from([0x61, 0xff]));
    const disk = createDisk();
    disk.read(file);
    assert.equal(disk.isExact(file), false);
  });

  it("a file that was removed meanwhile is not exact", () => {
    const file = join(folder, "a.ts");
    writeFileSync(file, "text");
    const disk = createDisk();
    disk.read(file);
    rmSync(file);
    assert.equal(disk.isExact(file), false);
  });
});
