// An agent and the accounts of packauth.accounts.json: real runs over a wire. An agent can accept no reference, and never gets a value.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { StateStore } from "../../platform/host.ts";
import { type TeamAccount, teamAccounts } from "../../platform/team/team-account.ts";
import { useTeamAccount } from "../../platform/team/use-team-account.ts";
import { type AgentTrial, agentIn, outputOf, textOf } from "../support/agent.ts";
import { packFiles, removePackFiles } from "../support/pack-file.ts";
import { wireOfSuite } from "../support/wire.ts";

const CANARY = "canary-of-the-team-51cc";
const source = (domains = 'pack.addNetworkDomain("good.example");'): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
${domains}
pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addFormula({ name: "Read", description: "r", parameters: [], resultType: coda.ValueType.String,
  execute: async (_: any, context: any) => JSON.stringify((await context.fetcher.fetch({ method: "GET", url: "https://good.example/read" })).body) } as any);
`;
const file = (token: string): string => JSON.stringify({ version: 1, accounts: [{ label: "alice", secrets: { token } }] });

describe("An agent and the accounts of an account file", function () {
  this.timeout(60_000);
  const wire = wireOfSuite();
  let entry: string;
  let trial: AgentTrial;
  /** The person's yes is in the state. */
  const start = (isTrusted = true, globalState: Partial<StateStore> = {}): AgentTrial =>
    agentIn(dirname(entry), {
      fetch: wire.fetch,
      lookUp: wire.lookup,
      environment: { PACK_AUTH_ALICE_TOKEN: CANARY },
      isTrusted,
      globalState,
    });
  beforeEach(() => {
    entry = packFiles({ "pack.ts": source(), "packauth.accounts.json": file("env:PACK_AUTH_ALICE_TOKEN") });
    trial = start();
  });
  afterEach(() => assert.ok(!JSON.stringify(trial.questions).includes(CANARY)));
  after(removePackFiles);

  /** Accepts the references as the person does in the editor or on a terminal. */
  async function accept(): Promise<TeamAccount> {
    const { host } = trial.session;
    const { team } = await host.openAccounts();
    const pack = await host.openPack(join(host.folder, "pack.ts"));
    const [account] = teamAccounts(pack.entry).accounts;
    assert.ok(account);
    await useTeamAccount(pack, account, team, { ask: async () => true });
    pack.dispose();
    return account;
  }
  const listed = async (): Promise<unknown> => outputOf(await trial.call("accounts")).accounts;
  const run = (account = "alice") => trial.call("run", { target: "Read", account });
  async function refusal(account?: string) {
    const result = await run(account);
    assert.ok("failure" in result, JSON.stringify(result));
    const { code, message, hint } = result.failure;
    assert.deepEqual([wire.requests.length, trial.questions.length], [0, 0]);
    assert.doesNotMatch(JSON.stringify(result), /canary/);
    return { code, text: `${textOf(message)} ${textOf(hint)}` };
  }

  it("an account that nobody accepted is listed with the person's step, and is not used", async () => {
    const [row, ...more] = (await listed()) as { id: string }[];
    assert.ok(row);
    assert.deepEqual(
      [row, more],
      [
        {
          id: row.id,
          label: { fromOutside: true, text: "alice", isCut: false },
          scope: "user",
          type: "",
          isSandbox: false,
          isOfFile: true,
          state: "unaccepted",
          reason: "nobody accepted its references",
          nextStep: `Run ${row.id} and accept.`,
        },
        [],
      ],
    );
    const refused = await refusal();
    assert.equal(refused.code, "reference-unapproved");
    assert.ok(refused.text.endsWith(`nobody accepted that. Run ${row.id} and accept.`), refused.text);
  });

  it("an account that the person accepted is used under the consent of every other account", async () => {
    const { id } = await accept();
    assert.deepEqual(
      ((await listed()) as { state: string }[]).map(({ state }) => state),
      ["ready"],
    );
    trial.answers = ["refused"];
    const refused = outputOf(await run());
    assert.deepEqual([refused.status, wire.requests.length], ["failed", 0]);
    assert.match(trial.questions[0]?.title ?? "", /from good\.example with the account alice \(packauth\.accounts\.json\)/);
    trial = start(true, trial.platform.globalState);
    const output = outputOf(await run(id));
    assert.deepEqual([output.status, wire.requests.map(({ headers }) => headers.authorization)], ["succeeded", [`Bearer ${CANARY}`]]);
    assert.equal(trial.questions.length, 1);
    assert.doesNotMatch(JSON.stringify(output), /canary/);
  });

  it("an account is not used after an agent changed a reference or a domain", async () => {
    await accept();
    writeFileSync(join(dirname(entry), "packauth.accounts.json"), file("env:PACK_AUTH_BOB_TOKEN"));
    assert.equal((await refusal()).code, "reference-unapproved");
    writeFileSync(join(dirname(entry), "packauth.accounts.json"), file("env:PACK_AUTH_ALICE_TOKEN"));
    writeFileSync(entry, source('pack.addNetworkDomain("good.example"); pack.addNetworkDomain("evil.example");'));
    assert.equal((await refusal()).code, "reference-unapproved");
  });

  it("a folder that is not trusted has accounts that say so", async () => {
    await accept();
    trial = start(false, trial.platform.globalState);
    const [row] = (await listed()) as { state: string; nextStep: string }[];
    assert.deepEqual([row?.state, row?.nextStep], ["unaccepted", "Trust the folder."]);
    assert.equal((await refusal()).code, "workspace-untrusted");
  });

  it("a broken file is named to an agent that chooses its account, without its text", async () => {
    writeFileSync(join(dirname(entry), "packauth.accounts.json"), file(CANARY));
    assert.deepEqual(await listed(), []);
    const { code, text } = await refusal();
    assert.equal(code, "account-file-invalid");
    assert.match(text, /accounts\[0\]\.secrets\.token/);
  });
});
