// The order of the test tree: where a suite for a source file, or for a behaviour, is found.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { SUITE } from "../../scripts/test-titles.ts";
import { root } from "../support/packs.ts";

/** The folders with suites that test several source files, and the behaviour that they show. A room's own suites are there too. */
const BEHAVIOURS: Readonly<Record<string, string>> = {
  "analysis/editing": "an edited source is analysed as a fresh one",
  "analysis/limits": "any source is analysed in bounded time, and as the compiler reads it",
  "analysis/rules": "the rules as a whole, their fixes, and the cases of ../cases",
  "analysis/sources": "what the analysis understands of a source",
  "cli/checking": "`pack-auth check` of files, with its reports",
  "cli/installed": "the installed command line on a machine",
  agents: "sessions of scripted and hostile coding agents",
  "cli/prompting": "questions and texts in a terminal",
  "cli/running": "`pack-auth run` with real packs and servers",
  "cli/signing-in": "sign-ins and stored accounts of the command line",
  "client/contributions": "the manifest of the extension",
  "client/secrets": "what the client stores and copies has no secret",
  e2e: "journeys in the real VS Code",
  examples: "the packs that are shipped or public",
  fuzz: "random edits in another process",
  interop: "foreign servers, installed from npm",
  "mcp-clients": "foreign MCP clients, installed from npm",
  lsp: "the language server over stdio",
  mutants: "agreement of two ways to the same answer, for random inputs",
  "platform/accounts": "accounts of earlier versions",
  "platform/connect": "sign-ins from the first question to the stored account",
  "platform/failures": "public reports are explained",
  "platform/isolation": "a pack's process, and what it cannot reach",
  "platform/oauth": "requests to a provider over real sockets",
  "platform/odd-files": "files that are busy, or no regular files",
  "platform/requests": "requests of packs over real sockets",
  "platform/runs": "runs of formulas, tables and MCP tools, and their records",
  "platform/sandbox": "the sandbox over real sockets",
  "platform/setup": "evidence becomes packs that check clean and sign in",
  project: "this project's own order: imports, names, packages",
  "setup-judges": "set-up reads what foreign readers read, installed from npm",
  specification: "every row of the specification has its test",
  starting: "bundles start from compiled code",
  webview: "the panel in a browser",
};

const suites = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => SUITE.test(name) && !name.includes("node_modules"));

describe("The test tree", () => {
  it("each suite has the path of a source file, or is in the folder of a behaviour", () => {
    const homeless = suites.filter(
      (name) => !Object.hasOwn(BEHAVIOURS, dirname(name)) && !existsSync(join(root, name.replace(SUITE, ".ts"))),
    );
    assert.deepEqual(homeless, []);
  });

  it("each folder of a behaviour has suites", () => {
    const empty = Object.keys(BEHAVIOURS).filter((folder) => !suites.some((name) => dirname(name) === folder));
    assert.deepEqual(empty, []);
  });
});
