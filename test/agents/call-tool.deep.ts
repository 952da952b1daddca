// Calls of the agents' tools: wrong calls name the nearest right one, and every output is one JSON text.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ToolResult } from "../../agents/call-tool.ts";
import { agentIn, outputOf, textOf } from "../support/agent.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("api.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({
  name: "GetTask", description: "Gets a task.", resultType: coda.ValueType.String,
  parameters: [coda.makeParameter({ type: coda.ParameterType.Number, name: "id", description: "The ID." })],
  execute: async ([id], context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.example/tasks/" + id })).body.title,
});
pack.addFormula({ name: "Zone", description: "", resultType: coda.ValueType.String, parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "word",
  description: "", autocomplete: async (_: any, search: string) => [search + "!"] } as any)], execute: async ([word], context) => word + " in " + context.timezone });
pack.addFormula({ name: "Breaks", description: "Fails.", resultType: coda.ValueType.String, parameters: [],
  execute: async () => { throw new Error("it is broken"); } });
`;
const STUBS = JSON.stringify({ answers: [{ request: "GET https://api.example/tasks/7", body: { title: "Milk" } }] });

describe("A call of an agent's tool", function () {
  this.timeout(60_000);
  after(removePackFiles);

  const folderWith = (files: Record<string, string> = { "pack.ts": SOURCE }): string => dirname(packFiles(files));
  const failureOf = (result: ToolResult) => {
    assert.ok("failure" in result, JSON.stringify(result));
    return { code: result.failure.code, message: textOf(result.failure.message), hint: textOf(result.failure.hint) };
  };
  /** Returns the output as the one JSON text that a client reads. */
  const read = (result: ToolResult): Record<string, unknown> => JSON.parse(JSON.stringify(outputOf(result)));

  it("an unknown tool is refused with the nearest name", async () => {
    const failure = failureOf(await agentIn(folderWith()).call("chek"));
    assert.deepEqual(failure, { code: "tool-call-invalid", message: "There is no tool chek.", hint: "Did you mean check?" });
  });

  it("an unknown argument is refused with the nearest name", async () => {
    const failure = failureOf(await agentIn(folderWith()).call("run", { target: "GetTask", acount: "Ada" }));
    assert.deepEqual(failure, { code: "tool-call-invalid", message: "run has no argument acount.", hint: "Did you mean account?" });
  });

  for (const [input, path] of [
    [{}, "target"],
    [{ target: 7 }, "target"],
    [{ target: "GetTask", rows: 0 }, "rows"],
    [{ target: "GetTask", parameters: "7" }, "parameters"],
    ["text", ""],
    [null, "target"],
  ] as const)
    it(`${JSON.stringify(input)} is refused by the name of the argument`, async () => {
      const { code, message } = failureOf(await agentIn(folderWith()).call("run", input));
      assert.equal(code, "tool-call-invalid");
      assert.match(message, new RegExp(`The argument ${path} of run is not valid`));
    });

  for (const tool of ["run", "test", "drill", "connect"] as const)
    it(`${tool} runs nothing in a folder that the person does not trust`, async () => {
      const trial = agentIn(folderWith(), { isTrusted: false });
      const failure = failureOf(await trial.call(tool, tool === "run" || tool === "drill" ? { target: "GetTask" } : {}));
      assert.equal(failure.code, "workspace-untrusted");
      assert.equal(failure.hint, "Trust the folder.");
    });

  it("a sign-in that nobody answered may be asked for again, and one that the person refused may not", async () => {
    const trial = agentIn(folderWith());
    trial.answers = ["unanswered", "refused"];
    assert.equal(failureOf(await trial.call("connect")).message, "The person has not answered.");
    const hint = "Do not ask again in this session. Use the sandbox.";
    assert.deepEqual(outputOf(await trial.call("connect")), { status: "refused", code: "consent-refused", hint, notes: [] });
    const message = "The person refused to sign in for this pack.";
    assert.deepEqual(failureOf(await trial.call("connect")), { code: "consent-refused", message, hint });
    assert.equal(trial.questions.length, 2);
  });

  it("a sign-in that is stopped at a prompt may be asked for again", async () => {
    const stop = new AbortController();
    const trial = agentIn(folderWith(), { onAsk: () => stop.abort() });
    assert.equal(failureOf(await trial.call("connect", {}, stop.signal)).message, "The person has not answered.");
    assert.equal(outputOf(await trial.call("connect")).status, "refused");
  });

  it("a pack that does not load is reported with the line", async () => {
    const trial = agentIn(folderWith({ "pack.ts": `${SOURCE}\nthrow new Error("while loading");\n` }));
    const result = await trial.call("run", { target: "GetTask" });
    assert.ok("failure" in result);
    assert.match(textOf(result.failure.message), /while loading/);
    assert.deepEqual(result.failure.stack[0], { path: "pack.ts", line: 14, character: 6 });
  });

  it("a run in the sandbox succeeds, is saved as a test, and the test passes without the network", async () => {
    const folder = folderWith({ "pack.ts": SOURCE, "sandbox.json": STUBS });
    const trial = agentIn(folder);
    const ran = read(await trial.call("run", { target: "GetTask", parameters: { id: 7 }, saveTest: "tests" }));
    assert.deepEqual([ran.status, ran.where, (ran.result as { text: string }).text], ["succeeded", "sandbox", '"Milk"']);
    assert.equal(trial.questions.length, 0);
    const saved = readFileSync(join(folder, String(ran.savedTest)), "utf8");
    assert.match(saved, /GetTask/);
    const tested = read(await trial.call("test"));
    assert.deepEqual([tested.passed, tested.failed], [1, 0]);
    writeFileSync(join(folder, "pack.ts"), SOURCE.replace("/tasks/", "/todos/"));
    const retested = read(await trial.call("test"));
    assert.deepEqual([retested.passed, retested.failed], [0, 1]);
    const rows = read(await trial.call("requests"));
    assert.equal(rows.total, 1);
  });

  it("a run has the targets and inputs of the command line, and is saved in the file that the agent names", async () => {
    const trial = agentIn(folderWith());
    const run = async (input: object) => read(await trial.call("run", { target: "Zone", ...input }));
    const ran = await run({ words: ["one"], timezone: "asia/tokyo", timeLimit: 30, saveTest: "tests/zone.packauth.json" });
    assert.deepEqual([(ran.result as { text: string }).text, ran.savedTest], ['"one in Asia/Tokyo"', "tests/zone.packauth.json"]);
    const suggested = await run({ target: "Zone:autocomplete:word", words: ["on"] });
    assert.match((suggested.result as { text: string }).text, /on!/);
    assert.match(failureOf(await trial.call("run", { target: "Zone", timezone: "Here" })).message, /no time zone Here/);
  });

  it("a request without an answer in the sandbox comes with an entry for sandbox.json, which then answers it", async () => {
    const folder = folderWith();
    const trial = agentIn(folder);
    const first = read(await trial.call("run", { target: "GetTask", parameters: [7] }));
    const [proposed] = first.proposedAnswers as { request: string; file: string; entry: string }[];
    assert.deepEqual([proposed?.request, proposed?.file], ["GET https://api.example/tasks/7", "sandbox.json"]);
    writeFileSync(join(folder, String(proposed?.file)), `{ "answers": [${proposed?.entry}] }`);
    const second = read(await trial.call("run", { target: "GetTask", parameters: [7] }));
    assert.deepEqual([second.status, second.proposedAnswers], ["succeeded", []]);
  });

  it("a formula that fails is reported with its line and is saved as a test only if the failure is expected", async () => {
    const trial = agentIn(folderWith());
    const failed = read(await trial.call("run", { target: "Breaks", saveTest: "tests" }));
    assert.equal(failed.status, "failed");
    assert.equal(failed.savedTest, undefined);
    assert.match(textOf(failed.notSaved), /it failed/);
    const expected = read(await trial.call("run", { target: "Breaks", saveTest: "tests", expectFailure: true }));
    assert.match(String(expected.savedTest), /^tests\/.*\.packauth\.json$/);
  });

  it("a difference from the platform is told in Pack Auth's own words", async () => {
    const source = SOURCE.replace('method: "GET",', 'method: "GET", headers: { Authorization: "mine" },');
    const ran = read(
      await agentIn(folderWith({ "pack.ts": source, "sandbox.json": STUBS })).call("run", { target: "GetTask", parameters: [7] }),
    );
    assert.match((ran.afterUpload as string[])[0] ?? "", /Authorization/i);
  });

  it("an unknown formula is refused with the nearest name", async () => {
    const failure = failureOf(await agentIn(folderWith()).call("run", { target: "GetTsk" }));
    assert.deepEqual(failure, {
      code: "unknown-formula",
      message: "The pack has no formula or table GetTsk.",
      hint: "Did you mean GetTask?",
    });
  });

  it("a pack and a test outside of the folder are refused", async () => {
    const folder = folderWith({ "pack.ts": SOURCE, "inner/pack.ts": SOURCE });
    const trial = agentIn(join(folder, "inner"));
    for (const [tool, input] of [
      ["run", { pack: "..", target: "GetTask" }],
      ["run", { target: "GetTask", saveTest: "../tests" }],
      ["test", { paths: [".."] }],
      ["outline", { pack: join(folder, "pack.ts") }],
      ["accounts", { pack: ".." }],
      ["check", { paths: ["/etc"] }],
    ] as const)
      assert.equal(failureOf(await trial.call(tool, input)).code, "path-outside", tool);
  });

  it("a saved test of a pack outside of the folder is not run", async () => {
    const folder = folderWith({ "pack.ts": SOURCE, "sandbox.json": STUBS, "inner/pack.ts": SOURCE });
    await agentIn(folder).call("run", { target: "GetTask", parameters: [7], saveTest: "inner/tests" });
    const tested = read(await agentIn(join(folder, "inner")).call("test"));
    const [only] = tested.tests as { passed: boolean; problems: { message: { text: string } }[] }[];
    assert.equal(only?.passed, false);
    assert.match(textOf(only?.problems[0]?.message), /outside/);
  });

  it("a file with another name is not read as a saved test, also through a link, so that no error quotes it", async () => {
    const folder = folderWith({ "pack.ts": SOURCE, ".env": "KEY=canary" });
    symlinkSync(join(folder, ".env"), join(folder, "linked.packauth.json"));
    for (const path of [".env", "linked.packauth.json"]) {
      const tested = read(await agentIn(folder).call("test", { paths: [path] }));
      assert.deepEqual([tested.passed, tested.failed], [0, 1], path);
      assert.doesNotMatch(JSON.stringify(tested), /KEY=/, path);
    }
  });

  it("a saved test that several paths name runs once, and the places of its differences are marked as data", async () => {
    const folder = folderWith({ "pack.ts": SOURCE, "sandbox.json": STUBS });
    const trial = agentIn(folder);
    const { savedTest } = read(await trial.call("run", { target: "GetTask", parameters: { id: 7 }, saveTest: "tests" }));
    writeFileSync(join(folder, "pack.ts"), SOURCE.replace(".body.title", ".body.other"));
    const tested = read(await trial.call("test", { paths: ["tests", savedTest] }));
    const [only, ...more] = tested.tests as { problems: { differences: { at: unknown }[] }[] }[];
    assert.deepEqual(only?.problems[0]?.differences[0]?.at, { fromOutside: true, text: "", isCut: false });
    assert.deepEqual(more, []);
  });

  it("requests without a run says what to do first", async () => {
    assert.deepEqual(failureOf(await agentIn(folderWith()).call("requests")), {
      code: "tool-call-invalid",
      message: "Nothing was run in this session.",
      hint: "Call run first.",
    });
  });

  it("bad days have a verdict each, and go to the sandbox only", async () => {
    const folder = folderWith({ "pack.ts": SOURCE, "sandbox.json": STUBS });
    const drilled = read(await agentIn(folder).call("drill", { target: "GetTask", parameters: [7] }));
    assert.equal((drilled.days as unknown[]).length, 10);
  });

  it("a folder without a pack names what builds one", async () => {
    const folder = folderWith();
    mkdirSync(join(folder, "empty"));
    assert.equal(failureOf(await agentIn(folder).call("run", { pack: "empty", target: "X" })).code, "pack-not-found");
  });
});
