// Permissions that a formula or a table names for itself (extraOAuthScopes): a sign-in does not ask for them, so a run says what the platform does.
import assert from "node:assert/strict";
import type { RunTarget } from "../../../protocol/run.ts";
import { connected } from "../../support/connected.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { packFiles, removePackFiles } from "../../support/pack-file.ts";
import { run } from "../../support/run.ts";

const source = (authentication: string): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("hub.example");
pack.setUserAuthentication({ ${authentication} });
const formula = (name: string, more: object): void => {
  pack.addFormula({ name, description: "One.", parameters: [], resultType: coda.ValueType.String, execute: async () => name, ...more });
};
formula("Plain", {});
formula("Known", { extraOAuthScopes: ["repo"] });
formula("Email", { extraOAuthScopes: ["repo", "user:email", "audit"] });
pack.addSyncTable({
  name: "Files", description: "All.", identityName: "File",
  schema: coda.makeObjectSchema({ properties: { id: { type: coda.ValueType.String }, size: { type: coda.ValueType.Number, mutable: true } }, displayProperty: "id", idProperty: "id" }),
  formula: {
    name: "SyncFiles", description: "All.", parameters: [], extraOAuthScopes: ["files.read"], updateOptions: { extraOAuthScopes: ["files.write"] },
    execute: async () => ({ result: [{ id: "1" }] }),
    executeUpdate: async (_args, updates) => ({ result: updates.map((update) => update.newValue) }),
  },
});
`;
const OAUTH =
  'type: coda.AuthenticationType.OAuth2, authorizationUrl: "https://hub.example/authorize", tokenUrl: "https://hub.example/token", scopes: ["repo"]';

describe("Scopes in extraOAuthScopes", function () {
  this.timeout(60_000);
  const sandbox = sandboxOfSuite();
  after(removePackFiles);

  async function notesOf(authentication: string, ...targets: readonly RunTarget[]): Promise<readonly (readonly string[])[]> {
    const { openedPack, account } = await connected(sandbox, packFiles({ "pack.ts": source(authentication) }));
    const reports = await Promise.all(targets.map((target) => run(openedPack, target, [], { fetch, account })));
    return reports.map(({ outcome, platformDifferences }) => {
      assert.equal(outcome.status, "succeeded", JSON.stringify(outcome));
      return platformDifferences.map(({ message }) => message);
    });
  }
  const note = (what: string, scopes: string): readonly string[] => [
    `${what} needs extraOAuthScopes that the sign-in did not request: ${scopes}. The sandbox answers all the same, unless its answer names a scope. The platform asks the user for it if a run fails with a 403 or a MissingScopesError.`,
  ];

  it("scopes that the sign-in did not request are reported after a run in the sandbox", async () => {
    const row = { previousValue: { Id: "1" }, newValue: { Id: "1", Size: 2 }, updatedFields: ["Size"] };
    assert.deepEqual(
      await notesOf(
        OAUTH,
        { kind: "formula", name: "Plain" },
        { kind: "formula", name: "Known" },
        { kind: "formula", name: "Email" },
        { kind: "syncTable", name: "Files" },
        { kind: "update", name: "Files", updates: [row] },
      ),
      [[], [], note("The formula", "user:email, audit"), note("The table", "files.read"), note("The table", "files.write")],
    );
  });

  it("extraOAuthScopes are ignored for a type without scopes", async () => {
    assert.deepEqual(await notesOf("type: coda.AuthenticationType.HeaderBearerToken", { kind: "formula", name: "Email" }), [[]]);
  });
});
