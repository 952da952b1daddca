// The browser comes back to whichever window was used last: the sign-in that waits in another one hears of it, and nothing is left behind.
import assert from "node:assert/strict";
import { createEditorCallbacks, type EditorCallbacks } from "../../../client/window/editor-callbacks.ts";
import { receiveInEditor } from "../../../platform/oauth/receiver.ts";

/** The secret store of one editor, as its windows see it: each is told of every change. */
function sharedSecrets() {
  const stored = new Map<string, string>();
  const listeners = new Set<(change: { readonly key: string }) => void>();
  const emitChange = (key: string): void => {
    for (const listener of listeners) setImmediate(listener, { key });
  };
  return {
    stored,
    get: async (key: string) => stored.get(key),
    async store(key: string, value: string) {
      stored.set(key, value);
      emitChange(key);
    },
    async delete(key: string) {
      stored.delete(key);
      emitChange(key);
    },
    onDidChange(listener: (change: { readonly key: string }) => void) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}

const ADDRESS = "vscode://pack-auth.pack-auth/oauth";

describe("the editor's own address, with several windows", () => {
  const windows: EditorCallbacks[] = [];
  afterEach(() => {
    for (const window of windows.splice(0)) window.dispose();
  });
  function open() {
    const secrets = sharedSecrets();
    const [waiting, other] = [createEditorCallbacks(secrets), createEditorCallbacks(secrets)];
    windows.push(waiting, other);
    const receiver = receiveInEditor({ address: async () => ADDRESS, onOpened: waiting.onOpened });
    return { secrets, waiting, other, receiver };
  }

  it("the callback reaches the waiting window, and leaves nothing in the secret store", async () => {
    const { secrets, other, receiver } = open();
    const callback = (await receiver).wait("the-state", {});
    await other.handleUri(`${ADDRESS}?code=the-code&state=the-state`);
    assert.equal((await callback)?.get("code"), "the-code");
    while (secrets.stored.size > 0) await new Promise(setImmediate);
  });

  it("a callback for the same window is not passed on", async () => {
    const { secrets, waiting, receiver } = open();
    const callback = (await receiver).wait("the-state", {});
    await waiting.handleUri(`${ADDRESS}?code=the-code&state=the-state`);
    assert.equal((await callback)?.get("code"), "the-code");
    assert.equal(secrets.stored.size, 0);
  });

  it("a URL that is no sign-in's answer, or too long, is not passed on", async () => {
    const { secrets, other } = open();
    await other.handleUri(`${ADDRESS}?hello=1`);
    await other.handleUri(`${ADDRESS}?state=${"x".repeat(10_000)}`);
    assert.equal(secrets.stored.size, 0);
  });

  it("a passed-on callback is deleted when the window that passed it closes", async () => {
    const { secrets, other } = open();
    await other.handleUri(`${ADDRESS}?code=the-code&state=nobody's`);
    assert.equal(secrets.stored.size, 1);
    other.dispose();
    while (secrets.stored.size > 0) await new Promise(setImmediate);
  });

  it("a later callback of another window is not deleted", async () => {
    const { secrets, waiting, other } = open();
    await other.handleUri(`${ADDRESS}?code=the-code&state=nobody's`);
    await waiting.handleUri(`${ADDRESS}?code=the-code&state=somebody's`);
    other.dispose();
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    assert.match([...secrets.stored.values()].join(), /somebody's$/);
  });

  it("a callback with another state wakes no sign-in", async () => {
    const { other, receiver } = open();
    const stop = new AbortController();
    const callback = (await receiver).wait("the-state", { signal: stop.signal });
    await other.handleUri(`${ADDRESS}?code=the-code&state=another`);
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    stop.abort();
    assert.equal(await callback, undefined);
  });
});
