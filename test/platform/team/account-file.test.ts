// The account file beside a pack: strict, bounded, and silent about what may be a secret.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PackAuthError, wholeMessage } from "../../../platform/errors.ts";
import { readFileAccounts } from "../../../platform/team/account-file.ts";
import { parseReference, readAccountFile } from "../../../spec/account-file.ts";

const SECRET = "ghp_CANARYcanary0123456789";

describe("an account file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-team-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const entry = (): string => join(folder, "pack.ts");
  const write = (text: string): void => writeFileSync(join(folder, "packauth.accounts.json"), text);
  const account = (more: object = {}): string =>
    JSON.stringify({ version: 1, accounts: [{ label: "alice", secrets: { token: "env:PACK_AUTH_ALICE_TOKEN" }, ...more }] });
  const failure = (): string => {
    try {
      readFileAccounts(entry());
    } catch (error) {
      assert.ok(error instanceof PackAuthError && error.code === "account-file-invalid", String(error));
      return wholeMessage(error);
    }
    return "";
  };

  it("a missing file has no accounts", () => assert.deepEqual(readFileAccounts(entry()), []));

  it("a valid file gives its accounts, user accounts by default", () => {
    write(`\ufeff${account({ endpoint: "https://acme.example.com/v2" })}`);
    assert.deepEqual(readFileAccounts(entry()), [
      { label: "alice", scope: "user", endpoint: "https://acme.example.com/v2", secrets: { token: "env:PACK_AUTH_ALICE_TOKEN" } },
    ]);
  });

  const BROKEN: Readonly<Record<string, readonly [string, RegExp]>> = {
    "is no JSON": [`{"version": 1, ${SECRET}`, /it is not JSON\. Open it in an editor/],
    "is a list": ["[]", /at its root\. The file must be an object/],
    "has another version": ['{"version": 2, "accounts": []}', /at version\. Set version to 1/],
    "has accounts that are no list": ['{"version": 1, "accounts": {}}', /at accounts\. accounts must be a list/],
    "has a member that is not read": [
      `{"version": 1, "accounts": [], "${SECRET}": 1}`,
      /Only these members are read here: version, accounts/,
    ],
    "has an account that is a text": [`{"version": 1, "accounts": ["${SECRET}"]}`, /at accounts\[0\]\. An account must be/],
    "has a label of two lines": [account({ label: "a\nb" }), /at accounts\[0\]\.label\. label must be one line/],
    "has a label with a direction mark": [account({ label: "a\u202eb" }), /label must be one line/],
    "has an endless label": [account({ label: "a".repeat(201) }), /label must be one line of at most 200/],
    "has an unknown scope": [account({ scope: "admin" }), /at accounts\[0\]\.scope\. scope must be/],
    "has an http endpoint": [
      account({ endpoint: "http://acme.example.com" }),
      /at accounts\[0\]\.endpoint\. endpoint must be a URL that begins/,
    ],
    "has an endpoint with a user name": [account({ endpoint: `https://${SECRET}@evil.example` }), /without user name/],
    "has an endpoint with a blank": [account({ endpoint: "https://good.com\t.evil.example" }), /endpoint must be/],
    "has no secrets": [account({ secrets: {} }), /at accounts\[0\]\.secrets\. secrets must be an object/],
    "has a literal secret": [account({ secrets: { token: SECRET } }), /at accounts\[0\]\.secrets\.token\. This is a secret.*Revoke it/],
    "has a secret that is a number": [
      account({ secrets: { token: 5 } }),
      /at accounts\[0\]\.secrets\.token\. A reference must be a string/,
    ],
    "has a secret with an odd name": [
      account({ secrets: { "X-Api Key": SECRET } }),
      /at accounts\[0\]\.secrets\["X-Api Key"\]\. This is a secret/,
    ],
    "nests deeply": [account({ secrets: JSON.parse("[".repeat(20) + "]".repeat(20)) }), /nests more than 8 levels/],
    "nests until a parser would overflow": ["[".repeat(100_000), /nests more than 8 levels/],
    "is huge": [account({ label: "a".repeat(300_000) }), /no file of at most 256 KiB/],
    "has too many accounts": [JSON.stringify({ version: 1, accounts: Array(201).fill({}) }), /At most 200 accounts/],
    "has one label twice": [
      JSON.stringify({
        version: 1,
        accounts: [1, 2].map(() => ({ label: "a", secrets: { token: "env:PACK_AUTH_A" } })),
      }),
      /at accounts\[1\]\.label\. Another account of the file has this label/,
    ],
  };
  for (const [what, [text, message]] of Object.entries(BROKEN))
    it(`a file that ${what} is one clear line without the secret`, () => {
      write(text);
      const shown = failure();
      assert.match(shown, message);
      assert.doesNotMatch(shown, /CANARY|\n/);
    });

  for (const [what, bytes] of [
    ["is UTF-16, as some shells write it", Buffer.from(`\ufeff${account()}`, "utf16le")],
    ["is binary", Buffer.from([0x7b, 0x00, 0xff, 0xfe, 0x7d])],
    ["has a label that is no UTF-8", Buffer.from(account({ label: "a\u00e9" }), "latin1")],
  ] as const)
    it(`a file that ${what} says which encoding is read`, () => {
      writeFileSync(join(folder, "packauth.accounts.json"), bytes);
      assert.match(failure(), /^packauth\.accounts\.json cannot be used: it is not UTF-8 text\. Save it as UTF-8\.$/);
    });

  it("a file that begins with a byte order mark is read", () => {
    write(`\ufeff${account()}`);
    assert.equal(readFileAccounts(entry()).length, 1);
  });

  it("a file that is a link is not followed", () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "pack-auth-elsewhere-"));
    try {
      writeFileSync(join(elsewhere, "accounts.json"), account());
      symlinkSync(join(elsewhere, "accounts.json"), join(folder, "packauth.accounts.json"));
      assert.match(failure(), /no file.*A link is not followed/);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  it("a secret named like a member of the prototype keeps its name", () => {
    write('{"version":1,"accounts":[{"label":"a","secrets":{"__proto__":"env:PACK_AUTH_A","constructor":"env:PACK_AUTH_B"}}]}');
    const [only] = readFileAccounts(entry());
    assert.deepEqual(Object.entries(only?.secrets ?? {}), [
      ["__proto__", "env:PACK_AUTH_A"],
      ["constructor", "env:PACK_AUTH_B"],
    ]);
    assert.equal(({} as Record<string, unknown>).PACK_AUTH_A, undefined);
  });
});

