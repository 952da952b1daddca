// Ready for upload?: real packs in their processes, judged by the SDK's own validator, the analysis, the accounts and the record of runs.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defined } from "../../../base/defined.ts";
import { metadataPlaces } from "../../../cli/sources/pack-source.ts";
import { createSourceReader } from "../../../cli/sources/source-reader.ts";
import { type Account, newAccountId, openAccounts, packKey } from "../../../platform/accounts/accounts.ts";
import { snapshotOf } from "../../../platform/accounts/configuration-snapshot.ts";
import { recordDrillOf, recordRunOf } from "../../../platform/evidence/run-record.ts";
import { preflight } from "../../../platform/preflight/preflight.ts";
import { type PreflightInput, sourcesFolder } from "../../../platform/preflight/preflight-input.ts";
import { storedApiOf } from "../../../platform/public-api/api-token.ts";
import { openPublicApi } from "../../../platform/public-api/client.ts";
import { isTeamAccount, packAccounts, teamAccounts } from "../../../platform/team/team-account.ts";
import { type TeamHost, teamState, useTeamAccount } from "../../../platform/team/use-team-account.ts";
import type { PreflightLine, PreflightReport, PreflightTopic } from "../../../protocol/preflight.ts";
import type { RunReport } from "../../../protocol/run.ts";
import { closePacks, pack } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";
import { makeHost, type TestHost } from "../../support/platform-host.ts";
import { startPublicApi } from "../../support/public-api.ts";

