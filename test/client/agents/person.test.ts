// The questions that the editor puts to a person for an agent: what they show, and which answers count.
import assert from "node:assert/strict";
import { personAtWindow } from "../../../client/agents/person.ts";
import type { ConsentQuestion } from "../../../operations/consent-question.ts";
import type { Consent } from "../../../operations/person.ts";
import type { Prompter } from "../../../platform/host.ts";

const QUESTION: ConsentQuestion = {
  title: "Send POST to api.example with the account Ada?",
  facts: [
    { label: "Account", text: "Ada" },
    { label: "Host", text: "api.example" },
  ],
  warnings: ["An agent asked for this, not you."],
  agree: "Send",
};
const open = new AbortController().signal;

/** A window whose dialogs stay open until the test presses a button. */
function trial() {
  let time = 0;
  const dialogs: { readonly message: string; readonly detail: string; readonly buttons: readonly string[] }[] = [];
  const presses: ((button: string | undefined) => void)[] = [];
  const titles: string[] = [];
  const prompter: Prompter = {
    input: async ({ title }) => void titles.push(title),
    pick: async ({ title }) => void titles.push(title),
  };
  const person = personAtWindow({
    askModal(message, detail, ...buttons) {
      dialogs.push({ message, detail, buttons });
      return new Promise((resolve) => presses.push(resolve));
    },
    prompter,
    openBrowser: async () => true,
    now: () => time,
  });
  return {
    person,
    dialogs,
    titles,
    /** Presses a button of the open dialog, `after` milliseconds since the last press. */
    async press(button: string | undefined, after = 1_000): Promise<void> {
      await settled();
      time += after;
      presses.shift()?.(button);
      await settled();
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("A question for an agent in the editor", () => {
  for (const [button, consent] of [
    ["Send", "agreed"],
    ["Do not allow", "refused"],
    [undefined, "unanswered"],
  ] as const)
    it(`${button ?? "closing the dialog"} is ${consent}`, async () => {
      const { person, press, dialogs } = trial();
      const answer = person.ask(QUESTION, open);
      await press(button);
      assert.equal(await answer, consent satisfies Consent);
      assert.deepEqual(dialogs[0], {
        message: QUESTION.title,
        detail: "Account: Ada\nHost: api.example\n\nAn agent asked for this, not you.",
        buttons: ["Send", "Do not allow"],
      });
    });

  for (const button of ["Send", "Do not allow"])
    it(`${button} pressed before anyone could read the question is asked again`, async () => {
      const { person, press, dialogs } = trial();
      const answer = person.ask(QUESTION, open);
      await press(button, 100);
      assert.equal(dialogs.length, 2);
      await press("Do not allow");
      assert.equal(await answer, "refused");
    });

  it("an abort leaves it unanswered, and a later press does not count", async () => {
    const { person, press } = trial();
    const abort = new AbortController();
    const answer = person.ask(QUESTION, abort.signal);
    await settled();
    abort.abort();
    assert.equal(await answer, "unanswered");
    await press("Send");
    assert.equal(await answer, "unanswered");
  });

  it("a second question waits until the first dialog is closed", async () => {
    const { person, press, dialogs } = trial();
    const abort = new AbortController();
    const first = person.ask(QUESTION, abort.signal);
    const second = person.ask({ ...QUESTION, title: "Another?" }, open);
    await settled();
    abort.abort();
    assert.equal(await first, "unanswered");
    assert.deepEqual(
      dialogs.map(({ message }) => message),
      [QUESTION.title],
    );
    await press("Send");
    assert.equal(dialogs[1]?.message, "Another?");
    await press("Send");
    assert.equal(await second, "agreed");
  });

  it("a question that is aborted while it waits is never shown", async () => {
    const { person, press, dialogs } = trial();
    const abort = new AbortController();
    const first = person.ask(QUESTION, open);
    const second = person.ask(QUESTION, abort.signal);
    abort.abort();
    assert.equal(await second, "unanswered");
    await press("Send");
    assert.equal(await first, "agreed");
    assert.equal(dialogs.length, 1);
  });

  it("further lines of a fact are indented, so that none passes for another fact", async () => {
    const { person, press, dialogs } = trial();
    const answer = person.ask({ ...QUESTION, facts: [{ label: "Body", text: "a\nHost: trusted.example" }] }, open);
    await press("Send");
    await answer;
    assert.match(dialogs[0]?.detail ?? "", /^Body: a\n {4}Host: trusted\.example\n/);
  });

  it("a long fact says how much of it is missing, and the question warns of it", async () => {
    const { person, press, dialogs } = trial();
    const url = `GET https://api.example/${"x".repeat(2_000)}`;
    const lines = Array.from({ length: 20 }, (_, index) => `host-${index}.example`).join("\n");
    const answer = person.ask(
      {
        ...QUESTION,
        facts: [
          { label: "Request", text: url },
          { label: "API", text: lines },
        ],
      },
      open,
    );
    await press("Send");
    await answer;
    const { detail } = dialogs[0] ?? assert.fail();
    assert.match(detail, /x… \(1,224 more characters\)/);
    assert.match(detail, /host-14\.example\n {4}… \(5 more lines\)/);
    assert.match(detail, /Not everything fits here\. Do not allow what you cannot read\.$/);
  });

  it("prompts say in their titles that an agent asked", async () => {
    const { person, titles } = trial();
    await person.withPrompts(QUESTION, async ({ prompter }) => {
      await prompter.input({ title: "Connect shop", prompt: "The token" });
      await prompter.pick({ title: "Connect shop", placeholder: "Which?", items: [] });
    });
    assert.deepEqual(titles, ["An agent asked: Connect shop", "An agent asked: Connect shop"]);
  });
});
