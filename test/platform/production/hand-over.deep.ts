// The hand-over of the client to the published pack: only one that worked, only after a yes, only to the host of the API token; and a canary
// that is nowhere else.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { type HandOverQuestion, handOver } from "../../../platform/production/hand-over.ts";
import { openApiOf } from "../../../platform/public-api/api-token.ts";
import type { PublicApi } from "../../../platform/public-api/public-api.ts";
import type { ClientCredentials } from "../../../platform/secrets/credential.ts";
import { encryptedFileStore } from "../../../platform/secrets/encrypted-file-store.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { oauthDefinition } from "../../support/oauth-account.ts";
import { makeHost } from "../../support/platform-host.ts";
import { type ApiFaults, type PublicApiStandIn, STAND_IN, startPublicApi } from "../../support/public-api.ts";

const CANARY = "canary-4f1d7a9c2b60e835";
const ENTRY = "/packs/shop/pack.ts";
const { packId, tenantHost, token } = STAND_IN;
const PUBLISHED = { packId, origin: "https://coda.io" };
const TOKEN_URL = "https://login.shop.example/token";
const OTHER_URL = "https://login.former.example/token";
const CLIENT: ClientCredentials = { clientId: "client-1234-abcd", clientSecret: CANARY };
const AUTH = oauthDefinition(TOKEN_URL);

