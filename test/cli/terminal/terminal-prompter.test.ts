// Questions on a terminal: what is shown of an answer, what is taken for one, and how a person gets out.
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { createTerminalPrompter } from "../../../cli/terminal/terminal-prompter.ts";
import { openTerminal } from "../../support/call-cli.ts";

const open = (isTTY: boolean) => {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  const prompter = createTerminalPrompter({ ...openTerminal().terminal, stdin: input, stderr: output, signals: process });
  return { input, prompter, readOutput: () => String(output.read() ?? "") };
};
const question = { title: "Sign in", prompt: "Token" };
const items = [
  { label: "Copy", value: "copy" },
  { label: "Open", description: "in a browser", detail: "now", value: "open" },
] as const;
const choice = { title: "Sign in", placeholder: "What next?", items };

describe("questions on a terminal", () => {
  it("a secret is not shown while typed, nor later by the key for the last line", async () => {
    const { input, prompter, readOutput } = open(true);
    const secret = prompter.input({ ...question, secret: true, value: "the-stored-one" });
    input.write("the-secret\r");
    assert.equal(await secret, "the-secret");
    const next = prompter.input(question);
    input.write("\u001b[A");
    input.write("plain\r");
    assert.equal(await next, "plain");
    const screenText = readOutput();
    assert.ok(!screenText.includes("the-secret") && !screenText.includes("the-stored-one"), screenText);
    assert.ok(screenText.includes("plain"), "what is no secret is shown");
    prompter.close();
  });

  it("earlier input answers a question a line, and an empty line takes the value", async () => {
    const { input, prompter, readOutput } = open(false);
    input.write("one\n\n\n");
    await new Promise(setImmediate);
    assert.equal(await prompter.input({ ...question, step: 1, totalSteps: 2 }), "one");
    assert.equal(await prompter.input({ ...question, value: "two", step: 1, totalSteps: 1 }), "two");
    assert.equal(await prompter.input({ ...question, link: { label: "Help", url: "https://acme.example/" } }), "");
    assert.equal(
      readOutput(),
      "Sign in (1/2)\n  Token > \nSign in\n  Token [two] > \nSign in\n  Help: https://acme.example/\n  Token > \n",
    );
    prompter.close();
  });

  it("a question repeats until the answer is right", async () => {
    const { input, prompter, readOutput } = open(false);
    input.write("bad\ngood\n");
    assert.equal(await prompter.input({ ...question, validate: (text) => (text === "bad" ? "Not so." : undefined) }), "good");
    input.write("0\n3\nno\n 2 \ncOPY\n");
    assert.equal(await prompter.pick(choice), "open");
    assert.equal(await prompter.pick(choice), "copy");
    const screenText = readOutput();
    assert.match(screenText, /Not so\.\n/);
    assert.equal(screenText.split("Enter a number from 1 to 2.").length, 4);
    assert.match(screenText, /\n {2}1\. Copy\n {2}2\. Open · in a browser · now\n {2}What next\? \(1–2\) > \n/);
    prompter.close();
  });

  it("a signal cancels a question before and while it is asked, and takes no line", async () => {
    const { input, prompter } = open(false);
    const stop = new AbortController();
    const cancelled = prompter.input({ ...question, signal: stop.signal });
    stop.abort();
    assert.equal(await cancelled, undefined);
    assert.equal(await prompter.pick({ ...choice, signal: stop.signal }), undefined);
    input.write("late\n");
    await new Promise(setImmediate);
    assert.equal(await prompter.input({ ...question, signal: stop.signal }), undefined);
    const { signal } = new AbortController();
    const reply = prompter.input({ ...question, signal });
    input.write("next\nafter\n");
    assert.equal(await reply, "next");
    assert.equal(await prompter.input(question), "after");
    assert.equal(getEventListeners(signal, "abort").length, 0);
    prompter.close();
  });

  it("the end of the input cancels the question, and those after it", async () => {
    const { input, prompter } = open(false);
    const waiting = prompter.input(question);
    input.end();
    assert.equal(await waiting, undefined);
    assert.equal(await prompter.input(question), undefined);
    assert.equal(await prompter.pick(choice), undefined);
  });
});