describe("a reference", () => {
  for (const text of [
    "op://vault/item/field",
    "op://My Vault/item-1/section_2/the.field",
    "env:PACK_AUTH_ALICE_TOKEN",
    "env:PACK_AUTH_HOMEPAGE",
  ])
    it(`${text} is accepted`, () => assert.ok(parseReference(text)));

  const REFUSED = [
    "op://--help",
    "op://--help/item/field",
    "op://vault/-item/field",
    "op://vault/item",
    "op://vault/item/field/more/parts",
    "op://vault/item/field\n--account=evil",
    "op://vault/item/field?attribute=otp",
    "op://vault/item/$(id)",
    "op://vault/item/`id`",
    "op://vault/../field",
    "op://vault//field",
    "op://vault/item/fi\u0000eld",
    "op://vault/item/field ",
    " op://vault/item/field",
    "OP://vault/item/field",
    "ENV:PACK_AUTH_ALICE_TOKEN",
    `op://vault/item/${"f".repeat(500)}`,
    "env:PATH",
    "env:HOME",
    "env:OP_SERVICE_ACCOUNT_TOKEN",
    "env:PACK_AUTH_",
    "env:PACK_AUTH_alice",
    "env:PACK_AUTH_ALICE\n",
    "env:$PACK_AUTH_ALICE",
    ...["PASSPHRASE", "API_TOKEN", "HOME", "DOMAINS", "SECRET_STORE", "OP", "ENDPOINT"].map((name) => `env:PACK_AUTH_${name}`),
    "",
    "file:///etc/passwd",
    SECRET,
  ];
  for (const text of REFUSED)
    it(`${JSON.stringify(text).slice(0, 60)} is refused without showing a possible secret`, () => {
      assert.equal(parseReference(text), undefined);
      const { problems } = readAccountFile({ version: 1, accounts: [{ label: "alice", secrets: { token: text } }] });
      assert.equal(problems.length, 1);
      assert.deepEqual(problems[0]?.path, ["accounts", 0, "secrets", "token"]);
      assert.doesNotMatch(problems[0]?.message ?? "", /CANARY|evil|passwd/);
    });

  it("a reference with a scheme in capital letters is no literal secret", () => {
    for (const [token, message] of [
      ["ENV:PACK_AUTH_ALICE_TOKEN", /^A reference env: names a variable/],
      ["Op://vault/item/field", /^Write op:\/\/vault/],
    ] as const) {
      const { problems } = readAccountFile({ version: 1, accounts: [{ label: "alice", secrets: { token } }] });
      assert.deepEqual([problems.length, problems[0]?.replacement], [1, undefined]);
      assert.match(problems[0]?.message ?? "", message);
    }
  });

  it("a reference is proposed in place of a literal secret, and never names a variable of Pack Auth", () => {
    for (const [label, name, replacement] of [
      ["alice", "token", "env:PACK_AUTH_ALICE_TOKEN"],
      ["Al (work)", "accessToken", "env:PACK_AUTH_AL_WORK_ACCESS_TOKEN"],
      ["é", "passphrase", "env:PACK_AUTH_PASSPHRASE_VALUE"],
      ["é", "ü", "env:PACK_AUTH_SECRET"],
    ] as const) {
      const { problems } = readAccountFile({ version: 1, accounts: [{ label, secrets: { [name]: SECRET } }] });
      assert.equal(problems[0]?.replacement, replacement);
      assert.ok(parseReference(replacement), replacement);
    }
  });
});
