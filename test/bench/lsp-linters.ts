// The linters that authors run in their editors, as language servers with one rule each. A linter that looks at nothing is fast: each shows
// first that it reports what is planted by an edit and no longer reports it after the next.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LanguageServerContender, languageServer } from "./lsp-server.ts";

const RULE = "no-debugger";
const PLANTED = "debugger;";
const ROUNDS = 10;

/** Whether the server reports a `debugger` statement after each edit that adds it, and nothing after each that takes it away. */
export async function lints(server: LanguageServerContender, text: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    const planted = await server.type(text, 0, PLANTED, true);
    const removed = await server.type(text, 0, PLANTED, false);
    if (planted.length !== 1 || !String(planted[0]?.code).includes(RULE) || removed.length !== 0) return false;
  }
  return true;
}

/** oxlint's own server with one of its native rules; it lints as one types, where nothing else is said. */
export function oxlintServer(modules: string, path: string, text: string): Promise<LanguageServerContender> {
  const folder = dirname(path);
  const configuration = { categories: { correctness: "off" }, plugins: [], rules: { [RULE]: "error" } };
  writeFileSync(join(folder, ".oxlintrc.json"), JSON.stringify(configuration));
  return languageServer([join(modules, ".bin/oxlint"), "--lsp"], path, text);
}

/** The server of VS Code's ESLint extension, with ESLint and its TypeScript parser. */
export function eslintServer(modules: string, path: string, text: string): Promise<LanguageServerContender> {
  const folder = dirname(path);
  const parser = JSON.stringify(join(modules, "@typescript-eslint/parser/dist/index.js"));
  writeFileSync(
    join(folder, "eslint.config.cjs"),
    `module.exports = [{ files: ["**/*.ts"], languageOptions: { parser: require(${parser}) }, rules: { "${RULE}": "error" } }];\n`,
  );
  // What the extension sends where its user has set nothing.
  const settings = {
    validate: "on",
    run: "onType",
    packageManager: "npm",
    useESLintClass: true,
    experimental: {},
    nodePath: modules,
    workingDirectory: { mode: "location" },
    workspaceFolder: { uri: `file://${folder}`, name: "bench" },
    codeAction: { disableRuleComment: { enable: true }, showDocumentation: { enable: true } },
    codeActionOnSave: { mode: "all" },
    format: false,
    quiet: false,
    onIgnoredFiles: "off",
    options: {},
    rulesCustomizations: [],
    problems: { shortenToSingleLine: false },
  };
  const server = join(modules, "vscode-langservers-extracted/lib/eslint-language-server/eslintServer.js");
  return languageServer([server, "--stdio"], path, text, { settings });
}
