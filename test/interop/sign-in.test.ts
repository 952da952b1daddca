// Sign-ins at authorization servers that others wrote. Each mistake at each server that can show it: the message's first sentence names what is
// to be changed, and configPath is where; once it is changed, the sign-in works. And the whole life of an account: connect, run, two refreshes,
// removal. The servers are started once for both.
import assert from "node:assert/strict";
import type { Connected } from "../../platform/connect/connect.ts";
import { PackAuthError, reportOf } from "../../platform/errors.ts";
import type { ErrorReport, RunReport } from "../../protocol/run.ts";
import { MISTAKES, type Mistake, type Situation } from "./mistakes.ts";
import { LIFETIME, type ServerProcess } from "./server-process.ts";
import { SERVERS, type ServerFacts, type ServerName } from "./servers.ts";
import { interopOfSuite } from "./suite.ts";
import { newClient, openTrial, sharePack, type Trial, type TrialOptions } from "./trial.ts";

type Told = Pick<ErrorReport, "message" | "hint" | "configPath">;

interface Outcome {
  readonly told: Told;
  readonly redirectUri: string;
}

/** What is told of the mistake, where it shows. */
async function toldOf(trial: Trial, { shows, warns = [] }: Mistake, server: ServerName): Promise<Told> {
  let connected: Connected | undefined;
  try {
    connected = await trial.connect();
  } catch (error) {
    if (error instanceof PackAuthError) return reportOf(error);
    throw error;
  }
  if (connected === undefined) throw new Error(`Nothing was told; the browser ended at ${JSON.stringify(trial.page())}`);
  if (warns.includes(server)) return connected.notes[0] ?? { message: "(no warning)" };
  if (shows === "sign-in") throw new Error(`The sign-in worked: ${JSON.stringify(connected.notes)}`);
  const { outcome } = await trial.run(connected.account);
  if (outcome.status !== "failed") throw new Error(`The run worked: ${JSON.stringify(outcome)}`);
  // The message is the toolkit's own, with the status; what the API said of the credential stands behind it.
  const { hint = "", configPath } = outcome.error;
  return { message: hint, ...(configPath === undefined ? {} : { configPath }) };
}

async function play(mistake: Mistake, right: Situation, server: ServerName): Promise<Outcome> {
  const trial = await openTrial(mistake.made(right));
  const told = await toldOf(trial, mistake, server).finally(trial.close);
  return { told, redirectUri: trial.redirectUri() };
}

/** The account's name after a sign-in that works. */
async function labelOf(situation: Situation): Promise<string | undefined> {
  const trial = await openTrial(situation);
  return (await trial.connect().finally(trial.close))?.account.label;
}

const nameOf = ({ outcome, requests }: RunReport): unknown =>
  outcome.status === "succeeded" ? outcome.value : { outcome, requests: requests.map(({ status, warnings }) => ({ status, warnings })) };

const WHO_AM_I = { kind: "mcpTool", server: "Interop", name: "who_am_i", arguments: {} } as const;

/** The form is what is tried first where the configuration says nothing. */
const LOCATION = { form: {}, basic: { credentialsLocation: "AuthorizationHeader" } };

