// What copying and pasting puts into a credential: refused at the prompt, with the character named and the value not shown.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountFromEnvironment } from "../../../cli/frame/environment-account.ts";
import { openAccounts } from "../../../platform/accounts/accounts.ts";
import { readToolkitCredentials, TOOLKIT_FILE } from "../../../platform/accounts/toolkit-credentials.ts";
import { connect } from "../../../platform/connect/connect.ts";
import { endpointProblem, normaliseEndpoint } from "../../../platform/network/endpoint.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { makeHost } from "../../support/platform-host.ts";

/** The answer of the first prompt about each text, which refuses it, or the credential that comes of it. */
async function entered(type: string, replies: Readonly<Record<string, string>>, more: Partial<AuthenticationDefinition> = {}) {
  const host = makeHost({ replies: { ...replies } });
  const accounts = openAccounts(host);
  const pack = declaredPack("/packs/pasted/pack.ts", auth(type, more));
  const connected = await connect(pack, { scope: "user", packName: "shop", host, accounts });
  return connected === undefined ? undefined : accounts.credential(connected.account.id);
}

/** The credential of the environment's variables. */
function ofEnvironment(definition: AuthenticationDefinition, env: NodeJS.ProcessEnv) {
  const pack = { networkDomains: ["shop.example"], userAuthentication: definition, formulas: [], syncTables: [] };
  return accountFromEnvironment(pack, undefined, { PACK_AUTH_DOMAINS: "shop.example", ...env }).account?.credential;
}