describe("The hand-over of a client to the published pack", function () {
  this.timeout(60_000);
  let folder: string;
  let standIn: PublicApiStandIn | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-hand-over-"));
  });
  afterEach(async () => {
    await standIn?.close();
    standIn = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  /** A person with that client, which the token endpoint accepted for that configuration, if any. */
  async function person(
    client: ClientCredentials | undefined,
    acceptedWith: AuthenticationDefinition | undefined,
    faults: ApiFaults = {},
    auth: AuthenticationDefinition = AUTH,
  ) {
    standIn = await startPublicApi({ faults });
    const secrets = encryptedFileStore(join(folder, "secrets"), "correct horse battery staple");
    const host = { ...makeHost({ fetch: standIn.fetch, secrets, replies: { "API token": token } }), storageFolder: folder };
    const accounts = openAccounts(host);
    if (client !== undefined) await accounts.saveClientCredentials(packKey(ENTRY), "user", client);
    if (client !== undefined && acceptedWith !== undefined)
      await accounts.bindClientCredentials(packKey(ENTRY), "user", client, acceptedWith.tokenUrl ?? "", acceptedWith);
    const api = (await openApiOf(host, PUBLISHED, { title: "Hand-over" })) as PublicApi;
    const questions: HandOverQuestion[] = [];
    const send = (answer = true, published = PUBLISHED): Promise<string | undefined> =>
      handOver({
        entry: ENTRY,
        packName: "shop",
        scope: "user",
        auth,
        whileSending: (requests) => requests(),
        accounts,
        api,
        published,
        agree: async (question) => {
          questions.push(question);
          return answer;
        },
      });
    return { host, accounts, api, questions, send, state: standIn.state };
  }
  const writes = ({ requests }: Awaited<ReturnType<PublicApiStandIn["state"]>>) => requests.filter(({ method }) => method !== "GET");

  it("a client that a token endpoint accepted is sent after a yes, and the platform is asked what it has now", async () => {
    const { questions, send, state } = await person(CLIENT, AUTH);
    assert.equal(await send(), `Pack ${packId} at coda.io has client ID ••••abcd now, which is the one that was sent.`);
    assert.deepEqual((await state()).client, { clientId: CLIENT.clientId, clientSecret: CANARY });
    assert.deepEqual(
      questions.map(({ message, host }) => [message, host]),
      [[`Send the client ID and secret to pack ${packId} at coda.io?`, "coda.io"]],
    );
    await send();
    assert.equal(questions.length, 2, "each time");
  });

  it("a platform that repeats the secret, or does not answer afterwards, leads to a sentence without it", async () => {
    const { send, api } = await person(CLIENT, AUTH);
    const { maskedClientId: _masked, ...config } = await api.oauthConfig(packId);
    Object.assign(api, { oauthConfig: async () => ({ ...config, maskedClientId: CANARY }) });
    await assert.rejects(
      send(),
      (error: PackAuthError) => !error.message.includes(CANARY) && /not the one that was sent/.test(error.message),
    );
    Object.assign(api, {
      oauthConfig: async () => Promise.reject(new PackAuthError("api-failed", `coda.io answers ${CANARY}.`, { hint: CANARY })),
    });
    await assert.rejects(
      send(),
      (error: PackAuthError) => !`${error.message}${error.hint}`.includes(CANARY) && /took the client ID and secret/.test(error.message),
    );
  });

  it("a cancel while the client is sent is not called a refusal", async () => {
    const { send, api } = await person(CLIENT, AUTH);
    Object.assign(api, { setOauthConfig: () => Promise.reject(new DOMException("cancelled", "AbortError")) });
    await assert.rejects(send(), { code: "api-failed", message: /unknown whether coda\.io took/ });
  });

  it("nothing is sent without a yes", async () => {
    const { send, state } = await person(CLIENT, AUTH);
    assert.equal(await send(false), undefined);
    assert.deepEqual((await state()).requests, []);
  });

  const registration = { issuer: "https://login.shop.example", redirectUri: "http://localhost:3000/oauth" };
  const boundClient: ClientCredentials = { ...CLIENT, tokenEndpoints: [TOKEN_URL, OTHER_URL] };
  for (const [what, client, acceptedWith, message] of [
    ["no client", undefined, undefined, /No client ID is stored/],
    ["a client that was only entered", { ...CLIENT, tokenEndpoints: [TOKEN_URL] }, undefined, /No sign-in has used/],
    ["a client that a sign-in registered", { ...CLIENT, registration }, AUTH, /was registered by a sign-in/],
    [
      "a client that another token URL accepted",
      CLIENT,
      oauthDefinition(OTHER_URL),
      /worked with OAuth2 at https:\/\/login\.former\.example\/token\. This source has OAuth2 at https:\/\/login\.shop\.example\/token\./,
    ],
    [
      "a client that may go to both token URLs, and worked at the other one",
      boundClient,
      oauthDefinition(OTHER_URL),
      /worked with OAuth2 at/,
    ],
    [
      "a client that worked with another type",
      CLIENT,
      { ...AUTH, type: "OAuth2ClientCredentials" },
      /worked with OAuth2ClientCredentials at/,
    ],
    [
      "a client of an earlier Pack Auth, which did not store where it worked",
      { ...CLIENT, accepted: true } as ClientCredentials,
      undefined,
      /No sign-in has used/,
    ],
  ] as const)
    it(`a hand-over is refused without a question: ${what}`, async () => {
      const { questions, send, state } = await person(client, acceptedWith);
      await assert.rejects(send(), { code: "credentials-missing", message, hint: /^Nothing was sent\./ });
      assert.deepEqual([questions, (await state()).requests], [[], []]);
    });

  it("a client is sent once the present token URL has accepted it too, and is then good for both", async () => {
    const { accounts, send } = await person(CLIENT, oauthDefinition(OTHER_URL));
    await accounts.bindClientCredentials(packKey(ENTRY), "user", CLIENT, TOKEN_URL, AUTH);
    assert.ok(await send());
    const stored = await accounts.clientCredentials(packKey(ENTRY), "user");
    assert.deepEqual(
      stored?.acceptedWith?.map(({ tokenUrl }) => tokenUrl),
      [OTHER_URL, TOKEN_URL],
    );
  });

  it("nothing is sent to a host that the API token was not entered for", async () => {
    const { questions, send, state } = await person(CLIENT, AUTH);
    await assert.rejects(send(true, { packId, origin: `https://${tenantHost}` }), { code: "api-host-unapproved" });
    assert.deepEqual([questions, (await state()).requests], [[], []]);
  });

  it("an API that does not take it is an error, and never done", async () => {
    for (const [faults, code] of [
      [{ forbidden: true }, "api-forbidden"],
      [{ limited: "30" }, "api-limited"],
      [{ unavailable: true }, "api-failed"],
      [{ redirecting: "https://other.example/" }, "api-failed"],
    ] as const) {
      const { send, state } = await person(CLIENT, AUTH, faults);
      await assert.rejects(send(), { code });
      assert.ok(writes(await state()).every(({ host }) => host === "coda.io"));
      await standIn?.close();
      standIn = undefined;
    }
  });

  it("a platform that shows another client afterwards is an error", async () => {
    const { api, send } = await person(CLIENT, AUTH);
    const lost = { ...api, setOauthConfig: () => api.oauthConfig(packId) };
    const { accounts, key } = { accounts: { clientCredentials: async () => ({ ...CLIENT, acceptedWith: [AUTH] }) }, key: ENTRY };
    await assert.rejects(
      handOver({
        entry: key,
        packName: "shop",
        scope: "user",
        auth: AUTH,
        whileSending: (requests) => requests(),
        accounts,
        api: lost,
        published: PUBLISHED,
        agree: async () => true,
      }),
      { code: "api-failed", message: /has no client ID, which is not the one that was sent/ },
    );
    assert.ok(await send());
  });

  it("the secret is on the wire to the API's origin once, and in no file, log, prompt, argument, error or result", async () => {
    const { host, questions, send, state } = await person(CLIENT, AUTH);
    const result = await send();
    const carriers = (await state()).requests.filter((request) => JSON.stringify(request).includes(CANARY));
    assert.deepEqual(
      carriers.map(({ host: to, method, path }) => [to, method, path]),
      [["coda.io", "PUT", `/apis/v1/packs/${packId}/oauthConfig`]],
    );
    await standIn?.close();
    const refused = await person(CLIENT, AUTH, { unavailable: true });
    const error: unknown = await refused.send().catch((thrown: unknown) => thrown);
    assert.ok(error instanceof PackAuthError);
    const texts = [
      ...readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((each) =>
        each.isFile() ? readFileSync(join(each.parentPath, each.name), "latin1") : [],
      ),
      JSON.stringify([
        result,
        questions,
        host.prompts,
        host.offered,
        host.logged,
        host.copied,
        [...host.states],
        [...host.workspaceStates],
      ]),
      JSON.stringify(process.argv),
      `${error.message} ${error.hint} ${error.stack} ${String(error.cause)} ${JSON.stringify(error)}`,
    ];
    assert.ok(texts.length > 4, "files were written");
    for (const text of texts)
      for (const form of [CANARY, Buffer.from(CANARY).toString("base64"), Buffer.from(CANARY).toString("hex")])
        assert.ok(!text.includes(form));
  });

  it("an API that repeats the secret in its refusal shows none of it", async () => {
    const { api } = await person(CLIENT, AUTH);
    const accounts = { clientCredentials: async () => ({ ...CLIENT, acceptedWith: [AUTH] }) };
    for (const thrown of [new PackAuthError("api-failed", `bad ${CANARY}`, { hint: `not ${CANARY}`, cause: CANARY }), new Error(CANARY)]) {
      const echoing = { ...api, setOauthConfig: () => Promise.reject(thrown) };
      const error: unknown = await handOver({
        entry: ENTRY,
        packName: "shop",
        scope: "user",
        auth: AUTH,
        whileSending: (requests) => requests(),
        accounts,
        api: echoing,
        published: PUBLISHED,
        agree: async () => true,
      }).catch((reason: unknown) => reason);
      assert.ok(error instanceof PackAuthError);
      assert.ok(!`${error.message} ${error.hint} ${error.stack} ${String(error.cause)}`.includes(CANARY));
    }
  });
});
