// What belongs to a pack, and what is found in it, is kept right while files are edited, come and go.
import assert from "node:assert/strict";
import { createAnalysis } from "../../../server/analysis/analysis.ts";
import { HEAD, packOf, REQUESTS, rules, workspace } from "../../support/workspace.ts";

describe("packs across file changes", () => {
  const ENTRY = "/space/pack.ts";
  const OTHER = "/space/requests.ts";
  const IMPORTING = `import { url } from "./requests";`;

  it("an edit in one file changes the findings in the other until it is discarded", () => {
    const { analysis } = workspace({ [ENTRY]: packOf(IMPORTING), [OTHER]: REQUESTS });
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    const text = packOf(IMPORTING);
    analysis.open(ENTRY, text);
    const at = text.indexOf('"key"') + 4;
    analysis.change(ENTRY, [{ start: at, end: at, text: "y" }]);
    assert.deepEqual(rules(analysis, OTHER), []);
    // What was typed and never saved is gone with the buffer.
    analysis.close(ENTRY);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
  });

  it("a typed import adds the file to the pack, and a deleted one removes it", () => {
    const { analysis } = workspace({ [ENTRY]: packOf(""), [OTHER]: REQUESTS });
    assert.deepEqual(rules(analysis, OTHER), []);
    analysis.open(ENTRY, packOf(""));
    analysis.change(ENTRY, [{ start: 0, end: 0, text: `${IMPORTING}\n` }]);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    analysis.change(ENTRY, [{ start: 0, end: IMPORTING.length + 1, text: "" }]);
    assert.deepEqual(rules(analysis, OTHER), []);
  });

  it("an edit in a file outside every pack changes the findings in its importer", () => {
    const lone = `import * as coda from "@codahq/packs-sdk";
import { domain } from "./requests";
import { pack } from "./gone";
pack.addNetworkDomain(domain);
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;
    const domain = `export const domain = "example.com";\n`;
    const { analysis } = workspace({ [ENTRY]: lone, [OTHER]: domain });
    analysis.open(ENTRY, lone);
    analysis.open(OTHER, domain);
    assert.deepEqual(rules(analysis, ENTRY), []);
    const at = domain.indexOf(".com");
    analysis.change(OTHER, [{ start: at, end: at, text: "/path" }]);
    assert.deepEqual(rules(analysis, ENTRY), ["network-domain-form"]);
  });

  it("a file that is written, changed, renamed or deleted on disk updates the pack", () => {
    const { analysis, files } = workspace({ [ENTRY]: packOf(IMPORTING) });
    assert.deepEqual(analysis.packsOf(OTHER), []);
    files[OTHER] = REQUESTS;
    analysis.filesChanged([OTHER]);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    files[OTHER] = REQUESTS.replace("keyy", "key");
    analysis.filesChanged([OTHER]);
    assert.deepEqual(rules(analysis, OTHER), []);
    // Renamed: the import leads nowhere until it follows.
    files["/space/http.ts"] = REQUESTS;
    delete files[OTHER];
    analysis.filesChanged([OTHER, "/space/http.ts"]);
    assert.deepEqual([rules(analysis, OTHER), rules(analysis, "/space/http.ts")], [[], []]);
    files[ENTRY] = packOf(IMPORTING.replace("requests", "http"));
    analysis.filesChanged([ENTRY]);
    assert.deepEqual(rules(analysis, "/space/http.ts"), ["placeholder-undeclared"]);
    delete files[ENTRY];
    analysis.filesChanged([ENTRY]);
    assert.deepEqual([analysis.packs(), rules(analysis, "/space/http.ts")], [[], []]);
  });

  it("an unsaved file takes precedence over the disk, even before it exists there", () => {
    const { analysis } = workspace({ [ENTRY]: packOf(IMPORTING) });
    analysis.open(OTHER, REQUESTS);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    analysis.filesChanged([OTHER]);
    assert.deepEqual(rules(analysis, OTHER), ["placeholder-undeclared"]);
    analysis.close(OTHER);
    assert.deepEqual(analysis.packsOf(OTHER), []);
  });

  it("a path mapping takes effect as it is typed, saved or not", () => {
    const config = "/space/tsconfig.json";
    const { analysis, files } = workspace({
      [ENTRY]: packOf(`import { url } from "@lib/requests";`),
      "/space/lib/requests.ts": REQUESTS,
      [config]: "{}",
    });
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), []);
    const mapping = `{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }`;
    analysis.open(config, "{}");
    analysis.change(config, [{ start: 0, end: 2, text: mapping }]);
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), ["placeholder-undeclared"]);
    analysis.close(config);
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), []);
    files[config] = mapping;
    analysis.filesChanged([config]);
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), ["placeholder-undeclared"]);
  });

  it("a deleted folder takes all its files out of the pack", () => {
    const { analysis, files } = workspace({
      [ENTRY]: packOf(`import "./lib/requests";`),
      "/space/lib/requests.ts": REQUESTS,
      "/space/lib2.ts": "",
    });
    assert.deepEqual(rules(analysis, "/space/lib/requests.ts"), ["placeholder-undeclared"]);
    delete files["/space/lib/requests.ts"];
    analysis.filesChanged(["/space/lib"]);
    assert.deepEqual([analysis.packsOf("/space/lib/requests.ts"), analysis.packs()], [[], [ENTRY]]);
  });

  it("a file that re-exports a pack is its entry, whichever file is analysed first", () => {
    const files = {
      "/space/pack.ts": packOf(""),
      "/space/formulas.ts": `import { pack } from "./pack";\nimport { url } from "./requests";\npack.addFormula({ name: "A", execute: async ([], context) => url(context) });\n`,
      "/space/index.ts": `import "./formulas";\nexport { pack } from "./pack";\n`,
      "/space/requests.ts": REQUESTS,
    };
    for (const first of Object.keys(files)) {
      const { analysis } = workspace(files);
      for (const [path, text] of Object.entries(files)) analysis.open(path, text);
      analysis.diagnostics(first);
      analysis.change(first, [{ start: 0, end: 0, text: "\n" }]);
      analysis.diagnostics(first);
      analysis.change(first, [{ start: 0, end: 0, text: 'import "./pack";\n' }]);
      assert.deepEqual(analysis.packs(), ["/space/index.ts"], first);
      assert.deepEqual(rules(analysis, "/space/requests.ts"), ["placeholder-undeclared"], first);
    }
  });

  it("an edit in a file that re-exports the toolkit changes which files are packs", () => {
    const toolkit = `export { newPack } from "@codahq/packs-sdk";\n`;
    const pack = `import { newPack } from "./toolkit";\nexport const pack = newPack();\n`;
    const { analysis } = workspace({ [ENTRY]: pack, "/space/toolkit.ts": toolkit });
    analysis.open(ENTRY, pack);
    analysis.open("/space/toolkit.ts", toolkit);
    assert.deepEqual(analysis.packs(), [ENTRY]);
    const at = toolkit.indexOf(" }");
    analysis.change("/space/toolkit.ts", [{ start: at, end: at, text: " as make" }]);
    assert.deepEqual(analysis.packs(), []);
    analysis.change("/space/toolkit.ts", [{ start: at, end: at + " as make".length, text: "" }]);
    assert.deepEqual(analysis.packs(), [ENTRY]);
    analysis.change(ENTRY, [{ start: pack.length, end: pack.length, text: "const newPack = 1;\n" }]);
    assert.deepEqual(analysis.packs(), []);
  });

  it("two files that change at once are both reanalysed when the first imports more", () => {
    const entry = packOf(`import { url } from "./requests";`);
    const { analysis } = workspace({ "/space/pack.ts": entry, "/space/requests.ts": REQUESTS, "/space/more.ts": "" });
    analysis.open("/space/pack.ts", entry);
    analysis.open("/space/requests.ts", REQUESTS);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), ["placeholder-undeclared"]);
    analysis.change("/space/pack.ts", [{ start: 0, end: 0, text: `import "./more";\n` }]);
    const typo = REQUESTS.indexOf("keyy");
    analysis.change("/space/requests.ts", [{ start: typo, end: typo + 4, text: "key" }]);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), []);
  });

  it("a file that changed right before another one opens is reanalysed", () => {
    const entry = packOf(`import { url } from "./requests";`);
    const { analysis } = workspace({ "/space/pack.ts": entry, "/space/requests.ts": REQUESTS });
    analysis.open("/space/requests.ts", REQUESTS);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), ["placeholder-undeclared"]);
    const typo = REQUESTS.indexOf("keyy");
    analysis.change("/space/requests.ts", [{ start: typo, end: typo + 4, text: "key" }]);
    analysis.open("/space/pack.ts", entry);
    assert.deepEqual(rules(analysis, "/space/requests.ts"), []);
  });

  it("a removed or unrelated file is not reread when another file changes", () => {
    const files: Record<string, string> = { [ENTRY]: HEAD };
    const read: string[] = [];
    const analysis = createAnalysis({
      readFile(path) {
        read.push(path);
        return files[path];
      },
    });
    const notifyChanged = (paths: readonly string[]): void => {
      analysis.addCandidates(paths);
      analysis.filesChanged(paths);
    };
    notifyChanged([ENTRY]);
    const branchFiles = Array.from({ length: 50 }, (_, index) => `/space/branch${index}.ts`);
    for (const [index, path] of branchFiles.entries()) files[path] = index % 2 === 0 ? HEAD : "";
    notifyChanged(branchFiles);
    assert.equal(analysis.packs().length, 26);
    for (const [index, path] of branchFiles.entries()) if (index % 2 === 0) delete files[path];
    notifyChanged(branchFiles);
    analysis.packs();
    read.length = 0;
    notifyChanged([ENTRY]);
    assert.deepEqual(analysis.packs(), [ENTRY]);
    assert.deepEqual(
      read.filter((path) => branchFiles.includes(path)),
      [],
    );
    // Back on the branch.
    files["/space/branch0.ts"] = HEAD;
    notifyChanged(["/space/branch0.ts"]);
    assert.deepEqual(analysis.packs(), ["/space/branch0.ts", ENTRY]);
  });

  it("a closed file is a pack again when its text on disk creates one", () => {
    const { analysis } = workspace({ [ENTRY]: HEAD });
    analysis.open(ENTRY, "");
    analysis.filesChanged([ENTRY]);
    assert.deepEqual(analysis.packs(), []);
    analysis.close(ENTRY);
    assert.deepEqual(analysis.packs(), [ENTRY]);
  });

  it("packs keep one order, whichever of their files came last", () => {
    const { analysis, files } = workspace({ "/space/a.ts": HEAD, "/space/b.ts": HEAD });
    const entries = ["/space/a.ts", "/space/b.ts"];
    assert.deepEqual(analysis.packs(), entries);
    delete files["/space/a.ts"];
    analysis.filesChanged(["/space/a.ts"]);
    assert.deepEqual(analysis.packs(), ["/space/b.ts"]);
    files["/space/a.ts"] = HEAD;
    analysis.addCandidates(["/space/a.ts"]);
    analysis.filesChanged(["/space/a.ts"]);
    assert.deepEqual(analysis.packs(), entries);
  });

  it("a removed workspace folder takes its packs along, except those of remaining folders", () => {
    const { analysis } = workspace({ "/one/pack.ts": HEAD, "/two/pack.ts": HEAD, "/two/inner/pack.ts": HEAD });
    analysis.dropCandidates("/two", ["/one", "/two/inner"]);
    assert.deepEqual(analysis.packs(), ["/one/pack.ts", "/two/inner/pack.ts"]);
    analysis.addCandidates(["/two/pack.ts"]);
    assert.deepEqual([...analysis.packs()].sort(), ["/one/pack.ts", "/two/inner/pack.ts", "/two/pack.ts"]);
  });

  it("a workspace folder that comes back is read afresh", () => {
    const { analysis, files } = workspace({ "/one/pack.ts": HEAD, "/two/pack.ts": packOf("", "keyy"), "/two/lib.ts": REQUESTS });
    assert.deepEqual([...analysis.packs()].sort(), ["/one/pack.ts", "/two/pack.ts"]);
    analysis.dropCandidates("/two", ["/one"]);
    assert.deepEqual(analysis.packs(), ["/one/pack.ts"]);
    files["/two/pack.ts"] = packOf(`import "./lib";`);
    analysis.addCandidates(["/two/pack.ts", "/two/lib.ts"]);
    assert.deepEqual(rules(analysis, "/two/lib.ts"), ["placeholder-undeclared"]);
  });
});
