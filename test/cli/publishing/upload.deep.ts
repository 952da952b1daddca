// `pack-auth upload` as a person calls it: the built command on a real terminal, the installed Packs SDK, an encrypted file in place of a
// keyring, and a stand-in of the public API in another process.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { storedSourceMap } from "../../../platform/upload/source-maps.ts";
import { callCli, callProgram, storedIn } from "../../support/call-cli.ts";
import { followProcesses } from "../../support/left-processes.ts";
import { notRun } from "../../support/not-run.ts";
import { type Answer, answering, CTRL_C, CTRL_D, hasTerminal, onTerminal } from "../../support/on-terminal.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { root } from "../../support/packs.ts";
import { type ApiFaults, type PublicApiStandIn, STAND_IN, startPublicApi } from "../../support/public-api.ts";
import { filesWith, uniqueSecret, watchProcesses } from "../../support/secret-traces.ts";

const SOURCE = `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
`;
/** A pack that does not import the SDK: minifying the SDK takes most of an upload's time. */
const PLAIN = 'export const pack = { formulaNamespace: "Plain", formulas: [], formats: [], syncTables: [], networkDomains: [] };\n';
const PASSPHRASE = uniqueSecret();
const SECRETS = [PASSPHRASE, STAND_IN.token];

const NEW: readonly Answer[] = [
  [/New passphrase .*> $/, `${PASSPHRASE}\r`],
  [/The same passphrase again > $/, `${PASSPHRASE}\r`],
];
const PASSED: Answer = [/Passphrase of the stored credentials > $/, `${PASSPHRASE}\r`];
const AGREED: Answer = [/Upload version [\s\S]*> $/, "2\r"];

