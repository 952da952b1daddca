// The tools about the published pack: they use the API token that the person stored, and ask nobody for one.
import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { createSourceReader } from "../../cli/sources/source-reader.ts";
import { addApiToken } from "../../platform/public-api/api-token.ts";
import { agentIn, outputOf, textOf } from "../support/agent.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { type PublicApiStandIn, startPublicApi } from "../support/public-api.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.shop.example/authorize",
  tokenUrl: "https://login.shop.example/token",
  scopes: ["a"],
});
pack.addFormula({ name: "GetTask", description: "", parameters: [], resultType: coda.ValueType.String, execute: async () => "" });
`;
const LOGS = { doc: "doc-stand-in", limit: 6 };

describe("The tools about the published pack", function () {
  this.timeout(120_000);
  let api: PublicApiStandIn;
  before(async () => {
    api = await startPublicApi({ oauthConfig: { authorizationUrl: "https://login.shop.example/authorize", scopes: "a b" } });
  });
  after(async () => {
    await api.close();
    removePackFiles();
  });

  const trialOf = () => {
    const entry = packFiles({ "pack.ts": SOURCE, ".coda-pack.json": JSON.stringify({ packId: api.packId }) });
    const folder = realpathSync(dirname(entry));
    return agentIn(folder, { fetch: api.fetch, sources: createSourceReader(folder, {}) });
  };
  /** A trial whose person stored the token. */
  async function withToken() {
    const trial = trialOf();
    const { platform } = trial;
    await addApiToken({ ...platform, prompter: { ...platform.prompter, input: async () => api.token } }, "https://coda.io", { title: "" });
    return trial;
  }

  it("the result without a stored token says what the person does, and nothing is asked or sent", async () => {
    const trial = trialOf();
    for (const [tool, input] of [
      ["drift", {}],
      ["logs", LOGS],
    ] as const) {
      const result = await trial.call(tool, input);
      assert.ok("failure" in result, tool);
      assert.equal(result.failure.code, "credentials-missing");
      assert.match(textOf(result.failure.hint), /Ask the person to store one: pack-auth api-token add/);
    }
    assert.deepEqual([trial.questions, (await api.state()).requests], [[], []]);
  });

  it("drift marks what the platform has, and not what the source has", async () => {
    const { differs, lines } = outputOf(await (await withToken()).call("drift")) as {
      differs: boolean;
      lines: readonly { subject: string; there: object; here: unknown }[];
    };
    assert.equal(differs, true);
    const scopes = lines.find(({ subject }) => subject === "scopes");
    assert.deepEqual([scopes?.there, scopes?.here], [{ fromOutside: true, text: "a b", isCut: false }, "a"]);
  });

  it("each text of an entry is marked, with the place in the source, and only GET is sent", async () => {
    const { entries } = outputOf(await (await withToken()).call("logs", LOGS)) as { entries: readonly Record<string, unknown>[] };
    assert.equal(entries.length, 6);
    const texts = entries.flatMap(({ type: _, failed: _failed, diagnosis: _diagnosis, location: _location, ...rest }) =>
      Object.values(rest),
    );
    assert.ok(texts.every((text) => (text as { fromOutside?: true }).fromOutside === true));
    assert.ok(entries.some(({ location }) => (location as { path?: string } | undefined)?.path === "pack.ts"));
    assert.ok((await api.state()).requests.every(({ method }) => method === "GET"));
  });

  it("preflight needs no credential, and answers in own words where nothing is quoted", async () => {
    const { isReady, lines } = outputOf(await trialOf().call("preflight")) as {
      isReady: boolean;
      lines: readonly { topic: string; text: unknown }[];
    };
    assert.equal(isReady, true);
    assert.ok(lines.every(({ text }) => typeof text === "string"));
  });
});