const teamHost = ({ globalState }: TestHost): TeamHost => ({
  state: globalState,
  sources: { environment: { PACK_AUTH_ALICE_TOKEN: "token-of-alice" }, program: undefined, programSetting: "PACK_AUTH_OP" },
  howToAccept: () => "Run it and accept.",
});
const HEAD = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("good.com");
`;
const OAUTH = `pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://good.com/authorize",
  tokenUrl: "https://good.com/token",
  scopes: ["read"],
});
`;
const TOKEN = `pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
`;
const formula = (name: string, more = ""): string => `pack.addFormula({
  name: "${name}",
  description: "Reads.",
  parameters: [],
  resultType: coda.ValueType.String,
  ${more}
  execute: async function () { return "read"; },
});
`;

const report = (name: string, more: Partial<RunReport> = {}): RunReport => ({
  target: { kind: "formula", name },
  startedAt: 1,
  duration: 1,
  outcome: { status: "succeeded", value: "read" },
  requests: [],
  console: [],
  platformDifferences: [],
  ...more,
});

describe("Ready for upload?", function () {
  this.timeout(60_000);
  let host: TestHost;
  beforeEach(() => {
    host = makeHost();
  });
  afterEach(closePacks);
  after(removePackFiles);

  /** The files of a pack, of which pack.ts is the entry. */
  const check = (files: Readonly<Record<string, string>> | string, more: Partial<PreflightInput> = {}): Promise<PreflightReport> => {
    const entry = typeof files === "string" ? files : packFiles(files);
    const folder = sourcesFolder(entry);
    const accounts = openAccounts(host);
    const team = teamHost(host);
    return preflight({
      entry,
      signal: new AbortController().signal,
      words: host.words,
      storageFolder: host.storageFolder,
      open: () => pack(entry),
      sources: { folder, ...createSourceReader(folder, process.env) },
      locate: async (paths) => metadataPlaces(entry, paths),
      accounts: {
        list: () => packAccounts(accounts, entry),
        stateOf: async (account, definition) =>
          isTeamAccount(account)
            ? teamState(account, team, definition)
            : accounts.stateOf(account, defined({ definition: definition[`${account.scope}Authentication`] })),
        clientOf: (scope) => accounts.clientCredentials(packKey(entry), scope),
      },
      publishedApi: (published) => storedApiOf(host, published),
      findTests: async () => [],
      ...more,
    });
  };
  const linesOf = ({ lines }: PreflightReport, topic: PreflightTopic): readonly PreflightLine[] =>
    lines.filter((line) => line.topic === topic);
  const shortOf = (result: PreflightReport, topic: PreflightTopic) => linesOf(result, topic).map(({ verdict, text }) => [verdict, text]);
  const lineOf = (source: string, text: string): number => source.slice(0, source.indexOf(text)).split("\n").length - 1;

  describe("validation", () => {
    it("a pack that the SDK's validator accepts fits", async () => {
      const result = await check({ "pack.ts": HEAD + TOKEN + formula("Read") });
      assert.equal(result.isReady, true);
      assert.match(shortOf(result, "validation").join(), /^fits,The upload validator of the Packs SDK \d.* accepts the pack\.$/);
    });

    it("a pack that the SDK's validator rejects will be rejected, at the member's line", async () => {
      const source = HEAD + TOKEN + formula("Read").replace('"Read"', '"not a name"');
      const result = await check({ "pack.ts": source });
      assert.equal(result.isReady, false);
      const [line] = linesOf(result, "validation");
      assert.equal(line?.verdict, "will-be-rejected");
      assert.equal(line?.location?.line, lineOf(source, '"not a name"'));
    });

    it("a pack that does not build will be rejected at its source line, and nothing is said to fit", async () => {
      const source = `${HEAD}${TOKEN}const half = ;\n`;
      const result = await check({ "pack.ts": source });
      assert.equal(result.isReady, false);
      assert.equal(result.lines[0]?.location?.line, lineOf(source, "const half"));
      assert.deepEqual(
        result.lines.filter(({ verdict }) => verdict === "fits"),
        [],
      );
    });

    it("a pack that throws while loading will be rejected at its source line", async () => {
      const source = `${HEAD}${TOKEN}throw new Error("not today");\n`;
      const result = await check({ "pack.ts": source });
      assert.equal(result.isReady, false);
      assert.match(result.lines[0]?.text ?? "", /not today/);
      assert.equal(result.lines[0]?.location?.line, lineOf(source, "throw new"));
    });

    it("a pack that needs a global which only Node has fails when it runs, because the upload loads it in Node", async () => {
      const result = await check({ "pack.ts": `${HEAD}${TOKEN}const base = new URL("https://good.com");\n` });
      const [line] = result.lines;
      assert.deepEqual([result.isReady, line?.verdict], [true, "fails-when-run"]);
      assert.match(line?.text ?? "", /the platform's runtime has no URL/);
    });

    it("an incomplete Packs SDK tells nothing about the pack", async () => {
      const entry = packFiles({ "pack.ts": HEAD + TOKEN + formula("Read") });
      // The folder is a link to this project's packages.
      rmSync(join(dirname(entry), "node_modules"));
      const manifest = "node_modules/@codahq/packs-sdk/package.json";
      cpSync(join(root, manifest), join(dirname(entry), manifest));
      symlinkSync(join(root, "node_modules/browserify"), join(dirname(entry), "node_modules/browserify"));
      const [line] = linesOf(await check(entry), "validation");
      assert.equal(line?.verdict, "not-judged");
      assert.match(
        line.text,
        /^The Packs SDK @codahq\/packs-sdk is incomplete: one of its files is missing\. Install the pack's dependencies again/,
      );
    });

    it("an error of the analysis that the SDK's validator reports as well is one line", async () => {
      const result = await check({ "pack.ts": HEAD + TOKEN.replace("HeaderBearerToken", "WebBsic as any") });
      assert.deepEqual(
        result.lines.filter(({ verdict }) => verdict === "will-be-rejected").map(({ topic }) => topic),
        ["validation"],
      );
    });

    it("an error that the validator of an older SDK accepts could not be judged, with the next step", async () => {
      const entry = packFiles({ "pack.ts": HEAD + TOKEN.replace("HeaderBearerToken", "CustomHeaderToken") + formula("Read") });
      const openedPack = await pack(entry);
      const accepted = { isChecked: true, toolkitVersion: "1.0.5", metadata: "{}", errors: [], warnings: [] } as const;
      const result = await check(entry, { open: async () => ({ ...openedPack, validate: async () => accepted }) });
      const [line] = linesOf(result, "mistakes");
      assert.deepEqual([result.isReady, line?.verdict], [true, "not-judged"]);
      assert.match(line?.text ?? "", /headerName.*Packs SDK 1\.0\.5 accepts it\. Update the Packs SDK/);
    });

    it("a pack that makes code from strings while loading is not checked, because the SDK's validator may accept it", async () => {
      const result = await check({ "pack.ts": `${HEAD}${TOKEN}new Function("return 1")();\n` });
      assert.equal(result.isReady, true);
      const [line] = linesOf(result, "validation");
      assert.equal(line?.verdict, "not-judged");
      assert.match(line.text, /code from strings.* does not run here/);
      assert.equal(line.location?.line, lineOf(`${HEAD}${TOKEN}new Function`, "new Function"));
    });

    it("messages of the validator beyond the listed ones are mentioned", async () => {
      const many = `for (let index = 0; index < 250; index++) pack.addNetworkDomain("https://" + index);\n`;
      const lines = linesOf(await check({ "pack.ts": HEAD + TOKEN + many + formula("Read") }), "validation");
      assert.equal(lines.length, 201);
      assert.match(lines.at(-1)?.text ?? "", /^The validator has more messages/);
    });

    it("a validator that cannot be called is not checked and never fits", async () => {
      const entry = packFiles({ "pack.ts": HEAD + TOKEN + formula("Read") });
      const openedPack = await pack(entry);
      const result = await check(entry, {
        open: async () => ({ ...openedPack, validate: async () => ({ isChecked: false, reason: "It has none." }) }),
      });
      assert.deepEqual(
        linesOf(result, "validation").map(({ verdict }) => verdict),
        ["not-judged"],
      );
    });
  });

  it("a pack without authentication and formulas has no line about them", async () => {
    const result = await check({ "pack.ts": HEAD });
    assert.deepEqual([...new Set(result.lines.map(({ topic }) => topic))], ["validation", "mistakes", "approval", "saved-tests"]);
  });

  describe("approval", () => {
    const source = `${HEAD}pack.addNetworkDomain("cdn.example");
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, networkDomain: "good.com" });
`;
    it("a finding of the rule needs approval, at its line, with the form", async () => {
      const result = await check({ "pack.ts": source });
      const [line, ...more] = linesOf(result, "approval");
      assert.deepEqual([line?.verdict, line?.action?.kind, more], ["needs-approval", "openApprovalForm", []]);
      assert.equal(line?.location?.line, lineOf(source, "cdn.example"));
      assert.equal(result.isReady, true);
    });

    it("a granted approval, whose rule is off, fits", async () => {
      const result = await check({ "pack.ts": source, ".packauthrc.json": '{"rules": {"approval-needed": "off"}}' });
      assert.deepEqual(shortOf(result, "approval"), [["fits", "Nothing in the sources needs the platform's approval."]]);
    });

    it("settings that cannot be read are not checked, with the next step", async () => {
      const result = await check({ "pack.ts": HEAD, ".packauthrc.json": "{" });
      assert.equal(linesOf(result, "approval")[0]?.verdict, "not-judged");
    });
  });

  describe("redirect address", () => {
    it("the exact address of a linked pack can be copied", async () => {
      const result = await check({ "pack.ts": HEAD + OAUTH, ".coda-pack.json": '{"packId": 12345}' });
      const [line] = linesOf(result, "redirect-address");
      assert.deepEqual(line?.action, { kind: "copy", text: "https://docs.superhuman.com/packsAuth/oauth2/12345" });
      assert.equal(line?.location?.line, 3);
    });

    it("a single-tenant pack names the ID in force, and where its address is shown", async () => {
      const file = '{"packId": 1, "environmentPackIds": {"acme.coda.io": 77}, "options": {"apiEndpoint": "https://acme.coda.io"}}';
      const result = await check({ "pack.ts": HEAD + OAUTH, ".coda-pack.json": file });
      const [line] = linesOf(result, "redirect-address");
      assert.match(line?.text ?? "", /Pack 77 at acme\.coda\.io.*Add OAuth credentials/);
      assert.equal(line?.action, undefined);
    });

    it("a pack whose users do not sign in at a provider has none", async () => {
      assert.deepEqual(shortOf(await check({ "pack.ts": HEAD + TOKEN }), "redirect-address"), []);
    });
  });

  describe("credentials", () => {
    it("OAuth2 names the dialog for the client, system authentication its own", async () => {
      const system = "pack.setSystemAuthentication({ type: coda.AuthenticationType.CustomHeaderToken, headerName: 'X-Key' });\n";
      const result = await check({ "pack.ts": HEAD + OAUTH + system });
      assert.match(shortOf(result, "credentials").join("\n"), /Settings → Add OAuth credentials[\s\S]*Settings → Add credentials/);
    });

    it("a client that registers itself and a token of each user need none", async () => {
      const registered = OAUTH.replace("scopes:", "useDynamicClientRegistration: true, useProofKeyForCodeExchange: true, scopes:");
      for (const setter of [registered, TOKEN])
        assert.deepEqual(
          linesOf(await check({ "pack.ts": HEAD + setter }), "credentials").map(({ verdict }) => verdict),
          ["fits"],
        );
    });
  });

  it("a provider that verifies applications is quoted with its source, and an unknown one with nothing", async () => {
    const google = OAUTH.replace("https://good.com/authorize", "https://accounts.google.com/o/oauth2/v2/auth").replace(
      "https://good.com/token",
      "https://oauth2.googleapis.com/token",
    );
    const [line] = linesOf(await check({ "pack.ts": HEAD + google }), "verification");
    assert.equal(line?.verdict, "needs-approval");
    assert.match(line?.text ?? "", /Google reviews.*The pack requests read\..*https:/);
    assert.deepEqual(linesOf(await check({ "pack.ts": HEAD + OAUTH }), "verification"), []);
  });

  describe("accounts", () => {
    const save = async (entry: string, more: Partial<Account> = {}): Promise<void> => {
      const { definition } = await pack(entry);
      const auth = definition.userAuthentication;
      assert.ok(auth);
      const account: Account = {
        id: newAccountId(),
        pack: packKey(entry),
        entry,
        scope: "user",
        type: auth.type,
        label: "alice",
        shared: true,
        createdAt: 1,
        configuration: snapshotOf(auth),
        ...more,
      };
      await openAccounts(host).save(account, { kind: "token", token: "a-token-of-alice" });
    };
    const verdictOf = async (entry: string) => shortOf(await check(entry), "accounts")[0] ?? [];

    it("no account is never tried, one of this authentication fits, the sandbox's is no real try", async () => {
      const entry = packFiles({ "pack.ts": HEAD + TOKEN });
      assert.deepEqual(await verdictOf(entry), ["never-tried", "No test account was connected yet. Connect one."]);
      await save(entry, { sandboxOrigin: "http://127.0.0.1:1" });
      assert.match((await verdictOf(entry)).join(), /^never-tried,Only the sandbox has an account/);
      await save(entry);
      assert.deepEqual(await verdictOf(entry), ["fits", "A test account was connected with this authentication."]);
    });

    it("an account from before the authentication changed is never tried, and says what changed", async () => {
      const entry = packFiles({ "pack.ts": HEAD + OAUTH });
      const { definition } = await pack(entry);
      assert.ok(definition.userAuthentication);
      await save(entry, { configuration: snapshotOf({ ...definition.userAuthentication, scopes: ["write"] }) });
      const [verdict, text] = await verdictOf(entry);
      assert.equal(verdict, "never-tried");
      assert.match(text ?? "", /alice: .*scopes changed \(\+ read, − write\)/);
    });

    it("an account of the account file fits once its references were accepted for this authentication", async () => {
      const accounts = [{ label: "alice", secrets: { token: "env:PACK_AUTH_ALICE_TOKEN" } }];
      const entry = packFiles({ "pack.ts": HEAD + TOKEN, "packauth.accounts.json": JSON.stringify({ version: 1, accounts }) });
      const text = "alice (packauth.accounts.json): nobody accepted its references. Run it and accept.";
      assert.deepEqual(await verdictOf(entry), ["never-tried", text]);
      const [alice] = teamAccounts(entry).accounts;
      assert.ok(alice);
      await useTeamAccount(await pack(entry), alice, teamHost(host), { ask: async () => true });
      const accepted = "The references of alice (packauth.accounts.json) were accepted for this authentication.";
      assert.deepEqual(await verdictOf(entry), ["fits", accepted]);
      writeFileSync(entry, HEAD + TOKEN.replace("HeaderBearerToken", 'CustomHeaderToken, headerName: "X-Key"'));
      await closePacks();
      assert.deepEqual(await verdictOf(entry), ["never-tried", text]);
    });

    it("a secret store that cannot be opened is not checked", async () => {
      const entry = packFiles({ "pack.ts": HEAD + TOKEN });
      await save(entry);
      host = { ...host, secrets: { ...host.secrets, get: async () => Promise.reject(new Error("locked")) } };
      assert.equal((await verdictOf(entry))[0], "not-judged");
    });
  });

  it("a formula is never tried until a real run succeeded; drills and platform differences are those of the last runs", async () => {
    const source = HEAD + TOKEN + formula("Read") + formula("Write");
    const entry = packFiles({ "pack.ts": source });
    const never = await check(entry);
    assert.deepEqual(shortOf(never, "formulas"), [
      ["never-tried", "Read never ran here. Run it."],
      ["never-tried", "Write never ran here. Run it."],
    ]);
    assert.deepEqual(linesOf(never, "formulas")[1]?.action, { kind: "run", runnable: { kind: "formula", name: "Write" } });
    assert.equal(linesOf(never, "formulas")[1]?.location?.line, lineOf(source, "Write") - 1);
    assert.equal(linesOf(never, "drills")[0]?.verdict, "never-tried");
    const differences = { platformDifferences: [{ message: "Await this request." }] };
    await recordRunOf(host, entry, report("Read", differences));
    await recordRunOf(host, entry, report("Write", { ...differences, outcome: { status: "failed", error: { code: "x", message: "y" } } }));
    await recordDrillOf(
      host,
      entry,
      { kind: "formula", name: "Read" },
      {
        target: "Read",
        scenarios: [{ day: "cut-answer", title: "Half of an answer", verdict: "useless error", sees: "x" }],
      },
    );
    const ran = await check(entry);
    assert.deepEqual(shortOf(ran, "formulas"), [["never-tried", "Write failed when it last ran. Run it until it succeeds."]]);
    assert.deepEqual(shortOf(ran, "platform-differences"), [["differs-there", "Read, Write: Await this request."]]);
    assert.match(shortOf(ran, "drills").join(), /^differs-there,Read ended badly in its last drill: Half of an answer \(useless error\)\./);
    await recordRunOf(host, entry, report("Write"));
    assert.equal(linesOf(await check(entry), "formulas")[0]?.verdict, "fits");
  });

  it("saved tests are replayed: one that fails differs there with its path, one of another pack does not count", async () => {
    const entry = packFiles({ "pack.ts": HEAD + TOKEN + formula("Read", "connectionRequirement: coda.ConnectionRequirement.None,") });
    const test = (value: string, of = "../pack.ts") =>
      JSON.stringify({
        version: 1,
        pack: of,
        target: { kind: "formula", name: "Read" },
        parameters: [],
        timezone: "UTC",
        volatile: {},
        requests: [],
        outcome: { status: "succeeded", value },
        notes: [],
      });
    const folder = join(dirname(entry), "tests");
    mkdirSync(folder);
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const good = write("Good.packauth.json", test("read"));
    const other = write("Other.packauth.json", test("other", "../other.ts"));
    assert.deepEqual(shortOf(await check(entry, { findTests: async () => [good, other] }), "saved-tests"), [
      ["fits", "The saved test passes."],
    ]);
    const bad = write("Bad.packauth.json", test("else"));
    const broken = write("Broken.packauth.json", "{");
    const lines = linesOf(await check(entry, { findTests: async () => [good, other, bad, broken] }), "saved-tests");
    assert.deepEqual(
      lines.map(({ verdict, action }) => [verdict, action]),
      [bad, broken].map((path) => ["differs-there", { kind: "openTest", path }]),
    );
    assert.match(lines[0]?.text ?? "", /^Bad\.packauth\.json fails: Read: The result is different\. “- "else"”$/);
    assert.equal(linesOf(await check(entry), "saved-tests")[0]?.verdict, "never-tried");
  });

  it("the published configuration is compared only with a stored token", async () => {
    const standIn = await startPublicApi({
      oauthConfig: {
        authorizationUrl: "https://login.example.com/authorize",
        tokenUrl: "https://login.example.com/token",
        scopes: "other",
      },
    });
    try {
      const { packId, token, fetch } = standIn;
      const entry = packFiles({ "pack.ts": HEAD + OAUTH, ".coda-pack.json": JSON.stringify({ packId }) });
      assert.equal(linesOf(await check(entry), "published-configuration")[0]?.verdict, "not-judged");
      assert.deepEqual((await standIn.state()).requests, []);
      const publishedApi = async ({ origin }: { readonly origin: string }) => openPublicApi({ origin, token, fetch });
      const [line] = linesOf(await check(entry, { publishedApi }), "published-configuration");
      assert.equal(line?.verdict, "differs-there");
      assert.match(line.text, /^The published pack has .*other.*\./);
      assert.deepEqual(linesOf(await check({ "pack.ts": HEAD + TOKEN }, { publishedApi }), "published-configuration"), []);
    } finally {
      await standIn.close();
    }
  });

  it("a check that is stopped ends with the signal's reason", async () => {
    const controller = new AbortController();
    const steps: string[] = [];
    const stopped = check(
      { "pack.ts": HEAD + TOKEN },
      {
        signal: controller.signal,
        progress(step) {
          steps.push(step);
          if (step.startsWith("Validating")) controller.abort();
        },
      },
    );
    await assert.rejects(stopped, { name: "AbortError" });
    assert.deepEqual(steps, ["Building the pack", "Reading the sources", "Validating as the upload does"]);
  });
});
