// The doc or agent that a person names.
import assert from "node:assert/strict";
import { readAgent, readDoc } from "../../../platform/production/log-source.ts";

const coda = { origin: "https://coda.io", packId: 1 };
const acme = { origin: "https://acme.example", packId: 2 };

describe("the doc of the logs", () => {
  for (const [text, docId] of [
    ["https://coda.io/d/Project-Hub_dAbCDeFGH12", "AbCDeFGH12"],
    ["https://coda.io/d/_dAbCDeFGH12", "AbCDeFGH12"],
    ["https://coda.io/d/Plan_done_dAbCDeFGH12/Page-one_suXYZ#_lu1", "AbCDeFGH12"],
    ["https://coda.io/d/Plan_dAb_dEFGH12", "Ab_dEFGH12"],
    ["https://coda.io/d/Name_dABC", "ABC"],
    ["https://docs.superhuman.com/d/Name_dAbCDeFGH12?x=1", "AbCDeFGH12"],
    ["  coda.io/d/Name_dAbCDeFGH12  ", "AbCDeFGH12"],
    ["AbCDeFGH12", "AbCDeFGH12"],
    ["_dAbCDeFGH12", "AbCDeFGH12"],
    ["Ab-C_eFGH1", "Ab-C_eFGH1"],
  ] as const)
    it(`${text} is read: the ID is ${docId}`, () => {
      assert.deepEqual(readDoc(text, coda), { kind: "doc", packId: 1, docId });
    });

  for (const [text, says] of [
    ["", /^Enter the address/],
    ["two words", /not the ID/],
    ["https://coda.io.evil.example/d/Name_dAbCDeFGH12", /on coda\.io\.evil\.example\.$/],
    ["https://coda.io@evil.example/d/Name_dAbCDeFGH12", /on evil\.example\.$/],
    ["https://acme.coda.io/d/Name_dAbCDeFGH12", /on acme\.coda\.io\.$/],
    ["https://coda.io/p/123", /^Open the doc/],
    ["https://coda.io/d/Name_d", /^Open the doc/],
    ["https://coda.io/d/Name_d..%2f..", /^Open the doc/],
    ["../../packs", /^Enter the/],
  ] as const)
    it(`"${text}" is no doc: the sentence says what to enter`, () => {
      const choice = readDoc(text, coda);
      assert.match("problem" in choice ? choice.problem : choice.docId, says);
    });

  it("a pack of another host needs a doc of that host", () => {
    assert.deepEqual(readDoc("https://acme.example/d/Name_dAbCDeFGH12", acme), { kind: "doc", packId: 2, docId: "AbCDeFGH12" });
    const choice = readDoc("https://coda.io/d/Name_dAbCDeFGH12", acme);
    assert.match("problem" in choice ? choice.problem : "", /on acme\.example or docs\.superhuman\.com/);
  });
});

describe("the agent of the logs", () => {
  it("an agent is named by tenant and instance, and by nothing else", () => {
    assert.deepEqual(readAgent("acme/agent-1"), { kind: "agent", tenantId: "acme", agentInstanceId: "agent-1" });
    for (const text of ["", "acme", "acme/", "/agent", "a/b/c", "acme/..", "a b/c"]) assert.equal(readAgent(text), undefined, text);
  });
});
