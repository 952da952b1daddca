// An agent that follows a script: it writes a pack in an empty folder with the tools of `pack-auth mcp` alone, and mends a broken one by the
// edits that the tools return.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { ReportedEdit, ReportedFinding } from "../../protocol/agents.ts";
import { installToolkit, root } from "../support/packs.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
});

pack.addFormula({
  name: "GetTask",
  description: "Gets the title of a task.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "id", description: "The ID of the task." })],
  resultType: coda.ValueType.String,
  execute: async ([id], context) => {
    const response = await context.fetcher.fetch({ method: "GET", url: \`https://api.tasks.example/tasks/\${id}\` });
    return response.body.title;
  },
});
`;

/** A configuration with mistakes that have one right correction each. */
const BROKEN = `import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("https://shop.example/");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorisationUrl: "https://shop.example/oauth/authorize",
  tokenURL: "https://shop.example/oauth/token",
  scopes: "orders:read",
});
`;

describe("A scripted agent", function () {
  this.timeout(120_000);
  let folder: string;
  let client: Client;
  const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);
  const read = (path: string): string => readFileSync(join(folder, path), "utf8");

  async function call<T = Record<string, unknown>>(name: string, input: Record<string, unknown> = {}): Promise<T> {
    const result = await client.callTool({ name, arguments: input });
    assert.ok(result.isError !== true, JSON.stringify(result.content));
    const [text, ...furtherParts] = result.content as { text: string }[];
    assert.deepEqual([furtherParts, result.structuredContent], [[], undefined]);
    return JSON.parse(text?.text ?? "") as T;
  }

  /** Applies edits from the end of the file, as an editor does. */
  function apply(edits: readonly ReportedEdit[]): void {
    const offsetOf = (text: string, { line, character }: ReportedEdit["range"]["start"]): number =>
      text.split("\n").slice(0, line).join("\n").length + (line === 0 ? 0 : 1) + character;
    for (const edit of edits.toReversed()) {
      const text = read(edit.path);
      const [start, end] = [offsetOf(text, edit.range.start), offsetOf(text, edit.range.end)];
      assert.equal(text.slice(start, end), edit.oldText);
      write(edit.path, text.slice(0, start) + edit.newText + text.slice(end));
    }
  }

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "pack-auth-agent-")));
    installToolkit(folder);
    write("package.json", "{}");
    mkdirSync(join(folder, ".home"));
    client = new Client({ name: "script", version: "1" });
    const env = { PATH: dirname(process.execPath), PACK_AUTH_HOME: join(folder, ".home") };
    const args = [join(root, "dist/cli.cjs"), "mcp", folder, "--trust"];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "inherit" }));
  });
  afterEach(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("an empty folder becomes a pack with a saved test that passes, by the tools alone", async () => {
    write("pack.ts", PACK);
    // The check names the missing domain, and its edits declare it.
    const { findings } = await call<{ findings: ReportedFinding[] }>("check");
    assert.deepEqual(
      findings.map(({ rule }) => rule),
      ["network-domain-missing"],
    );
    apply(findings[0]?.fixes[0]?.edits ?? []);
    assert.deepEqual((await call<{ findings: ReportedFinding[] }>("check")).findings, []);
    const outline = await call<{ formulas: { name: string }[]; networkDomains: string[] }>("outline");
    assert.deepEqual([outline.formulas[0]?.name, outline.networkDomains], ["GetTask", ["tasks.example"]]);
    // The sandbox proposes an answer, whose body the agent corrects.
    const echoed = await call<{ proposedAnswers: { entry: string }[] }>("run", { target: "GetTask", parameters: { id: 7 } });
    const entry = { ...JSON.parse(echoed.proposedAnswers[0]?.entry ?? "{}"), body: { title: "Milk" } };
    write("sandbox.json", JSON.stringify({ answers: [entry] }));
    const ran = await call<{ status: string; result: { text: string }; savedTest: string }>("run", {
      target: "GetTask",
      parameters: { id: 7 },
      saveTest: "tests",
    });
    assert.deepEqual([ran.status, ran.result.text], ["succeeded", '"Milk"']);
    const tested = await call<{ passed: number; failed: number }>("test");
    assert.deepEqual([tested.passed, tested.failed], [1, 0]);
  });

  it("a broken configuration becomes clean by the returned edits", async () => {
    write("pack.ts", BROKEN);
    const rules: string[] = [];
    for (let round = 0; round < 10; round++) {
      const { findings } = await call<{ findings: ReportedFinding[] }>("check");
      const fixable = findings.find(({ severity, fixes }) => severity !== "information" && fixes.length > 0);
      if (fixable === undefined) break;
      rules.push(fixable.rule);
      apply(fixable.fixes[0]?.edits ?? []);
    }
    const { findings } = await call<{ findings: ReportedFinding[] }>("check");
    assert.deepEqual(
      findings.filter(({ severity }) => severity !== "information").map(({ rule, message }) => `${rule}: ${message}`),
      [],
      read("pack.ts"),
    );
    assert.ok(rules.length >= 4, rules.join());
  });

  it("a blocked request comes with the edits that declare its domain", async () => {
    write("pack.ts", PACK.replace("pack.setUser", 'pack.addNetworkDomain("other.example");\n\npack.setUser'));
    const failed = await call<{ status: string; failure: { remedies: { label: string; edits: ReportedEdit[] }[] } }>("run", {
      target: "GetTask",
      parameters: [7],
    });
    assert.equal(failed.status, "failed");
    const [remedy] = failed.failure.remedies;
    assert.ok((remedy?.edits.length ?? 0) > 0, JSON.stringify(failed.failure));
    apply(remedy?.edits ?? []);
    assert.match(read("pack.ts"), /addNetworkDomain\("tasks\.example"\)/);
  });
});
