// The yes of a person: to these references, this endpoint, this authentication and these hosts, and to nothing else.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCredentialDomains } from "../../../platform/accounts/credential-domains.ts";
import { PackAuthError, wholeMessage } from "../../../platform/errors.ts";
import type { StateStore } from "../../../platform/host.ts";
import { approvedDelivery, isApproved, type ReferenceQuestion } from "../../../platform/team/approval.ts";
import { deliveryOf } from "../../../platform/team/delivery.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../../protocol/definition.ts";
import type { FileAccount } from "../../../spec/account-file.ts";
import { auth } from "../../support/broker.ts";

const definition = (user: AuthenticationDefinition, networkDomains: readonly string[] = ["shop.example"]): PackDefinition =>
  withCredentialDomains({ networkDomains, userAuthentication: user, formulas: [], syncTables: [] });
const ALICE: FileAccount = { label: "alice", scope: "user", secrets: { token: "op://vault/shop/token" } };
const BEARER = auth("HeaderBearerToken");

describe("references of an account file", () => {
  let folder: string;
  let stored: Map<string, unknown>;
  let questions: ReferenceQuestion[];
  let state: StateStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-team-"));
    stored = new Map();
    questions = [];
    state = { get: (key) => stored.get(key), set: async (key, value) => void stored.set(key, value) };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const approve = (account: FileAccount, pack: PackDefinition, reply = true, entry = join(folder, "pack.ts")) =>
    approvedDelivery(
      {
        state,
        nextStep: "Run it again.",
        ask: async (question) => {
          questions.push(question);
          return reply;
        },
      },
      entry,
      account,
      pack,
    );

  it("references are shown with the hosts that get the values, once", async () => {
    const pack = definition(BEARER, ["shop.example"]);
    await approve(ALICE, pack);
    await approve(ALICE, pack);
    assert.deepEqual(questions, [
      {
        title: "Read the secrets of the account alice from where packauth.accounts.json says?",
        lines: [
          "token: op://vault/shop/token",
          "Their values go to: shop.example",
          "The pack sends requests to: shop.example",
          "Your yes ends when a reference, the endpoint, the authentication or a host changes.",
        ],
      },
    ]);
  });

  it("references that nobody accepts are an error, and are asked for again", async () => {
    await assert.rejects(approve(ALICE, definition(BEARER), false), { code: "reference-unapproved", hint: "Run it again." });
    assert.equal(stored.size, 0);
    await approve(ALICE, definition(BEARER));
    assert.equal(questions.length, 2);
  });

  const CHANGES: Readonly<Record<string, readonly [FileAccount, PackDefinition]>> = {
    "another reference": [{ ...ALICE, secrets: { token: "op://vault/bank/token" } }, definition(BEARER)],
    "another scheme": [{ ...ALICE, secrets: { token: "env:PACK_AUTH_TOKEN" } }, definition(BEARER)],
    "an endpoint": [{ ...ALICE, endpoint: "https://a.shop.example" }, definition(BEARER)],
    "another label": [{ ...ALICE, label: "bob" }, definition(BEARER)],
    "another domain of the pack": [ALICE, definition({ ...BEARER, networkDomain: "shop.example" }, ["shop.example", "evil.example"])],
    "another host of the values": [ALICE, definition(BEARER, ["evil.example"])],
    "another type": [ALICE, definition(auth("CustomHeaderToken", { headerName: "X-Key" }))],
    "a prefix": [ALICE, definition({ ...BEARER, tokenPrefix: "Token" })],
    "another MCP server": [ALICE, { ...definition(BEARER), mcpServers: [{ name: "m", endpointUrl: "https://shop.example/mcp" }] }],
  };
  for (const [what, [account, pack]] of Object.entries(CHANGES))
    it(`a person is asked again after ${what}`, async () => {
      await approve(ALICE, definition(BEARER));
      assert.equal(isApproved(state, join(folder, "pack.ts"), account, pack), false);
      await assert.rejects(approve(account, pack, false), { code: "reference-unapproved" });
      assert.equal(questions.length, 2);
      // A no does not end the former yes, which still is for the former state only.
      assert.equal(isApproved(state, join(folder, "pack.ts"), ALICE, definition(BEARER)), true);
    });

  it("the question says that something changed since the last yes", async () => {
    await approve(ALICE, definition(BEARER));
    await approve({ ...ALICE, secrets: { token: "op://vault/bank/token" } }, definition(BEARER));
    assert.match(questions[1]?.lines.at(-1) ?? "", /^Something changed since your last yes/);
  });

  it("a person is asked again for another checkout or pack, and not for a link to the same", async () => {
    mkdirSync(join(folder, "one"));
    mkdirSync(join(folder, "two"));
    symlinkSync(join(folder, "one"), join(folder, "link"));
    for (const name of ["one", "two", "link"]) await approve(ALICE, definition(BEARER), true, join(folder, name, "pack.ts"));
    await approve(ALICE, definition(BEARER), true, join(folder, "one/other.ts"));
    assert.equal(questions.length, 3);
  });

  it("a yes without the pack's definition is compared by the file's side only", async () => {
    await approve(ALICE, definition(BEARER));
    const entry = join(folder, "pack.ts");
    assert.equal(isApproved(state, entry, ALICE), true);
    assert.equal(isApproved(state, entry, { ...ALICE, endpoint: "https://a.shop.example" }), false);
  });

  it("the stored yes is a digest, without references and paths", async () => {
    await approve(ALICE, definition(BEARER));
    assert.doesNotMatch(JSON.stringify([...stored]), /vault|alice|pack-auth-team/);
  });

  it("a domain that looks like several lines stays on one", async () => {
    await approve(ALICE, definition({ ...BEARER, networkDomain: "shop.example" }, ["shop.example", "a\nTheir values go to: b"]));
    assert.deepEqual(questions[0]?.lines.slice(1, 3), [
      "Their values go to: shop.example",
      "The pack sends requests to: shop.example, a Their values go to: b",
    ]);
  });

  it("references of an OAuth account count its token address as a host", () => {
    const oauth = auth("OAuth2", { tokenUrl: "https://login.example/token" });
    assert.deepEqual(deliveryOf({ ...ALICE, secrets: { accessToken: "env:PACK_AUTH_A" } }, definition(oauth)).hosts, [
      "shop.example",
      "login.example",
    ]);
  });

  it("references of an account with an endpoint go to its host only", () => {
    const { hosts, endpoint } = deliveryOf({ ...ALICE, endpoint: "https://Acme.shop.example/" }, definition(BEARER));
    assert.deepEqual([hosts, endpoint], [["acme.shop.example"], "https://acme.shop.example"]);
  });

  const UNUSABLE: Readonly<Record<string, readonly [FileAccount, PackDefinition, RegExp]>> = {
    "of a scope that the pack lacks": [
      { ...ALICE, scope: "system" },
      definition(BEARER),
      /has no system authentication for the account alice/,
    ],
    "without authentication": [ALICE, definition(auth("None")), /has no user authentication/],
    "without a needed secret": [{ ...ALICE, secrets: { username: "env:PACK_AUTH_A" } }, definition(auth("WebBasic")), /it lacks password/],
    "with a needless secret": [
      { ...ALICE, secrets: { ...ALICE.secrets, other: "env:PACK_AUTH_A" } },
      definition(BEARER),
      /a secret that the authentication does not use/,
    ],
    "without a needed endpoint": [ALICE, definition({ ...BEARER, requiresEndpointUrl: true }), /lacks an endpoint/],
    "with an endpoint elsewhere": [
      { ...ALICE, endpoint: "https://evil.example" },
      definition(BEARER),
      /names evil\.example, and the pack allows only shop\.example; nothing was sent\. Set it to an address under shop\.example\.$/,
    ],
    "with an endpoint outside of endpointDomain": [
      { ...ALICE, endpoint: "https://shop.example" },
      definition({ ...BEARER, requiresEndpointUrl: true, endpointDomain: "acme.example" }),
      /cannot be used; nothing was sent/,
    ],
    "with a port": [{ ...ALICE, endpoint: "https://shop.example:8443" }, definition(BEARER), /cannot be used; nothing was sent/],
  };
  for (const [what, [account, pack, message]] of Object.entries(UNUSABLE))
    it(`an account ${what} is refused before anybody is asked`, async () => {
      await assert.rejects(approve(account, pack), (error) => error instanceof PackAuthError && message.test(wholeMessage(error)));
      assert.equal(questions.length, 0);
    });
});
