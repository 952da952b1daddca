// The frame of a verb: what a stop, an error and an end become.
import assert from "node:assert/strict";
import { inSession } from "../../../cli/frame/verb.ts";
import { PackAuthError } from "../../../platform/errors.ts";
import { openTerminal } from "../../support/call-cli.ts";

const failing = async (): Promise<number> => {
  throw new PackAuthError("pack-does-not-bundle", "The builder has stopped.");
};

describe("The frame of a verb", () => {
  it("a builder that Ctrl-C ends before the signal is noticed is a stop, and no error", async () => {
    const { terminal, texts } = openTerminal();
    setImmediate(() => terminal.signals.emit("SIGINT"));
    assert.equal(await inSession(terminal, failing, "Nothing was sent."), 130);
    assert.equal(texts().err, "Cancelled. Nothing was sent.\n");
  });

  it("an error without a stop is printed", async () => {
    const { terminal, texts } = openTerminal();
    assert.equal(await inSession(terminal, failing), 1);
    assert.match(texts().err, /The builder has stopped\./);
  });
});
