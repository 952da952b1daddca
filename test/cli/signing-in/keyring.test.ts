// The command line with a real keyring: gnome-keyring on a bus of its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programsOnPath } from "../../../platform/files/programs.ts";
import { notRun } from "../../support/not-run.ts";
import { root } from "../../support/packs.ts";

describe("the command line's keyring", function () {
  this.timeout(120_000);
  const missing = ["dbus-run-session", "gnome-keyring-daemon"].filter((program) => programsOnPath(program).length === 0);
  if (missing.length > 0) {
    notRun(`the command line with a real keyring (not on the PATH: ${missing.join(", ")})`);
    return;
  }
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-keyring-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the commands once the daemon is there: it says nothing when it is, its name on the bus does. */
  function withKeyring(commands: string) {
    const script = `printf 'login' | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
owned() { dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets; }
for _ in $(seq 100); do owned 2>/dev/null | grep -q true && break; sleep 0.1; done
${commands}`;
    return spawnSync("dbus-run-session", ["--", "sh", "-c", script], {
      encoding: "utf8",
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
        PACK_AUTH_HOME: join(folder, "home"),
        USER: "me",
        NODE: process.execPath,
        CLI: join(root, "dist/cli.cjs"),
        PACK: join(root, "examples/weather-bearer"),
      },
    });
  }
  const sealed = (): readonly string[] => readdirSync(join(folder, "home/keyring-secrets")).filter((name) => name.endsWith(".sealed"));

  it("an account is stored in the keyring and removed from it", () => {
    const { status, stdout, stderr } = withKeyring(`printf 'token-in-the-keyring\\n' | "$NODE" "$CLI" connect "$PACK" >/dev/null || exit 1
"$NODE" "$CLI" accounts list && ls "$PACK_AUTH_HOME/keyring-secrets" | grep -c sealed && "$NODE" "$CLI" accounts remove me && "$NODE" "$CLI" accounts`);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^me · weather-bearer · HeaderBearerToken · ready\n1\nRemoved me\.\n$/);
    assert.match(stderr, /No account is connected/);
    assert.deepEqual(sealed(), []);
  });
});
