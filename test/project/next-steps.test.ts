// What to do next, in the words of each host: no host names what only another one has.
import { strict as assert } from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_TOOLS } from "../../agents/agent-tools.ts";
import { NEXT_STEPS as OF_AGENTS } from "../../agents/next-steps.ts";
import { NEXT_STEPS as OF_TERMINAL } from "../../cli/terminal/next-steps.ts";
import { VERBS } from "../../cli/verbs.ts";
import { NEXT_STEPS as OF_EDITOR } from "../../client/shown/next-steps.ts";
import { hintIn } from "../../platform/errors.ts";
import type { NextStep, NextStepKind } from "../../protocol/next-step.ts";
import { type NextStepTexts, stepText } from "../../protocol/next-step.ts";

/** Every step with every kind of argument. The compiler finds a step that is missing. */
const STEPS: { readonly [Kind in NextStepKind]: readonly Extract<NextStep, { readonly do: Kind }>[] } = {
  addClient: [{ do: "addClient" }],
  signInAgain: [{ do: "signInAgain" }, { do: "signInAgain", sandbox: true }],
  replaceCredential: [{ do: "replaceCredential" }],
  refreshAccount: [{ do: "refreshAccount" }],
  startSandbox: [{ do: "startSandbox" }],
  chooseNode: [{ do: "chooseNode", versions: "22 or 24" }],
  finishSignIn: [{ do: "finishSignIn" }],
  choosePort: [{ do: "choosePort" }],
  chooseRedirect: [{ do: "chooseRedirect" }],
  replaceApiToken: [{ do: "replaceApiToken" }],
  approveApiHost: [{ do: "approveApiHost", host: "acme.example" }],
  approveDomains: [{ do: "approveDomains", domains: "acme.example" }],
  allowLoopback: [{ do: "allowLoopback" }],
  checkProxy: [{ do: "checkProxy" }],
  trustCertificate: [{ do: "trustCertificate" }],
  raiseTimeLimit: [{ do: "raiseTimeLimit" }],
  recordTest: [{ do: "recordTest" }, { do: "recordTest", sandbox: true }],
  saveOutcome: [
    { do: "saveOutcome", expectsFailure: true },
    { do: "saveOutcome", expectsFailure: false },
  ],
  confirmRecording: [{ do: "confirmRecording" }],
  openFolder: [{ do: "openFolder" }],
  writeArguments: [{ do: "writeArguments" }],
  allowActions: [{ do: "allowActions" }],
  run: [{ do: "run" }],
  drill: [{ do: "drill" }],
  setPassphrase: [{ do: "setPassphrase" }],
  storeInFile: [{ do: "storeInFile" }],
  leaveWorkspaceEsbuild: [{ do: "leaveWorkspaceEsbuild", variable: "A_SECRET" }],
  unsetVariable: [
    { do: "unsetVariable", variable: "A_SECRET" },
    { do: "unsetVariable", variable: "PACK_AUTH_PASSPHRASE" },
  ],
  allowOlderToolkit: [{ do: "allowOlderToolkit" }],
};

/** What only one host has. A variable of the step itself is everybody's. */
const WORDS = {
  terminal: /pack-auth |(?<!\w)--[a-z]|PACK_AUTH_(?!PASSPHRASE\b)|NODE_EXTRA_CA_CERTS|HTTPS_PROXY|NO_PROXY/,
  editor:
    /packAuth|http\.proxy|\bsettings?\b|\beditor\b|\bpanel\b|\bview\b|Add OAuth|API token of the platform|Save as test|what the sandbox does/,
  agents: /\bthe person\b|\b[Cc]all (?:run|connect|drill)\b|saveTest|expectFailure/,
};

describe("what to do next", () => {
  const hosts = { terminal: OF_TERMINAL, editor: OF_EDITOR, agents: OF_AGENTS };
  const manifest = readFileSync("package.json", "utf8");

  for (const step of Object.values(STEPS).flat())
    it(`${JSON.stringify(step)} is a sentence of each host, and names nothing of another one`, () => {
      for (const [host, texts] of Object.entries(hosts)) {
        const text = stepText(texts, step);
        assert.match(text, /^[A-Zp].*\.$/);
        assert.equal(
          hintIn({ hint: "Why.", nextStep: step }, () => text),
          `Why. ${text}`,
        );
        for (const [other, pattern] of Object.entries(WORDS)) if (other !== host) assert.doesNotMatch(text, pattern, `${host}: ${text}`);
      }
    });

  it("the verbs, settings, commands and tools that the words name exist", () => {
    const textsOf = (texts: NextStepTexts): string =>
      Object.values(STEPS)
        .flat()
        .map((step) => stepText(texts, step))
        .join("\n");
    for (const [, verb = ""] of textsOf(hosts.terminal).matchAll(/pack-auth ([a-z-]+)/g)) assert.ok(verb in VERBS, verb);
    for (const [setting] of textsOf(hosts.editor).matchAll(/packAuth\.[a-zA-Z.]*[a-zA-Z]/g))
      assert.ok(manifest.includes(`"${setting}`), setting);
    for (const title of ["Add OAuth credentials", "Refresh now", "Remove API token of the platform", "Change what the sandbox does"])
      assert.ok(textsOf(hosts.editor).includes(title) && manifest.includes(`"title": "${title}"`), title);
    for (const [, tool = ""] of textsOf(hosts.agents).matchAll(/[Cc]all (\w+)/g)) assert.ok(tool in AGENT_TOOLS, tool);
  });

  it("no hint of the platform or of an operation names a verb, an option or a setting of one host", () => {
    const hints = ["operations", "platform"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap((name) => readFileSync(join(folder, name), "utf8").match(/\bhint: *["`].*|\bhint:\n.*/g) ?? []),
    );
    assert.ok(hints.length > 50);
    assert.deepEqual(
      hints.filter((hint) => /pack-auth [a-z]|[ "]--[a-z]|packAuth\./.test(hint)),
      [],
    );
  });
});
