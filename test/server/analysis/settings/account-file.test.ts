// Problems of packauth.accounts.json at their places, with a fix for a literal secret, and never with its text.
import assert from "node:assert/strict";
import { accountFileProblems } from "../../../../server/analysis/settings/account-file.ts";
import { readAccountFile } from "../../../../spec/account-file.ts";
import { schemaAgrees } from "../../../support/schema-agreement.ts";

const SECRET = "ghp_CANARYcanary0123456789";

describe("problems of an account file", () => {
  const flagged = (text: string) =>
    accountFileProblems(text).map(({ start, end, message, fix }) => ({ text: text.slice(start, end), message, fix: fix?.text }));

  it("a literal secret is an error at its place, with a reference as the fix", () => {
    const text = `{ "version": 1, "accounts": [{ "label": "alice", "secrets": { "token": "${SECRET}" } }] }`;
    const [problem, ...otherProblems] = flagged(text);
    assert.deepEqual([problem?.text, problem?.fix, otherProblems], [`"${SECRET}"`, '"env:PACK_AUTH_ALICE_TOKEN"', []]);
    assert.match(problem?.message ?? "", /^This is a secret, .* Revoke it, since git may keep it\./);
    assert.doesNotMatch(JSON.stringify(accountFileProblems(text)), /CANARY/);
  });

  it("a literal secret that a later member hides is an error too", () => {
    const text = `{"version":1,"accounts":[{"label":"a","secrets":{"token":"${SECRET}","token":"env:PACK_AUTH_A"}}]}`;
    assert.deepEqual(
      flagged(text).map(({ text: key, message }) => [key, message]),
      [['"token"', "This member is here twice, and only the last one is read. Remove one."]],
    );
  });

  const PLACES: Readonly<Record<string, readonly [string, string]>> = {
    "a missing version": ['{"accounts":[]}', '{"accounts":[]}'],
    "a wrong scope": ['{"version":1,"accounts":[{"label":"a","scope":"x","secrets":{"t":"env:PACK_AUTH_A"}}]}', '"x"'],
    "a comment": ['{"version":1,/* */"accounts":[]}', "/* */"],
    "a trailing comma": ['{"version":1,"accounts":[],}', "}"],
    "an unclosed file": ['{"version":1', ""],
    "an empty file": ["", ""],
    "a deep file": ["[".repeat(50_000), "["],
    "a large file": [" ".repeat(300_000), " "],
  };
  for (const [what, [text, place]] of Object.entries(PLACES))
    it(`${what} is one error at its place`, () =>
      assert.deepEqual(
        flagged(text).map((problem) => problem.text),
        [place],
      ));

  it("a file with very many problems shows the first hundred", () => {
    const secrets = Object.fromEntries([...Array(50).keys()].map((number) => [`s${number}`, SECRET]));
    const accounts = [...Array(20).keys()].map((number) => ({ label: `a${number}`, secrets }));
    assert.equal(accountFileProblems(JSON.stringify({ version: 1, accounts })).length, 100);
  });

  it("the schema accepts exactly the files that the reader accepts", () => {
    const accounts = [
      { label: "alice", secrets: { token: "env:PACK_AUTH_ALICE_TOKEN" } },
      { label: "bob", scope: "system", endpoint: "https://acme.example.com/v2", secrets: { username: "op://My Vault/item-1/field" } },
    ];
    const odd = ["env:PACK_AUTH_PASSPHRASE", "env:PATH", "op://--help", "op://a/b", SECRET].map((token) => ({
      label: "c",
      secrets: { token },
    }));
    const files = [...odd.map((account) => [account]), accounts].map((list) => ({ version: 1, accounts: list }));
    schemaAgrees("packauth-accounts.schema.json", files, (text) => {
      const { problems } = readAccountFile(JSON.parse(text));
      if (problems.length > 0) throw new Error(problems[0]?.message);
    });
  });
});
