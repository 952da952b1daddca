// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources in quotes have templates in them
// A real Neovim, headless, with the configuration that docs/editors.md gives for its version: what an author does there works.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { notRun } from "../support/not-run.ts";
import { root } from "../support/packs.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { url } from "./requests";
export const pack = coda.newPack();
pack.addNetworkDomain("example.com");
url;
pack.setUserAuthentication({
  type: coda.AuthenticationType.Custm,
  params: [{ name: "key", description: "K𝒳y" }],
  
});
`;
const REQUESTS = "export const url = (context) => `/* 𝒳 */ https://example.com/{{key-${context.invocationToken}}}`;\n";

/** Waits until the client is attached and has its diagnostics. Each value that a script writes is a line of JSON. */
const PRELUDE = `
local function tell(name, value) io.stdout:write(vim.fn.json_encode({ name = name, value = value }) .. "\\n") end
local function clients() return (vim.lsp.get_clients or vim.lsp.get_active_clients)() end
local function found(rule)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    local code = d.code or (d.user_data and d.user_data.lsp and d.user_data.lsp.code)
    if code == rule then return d end
  end
end
vim.wait(60000, function() return found("auth-type-unknown") ~= nil end, 20)
local d = found("auth-type-unknown")
tell("diagnostic", d and { d.lnum, d.col } or false)
`;

/** What the author does then. */
const JOURNEY = `
local client = clients()[1]
local function ask(method, params)
  local answer = client.request_sync(method, params, 15000, 0)
  return answer and answer.result
end
local function at(line, character)
  vim.api.nvim_win_set_cursor(0, { line, character })
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end
at(7, 35)
local range = vim.lsp.util.make_range_params(0, client.offset_encoding)
range.context = { diagnostics = {}, only = { "quickfix" } }
local action = ask("textDocument/codeAction", range)[1]
if not action.edit then action = ask("codeAction/resolve", action) end
vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
tell("fixed", vim.api.nvim_buf_get_lines(0, 6, 7, false)[1])
vim.wait(60000, function() return found("auth-type-unknown") == nil end, 20)
tell("clean", found("auth-type-unknown") == nil)
local items = ask("textDocument/completion", at(9, 2))
table.sort(items, function(a, b) return a.sortText < b.sortText end)
tell("completions", { items[1].label, items[2].label })
tell("hover", ask("textDocument/hover", at(7, 35)).contents.value)
at(8, 21)
vim.lsp.buf.rename("apiKey")
vim.wait(60000, function() return vim.api.nvim_buf_get_lines(0, 7, 8, false)[1]:find("apiKey") ~= nil end, 20)
local renamed = {}
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    local name = line:match("name: \\"(%w+)\\"") or line:match("{{(%w+)%-")
    if name then table.insert(renamed, name) end
  end
end
tell("renamed", renamed)
`;

/** For versions before the page's configuration. */
const OLD = `vim.lsp.buf_attach_client(0, vim.lsp.start_client({ name = "pack_auth", cmd = { "pack-auth-language-server", "--stdio" }, root_dir = vim.fn.getcwd() }))`;

const version = /v0\.(\d+)/.exec(spawnSync("nvim", ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1];

/** The first code block under a heading of the page. */
function codeUnder(heading: string): string {
  const page = readFileSync(join(root, "docs/editors.md"), "utf8");
  const section = page.split(/\n#{2,3} /).find((part) => part.startsWith(heading));
  return /```lua\n([\s\S]*?)```/.exec(section ?? "")?.[1] ?? assert.fail(`the page has no code under ${heading}`);
}

/** Runs a script in Neovim, in a folder that has the pack; gives what the script wrote, by name, and the pack as it is on the disk then. */
function inNeovim(
  minor: number,
  script: string,
): { readonly values: Readonly<Record<string, unknown>>; readonly savedText: string; readonly stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-neovim-"));
  try {
    writeFileSync(join(folder, "pack.ts"), PACK);
    writeFileSync(join(folder, "requests.ts"), REQUESTS);
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(
      join(folder, "pack-auth-language-server"),
      `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/server.cjs")}" "$@"\n`,
    );
    chmodSync(join(folder, "pack-auth-language-server"), 0o755);
    const configuration = minor < 11 ? "" : codeUnder("Neovim");
    writeFileSync(join(folder, "init.lua"), `${configuration}\n${codeUnder("Fix on save")}`);
    writeFileSync(join(folder, "script.lua"), `${minor < 11 ? OLD : ""}\n${PRELUDE}\n${script}\nvim.cmd("qa!")\n`);
    const { stdout, stderr } = spawnSync(
      "nvim",
      ["--headless", "-u", "init.lua", "-i", "NONE", "-n", "-c", "filetype on", "-c", "edit pack.ts", "-c", "luafile script.lua"],
      {
        cwd: folder,
        encoding: "utf8",
        timeout: 90_000,
        env: {
          ...process.env,
          HOME: folder,
          XDG_CONFIG_HOME: folder,
          XDG_STATE_HOME: folder,
          XDG_CACHE_HOME: folder,
          // The server outlives Neovim for a moment, in which it would make the folder anew.
          PACK_AUTH_CODE_CACHE: "",
          PATH: `${folder}${delimiter}${process.env.PATH}`,
        },
      },
    );
    const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
    const values = Object.fromEntries(
      lines.map((line) => {
        const { name, value } = JSON.parse(line) as { name: string; value: unknown };
        return [name, value];
      }),
    );
    return { values, savedText: readFileSync(join(folder, "pack.ts"), "utf8"), stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("Neovim", () => {
  if (version === undefined) {
    notRun("a real Neovim (nvim is not on the PATH)");
    return;
  }

  const minor = Number(version);

  it(`Neovim 0.${version} has diagnostics, a fix, completions, a hover, and renaming in two files`, () => {
    const { values, stderr } = inNeovim(minor, JOURNEY);
    assert.deepEqual(values.diagnostic, [6, 32], stderr);
    assert.equal(values.fixed, "  type: coda.AuthenticationType.Custom,");
    assert.equal(values.clean, true);
    assert.deepEqual(values.completions, ["instructionsUrl", "getConnectionName"]);
    assert.match(String(values.hover), /\{\{key-<invocationToken>\}\} → ••••/);
    assert.deepEqual(values.renamed, ["apiKey", "apiKey"]);
  }).timeout(120_000);

  it(`Neovim 0.${version} fixes a file on save with the page's configuration`, () => {
    // A change that the server has not heard of yet is saved too.
    const { values, savedText, stderr } = inNeovim(minor, `vim.api.nvim_buf_set_lines(0, 0, 0, false, { "// new" })\nvim.cmd("write")`);
    assert.deepEqual(values.diagnostic, [6, 32], stderr);
    assert.equal(savedText, `// new\n${PACK.replace("Custm", "Custom")}`, stderr);
  }).timeout(120_000);
});
