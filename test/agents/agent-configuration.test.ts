// The configurations that start `pack-auth mcp`: each is valid for its agent, and an existing file keeps what it has.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_NAMES, AGENTS, type AgentAccess, agentConfiguration, SERVER_NAME, withServer } from "../../agents/agent-configuration.ts";
import { VERBS } from "../../cli/verbs.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { callProgram } from "../support/call-cli.ts";
import { root } from "../support/packs.ts";

interface Entry {
  readonly type?: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Reads a table of strings and arrays of strings: values that TOML and JSON write alike. */
function parseToml(text: string): Record<string, unknown> {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const path = /^\[([\w-]+(?:\.[\w-]+)*)\]$/.exec(head)?.[1]?.split(".") ?? assert.fail(head);
  const values = lines.map((line) => {
    const [, key = "", value = ""] = /^(\w+) = (.+)$/.exec(line) ?? assert.fail(line);
    return [key, JSON.parse(value) as unknown] as const;
  });
  return path.reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), Object.fromEntries(values));
}

function entryOf(name: (typeof AGENT_NAMES)[number], access: AgentAccess): Entry {
  const { format, member } = AGENTS[name];
  const text = agentConfiguration(name, access);
  const whole = format === "json" ? JSON.parse(text) : parseToml(text);
  assert.deepEqual([Object.keys(whole), Object.keys(whole[member])], [[member], [SERVER_NAME]]);
  return whole[member][SERVER_NAME];
}

describe("Configurations of agents", () => {
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin: Record<string, string> };

  for (const name of AGENT_NAMES)
    it(`the configuration of ${AGENTS[name].label} starts the server, with --trust only if the agent may run code`, () => {
      const { type, command, args } = entryOf(name, "read");
      assert.ok(Object.hasOwn(bin, command), command);
      assert.deepEqual(args, ["mcp", AGENTS[name].folder]);
      assert.equal(type, AGENTS[name].hasType ? "stdio" : undefined);
      assert.deepEqual(entryOf(name, "run"), { ...entryOf(name, "read"), args: [...args, "--trust"] });
    });

  it("the configuration of Codex forwards what the keyring, the browser and a proxy need, and lets a question wait", () => {
    const { env_vars: variables, tool_timeout_sec: seconds } = entryOf("codex", "read") as unknown as Record<string, unknown>;
    for (const name of ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HTTPS_PROXY", "PACK_AUTH_SECRET_STORE"])
      assert.ok((variables as string[]).includes(name), name);
    assert.ok(!(variables as string[]).includes("PACK_AUTH_PASSPHRASE"), "a secret");
    assert.equal(seconds, 600);
  });

  it("a configuration is a file of one project, because trust is for one folder", () => {
    for (const { file } of Object.values(AGENTS)) assert.match(file, /^\.[\w/.-]+$/);
  });

  it("the server that a configuration names answers", async function () {
    if (!Object.hasOwn(VERBS, "mcp")) this.skip();
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    };
    for (const access of ["read", "run"] as const) {
      const { out, err } = await callProgram(entryOf("claude-code", access).args, {
        cwd: join(root, "examples/weather-bearer"),
        lines: [JSON.stringify(initialize)],
      });
      assert.match(out, /"serverInfo"/, err);
    }
  });

  describe("in an existing file", () => {
    const add = (text: string, access: AgentAccess = "read") => withServer(text, "vscode", access, "mcp.json");

    it("the server is added, and comments, other servers and the form of the text stay", () => {
      const text = `// Ours.\n{\n    "inputs": [],\n    "servers": {\n        "other": { "url": "https://mcp.example/" } // kept\n    }\n}\n`;
      const { text: after, change, start } = add(text);
      assert.equal(change, "addition");
      const entry = JSON.stringify(entryOf("vscode", "read"), null, 4).replaceAll("\n", "\n        ");
      assert.equal(after, text.replace('"servers": {', `"servers": {\n        "pack-auth": ${entry},`));
      assert.equal(after.slice(start, start + 13), '"pack-auth": ');
      assert.deepEqual([add(after).text, add(after).change], [after, "none"]);
    });

    it("tabs, CRLF and a trailing comma stay", () => {
      const { text } = add('{\r\n\t"servers": {\r\n\t\t"other": {},\r\n\t},\r\n}\r\n');
      assert.match(text, /^\t\t"pack-auth": \{\r\n\t\t\t"type"/m);
      assert.doesNotMatch(text, /[^\r]\n/);
      assert.equal(add(text).change, "none");
    });

    it("a missing member, an empty object and an empty file get it", () => {
      for (const text of ["", "  \n", "// Ours.\n", "{}", "{}\n", '{ "inputs": [] }', '{ "servers": {} }'])
        assert.deepEqual(JSON.parse(add(text).text.replace("// Ours.\n", "")).servers, { "pack-auth": entryOf("vscode", "read") }, text);
    });

    it("another entry of the same name is a replacement, which keeps the rest", () => {
      const { text } = add('{ "servers": { "other": {} } }');
      const { text: after, change } = add(text, "run");
      assert.equal(change, "replacement");
      assert.deepEqual(JSON.parse(after).servers, { other: {}, "pack-auth": entryOf("vscode", "run") });
    });

    it("an invalid file is refused with its line", () => {
      for (const [text, message] of [
        ['{\n  "servers": {\n', /^mcp\.json, line 3: close brace expected\.$/],
        ['{\n  "servers": { "a" }\n}', /^mcp\.json, line 2: colon expected\.$/],
        ["[]", /^mcp\.json, line 1: the file must be an object\.$/],
        ['{\n\n"servers": [] }', /^mcp\.json, line 3: servers must be an object\.$/],
        ["[".repeat(5_000), /^mcp\.json, line 1: the file nests more than/],
      ] as const)
        assert.throws(
          () => add(text),
          (error) => error instanceof PackAuthError && message.test(error.message) && error.location !== undefined,
          text.slice(0, 40),
        );
    });
  });
});
