// Failing sign-ins of the published pack, as a fact that the analysis finds in the source, and that ends with a sign-in that works.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Evidence, openEvidence } from "../../../platform/evidence/evidence.ts";
import { recordProductionSignIns } from "../../../platform/production/sign-in-evidence.ts";
import type { LogEntry } from "../../../platform/public-api/public-api.ts";
import type { AuthenticationDefinition, PackDefinition } from "../../../protocol/definition.ts";
import { createAnalysis } from "../../../server/analysis/analysis.ts";

const ENTRY = "/packs/shop/pack.ts";
const CANARY = "canary4f1d7a9c2b60e835";
const NOW = Date.UTC(2026, 10, 28);
const FIELDS = { authorizationUrl: "https://login.shop.example/authorize", tokenUrl: "https://login.shop.example/token" };

const OAUTH: AuthenticationDefinition = { type: "OAuth2", hasGetConnectionName: false, postSetup: [], ...FIELDS, scopes: ["read"] };
const PACK: PackDefinition = { networkDomains: ["shop.example"], formulas: [], syncTables: [], userAuthentication: OAUTH };

const source = (scopes: readonly string[], line = ""): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("shop.example");
${line}
pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "${FIELDS.authorizationUrl}",
  tokenUrl: "${FIELDS.tokenUrl}",
  scopes: ${JSON.stringify(scopes)},
});
`;

/** A sign-in on a day of November. Without an error it worked. */
const signIn = (day: number, errorMessage?: string, packVersion = "7", connectionId = `connection-${day}`): LogEntry => ({
  type: "auth",
  path: "/token",
  logId: `${day}`,
  createdAt: new Date(Date.UTC(2026, 10, day)).toISOString(),
  packVersion,
  formulaName: "",
  connectionId,
  connectionName: CANARY,
  requestId: CANARY,
  requestType: "auth",
  docId: CANARY,
  ...(errorMessage === undefined ? {} : { errorMessage, errorStack: CANARY }),
});

const REFUSED = `{"error":"invalid_scope","error_description":"${CANARY}"}`;

describe("Sign-ins of the published pack", () => {
  let folder: string;
  let evidence: Evidence;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pack-auth-production-"));
    evidence = openEvidence({ storageFolder: folder });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const record = (entries: readonly LogEntry[], definition = PACK): Promise<void> =>
    recordProductionSignIns(entries, { entry: ENTRY, definition, evidence, now: NOW });
  const names = (): readonly (readonly string[])[] => evidence.facts().map((fact) => fact.names);
  const findings = (text: string): readonly string[] => {
    const analysis = createAnalysis({ readFile: (path) => (path === ENTRY ? text : undefined) });
    analysis.addCandidates([ENTRY]);
    analysis.setEvidence(evidence.facts());
    return analysis
      .diagnostics(ENTRY)
      .filter(({ rule }) => rule === "seen-published-sign-in")
      .map(({ message }) => message);
  };

  it("failures become one fact with version, first day, connections, diagnosis and field, whatever their order", async () => {
    await record([signIn(22, REFUSED), signIn(20, REFUSED), signIn(21, REFUSED, "7", "connection-20")]);
    assert.deepEqual(names(), [["7", "2026-11-20", "2", "scopes-refused", "scopes"]]);
    assert.deepEqual(findings(source(["read"])), [
      "Look at scopes: scopes-refused. The sign-in of version 7 has failed since 2026-11-20, for 2 connections. Seen on 2026-11-22.",
    ]);
  });

  it("a later sign-in of the same version that worked removes the fact, and one of another version does not", async () => {
    await record([signIn(20, REFUSED)]);
    await record([signIn(21, undefined, "8"), signIn(19)]);
    assert.equal(names().length, 1);
    await record([signIn(22)]);
    assert.deepEqual(names(), []);
    await record([signIn(20, REFUSED), signIn(22)]);
    assert.deepEqual(names(), [], "the failure came before");
  });

  it("failures after a sign-in that worked count from then on", async () => {
    await record([signIn(18, REFUSED), signIn(19), signIn(20, REFUSED)]);
    assert.deepEqual(names(), [["7", "2026-11-20", "1", "scopes-refused", "scopes"]]);
  });

  it("a later reading of the logs keeps the first day and the greater number of connections", async () => {
    await record([signIn(20, REFUSED), signIn(21, REFUSED)]);
    await record([signIn(24, "Something odd happened")]);
    assert.deepEqual(names(), [["7", "2026-11-20", "2"]]);
    assert.deepEqual(findings(source(["read"])), [
      "Read the logs of the published pack. The sign-in of version 7 has failed since 2026-11-20, for 2 connections. Seen on 2026-11-24.",
    ]);
  });

  it("a person who declined, an entry of the future, and other entries show nothing", async () => {
    await record([
      signIn(20, "error=access_denied"),
      signIn(29, REFUSED),
      signIn(20, REFUSED, "not a version"),
      { ...signIn(20), type: "custom", message: REFUSED, level: "error" },
    ]);
    assert.deepEqual(names(), []);
    assert.deepEqual(readdirSync(folder), [], "no file is created for nothing");
  });

  it("a corrected source has no finding, not even after the logs of the old version are read again", async () => {
    await record([signIn(20, REFUSED)]);
    assert.equal(findings(source(["read"])).length, 1);
    assert.deepEqual(findings(source(["write"])), []);
    await record([signIn(20, REFUSED), signIn(23, REFUSED)], { ...PACK, userAuthentication: { ...OAUTH, scopes: ["write"] } });
    assert.deepEqual(findings(source(["write"])), []);
    await record([signIn(24, REFUSED, "8")], { ...PACK, userAuthentication: { ...OAUTH, scopes: ["write"] } });
    assert.equal(findings(source(["write"])).length, 1);
  });

  it("two configurations of which the entry could mean either show nothing", async () => {
    const header: AuthenticationDefinition = { type: "HeaderBearerToken", hasGetConnectionName: false, postSetup: [] };
    await record([signIn(20, REFUSED)], { ...PACK, userAuthentication: header, systemAuthentication: header });
    assert.deepEqual(names(), []);
  });

  it("the file contains no text of an entry", async () => {
    await record([signIn(20, REFUSED), signIn(21, `odd ${CANARY}`)]);
    const texts = readdirSync(join(folder, "evidence")).map((name) => readFileSync(join(folder, "evidence", name), "utf8"));
    assert.equal(texts.length, 1);
    assert.ok(!texts.join("").includes(CANARY) && !texts.join("").includes("connection-"), texts.join(""));
  });
});