/** What the toolkit's file holds. */
function ofFile(definition: AuthenticationDefinition, credentials: unknown) {
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-pasted-"));
  try {
    writeFileSync(join(folder, TOOLKIT_FILE), JSON.stringify({ credentials }));
    return readToolkitCredentials(join(folder, "pack.ts"), definition);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CUSTOM = auth("Custom", { params: [{ name: "key", description: "Key" }] });

describe("Pasted values", () => {
  for (const [what, value, message] of [
    ["a key that a page shows shortened", "sk-abcdef…123456", /Copy the whole value\. It contains “…”/],
    ["a key that a page masks", "sk-••••••••1234", /Copy the whole value\. It contains “•”/],
    ["a key in quotation marks", '"sk-abcdef123456"', /Enter the value without the quotation marks around it\./],
    ["a key in backticks", "`sk-abcdef123456`", /Enter the value without the quotation marks around it\./],
    ["a key in curly quotation marks", "“sk-abcdef123456”", /Copy the value again\. It contains “ \(U\+201C\)/],
    ["a curly apostrophe", "sk-abc’def", /Copy the value again\. It contains ’ \(U\+2019\)/],
    ["a zero-width space", "sk-abc\u200bdef", /Copy the value again\. It contains an invisible character \(U\+200B\)/],
    ["a zero-width space at the end", "sk-abcdef\u200b", /an invisible character \(U\+200B\)/],
    ["a no-break space inside", "sk-abc\u00a0def", /an invisible character \(U\+00A0\)/],
    ["a mark of direction", "sk-abc\u202edef", /an invisible character \(U\+202E\)/],
    ["a line break", "sk-abc\ndef", /line break or a control character/],
  ] as const)
    it(`${what} is refused at the prompt, with the character named`, async () => {
      for (const pendingSignIn of [
        entered("HeaderBearerToken", { Paste: value }),
        entered("Custom", { Key: value }, { params: [{ name: "key", description: "Key" }] }),
        entered("OAuth2ClientCredentials", { "Client ID": "id", "Client secret": value }, { tokenUrl: "https://login.acme.example/token" }),
        entered("OAuth2ClientCredentials", { "Client ID": value }, { tokenUrl: "https://login.acme.example/token" }),
      ])
        await assert.rejects(pendingSignIn, message);
    });

  const ODD = "sk-abc\u200bdef";
  for (const [what, read] of Object.entries<() => unknown>({
    "the variable PACK_AUTH_TOKEN": () => ofEnvironment(auth("HeaderBearerToken"), { PACK_AUTH_TOKEN: ODD }),
    "the variable PACK_AUTH_KEY": () => ofEnvironment(CUSTOM, { PACK_AUTH_KEY: ODD }),
    "the variable PACK_AUTH_USERNAME": () => ofEnvironment(auth("WebBasic"), { PACK_AUTH_USERNAME: ODD, PACK_AUTH_PASSWORD: "a" }),
    "the variable PACK_AUTH_ACCESS_TOKEN": () => ofEnvironment(auth("OAuth2"), { PACK_AUTH_ACCESS_TOKEN: ODD }),
    "the variable PACK_AUTH_AWS_SESSION_TOKEN": () =>
      ofEnvironment(auth("AWSAccessKey"), {
        PACK_AUTH_AWS_ACCESS_KEY_ID: "id",
        PACK_AUTH_AWS_SECRET_ACCESS_KEY: "key",
        PACK_AUTH_AWS_SESSION_TOKEN: ODD,
      }),
    "token of .coda-credentials.json": () => ofFile(auth("HeaderBearerToken"), { token: ODD }),
    "paramValue of .coda-credentials.json": () => ofFile(auth("QueryParamToken"), { paramValue: ODD }),
    "params.key of .coda-credentials.json": () => ofFile(CUSTOM, { params: { key: ODD } }),
    "username of .coda-credentials.json": () => ofFile(auth("WebBasic"), { username: ODD }),
    "accessToken of .coda-credentials.json": () => ofFile(auth("OAuth2"), { accessToken: ODD }),
    "refreshToken of .coda-credentials.json": () => ofFile(auth("OAuth2"), { accessToken: "a", refreshToken: ODD }),
    "clientSecret of .coda-credentials.json": () => ofFile(auth("OAuth2"), { accessToken: "a", clientId: "id", clientSecret: ODD }),
  }))
    it(`an invisible character in ${what} is refused, with both named`, () => {
      const name = what.replace("the variable ", "");
      assert.throws(read, (error: Error & { code?: string; hint?: string }) => {
        assert.deepEqual([error.code, error.message], ["credentials-missing", `${name} cannot be used.`]);
        assert.equal(error.hint, "Copy the value again. It contains an invisible character (U+200B).");
        return true;
      });
    });

  it("blanks around variables and file values are trimmed, passwords are not", () => {
    const password = ' “…” "x" ';
    assert.deepEqual(ofEnvironment(auth("HeaderBearerToken"), { PACK_AUTH_TOKEN: " sk-abcdef\n" }), { kind: "token", token: "sk-abcdef" });
    assert.throws(() => ofEnvironment(auth("HeaderBearerToken"), { PACK_AUTH_TOKEN: " " }), { hint: "Enter a value." });
    assert.deepEqual(ofFile(auth("HeaderBearerToken"), { token: " sk-abcdef\n" }).credential, { kind: "token", token: "sk-abcdef" });
    const basic = { kind: "basic", username: "alice", password };
    assert.deepEqual(ofEnvironment(auth("WebBasic"), { PACK_AUTH_USERNAME: "alice", PACK_AUTH_PASSWORD: password }), basic);
    assert.deepEqual(ofFile(auth("WebBasic"), { username: "alice", password }).credential, basic);
    assert.throws(() => ofFile(auth("WebBasic"), { username: "alice", password: "a\nb" }), {
      message: "password of .coda-credentials.json cannot be used.",
    });
  });

  it("inner quotation marks and other scripts are kept, surrounding blanks are trimmed", async () => {
    for (const [value, token] of [
      ['{"key":"value"}', '{"key":"value"}'],
      ['a"b', 'a"b'],
      ["ключ-ключ", "ключ-ключ"],
      ["  sk-abcdef123456\n", "sk-abcdef123456"],
      ["\u00a0sk-abcdef123456\ufeff", "sk-abcdef123456"],
    ] as const)
      assert.deepEqual(await entered("HeaderBearerToken", { Paste: value }), { kind: "token", token });
  });

  it("a password is stored as typed", async () => {
    const password = '“…” "x" ’';
    assert.deepEqual(await entered("WebBasic", { "User name": "alice", Password: password }), {
      kind: "basic",
      username: "alice",
      password,
    });
  });

  it("an endpoint is stored with scheme and host in lower case, its path as typed", () => {
    for (const [typed, endpoint] of [
      ["HTTPS://ACME.Example.com/Team/", "https://acme.example.com/Team"],
      ["ACME.example.com", "https://acme.example.com"],
      ["https://acme.example.com:8443/A", "https://acme.example.com:8443/A"],
    ] as const) {
      assert.equal(endpointProblem(typed), undefined);
      assert.equal(normaliseEndpoint(typed), endpoint);
    }
  });
});
