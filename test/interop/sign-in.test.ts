// Sign-ins at authorization servers that others wrote, and the whole life of an account there: connect, run, two refreshes, removal.
import assert from "node:assert/strict";
import type { RunReport } from "../../protocol/run.ts";
import { isDeep } from "../support/runs.ts";
import { LIFETIME, type ServerProcess } from "./server-process.ts";
import { SERVERS, type ServerFacts, type ServerName } from "./servers.ts";
import { interopOfSuite } from "./suite.ts";
import { newClient, openTrial, type TrialOptions } from "./trial.ts";

const nameOf = ({ outcome, requests }: RunReport): unknown =>
  outcome.status === "succeeded" ? outcome.value : { outcome, requests: requests.map(({ status, warnings }) => ({ status, warnings })) };

const WHO_AM_I = { kind: "mcpTool", server: "Interop", name: "who_am_i", arguments: {} } as const;

/** The form is what is tried first where the configuration says nothing. */
const LOCATION = { form: {}, basic: { credentialsLocation: "AuthorizationHeader" } };

/** What the core tries: a server with a secret, one with a public client, and one that is found through its MCP server. */
const CORE: readonly string[] = ["node-oauth form", "openauth", "mcp, found"];
const isOfTier = (title: string): boolean => CORE.includes(title) !== isDeep;

describe("Interop: real servers", function () {
  this.timeout(90_000);
  const interop = interopOfSuite();
  if (interop === undefined) return;

  describe("Accounts", () => {
    const LIFE = "connects, runs, refreshes before expiry and after a refusal, and is removed";

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
      const { account, signInNotes } = connected;
      assert.match(account.label, /^alice/);
      assert.deepEqual(signInNotes, []);
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
      assert.equal(await isAccepted(server, last), true);
      assert.deepEqual(await trial.remove(account), { revoked: revokes !== undefined });
      assert.deepEqual([await trial.accounts.list(), await trial.accounts.credential(account.id)], [[], undefined]);
      assert.equal(await isAccepted(server, last), revokes !== "access token");
    };

    const isAccepted = async (server: ServerProcess, token: string): Promise<boolean> => {
      const response = await interop.fetch(server.api, { headers: { authorization: `Bearer ${token}` } });
      return response.status === 200;
    };

    for (const name of Object.keys(SERVERS) as ServerName[]) {
      const { package: library, configuration, clientWays }: ServerFacts = SERVERS[name];
      for (const way of clientWays.length === 0 ? [undefined] : clientWays) {
        if (!isOfTier(way === undefined ? name : `${name} ${way}`)) continue;
        it(`an account of ${library}${way === undefined ? "" : ` with its secret by ${way}`} ${LIFE}`, async () => {
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
    }

    for (const [name, scopes] of [
      ["mcp", ["read", "write"]],
      ["better-auth", ["read", "write", "offline_access"]],
    ] as const) {
      if (!isOfTier(`${name}, found`)) continue;
      it(`an account of ${SERVERS[name].package}, found through its MCP server, ${LIFE}`, async () => {
        // Nobody registers by hand at this one.
        const server = await interop.server(name, "alone");
        assert.ok(server.mcp);
        const configuration = { scopes, useDynamicClientRegistration: true, useProofKeyForCodeExchange: true };
        await live(name, { configuration, mcpServer: server.mcp }, server);
      });
    }
  });
});
