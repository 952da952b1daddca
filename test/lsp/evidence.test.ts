// What the host says that sign-ins and runs showed: found over stdio where the source is still what was judged, and by nobody else.
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { Fact } from "../../protocol/evidence.ts";
import { judgedBy } from "../../spec/evidence.ts";
import { type LspClient, startServer } from "../support/lsp-client.ts";

const LINE = `  await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" }).catch(() => undefined);`;
const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("acme.example");
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.acme.example/authorize",
  tokenUrl: "https://login.acme.example/token",
});
pack.addFormula({ name: "Read", description: "Reads.", parameters: [], resultType: coda.ValueType.String, execute: async ([], context) => {
${LINE}
  return "";
} });
`;
const uri = pathToFileURL("/nowhere/pack.ts").href;
const FIELDS: Readonly<Record<string, string>> = {
  type: "OAuth2",
  authorizationUrl: "https://login.acme.example/authorize",
  tokenUrl: "https://login.acme.example/token",
};
const nested: Fact = {
  code: "nested-token",
  entry: uri,
  scope: "user",
  names: ["authed_user"],
  fingerprint: fingerprintOf(judgedBy("nested-token", (field) => FIELDS[field])),
  seenAt: Date.UTC(2026, 10, 23, 12),
  account: "Ada",
};
const swallowed: Fact = {
  code: "unauthorized-swallowed",
  entry: uri,
  at: { path: uri, line: 9 },
  names: ["401"],
  fingerprint: fingerprintOf(LINE.trim()),
  seenAt: Date.UTC(2026, 10, 23, 12),
};

describe("packAuth/evidence", () => {
  let client: LspClient;
  beforeEach(async () => {
    client = await startServer();
    client.open(uri, SOURCE);
  });
  afterEach(() => client.stop());

  const sendEvidence = (facts: unknown): Promise<void> => client.connection.sendNotification("packAuth/evidence", { facts });
  const pullEvidence = async (): Promise<readonly string[]> =>
    (await client.pull(uri))
      .filter(({ code }) => String(code).startsWith("seen-"))
      .map(({ code, range, message }) => `${code} ${range.start.line} ${message}`);

  it("evidence is at its place, with date and account, until the next list", async () => {
    await sendEvidence([nested, swallowed]);
    assert.deepEqual(await pullEvidence(), [
      'seen-nested-token 4 Set nestedResponseKey to "authed_user". The access token is in that object of the token response. Seen on 2026-11-23 with Ada.',
      "seen-unauthorized-swallowed 9 Rethrow the error. This request was answered with 401 and the formula went on, so the platform cannot refresh the token. Seen on 2026-11-23.",
    ]);
    await sendEvidence([]);
    assert.deepEqual(await pullEvidence(), []);
  });

  it("evidence goes when its field changes, comes back with it, and follows its line", async () => {
    await sendEvidence([nested, swallowed]);
    client.change(uri, 2, [{ range: { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } }, text: "\n\n" }]);
    assert.deepEqual(
      (await pullEvidence()).map((text) => text.split(" ").slice(0, 2).join(" ")),
      ["seen-nested-token 6", "seen-unauthorized-swallowed 11"],
    );
    client.change(uri, 3, [{ range: { start: { line: 8, character: 44 }, end: { line: 8, character: 44 } }, text: "s" }]);
    assert.deepEqual(
      (await pullEvidence()).map((text) => text.split(" ")[0]),
      ["seen-unauthorized-swallowed"],
    );
    client.change(uri, 4, [{ range: { start: { line: 8, character: 44 }, end: { line: 8, character: 45 } }, text: "" }]);
    assert.equal((await pullEvidence()).length, 2);
    client.change(uri, 5, [{ range: { start: { line: 11, character: 2 }, end: { line: 11, character: 7 } }, text: "return" }]);
    assert.deepEqual(
      (await pullEvidence()).map((text) => text.split(" ")[0]),
      ["seen-nested-token"],
    );
  });

  it("evidence of another pack, or of a wrong shape, is ignored", async () => {
    await sendEvidence([{ ...nested, entry: pathToFileURL("/nowhere/other.ts").href }]);
    assert.deepEqual(await pullEvidence(), []);
    for (const odd of [
      undefined,
      null,
      1,
      "x",
      {},
      [null, 1, { ...nested, names: ['"; evil('] }, { ...nested, entry: "not a uri" }, { ...swallowed, at: { path: "x", line: 1.5 } }],
    ]) {
      await sendEvidence(odd);
      assert.deepEqual(await pullEvidence(), []);
    }
    const { connection } = client;
    for (const send of [
      () => connection.sendNotification("packAuth/evidence"),
      () => connection.sendNotification("packAuth/evidence", [null]),
    ]) {
      await send();
      assert.deepEqual(await pullEvidence(), []);
    }
    assert.ok(!client.notificationMethods.includes("window/logMessage"), "what holds no facts is no failure");
    await sendEvidence([nested]);
    assert.equal((await pullEvidence()).length, 1);
  });

  it("the fix of evidence is offered, and is no part of fixing all", async () => {
    await sendEvidence([nested]);
    const all = (await client.connection.sendRequest("packAuth/fixAll", { uri })) as { edit: unknown };
    assert.equal(all.edit, null);
    const diagnostics = await client.pull(uri);
    const [diagnostic] = diagnostics.filter(({ code }) => code === "seen-nested-token");
    const actions = (await client.connection.sendRequest("textDocument/codeAction", {
      textDocument: { uri },
      range: diagnostic?.range,
      context: { diagnostics: [diagnostic] },
    })) as readonly { readonly title: string }[];
    assert.ok(
      actions.some(({ title }) => title === "Set nestedResponseKey to authed_user"),
      JSON.stringify(actions.map(({ title }) => title)),
    );
  });
});
