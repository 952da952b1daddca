// Mistakes in a sign-in, each at each authorization server of others that can show it: the message's first sentence names what is to be
// changed, and configPath is where. Once it is changed, the sign-in works.
import assert from "node:assert/strict";
import type { Connected } from "../../platform/connect/connect.ts";
import { PackAuthError, reportOf } from "../../platform/errors.ts";
import type { ErrorReport } from "../../protocol/run.ts";
import { MISTAKES, type Mistake, type Situation } from "./mistakes.ts";
import { SERVERS, type ServerFacts, type ServerName } from "./servers.ts";
import { interopOfSuite } from "./suite.ts";
import { newClient, openTrial, sharePack, type Trial } from "./trial.ts";

type Explanation = Pick<ErrorReport, "message" | "hint" | "configPath">;

interface Outcome {
  readonly explanation: Explanation;
  readonly redirectUri: string;
}

/** What is told of the mistake, where it shows. */
async function readExplanation(trial: Trial, { shows, warns = [] }: Mistake, server: ServerName): Promise<Explanation> {
  let connected: Connected | undefined;
  try {
    connected = await trial.connect();
  } catch (error) {
    if (error instanceof PackAuthError) return reportOf(error);
    throw error;
  }
  if (connected === undefined) throw new Error(`Nothing was told; the browser ended at ${JSON.stringify(trial.page())}`);
  if (warns.includes(server)) return connected.signInNotes[0] ?? { message: "(no warning)" };
  if (shows === "sign-in") throw new Error(`The sign-in worked: ${JSON.stringify(connected.signInNotes)}`);
  const { outcome } = await trial.run(connected.account);
  if (outcome.status !== "failed") throw new Error(`The run worked: ${JSON.stringify(outcome)}`);
  // The message is the toolkit's own, with the status; what the API said of the credential stands behind it.
  const { hint = "", configPath } = outcome.error;
  return { message: hint, ...(configPath === undefined ? {} : { configPath }) };
}

async function play(mistake: Mistake, right: Situation, server: ServerName): Promise<Outcome> {
  const trial = await openTrial(mistake.apply(right));
  const explanation = await readExplanation(trial, mistake, server).finally(trial.close);
  return { explanation, redirectUri: trial.redirectUri() };
}

/** The account's name after a sign-in that works. */
/** Returns the account's label, and behind it why no better one was found. */
async function labelOf(situation: Situation): Promise<string> {
  const trial = await openTrial(situation);
  const connected = await trial.connect().finally(trial.close);
  return [connected?.account.label, ...(connected?.signInNotes ?? []).map((note) => JSON.stringify(note))].join("; ");
}

describe("A mistake in a sign-in at a real server", function () {
  this.timeout(90_000);
  const interop = interopOfSuite();
  if (interop === undefined) return;

  const rightAt = async (name: ServerName): Promise<Situation> => {
    const { configuration, clientWays }: ServerFacts = SERVERS[name];
    const server = await interop.server(name);
    const { authorizationUrl, tokenUrl } = server;
    const { clientId, clientSecret } = newClient();
    const right = {
      server,
      authority: interop.authority,
      fetch: interop.fetch,
      untrusting: interop.untrusting,
      configuration: { authorizationUrl, tokenUrl, ...configuration },
      client: clientWays.length === 0 ? { clientId } : { clientId, clientSecret, takes: "form" as const },
    };
    sharePack(right);
    return right;
  };

  const cases = (Object.keys(SERVERS) as ServerName[]).map((name) => ({
    name,
    mistakes: Object.entries(MISTAKES).filter(([, { invisibleAt }]) => invisibleAt[name] === undefined),
    hidden: Object.entries(MISTAKES).filter(([, { invisibleAt }]) => invisibleAt[name] !== undefined),
  }));
  const outcomes = new Map<string, Promise<Outcome>>();
  const unnoticed = new Map<string, Promise<string | undefined>>();
  const mended = new Map<string, Promise<string | undefined>>();
  before(() => {
    // The servers side by side: much of it is waiting. One after another at each, which knows one person.
    for (const { name, mistakes, hidden } of cases) {
      let previous: Promise<unknown> = Promise.resolve();
      for (const [title, mistake] of mistakes) {
        const outcome = previous.then(() => rightAt(name)).then((right) => play(mistake, right, name));
        outcomes.set(`${name} ${title}`, outcome);
        previous = outcome.catch(() => {});
      }
      for (const [title, mistake] of hidden) {
        const label = previous.then(() => rightAt(name)).then((right) => labelOf(mistake.apply(right)));
        unnoticed.set(`${name} ${title}`, label);
        previous = label.catch(() => {});
      }
      mended.set(name, previous.then(() => rightAt(name)).then(labelOf));
    }
  });

  for (const { name, mistakes, hidden } of cases) {
    describe(SERVERS[name].package, () => {
      for (const [title, mistake] of mistakes)
        it(`${title} is named by the message`, async () => {
          const outcome = await outcomes.get(`${name} ${title}`);
          assert.ok(outcome);
          const { explanation, redirectUri } = outcome;
          const [first = ""] = explanation.message.split(/(?<=[.!?])\s/);
          for (const text of mistake.names(redirectUri))
            assert.ok(first.includes(text), `${text} is not in: ${explanation.message} | ${explanation.hint}`);
          assert.equal(
            explanation.configPath,
            ["userAuthentication", mistake.field].filter(Boolean).join("."),
            `${explanation.message} | ${explanation.hint}`,
          );
        });
      for (const [title, mistake] of hidden)
        it(`${title} does not show, as ${mistake.invisibleAt[name]}`, async () =>
          assert.match((await unnoticed.get(`${name} ${title}`)) ?? "", /^alice/));
      it("a sign-in without mistakes works", async () => assert.match((await mended.get(name)) ?? "", /^alice/));
    });
  }
});
