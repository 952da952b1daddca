// Taking over what the toolkit's own command keeps in plain text beside a pack, and forgetting the file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import {
  forgetToolkitFile,
  hasToolkitCredentials,
  readToolkitCredentials,
  TOOLKIT_FILE,
} from "../../../platform/accounts/toolkit-credentials.ts";
import { connect } from "../../../platform/connect/connect.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { auth } from "../../support/broker.ts";
import { declaredPack } from "../../support/declared-pack.ts";
import { readTable } from "../../support/json-cases.ts";
import { makeHost } from "../../support/platform-host.ts";

describe("The toolkit's credentials", () => {
  let folder: string;
  let entry: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-toolkit-"));
    entry = join(folder, "pack.ts");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (credentials: unknown): void => writeFileSync(join(folder, TOOLKIT_FILE), JSON.stringify({ credentials }));
  const packOf = (user: AuthenticationDefinition) => declaredPack(entry, user, { networkDomains: ["shop.example"] });

  const cases = readTable(
    "accounts/cases/toolkit-credentials.json",
    z.array(z.tuple([z.string(), z.custom<AuthenticationDefinition>(), z.unknown(), z.unknown()])),
  );
  for (const [what, definition, stored, expected] of cases) {
    it(`${what} in the toolkit's file is imported`, () => {
      write(stored);
      assert.deepEqual(readToolkitCredentials(entry, definition).credential, expected);
    });
  }

  for (const [what, content] of Object.entries({
    "is no JSON": "{",
    "is empty": "",
    "holds a list": "[]",
    "holds null": "null",
    "is of another type": '{"credentials":{"username":"u"}}',
    "holds numbers": '{"credentials":{"token":5}}',
  })) {
    it(`a file that ${what} is reported and not read as credentials`, () => {
      writeFileSync(join(folder, TOOLKIT_FILE), content);
      assert.throws(() => readToolkitCredentials(entry, auth("HeaderBearerToken")), { code: "credentials-missing" });
    });
  }

  it("a link to another pack's file is ignored", () => {
    const elsewhere = join(folder, "elsewhere");
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, TOOLKIT_FILE), JSON.stringify({ credentials: { token: "t" } }));
    symlinkSync(join(elsewhere, TOOLKIT_FILE), join(folder, TOOLKIT_FILE));
    assert.equal(hasToolkitCredentials(entry), false);
    assert.throws(() => readToolkitCredentials(entry, auth("HeaderBearerToken")), { code: "credentials-missing" });
  });

  it("imported credentials become a full account with client, endpoint and scopes", async () => {
    write({
      clientId: "id",
      clientSecret: "the-client-secret",
      accessToken: "the-access-token",
      scopes: ["read"],
      endpointUrl: "https://acme.shop.example/",
    });
    const host = makeHost();
    const accounts = openAccounts(host);
    const definition = auth("OAuth2", { authorizationUrl: "https://shop.example/a", tokenUrl: "https://shop.example/t", scopes: ["read"] });
    const toolkitCredentials = readToolkitCredentials(entry, definition);
    const connected = await connect(packOf(definition), {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      existingCredentials: toolkitCredentials,
    });
    assert.ok(connected);
    assert.deepEqual(host.prompts, []);
    assert.deepEqual([connected.account.endpoint, connected.account.scopesRequested], ["https://acme.shop.example", ["read"]]);
    assert.deepEqual(await accounts.clientCredentials(packKey(entry), "user"), {
      clientId: "id",
      clientSecret: "the-client-secret",
      tokenEndpoints: ["https://shop.example/t"],
    });
    assert.equal((await accounts.stateOf(connected.account, definition)).state, "ready");
  });

  it("a stored client ID is kept over the file's, with a note on the difference", async () => {
    write({ clientId: "of the file", accessToken: "the-access-token" });
    const host = makeHost();
    const accounts = openAccounts(host);
    await accounts.saveClientCredentials(packKey(entry), "user", { clientId: "typed" });
    const definition = auth("OAuth2");
    const connected = await connect(packOf(definition), {
      scope: "user",
      packName: "shop",
      host,
      accounts,
      existingCredentials: readToolkitCredentials(entry, definition),
    });
    assert.match(connected?.signInNotes[0]?.message ?? "", /another client ID than the stored one \(typed\)/);
    assert.equal((await accounts.clientCredentials(packKey(entry), "user"))?.clientId, "typed");
  });

  it("an endpoint that the configuration refuses leads to a prompt for another", async () => {
    write({ token: "the-token-itself", endpointUrl: "https://acme.evil.example" });
    const host = makeHost({ replies: { "under shop.example": "acme.shop.example" } });
    const definition = auth("HeaderBearerToken", { requiresEndpointUrl: true, endpointDomain: "shop.example" });
    const toolkitCredentials = readToolkitCredentials(entry, definition);
    const connected = await connect(packOf(definition), {
      scope: "user",
      packName: "shop",
      host,
      accounts: openAccounts(host),
      existingCredentials: toolkitCredentials,
    });
    assert.equal(connected?.account.endpoint, "https://acme.shop.example");
  });

  describe("Import into the secret store", () => {
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

    it("the file is deleted, and nothing else is written outside a repository", async () => {
      write({ token: "t" });
      assert.ok(hasToolkitCredentials(entry));
      assert.deepEqual(await forgetToolkitFile(entry), { wasCommitted: false, ignored: false });
      assert.ok(!hasToolkitCredentials(entry));
      assert.ok(!existsSync(join(folder, ".gitignore")));
    });

    it(".gitignore gets one line for the file at its end", async () => {
      git("init", "-q");
      writeFileSync(join(folder, ".gitignore"), "node_modules\r\ndist");
      write({ token: "t" });
      assert.deepEqual(await forgetToolkitFile(entry), { wasCommitted: false, ignored: true });
      assert.equal(readFileSync(join(folder, ".gitignore"), "utf8"), `node_modules\r\ndist\r\n${TOOLKIT_FILE}\r\n`);
      write({ token: "t" });
      assert.deepEqual(await forgetToolkitFile(entry), { wasCommitted: false, ignored: false });
    });

    it("a .gitignore that is a link is not written", async () => {
      git("init", "-q");
      const elsewhere = join(folder, "elsewhere.txt");
      writeFileSync(elsewhere, "of somebody else\n");
      symlinkSync(elsewhere, join(folder, ".gitignore"));
      write({ token: "t" });
      await assert.rejects(forgetToolkitFile(entry), { code: "storage-failed" });
      assert.equal(readFileSync(elsewhere, "utf8"), "of somebody else\n");
      assert.ok(!hasToolkitCredentials(entry));
    });

    it("a .gitignore in a parent folder is enough", async () => {
      git("init", "-q");
      writeFileSync(join(folder, ".gitignore"), `${TOOLKIT_FILE}\n`);
      const pack = join(folder, "packs/crm/pack.ts");
      mkdirSync(dirname(pack), { recursive: true });
      assert.deepEqual(await forgetToolkitFile(pack), { wasCommitted: false, ignored: false });
    });

    /** Of each, what makes the repository in which the pack is `packs/crm/pack.ts`. */
    const REPOSITORIES: Readonly<Record<string, (add: () => void) => void>> = {
      usual: (add) => {
        git("init", "-q");
        add();
      },
      "with hashes of SHA-256": (add) => {
        git("init", "-q", "--object-format=sha256");
        add();
      },
      "with an index of version 4": (add) => {
        git("init", "-q");
        git("config", "index.version", "4");
        add();
      },
      "with entries that are added by intent": (add) => {
        git("init", "-q");
        add();
        writeFileSync(join(folder, "packs/crm/.a"), "");
        git("add", "--intent-to-add", "packs/crm/.a");
      },
      "with a split index": (add) => {
        git("init", "-q");
        add();
        git("update-index", "--split-index");
      },
      "with its folder elsewhere": (add) => {
        git("init", "-q", "--separate-git-dir=elsewhere");
        add();
      },
    };
    for (const [kind, make] of Object.entries(REPOSITORIES))
      it(`a file tracked in a repository (${kind}) is reported, an untracked one is not`, async () => {
        const packs = ["packs/crm", "packs/crm2"].map((name) => join(folder, name, "pack.ts"));
        for (const pack of packs) {
          mkdirSync(dirname(pack), { recursive: true });
          writeFileSync(join(dirname(pack), TOOLKIT_FILE), "{}");
          writeFileSync(join(dirname(pack), ".coda-pack.json"), "{}");
          writeFileSync(pack, "");
        }
        make(() => git("add", "packs/crm", "packs/crm2/.coda-pack.json", "packs/crm2/pack.ts"));
        const outcomes = await Promise.all(packs.map(forgetToolkitFile));
        assert.deepEqual(
          outcomes.map(({ wasCommitted }) => wasCommitted),
          [true, false],
        );
      });

    it("the check of the repository starts no program", async () => {
      git("init", "-q");
      write({ token: "t" });
      git("add", "-f", TOOLKIT_FILE);
      const path = process.env.PATH;
      writeFileSync(join(folder, "git"), `#!/bin/sh\necho run > '${join(folder, "started")}'\n`, { mode: 0o755 });
      process.env.PATH = `${folder}:${path}`;
      try {
        assert.equal((await forgetToolkitFile(entry)).wasCommitted, true);
      } finally {
        process.env.PATH = path;
      }
      assert.equal(existsSync(join(folder, "started")), false);
    });

    for (const [what, index] of Object.entries({
      empty: "",
      "cut off": "DIRC\0\0\0\x04\xff\xff\xff\xff",
      "of bytes by chance": `DIRC\0\0\0\x02\xff\xff\xff\xff${"\x80".repeat(1000)}`,
    }))
      it(`an index that is ${what} counts as without the file`, async () => {
        mkdirSync(join(folder, ".git"));
        writeFileSync(join(folder, ".git/index"), index, "latin1");
        assert.equal((await forgetToolkitFile(entry)).wasCommitted, false);
      });
  });
});