describe("pack-auth upload", function () {
  this.timeout(600_000);
  let folder: string;
  let standIn: PublicApiStandIn;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-upload-test-"));
  });
  /** Closes the stand-in of the test, if it has one. */
  let close: PublicApiStandIn["close"] | undefined;
  const start = async (faults: ApiFaults = {}): Promise<void> => {
    standIn = await startPublicApi({ faults });
    close = standIn.close;
  };
  afterEach(async () => {
    await close?.();
    close = undefined;
  });
  after(() => {
    removePackFiles();
    rmSync(folder, { recursive: true, force: true });
  });

  const packOf = (text = PLAIN): string => packFiles({ "pack.ts": text, ".coda-pack.json": JSON.stringify({ packId: STAND_IN.packId }) });
  /** The temporary files of a command. */
  const temporary = (home: string): string => join(home, "temporary");

  describe("without a terminal", () => {
    const upload = async (entry: string) => {
      await start();
      return callProgram(["upload", entry, "--yes"], { env: { ...storedIn(folder), ...standIn.env } });
    };

    it("a call without a pack, in a folder that has none, is a wrong command", async () => {
      const { code, err } = await callCli(["upload"]);
      assert.equal(code, 2);
      assert.match(err, /has none of pack\.ts/);
    });

    it("a pack without an ID is refused with the command that registers it", async () => {
      const { code, err } = await upload(packFiles({ "pack.ts": SOURCE }));
      assert.equal(code, 1);
      assert.match(err, /The pack has no ID at coda\.io\. Run packs create/);
    });

    it("code of the workspace does not run beside the passphrase, and nothing reaches the platform", async () => {
      const { code, out, err } = await upload(packOf());
      assert.equal(code, 1);
      assert.match(err, /PACK_AUTH_PASSPHRASE is in the environment/);
      assert.match(err, /Unset PACK_AUTH_PASSPHRASE\. On a terminal pack-auth upload asks for the passphrase/);
      assert.doesNotMatch(out + err, /correct horse/);
      assert.deepEqual((await standIn.state()).requests, []);
    });
  });

  if (!hasTerminal) {
    notRun("a real terminal (util-linux's script is not on the PATH)");
    return;
  }

  /** Calls the command on a terminal, and checks what it leaves behind: no process, no temporary file, no secret anywhere. */
  async function call(home: string, entry: string, args: readonly string[], ...answers: readonly Answer[]) {
    mkdirSync(temporary(home), { recursive: true });
    const { PACK_AUTH_PASSPHRASE: _, ...env } = storedIn(home);
    const watch = watchProcesses(SECRETS);
    let processes: ReturnType<typeof followProcesses> | undefined;
    const result = await onTerminal([process.execPath, join(root, "dist/cli.cjs"), ...args], {
      env: { ...env, ...standIn.env, TMPDIR: temporary(home) },
      columns: 300,
      type: answering(...answers),
      onStart: (pid) => {
        processes = followProcesses(pid);
      },
    });
    assert.deepEqual(await processes?.left(), [], result.text);
    assert.deepEqual(readdirSync(temporary(home)), [], result.text);
    assert.deepEqual([watch.stop(), filesWith([home, dirname(entry)], SECRETS)], [[], []]);
    for (const secret of SECRETS) assert.ok(!result.text.includes(secret), "a secret is shown");
    return result;
  }

  /** Starts the stand-in, and returns a home with its token, a pack, and the upload of the pack. */
  async function prepare(faults: ApiFaults = {}, source = PLAIN) {
    await start(faults);
    const home = mkdtempSync(join(folder, "home-"));
    const entry = packOf(source);
    const added = await call(home, entry, ["api-token", "add"], ...NEW, [/API token of coda\.io.*> $/, `${standIn.token}\r`]);
    assert.equal(added.code, 0, added.text);
    return { home, entry, upload: (...answers: readonly Answer[]) => call(home, entry, ["upload", entry], ...answers) };
  }
  const listed = async (): Promise<readonly string[]> => (await standIn.state()).versions.map(({ packVersion }) => packVersion);
  const until = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
    for (let count = 0; count < 1_000 && !(await condition()); count++) await delay(20);
    assert.ok(await condition());
  };
  const map = (home: string, version: string) =>
    storedSourceMap(home, { origin: "https://coda.io", packId: STAND_IN.packId, version })?.sourcesContent.join("\n") ?? "";

  it("a typed passphrase opens the token, and the platform lists the version", async () => {
    const { home, upload } = await prepare({}, SOURCE);
    const { code, text } = await upload(PASSED, AGREED);
    assert.equal(code, 0, text);
    assert.match(text.replaceAll("\u001b[K", ""), /^Version 0\.1\.0 is uploaded: https:\/\/coda\.io\/p\/123456\r$/m);
    assert.deepEqual(await listed(), ["0.1.0"]);
    assert.match(map(home, "0.1.0"), /coda\.newPack\(\)/);
    assert.ok(text.indexOf("validating") < text.indexOf("Passphrase"), "the passphrase is typed when no code of the workspace runs");
  });

  it("a cancel at the passphrase, and at the question, sends nothing", async () => {
    const { upload } = await prepare();
    const locked = await upload([PASSED[0], CTRL_D]);
    assert.equal(locked.code, 130, locked.text);
    assert.match(locked.text, /Cancelled\. No stored credential was read or changed\.\r\n$/);
    assert.deepEqual((await standIn.state()).requests, []);
    const { code, text } = await upload(PASSED, [AGREED[0], CTRL_C]);
    assert.deepEqual([code, /Cancelled\. No version was sent\.\r\n$/.test(text)], [130, true], text);
    assert.deepEqual(await listed(), []);
  });

  it("Ctrl-C while the pack is opened or built ends the processes, and nothing is sent", async () => {
    const { home, upload } = await prepare();
    const opening = await upload([
      /^/,
      async () => {
        await until(() => readdirSync(temporary(home)).length > 0);
        return CTRL_C;
      },
    ]);
    assert.deepEqual([opening.code, /Cancelled\. No version was sent\.\r\n$/.test(opening.text)], [130, true], opening.text);
    const { code, text } = await upload([
      /building the pack…/,
      async () => {
        await until(() => readdirSync(temporary(home)).some((name) => name.startsWith("pack-auth-upload-")));
        await delay(300);
        return CTRL_C;
      },
    ]);
    assert.deepEqual([code, /Cancelled\. No version was sent\.\r\n$/.test(text)], [130, true], text);
    assert.deepEqual((await standIn.state()).requests, []);
  });

  it("Ctrl-C while the file is sent says that it may have been sent", async () => {
    const { home, upload } = await prepare({ lostPut: "never" });
    const { code, text } = await upload(PASSED, AGREED, [
      /sending the pack…/,
      async () => {
        await until(async () => (await standIn.state()).requests.some(({ method }) => method === "PUT"));
        return CTRL_C;
      },
    ]);
    assert.equal(code, 130, text);
    assert.match(text, /Cancelled\. Version 0\.1\.0 is registered, and its file may have been sent\. The version is not complete\.\r\n$/);
    assert.deepEqual([await listed(), map(home, "0.1.0")], [[], ""]);
  });

  it("two uploads of one pack at once: one is listed with its own source map, and the other sends nothing", async () => {
    const { home, upload } = await prepare();
    let hasSecondEnded = false;
    const first = upload(PASSED, [
      AGREED[0],
      async () => {
        await until(() => hasSecondEnded);
        return "2\r";
      },
    ]);
    await until(async () => (await standIn.state()).requests.length > 0);
    const second = await upload();
    hasSecondEnded = true;
    assert.equal(second.code, 1, second.text);
    assert.match(second.text, /Another upload of pack 123456 at coda\.io is in progress on this machine\. Nothing was sent\./);
    const { code, text } = await first;
    assert.equal(code, 0, text);
    assert.deepEqual(await listed(), ["0.1.0"]);
    assert.ok(map(home, "0.1.0").includes(PLAIN));
  });
});
