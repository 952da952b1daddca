// A pack, the account that somebody connects with it at a real server, and what becomes of it: everything through the product's own doors,
// the pack in its own process.
import { randomUUID } from "node:crypto";
import { type Account, type Accounts, openAccounts } from "../../platform/accounts/accounts.ts";
import { type Connected, connect } from "../../platform/connect/connect.ts";
import { type Removal, removeAccount } from "../../platform/connect/remove-account.ts";
import { usableAccount } from "../../platform/connect/usable-account.ts";
import type { Fetch } from "../../platform/host.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { McpTarget } from "../../protocol/mcp.ts";
import type { RunReport } from "../../protocol/run.ts";
import { pack } from "../support/open-packs.ts";
import { packFiles } from "../support/pack-file.ts";
import { makeHost, type TestHost } from "../support/platform-host.ts";
import { run } from "../support/run.ts";
import type { Authority } from "./authority.ts";
import { type LastPage, visit } from "./person.ts";
import type { Client, ServerProcess } from "./server-process.ts";

/** Fields of the authentication, as a pack's author writes them. */
export type Configuration = Readonly<Record<string, unknown>>;

export interface TrialOptions {
  readonly server: ServerProcess;
  readonly authority: Authority;
  readonly configuration: Configuration;
  /** The host's own: it trusts the test's authority, or does not. */
  readonly fetch: Fetch;
  /** The MCP server that the pack declares. */
  readonly mcpServer?: string;
  /** Absent where the sign-in registers itself. */
  readonly client?: Omit<Client, "redirectUri">;
  /** What is typed in as the client's credentials, each time that they are asked for, where that is another; then the question is put away. */
  readonly typed?: readonly Pick<Client, "clientId" | "clientSecret">[];
  /** The redirect address that is registered, where it is not the one that is shown. */
  readonly registered?: string;
}

export interface Trial {
  readonly host: TestHost;
  readonly accounts: Accounts;
  readonly openedPack: Pack;
  /** The page at which the browser ended last. */
  readonly page: () => LastPage | undefined;
  /** The redirect address of the last sign-in. */
  readonly redirectUri: () => string;
  connect(existing?: Account): Promise<Connected | undefined>;
  /** The formula that asks for the account's name, unless something else is named. */
  run(account: Account, target?: McpTarget): Promise<RunReport>;
  remove(account: Account): Promise<Removal>;
  /** Lets time pass on this machine. */
  later(seconds: number): void;
  close(): void;
}

/** As many providers make them: an ID that is a UUID, a secret with the characters that percent-encoding leaves alone. */
export const newClient = (): { readonly clientId: string; readonly clientSecret: string } => ({
  clientId: randomUUID(),
  clientSecret: `s-${randomUUID()}_.~${randomUUID().slice(0, 8)}`,
});

/** Milliseconds after which a sign-in that goes nowhere is given up, once the browser has ended. A busy machine may need minutes until then. */
const PATIENCE = 20_000;
/** Milliseconds until the page is looked at. */
const PAGE_DELAY = 300;

const sourceOf = ({ configuration, server, mcpServer }: TrialOptions): string => `import * as coda from "@codahq/packs-sdk";
export const pack = coda.newPack();
pack.addNetworkDomain("localhost");
${mcpServer === undefined ? "" : `pack.addMCPServer(${JSON.stringify({ name: "Interop", endpointUrl: mcpServer })});`}
const name = async (context: coda.ExecutionContext): Promise<string> =>
  (await context.fetcher.fetch({ method: "GET", url: ${JSON.stringify(server.api)} })).body.name;
(pack as any).setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  ...${JSON.stringify(configuration)},
  getConnectionName: name,
});
pack.addFormula({
  name: "WhoAmI", description: "The name of the account.", parameters: [], resultType: coda.ValueType.String,
  execute: async (_args, context) => name(context),
});
`;

/** By source: the packs that several trials of a suite are about. */
const shared = new Map<string, Promise<Pack>>();

const open = (source: string): Promise<Pack> => pack(packFiles({ "pack.ts": source }));

/** Trials with this one's configuration use one process of the pack. It ends with the packs of the suite. */
export function sharePack(options: TrialOptions): void {
  const source = sourceOf(options);
  if (!shared.has(source)) shared.set(source, open(source));
}

export const forgetSharedPacks = (): void => shared.clear();

export async function openTrial(options: TrialOptions): Promise<Trial> {
  const { server, authority, fetch, client, typed, registered } = options;
  const source = sourceOf(options);
  const sharedPack = shared.get(source);
  const openedPack = await (sharedPack ?? open(source));
  let last: LastPage | undefined;
  let ahead = 0;
  let promptCount = 0;
  let patience = new AbortController();
  const typedNow = (turn = promptCount): Pick<Client, "clientId" | "clientSecret"> | undefined =>
    (typed ?? (client === undefined ? [] : [client]))[turn];
  const fieldValue = (field: string): string | undefined => {
    if (/pass/i.test(field)) return "wonder-land";
    if (/code/i.test(field)) return server.mail.code;
    return /mail/i.test(field) ? "alice@example.com" : /user/i.test(field) ? "alice" : undefined;
  };
  const scripted = makeHost({
    fetch,
    replies: {
      "address to register at": "open",
      "registered at the provider": "open",
      "address changed": "open",
      "as at the last sign-in": "open",
    },
    openBrowser: async (url) => {
      const redirectUri = new URL(url).searchParams.get("redirect_uri");
      if (client !== undefined && redirectUri !== null) await server.register({ ...client, redirectUri: registered ?? redirectUri });
      const own = patience;
      void visit(url, authority.ca, fieldValue)
        .catch((error: unknown) => ({ url, status: 0, text: String(error) }))
        .then((page) => {
          last = page;
          setTimeout(() => own.abort(), PATIENCE).unref();
        });
      return true;
    },
  });
  const host: TestHost = {
    ...scripted,
    now: () => Date.now() + ahead,
    prompter: {
      // Told what the browser's page shows, the person ends the sign-in.
      pick: async (question) =>
        question.items.find(({ label }) => label.startsWith("End the sign-in"))?.value ?? scripted.prompter.pick(question),
      input: async ({ placeholder }) =>
        placeholder === "Client ID"
          ? typedNow()?.clientId
          : placeholder === "Client secret"
            ? (typedNow(promptCount++)?.clientSecret ?? "")
            : undefined,
    },
  };
  const accounts = openAccounts(host);
  return {
    host,
    accounts,
    openedPack,
    page: () => last,
    redirectUri: () => new URL(scripted.openedUrls.at(-1) ?? "").searchParams.get("redirect_uri") ?? "",
    connect: (existing) => {
      patience = new AbortController();
      return connect(openedPack, {
        scope: "user",
        packName: "interop",
        host,
        accounts,
        redirect: { host: "localhost", port: 0, path: "/oauth" },
        world: { allowLoopback: true },
        signal: patience.signal,
        pageDelay: PAGE_DELAY,
        ...(existing === undefined ? {} : { existing }),
      });
    },
    run: async (account, target) => {
      const usable = await usableAccount(openedPack, account, {
        accounts,
        host,
        sandbox: () => Promise.reject(new Error("There is no sandbox.")),
      });
      return run(openedPack, target ?? { kind: "formula", name: "WhoAmI" }, [], { fetch, account: usable, allowLoopback: true });
    },
    remove: (account) => removeAccount(account.id, { accounts, fetch, storageFolder: host.storageFolder }),
    later: (seconds) => {
      ahead += seconds * 1_000;
    },
    close: () => (sharedPack === undefined ? openedPack.dispose() : undefined),
  };
}
