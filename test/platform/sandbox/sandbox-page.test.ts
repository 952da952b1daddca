// The address that the browser is sent to for a sign-in with the sandbox.
import assert from "node:assert/strict";
import { join } from "node:path";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { root } from "../../support/packs.ts";

describe("The sandbox's page", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();

  it("the page is at 127.0.0.1, which every browser resolves", async () => {
    const { host } = await connected(sandbox, join(root, "examples/todo-oauth2/pack.ts"));
    const { protocol, hostname } = new URL(host.openedUrls[0] ?? "");
    assert.deepEqual([protocol, hostname], ["http:", "127.0.0.1"]);
  });
});