describe("Interop at a real server", function () {
  this.timeout(90_000);
  const interop = interopOfSuite();
  if (interop === undefined) return;

  // First: an account's life lets time pass at the servers.
  describe("a mistake", () => {
    const rightAt = async (name: ServerName): Promise<Situation> => {
      const { configuration, takes }: ServerFacts = SERVERS[name];
      const server = await interop.server(name);
      const { authorizationUrl, tokenUrl } = server;
      const { clientId, clientSecret } = newClient();
      const right = {
        server,
        authority: interop.authority,
        fetch: interop.fetch,
        untrusting: interop.untrusting,
        configuration: { authorizationUrl, tokenUrl, ...configuration },
        client: takes.length === 0 ? { clientId } : { clientId, clientSecret, takes: "form" as const },
      };
      sharePack(right);
      return right;
    };

    const cases = (Object.keys(SERVERS) as ServerName[]).map((name) => ({
      name,
      mistakes: Object.entries(MISTAKES).filter(([, { hidden }]) => hidden[name] === undefined),
      hidden: Object.entries(MISTAKES).filter(([, { hidden }]) => hidden[name] !== undefined),
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
          const label = previous.then(() => rightAt(name)).then((right) => labelOf(mistake.made(right)));
          unnoticed.set(`${name} ${title}`, label);
          previous = label.catch(() => {});
        }
        mended.set(name, previous.then(() => rightAt(name)).then(labelOf));
      }
    });

    for (const { name, mistakes, hidden } of cases) {
      describe(SERVERS[name].package, () => {
        for (const [title, mistake] of mistakes)
          it(`${title}: the message names it`, async () => {
            const outcome = await outcomes.get(`${name} ${title}`);
            assert.ok(outcome);
            const { told, redirectUri } = outcome;
            const [first = ""] = told.message.split(/(?<=[.!?])\s/);
            for (const text of mistake.names(redirectUri))
              assert.ok(first.includes(text), `${text} is not in: ${told.message} | ${told.hint}`);
            assert.equal(
              told.configPath,
              ["userAuthentication", mistake.field].filter(Boolean).join("."),
              `${told.message} | ${told.hint}`,
            );
          });
        for (const [title, mistake] of hidden)
          it(`${title}: cannot show, as ${mistake.hidden[name]}`, async () =>
            assert.match((await unnoticed.get(`${name} ${title}`)) ?? "", /^alice/));
        it("with none of them the sign-in works", async () => assert.match((await mended.get(name)) ?? "", /^alice/));
      });
    }
  });

  describe("an account", () => {
    const LIFE = "connects, runs, refreshes when the token is about to expire and when the API refuses it, and is removed";

    /** With an MCP server, it is its tool that says who is signed in. */
    const live = async (
      name: ServerName,
      options: Pick<TrialOptions, "configuration" | "client" | "mcpServer">,
      server: ServerProcess,
    ): Promise<void> => {
      const { revokes }: ServerFacts = SERVERS[name];
      const trial = await openTrial({ server, authority: interop.authority, fetch: interop.fetch, ...options });
      const connected = await trial.connect();
      assert.ok(connected, JSON.stringify(trial.page()));
      const { account, notes } = connected;
      assert.match(account.label, /^alice/);
      assert.deepEqual(notes, []);
      const tokens = new Set<string>();
      const runs = async (): Promise<void> => {
        assert.match(String(nameOf(await trial.run(account, options.mcpServer === undefined ? undefined : WHO_AM_I))), /^alice/);
        const credential = await trial.accounts.credential(account.id);
        assert.ok(credential?.kind === "oauth2");
        tokens.add(credential.accessToken);
      };
      await runs();
      await server.later(LIFETIME + 1);
      trial.later(LIFETIME + 1);
      await runs();
      assert.equal(tokens.size, 2, "the token that had expired was replaced before it was used");
      // This machine's clock is slow: only the API knows that the token has expired.
      await server.later(LIFETIME + 1);
      await runs();
      assert.equal(tokens.size, 3, "the token that the API refused was replaced");
      const last = [...tokens].at(-1) ?? "";
      assert.equal(await isTaken(server, last), true);
      assert.deepEqual(await trial.remove(account), { revoked: revokes !== undefined });
      assert.deepEqual([await trial.accounts.list(), await trial.accounts.credential(account.id)], [[], undefined]);
      assert.equal(await isTaken(server, last), revokes !== "access token");
    };

    const isTaken = async (server: ServerProcess, token: string): Promise<boolean> => {
      const answer = await interop.fetch(server.api, { headers: { authorization: `Bearer ${token}` } });
      return answer.status === 200;
    };

    for (const name of Object.keys(SERVERS) as ServerName[]) {
      const { package: library, configuration, takes }: ServerFacts = SERVERS[name];
      for (const way of takes.length === 0 ? [undefined] : takes)
        it(`${library}${way === undefined ? "" : `, the secret by ${way}`}: ${LIFE}`, async () => {
          const server = await interop.server(name);
          const { authorizationUrl, tokenUrl } = server;
          const { clientId, clientSecret } = newClient();
          await live(
            name,
            {
              configuration: { authorizationUrl, tokenUrl, ...configuration, ...(way === undefined ? {} : LOCATION[way]) },
              client: way === undefined ? { clientId } : { clientId, clientSecret, takes: way },
            },
            server,
          );
        });
    }

    for (const [name, scopes] of [
      ["mcp", ["read", "write"]],
      ["better-auth", ["read", "write", "offline_access"]],
    ] as const)
      it(`${SERVERS[name].package}, found by the MCP server and registered there: ${LIFE}`, async () => {
        // Nobody registers by hand at this one.
        const server = await interop.server(name, "alone");
        assert.ok(server.mcp);
        const configuration = { scopes, useDynamicClientRegistration: true, useProofKeyForCodeExchange: true };
        await live(name, { configuration, mcpServer: server.mcp }, server);
      });
  });
});
