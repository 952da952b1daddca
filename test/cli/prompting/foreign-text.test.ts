// Text from outside on the command line: shown to a person, obeyed by neither a terminal nor the runner of a workflow.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { painter } from "../../../cli/terminal/colour.ts";
import { junit } from "../../../cli/terminal/junit.ts";
import { formatMessage, printable, printableJson } from "../../../cli/terminal/printable.ts";
import { createTerminalPrompter } from "../../../cli/terminal/terminal-prompter.ts";
import { callCli, openTerminal } from "../../support/call-cli.ts";
import { root } from "../../support/packs.ts";

/** As GitHub's runner finds a command in a line that a step prints (ActionCommand.cs): in the first way at its beginning, in the second anywhere. */
const isWorkflowCommand = (line: string): boolean => /^::[A-Za-z]/.test(line.trimStart()) || /##\[|##vso\[|##teamcity\[/.test(line);

describe("text from outside, on the command line", () => {
  it("escape sequences, terminal links and direction marks are made visible, with any colours", () => {
    const foreign = "\u001b]8;;https://evil.example\u0007here\u001b]8;;\u0007 \u009b31m\u202e\u200b\r";
    const escapedText = "\\u001b]8;;https://evil.example\\u0007here\\u001b]8;;\\u0007 \\u009b31m\\u202e\\u200b\\u000d";
    assert.equal(printable(foreign), escapedText);
    assert.equal(painter(true)("red", foreign), `\u001b[31m${escapedText}\u001b[39m`);
    assert.equal(formatMessage`It said: ${printable(foreign)}, ${2} times\n`, `It said: ${escapedText}, 2 times\n`);
  });

  it("escaped JSON has the same value as before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("\u001b", "\u009b", "\u202e", "\u{e0041}", "\u2028", "\ud83d", "é", "a", '"', "\\"), { maxLength: 8 }),
        (parts) => {
          const value = parts.join("");
          const json = printable(JSON.stringify({ value }));
          assert.deepEqual(JSON.parse(json), { value });
          assert.doesNotMatch(json, /[\u0080-\u009f\u202e\u2028]|\p{Cc}|\u{e0041}/u);
        },
      ),
    );
  });

  it("a foreign line is no workflow command", () => {
    assert.equal(printable("::a\n ::b ##[c] ##vso[d]"), ": :a\n : :b ## [c] ## vso[d]");
    for (const text of [
      "::add-mask::a",
      "a\n::error file=x::made up",
      "a\r\n \t\u00a0::warning::x",
      "a ##[group]x",
      "##vso[task.setvariable]x",
    ])
      for (const line of printable(text).split("\n")) assert.ok(!isWorkflowCommand(line), line);
    for (const text of ["[::1]:80", "::1", "a::b", "std::string", "## Title", "#[derive]"]) assert.equal(printable(text), text);
  });

  it("escaped JSON contains no workflow command, and has the same value as before", () => {
    const value = {
      "::error::": ["##vso[a]", "##[b]", "##teamcity[c]", "\u0085::error::x", "##\u200bvso[d]", "\u009b31m", "## Title", "\n::add-mask::x"],
    };
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      const printedJson = printableJson(json);
      assert.deepEqual(JSON.parse(printedJson), value);
      assert.ok(!printedJson.split("\n").some(isWorkflowCommand), printedJson);
      assert.doesNotMatch(printedJson, /[\u0080-\u009f\u200b]/);
    }
  });

  it("a JUnit report contains no workflow command", () => {
    const text = junit("drill", [{ name: "##vso[a]", failure: "a\n::error::x ##[b] # c" }]);
    assert.ok(!text.split("\n").some(isWorkflowCommand), text);
    assert.ok(text.includes('name="&#35;#vso[a]"'), text);
  });

  it("a JUnit report counts failures and skipped tests, and is XML for any text", () => {
    const cases = [{ name: "a" }, { name: "b", duration: 1_500, failure: '\u0000\u0001<&"\ud800' }, { name: "c", skipped: "why" }];
    assert.equal(
      junit("s", cases),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="s" tests="3" failures="1" skipped="1">
    <testcase classname="s" name="a" time="0.000"/>
    <testcase classname="s" name="b" time="1.500">
      <failure message="\ufffd\ufffd&#60;&#38;&#34;\ufffd"/>
    </testcase>
    <testcase classname="s" name="c" time="0.000">
      <skipped message="why"/>
    </testcase>
  </testsuite>
</testsuites>
`,
    );
  });

  it("questions show the pack's words without terminal commands", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const prompter = createTerminalPrompter({ ...openTerminal().terminal, stdin: input, stderr: output });
    input.end("one\n1\n");
    const bad = "\u001b[2J\u202e";
    const link = { label: bad, url: `https://x.example/${bad}` };
    assert.equal(await prompter.input({ title: bad, prompt: bad, value: bad, link, validate: () => undefined }), "one");
    const items = [{ label: bad, description: bad, detail: bad, value: "a" }];
    assert.equal(await prompter.pick({ title: bad, placeholder: bad, items }), "a");
    prompter.close();
    const screenText = String(output.read());
    assert.equal(screenText.split("\\u001b[2J\\u202e").length - 1, 10);
    assert.ok(!screenText.includes("\u001b") && !screenText.includes("\u202e"));
  });

  it("a file name is no workflow command, in a finding and in a failure", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pack-auth-names-"));
    try {
      const name = "::error title=made up\u001b[2J::x";
      mkdirSync(join(folder, name));
      writeFileSync(
        join(folder, name, "pack.ts"),
        'import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\npack.setUserAuthentication({ type: coda.AuthenticationType.WebBsic });\n',
      );
      for (const args of [[], ["--format", "github"], ["--nonsense"], ["a\n::error::made up"]]) {
        const { out, err } = await callCli(["check", ...args], { cwd: folder });
        assert.notEqual(out + err, "");
        const commands = `${out}\n${err}`.split("\n").filter(isWorkflowCommand);
        assert.ok(
          commands.every(
            (line) =>
              args.includes("github") && /^::\w+ file=%3A%3Aerror title=made up\\u001b\[2J%3A%3Ax/.test(line) && !line.includes("\u001b"),
          ),
          commands.join("\n"),
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("bypasses of the printable check", () => {
  const files = readdirSync(join(root, "cli"), { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const lines = files.flatMap((file) =>
    readFileSync(join(root, "cli", file), "utf8")
      .split("\n")
      .map((line) => ({ file: file.replaceAll("\\", "/"), line: line.trim() })),
  );
  const linesMatching = (what: RegExp): string[] =>
    lines.filter(({ line }) => what.test(line) && !line.startsWith("//")).map(({ file, line }) => `${file}: ${line}`);

  it("the streams are written in two places: the outputs, and the prompts", () =>
    assert.deepEqual([...new Set(linesMatching(/\b(stdout|stderr)\.(?!isTTY)|\bconsole\b\.|\bwriteSync\(|createWriteStream/))].sort(), [
      "terminal/terminal-prompter.ts: stderr.write(stderr.isTTY ? wrapped(text, outputWidth(stderr, environment)) : text);",
    ]));

  it("text is declared printable only in cli/terminal/printable.ts", () =>
    assert.deepEqual(
      linesMatching(/\b(as|satisfies) (unknown as )?Printed\b/).filter((line) => !line.startsWith("terminal/printable.ts: ")),
      [],
    ));

  it("raw output is only requested results, reports, fixed sources, addresses and completions", () =>
    assert.deepEqual(
      linesMatching(/\.write(Data|Json|Result)\(/)
        .map((line) => line.split(":")[0])
        .sort(),
      [
        "check/check.ts",
        "check/check.ts",
        "check/check.ts",
        "completion.ts",
        "frame/operation-verb.ts",
        "publishing/preflight.ts",
        "run/drill.ts",
        "run/run.ts",
        "run/sandbox.ts",
        "test/test.ts",
        "test/test.ts",
        "test/test.ts",
      ],
    ));
});
