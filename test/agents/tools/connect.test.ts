// The tool that asks a person to sign in: what the person is shown first, and what the agent gets.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { type AgentTrial, agentIn, outputOf } from "../../support/agent.ts";
import { TOKEN } from "../../support/broker.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { wireOfSuite } from "../../support/wire.ts";

const source = (method: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken, instructionsUrl: "https://evil.example/paste",
  getConnectionName: async (context) => (await context.fetcher.fetch({ method: "${method}", url: "https://good.example/me" })).body.name,
});
pack.addFormula({ name: "Noop", description: "Does nothing.", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });
`;

describe("The tool connect", function () {
  this.timeout(60_000);
  const wire = wireOfSuite();
  after(removePackFiles);
  beforeEach(() => {
    wire.respond = (_request, response) => void response.setHeader("content-type", "application/json").end('{"name":"Ada \\u001b[2J"}');
  });

  const trialOf = (method = "GET", replies: Record<string, string> = {}): AgentTrial =>
    agentIn(dirname(packFiles({ "pack.ts": source(method) })), {
      fetch: wire.fetch,
      lookUp: wire.lookup,
      replies: { token: TOKEN, Token: TOKEN, ...replies },
    });

  it("the person sees first that an agent asked, the pack, and each host that gets what is typed", async () => {
    const trial = trialOf();
    trial.answers = ["refused"];
    const output = outputOf(await trial.call("connect"));
    assert.deepEqual(output, {
      status: "refused",
      code: "consent-refused",
      hint: "Do not ask again in this session. Use the sandbox.",
      notes: [],
    });
    const [notice] = trial.questions;
    const facts = Object.fromEntries(notice?.facts.map(({ label, text }) => [label, text]) ?? []);
    assert.equal(facts.Pack, "pack.ts");
    assert.equal(facts.API, "good.example");
    assert.equal(facts.Folder, trial.session.host.folder);
    assert.match(notice?.warnings[0] ?? "", /An agent asked for this/);
    assert.deepEqual([trial.platform.prompts, wire.requests.length], [[], 0]);
  });

  it("a refusal holds for the session", async () => {
    const trial = trialOf();
    trial.answers = ["refused"];
    await trial.call("connect");
    const again = await trial.call("connect");
    assert.ok("failure" in again && again.failure.code === "consent-refused");
    assert.equal(trial.questions.length, 1);
  });

  it("the agent gets label and state of the account, and no credential", async () => {
    const trial = trialOf();
    const output = outputOf(await trial.call("connect"));
    const { id, ...account } = output.account as { id: string; label: { text: string } };
    assert.equal(output.status, "connected");
    assert.deepEqual(account, {
      label: { fromOutside: true, text: "Ada \\u001b[2J", isCut: false },
      scope: "user",
      type: "HeaderBearerToken",
      isSandbox: false,
      isOfFile: false,
      state: "ready",
    });
    assert.ok(!JSON.stringify(output).includes(TOKEN));
    const listed = outputOf(await trial.call("accounts"));
    assert.deepEqual(
      (listed.accounts as { id: string }[]).map((each) => each.id),
      [id],
    );
  });

  it("a getConnectionName that posts is asked for in the sign-in, and is not sent without a yes", async () => {
    const trial = trialOf("POST", { "Send POST": "no" });
    assert.equal(outputOf(await trial.call("connect")).status, "connected");
    assert.equal(wire.requests.length, 0);
    const agreed = trialOf("POST", { "Send POST": "yes" });
    outputOf(await agreed.call("connect"));
    assert.deepEqual(
      wire.requests.map(({ method, path }) => `${method} ${path}`),
      ["POST /me"],
    );
  });

  it("one sign-in at a time", async () => {
    const trial = trialOf();
    const [one, other] = await Promise.all([trial.call("connect"), trial.call("connect")]);
    assert.equal(outputOf(one).status, "connected");
    assert.ok("failure" in other && other.failure.code === "consent-refused");
  });

  it("a pack without authentication needs no account", async () => {
    const folder = dirname(packFiles({ "pack.ts": 'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n' }));
    const result = await agentIn(folder).call("connect");
    assert.ok("failure" in result && result.failure.code === "type-unavailable");
  });
});
