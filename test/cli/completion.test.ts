// `pack-auth completion`: what the script of a shell offers, in that shell where it is on this machine.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { VERBS } from "../../cli/verbs.ts";
import { callCli } from "../support/call-cli.ts";
import { notRun } from "../support/not-run.ts";

const isInstalled = (shell: string): boolean => spawnSync(shell, ["-c", "exit"]).status === 0;

describe("the completion script", function () {
  this.timeout(60_000);

  for (const shell of ["bash", "zsh", "fish"])
    it(`the ${shell} script has every verb, and options with their values`, async () => {
      const { code, out } = await callCli(["completion", shell]);
      assert.equal(code, 0);
      for (const verb of Object.keys(VERBS)) assert.match(out, new RegExp(`\\b${verb}\\b`));
      for (const word of ["max-warnings", "save-test", "scopes-of", "pretty json sarif github"]) assert.ok(out.includes(word), word);
    });

  for (const shell of ["bash", "zsh", "fish"])
    if (isInstalled(shell))
      it(`the ${shell} script is one that ${shell} reads`, async () => {
        const { out } = await callCli(["completion", shell]);
        const { status, stderr } = spawnSync(shell, ["-n"], { input: out, encoding: "utf8" });
        assert.deepEqual([status, stderr], [0, ""]);
      });
    else notRun(`${shell} (it is not on the PATH)`);

  if (isInstalled("bash"))
    it("verbs, options and values are offered at their places in bash, and files elsewhere", async () => {
      const { out } = await callCli(["completion", "bash"]);
      const offered = (...typedWords: readonly string[]): string => {
        const list = ["pack-auth", ...typedWords].map((word) => `'${word}'`).join(" ");
        const script = `${out}\nCOMP_WORDS=(${list}); COMP_CWORD=${typedWords.length}; _pack_auth; echo "\${COMPREPLY[*]}"`;
        return spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim();
      };
      assert.equal(offered("che"), "check");
      assert.equal(offered("check", "--max"), "--max-warnings");
      assert.equal(offered("check", "--format", "s"), "sarif");
      assert.equal(offered("run", "--format", ""), "");
      assert.equal(offered("run", ""), "");
      assert.equal(offered("nonsense", "--he"), "--help");
      assert.equal(offered("accounts", "re"), "refresh remove");
      assert.equal(offered("accounts", "remove", ""), "");
    });

  it("an unknown shell is refused with the names of the supported ones", async () => {
    const { code, err } = await callCli(["completion", "powershell"]);
    assert.equal(code, 2);
    assert.match(err, /needs bash, zsh or fish/);
  });
});
