// The environment of the pack process: what Windows gives every child is taken out of it, and any other name stops the pack.
import assert from "node:assert/strict";
import { foreignVariables, removeWindowsVariables } from "../../../platform/runner/environment.ts";

/** What libuv copies into a child on Windows, and what the host gives. */
const ON_WINDOWS = {
  HOMEDRIVE: "C:",
  HOMEPATH: "\\Users\\ann",
  LOGONSERVER: "\\\\PC",
  PATH: "C:\\Windows",
  SYSTEMDRIVE: "C:",
  SystemRoot: "C:\\Windows",
  TEMP: "C:\\Temp",
  TZ: "UTC",
  USERDOMAIN: "PC",
  USERNAME: "ann",
  USERPROFILE: "C:\\Users\\ann",
  windir: "C:\\Windows",
};

/** What is left that must not be there. */
function foreignAfter(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): readonly string[] {
  const own = { ...environment };
  removeWindowsVariables(own, platform);
  return foreignVariables(own);
}

describe("The environment of the pack process (simulated for Windows)", () => {
  it("variables that Windows sets in every process are accepted", () => {
    assert.deepEqual(foreignAfter(ON_WINDOWS, "win32"), []);
  });

  for (const name of ["APPDATA", "TMP", "COMSPEC", "PATHEXT", "PATH_", "MY_PATH", "USERNAME2", "AWS_SECRET_ACCESS_KEY"])
    it(`${name} on Windows is reported as foreign and stops the pack`, () => {
      assert.deepEqual(foreignAfter({ ...ON_WINDOWS, [name]: "x" }, "win32"), [name]);
    });

  for (const platform of ["linux", "darwin"] as const)
    it(`every variable on ${platform} is reported as foreign`, () => {
      assert.deepEqual(foreignAfter({ PATH: "/bin", TEMP: "/tmp", TZ: "UTC" }, platform), ["PATH", "TEMP"]);
    });
});
