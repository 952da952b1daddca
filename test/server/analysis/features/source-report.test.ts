// What a coding agent gets about sources: every fix of the rules' examples as edits, and the outline of a pack.
import assert from "node:assert/strict";
import type { CheckedSources, OutlinedPack, SourceAnswer } from "../../../../protocol/agents.ts";
import type { Analysis } from "../../../../server/analysis/analysis.ts";
import { checkSources, outlineSources, problemWith, rulePages } from "../../../../server/analysis/features/source-report.ts";
import { relativePath } from "../../../../server/analysis/modules/paths.ts";
import { RULES } from "../../../../server/analysis/rules/index.ts";
import { analyse, type Files, split, unmark } from "../../../support/analyse.ts";
import { applyReported } from "../../../support/apply-reported.ts";
import { factsOf } from "../../../support/example-facts.ts";
import { closePacks } from "../../../support/open-packs.ts";
import { removePackFiles } from "../../../support/pack-file.ts";

const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
`;

const check = (analysis: Analysis, files: Files, folder = "/pack"): Promise<SourceAnswer<CheckedSources>> =>
  checkSources(analysis, Object.keys(files), { named: [], folder, pause: async () => {}, whyUnreadable: () => "it is gone" });

async function findingsIn(files: Files) {
  const answer = await check(analyse(files), files);
  assert.ok("result" in answer);
  return answer.result.findings;
}

/** Names the files as the report does. */
const below = (files: Files): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [path.slice("/pack/".length), text]));

describe("reported findings", function () {
  this.timeout(120_000);
  after(() => {
    closePacks();
    removePackFiles();
  });

  for (const { id, examples } of RULES) {
    const fixable = examples.filter(({ bad, fixed }) => bad !== undefined && fixed !== undefined);
    if (fixable.length === 0) continue;
    it(`the edits of ${id} make the documented code, and name the text that they replace`, async () => {
      for (const example of fixable) {
        const { files } = unmark(split(example.bad ?? ""));
        const toolkit = example.toolkit === "missing" ? "missing" : example.toolkit === "installed";
        const analysis = analyse(files, { toolkit, about: id });
        analysis.setEvidence(await factsOf(example, files));
        const answer = await check(analysis, files);
        assert.ok("result" in answer);
        assert.equal(answer.result.fileCount, Object.keys(files).length);
        for (const finding of answer.result.findings) for (const { edits } of finding.fixes) applyReported(below(files), edits);
        applyReported(below(files), answer.result.safeEdits);
        const [fix] = answer.result.findings.find(({ rule }) => rule === id)?.fixes ?? [];
        assert.ok(fix !== undefined);
        assert.deepEqual(applyReported(below(files), fix.edits), below(split(example.fixed ?? "")));
      }
    });
  }

  it("ranges count UTF-16 code units, in a file with CRLF and astral characters", async () => {
    const source = `${HEAD}/* 𝒜 */ pack.setUserAuthentication({ type: "HeaderBearerTokn" }); // 𝒜\n`.replaceAll("\n", "\r\n");
    const [finding] = await findingsIn({ "/pack/pack.ts": source });
    const edit = finding?.fixes[0]?.edits[0];
    const line = source.split("\r\n")[3] ?? "";
    assert.equal(edit?.range.start.line, 3);
    assert.equal(line.slice(edit.range.start.character, edit.range.end.character), edit.oldText);
    assert.match(edit.oldText, /HeaderBearerTokn/);
    assert.match(applyReported({ "pack.ts": source }, [edit])["pack.ts"] ?? "", /HeaderBearerToken[^\n]*𝒜\r\n$/);
  });

  it("the safe edits apply at once and leave no finding with a safe fix", async () => {
    const files = {
      "/pack/pack.ts": `${HEAD}pack.setUserAuthentication({ type: "HeaderBearerTokn", instructionUrl: "https://acme.example/" });\n`,
    };
    const answer = await check(analyse(files), files);
    assert.ok("result" in answer && answer.result.safeEdits.length === 2);
    const fixed = applyReported(below(files), answer.result.safeEdits)["pack.ts"] ?? "";
    assert.match(fixed, /HeaderBearerToken.*instructionsUrl/);
    assert.deepEqual(await findingsIn({ "/pack/pack.ts": fixed }), []);
  });

  it("a fix of a file outside the folder is left out, and the finding stays", async () => {
    const analysis = analyse({
      "/pack/pack.ts": `import { read } from "./inner/requests";\n${HEAD}pack.addFormula({ name: "Read", execute: ([], context) => read(context) });\n`,
      "/pack/inner/requests.ts": `export const read = (context) => context.fetcher.fetch({ method: "GET", url: "https://other.example/" });\n`,
    });
    const editedIn = async (folder: string): Promise<readonly (readonly string[])[]> => {
      const answer = await check(analysis, { "/pack/inner/requests.ts": "" }, folder);
      assert.ok("result" in answer);
      return answer.result.findings.map(({ rule, fixes }) => [rule, ...fixes.flatMap(({ edits }) => edits.map(({ path }) => path))]);
    };
    assert.deepEqual(await editedIn("/pack"), [["fetch-host-undeclared", "pack.ts"]]);
    assert.deepEqual(await editedIn("/pack/inner"), [["fetch-host-undeclared"]]);
  });

  it("a settings file with a mistake, a file that is gone, and a folder without sources are problems", async () => {
    const pack = { "/pack/pack.ts": HEAD };
    const problemOf = async (files: Files, paths: Files): Promise<string> => {
      const answer = await check(analyse(files), paths);
      return "problem" in answer ? `${answer.problem.code}: ${answer.problem.message}` : "no problem";
    };
    assert.match(
      await problemOf({ ...pack, "/pack/.packauthrc.json": '{ "rules": { "url-invalidd": "off" } }' }, pack),
      /^settings-invalid: \.packauthrc\.json:1:14: .*url-invalidd/,
    );
    assert.equal(await problemOf(pack, { ...pack, "/pack/gone.ts": "" }), "sources-unreadable: gone.ts cannot be checked: it is gone.");
    assert.equal(await problemOf(pack, {}), "sources-unreadable: There is nothing to check.");
    assert.equal(
      await problemOf({ ...pack, "/pack/.packauthrc.json": '{ "ignore": ["*.ts"] }' }, pack),
      "sources-unreadable: There is nothing to check.",
    );
    assert.equal(await problemOf(pack, pack), "no problem");
  });

  it("a path that is missing, outside, a link that leaves the folder, or no source is a problem", () => {
    const links: Readonly<Record<string, string>> = { "/agent/link.ts": "/elsewhere/pack.ts", "/agent/inner": "/agent/packs" };
    const problemOf = (path: string): string | undefined =>
      problemWith(path, "/agent", {
        kindOf: (named) =>
          named.includes("gone") ? undefined : named.includes("pipe") ? "other" : /\.\w+$/.test(named) ? "file" : "folder",
        realPath: (named) => links[named] ?? named,
      })?.message;
    assert.equal(problemOf("/agent/gone.ts"), "There is no file or folder gone.ts.");
    assert.equal(problemOf("/other/pack.ts"), "../other/pack.ts cannot be checked: it is outside /agent.");
    assert.equal(problemOf("/other/gone.ts"), "../other/gone.ts cannot be checked: it is outside /agent.");
    assert.equal(problemOf("/agent/link.ts"), "link.ts cannot be checked: it is outside /agent.");
    assert.equal(problemOf("/agent/README.md"), "README.md cannot be checked: it is not TypeScript or JavaScript.");
    assert.equal(problemOf("/agent/pipe.ts"), "pipe.ts cannot be checked: it is not a regular file.");
    assert.deepEqual(["/agent", "/agent/packs", "/agent/inner", "/agent/pack.ts"].map(problemOf), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the outline for an agent", () => {
  const outline = (source: string, entry = "/pack/pack.ts"): OutlinedPack | null => {
    const answer = outlineSources(analyse(split(source)), entry, "/pack");
    assert.ok("result" in answer);
    return answer.result;
  };

  it("an outline names each part with its place, and the scopes and domains", () => {
    const source = `// @file: pack.ts
import * as coda from "@codahq/packs-sdk";
import { addAll } from "./parts/all";
export const pack = coda.newPack();
const READ = "read";
pack.addNetworkDomain("acme.example");
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.OAuth2, scopes: [READ, "write"] });
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
addAll(pack);
// @file: parts/all.ts
export function addAll(pack) {
  pack.addFormula({ name: "Read", execute: async () => 1 });
  pack.addSyncTable({ name: "Things" });
  pack.addMCPServer({ name: "Tools", endpointUrl: "https://acme.example/mcp" });
}
`;
    const outlined = outline(source);
    assert.ok(outlined !== null);
    assert.equal(outlined.entry, "pack.ts");
    assert.deepEqual(outlined.networkDomains, ["acme.example"]);
    assert.deepEqual(
      outlined.authentications.map(({ range, ...rest }) => [rest, range.start.line]),
      [
        [{ scope: "user", type: "OAuth2", scopes: ["read", "write"], path: "pack.ts" }, 6],
        [{ scope: "system", type: "HeaderBearerToken", path: "pack.ts" }, 7],
      ],
    );
    assert.deepEqual(
      [outlined.formulas, outlined.syncTables, outlined.mcpServers].map((parts) =>
        parts.map(({ name, path, range }) => [name, path, range.start.line]),
      ),
      [[["Read", "parts/all.ts", 1]], [["Things", "parts/all.ts", 2]], [["Tools", "parts/all.ts", 3]]],
    );
    assert.equal(outline(source, "/pack/parts/all.ts"), null);
  });

  it("facts that the source does not tell are absent", () => {
    const outlined = outline(`${HEAD}pack.addNetworkDomain(process.env.DOMAIN);
pack.setUserAuthentication({ type: pick(), scopes: ["read", process.env.SCOPE] });
pack.addFormula({ name: pick(), execute: async () => 1 });
`);
    assert.deepEqual(
      outlined?.authentications.map(({ scope, type, scopes }) => [scope, type, scopes]),
      [["user", undefined, undefined]],
    );
    assert.deepEqual([outlined?.formulas, outlined?.networkDomains], [[], ["acme.example"]]);
    assert.equal(outline("export const one = 1;\n"), null);
  });
});

describe("rule pages", () => {
  it("every rule has its page", () => {
    assert.deepEqual(
      rulePages().map(({ id, severity, page }) => [id, severity, page.startsWith(`# ${id}\n\nSeverity: ${severity}\n`)]),
      RULES.map(({ id, severity }) => [id, severity, true]),
    );
  });
});

describe("relative paths", () => {
  it("paths are relative to the folder, above it with dots, and absolute on another drive", () => {
    for (const [folder, path, expected] of [
      ["/a/b", "/a/b/c/d.ts", "c/d.ts"],
      ["/a/b", "/a/b", ""],
      ["/a/b", "/a/c.ts", "../c.ts"],
      ["/a/b", "/a/bc/d.ts", "../bc/d.ts"],
      ["/", "/a.ts", "a.ts"],
      ["C:/a", "D:/b.ts", "D:/b.ts"],
    ] as const)
      assert.equal(relativePath(folder, path), expected);
  });
});
