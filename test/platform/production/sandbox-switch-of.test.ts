// The switch of the sandbox that does what a failing entry says.
import assert from "node:assert/strict";
import { sandboxSwitchOf } from "../../../platform/production/sandbox-switch-of.ts";
import { SWITCH_VALUES } from "../../../platform/sandbox/switches.ts";
import { logEntry } from "../../support/log-entries.ts";

const request = (responseCode: number) => logEntry({ type: "fetcher", responseCode });
const invocation = (message: string) => logEntry({ type: "invocation", error: { message } });
const signIn = (errorMessage: string) => logEntry({ type: "auth", path: "/oauth/token", errorMessage });

describe("the switch of a failing entry", () => {
  it("a request's status has a switch only if the sandbox answers with that status", () => {
    assert.deepEqual(
      [401, 403, 429, 500].map((status) => sandboxSwitchOf(request(status))),
      [{ api: "401" }, { api: "403" }, { api: "429" }, { api: "500" }],
    );
    for (const status of [0, 200, 302, 400, 404, 502, 503, 999]) assert.equal(sandboxSwitchOf(request(status)), undefined, String(status));
  });

  it("every status of the sandbox's API has its switch", () => {
    for (const api of SWITCH_VALUES.api.filter((value) => /^\d/.test(value)))
      assert.deepEqual(sandboxSwitchOf(request(Number(api))), { api });
  });

  it("an error of the Packs SDK has the switch of its status", () => {
    assert.deepEqual(sandboxSwitchOf(invocation('429 - {"error":"slow down"}')), { api: "429" });
    assert.deepEqual(sandboxSwitchOf(invocation('StatusCodeError: 403 - ""')), { api: "403" });
    assert.equal(sandboxSwitchOf(invocation("There are 429 - or more - tasks")), undefined);
    assert.equal(sandboxSwitchOf(invocation("418 - teapot")), undefined);
  });

  it("a sign-in has the switches of the provider, and never those of the API", () => {
    assert.deepEqual(sandboxSwitchOf(signIn("access_denied")), { deny: true });
    assert.deepEqual(sandboxSwitchOf(signIn('429 - ""')), { token: "429" });
    assert.deepEqual(sandboxSwitchOf(signIn('500 - ""')), { token: "500" });
    assert.equal(sandboxSwitchOf(signIn('401 - ""')), undefined);
    assert.equal(sandboxSwitchOf(invocation("access_denied")), undefined);
  });

  it("a response that is cut and a response that is late have their switches", () => {
    assert.deepEqual(sandboxSwitchOf(invocation("Unexpected end of JSON input")), { api: "cut" });
    assert.deepEqual(sandboxSwitchOf(invocation("connect ETIMEDOUT 192.0.2.1:443")), { api: "slow" });
  });

  it("an entry that does not say why it failed has no switch", () => {
    assert.equal(sandboxSwitchOf(invocation("Cannot read properties of undefined")), undefined);
    assert.equal(sandboxSwitchOf(logEntry({ type: "unknown", typeName: "agentRuntime", raw: "429" })), undefined);
    assert.equal(sandboxSwitchOf(logEntry({ type: "custom", level: "info", message: "429 - fine" })), undefined);
    assert.equal(sandboxSwitchOf(logEntry({ type: "auth", path: "/access_denied" })), undefined);
  });
});
