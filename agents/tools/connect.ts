// Asks the person to sign in to a pack's account. The agent gets the account's label and state only.
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { AGENT_WARNING, type ConsentQuestion } from "../../operations/consent-question.ts";
import { entryInside, shownPath } from "../../operations/inside.ts";
import { isCalled } from "../../platform/accounts/account-name.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { STS_URL } from "../../platform/aws/assume-role.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { connect as connectAccount } from "../../platform/connect/connect.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Prompter } from "../../platform/host.ts";
import { refusal } from "../../platform/network/refusal.ts";
import type { Pack } from "../../platform/process/pack.ts";
import { methodText, type Permit } from "../../platform/requests/permit.ts";
import type { PackDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import { accountRow, accountRowOf } from "../account-row.ts";
import { agentTool, type ToolCall } from "../agent-tool.ts";
import { fromOutside, outsideText } from "../outside.ts";
import { packPath } from "../schemas.ts";

export const connect = agentTool({
  title: "Ask the person to sign in",
  description:
    "Asks the person to sign in for a pack, in front of them and outside of your reach. You get the account's label and state, never a credential. Check the pack and run it in the sandbox first. After a refusal do not ask again.",
  input: z.strictObject({
    pack: packPath,
    scope: z.enum(["user", "system"]).optional().describe("Which authentication of the pack. By default the user's, if the pack has it."),
    again: z.string().optional().describe("The label or ID of an account to sign in to again."),
  }),
  output: z.strictObject({
    status: z.enum(["connected", "refused"]),
    account: accountRow.optional(),
    notes: z.array(outsideText).describe("What the sign-in showed about the configuration."),
  }),
  runsCode: true,
  isReadOnly: false,
  isOpenWorld: true,
  async call({ pack: path, scope: namedScope, again }, call) {
    const { session, progress } = call;
    const { host } = session;
    const entry = entryInside(host.folder, path);
    if (session.isSigningIn)
      throw new PackAuthError("consent-refused", "The person is already signing in.", { hint: "Wait for that call to end." });
    session.isSigningIn = true;
    let pack: Pack | undefined;
    try {
      progress("Building the pack");
      pack = await host.openPack(entry);
      const scope = scopeOf(pack.definition, namedScope);
      const key = JSON.stringify([entry, scope]);
      if (session.refusedSignIns.has(key)) throw alreadyRefused();
      progress("Waiting for the person");
      const connected = await signIn(pack, scope, again, call);
      if (connected !== undefined) return connected;
      session.refusedSignIns.add(key);
      return { status: "refused" as const, notes: [] };
    } finally {
      session.isSigningIn = false;
      pack?.dispose();
    }
  },
});

const alreadyRefused = (): PackAuthError =>
  new PackAuthError("consent-refused", "The person refused to sign in for this pack.", {
    hint: "Do not ask again in this session. Use the sandbox.",
  });

/** A call that ended before the person answered is no refusal: the agent may ask again. */
const unanswered = (): PackAuthError =>
  new PackAuthError("consent-refused", "The person has not answered.", { hint: "Call connect again when the person is there." });

/** Throws type-unavailable if the pack does not have the authentication. */
function scopeOf(definition: PackDefinition, scope: AuthScope | undefined): AuthScope {
  const existingScope = (["user", "system"] as const).find(
    (candidate) => (scope === undefined || candidate === scope) && definition[`${candidate}Authentication`] !== undefined,
  );
  if (existingScope !== undefined) return existingScope;
  throw new PackAuthError("type-unavailable", `The pack has no ${scope === undefined ? "" : `${scope} `}authentication.`, {
    hint: "Add setUserAuthentication or setSystemAuthentication. A pack without authentication needs no account.",
  });
}

/** Returns undefined if the person refused. */
async function signIn(pack: Pack, scope: AuthScope, again: string | undefined, { session, signal }: ToolCall) {
  const { host } = session;
  const { accounts, platform, behindProxy, allowLoopback, redirect } = await host.openAccounts();
  // The person would otherwise sign in for nothing.
  await platform.secrets.assertStorable?.();
  const existing = again === undefined ? undefined : await existingAccount(again, pack, scope, session);
  const notice = noticeOf(pack, scope, host.folder);
  const answer = await session.consent.ask(notice, signal);
  if (answer === "unanswered") throw unanswered();
  if (answer === "refused") return undefined;
  const connected = await host.person.withPrompts(notice, ({ prompter, openBrowser }) =>
    connectAccount(pack, {
      scope,
      packName: packName(pack.entry),
      host: { ...platform, prompter: withoutLinks(prompter), openBrowser },
      accounts,
      // Without a workspace an account would belong to none.
      shared: platform.workspace === undefined,
      signal,
      world: { behindProxy, permit: permitBy(prompter), ...defined({ lookup: platform.lookUp, allowLoopback }) },
      ...defined({ existing, redirect }),
    }),
  );
  if (connected === undefined) {
    if (signal.aborted) throw unanswered();
    return undefined;
  }
  const { account, signInNotes } = connected;
  const definition = pack.definition[`${scope}Authentication`];
  return {
    status: "connected" as const,
    account: accountRowOf(account, await accounts.stateOf(account, defined({ definition }))),
    notes: signInNotes.map(({ message }) => fromOutside(message)),
  };
}

async function existingAccount(name: string, pack: Pack, scope: AuthScope, { host }: ToolCall["session"]) {
  const { accounts } = await host.openAccounts();
  const [account, ...more] = (await accounts.list(packKey(pack.entry))).filter(
    (candidate) => candidate.scope === scope && isCalled(candidate, name),
  );
  if (account !== undefined && more.length === 0) return account;
  throw new PackAuthError(
    "account-required",
    account === undefined ? `There is no account ${name}.` : `Several accounts are called ${name}.`,
    { hint: "accounts lists them with their IDs." },
  );
}

/**
 * The person agreed to the hosts of the sign-in, where getConnectionName may read. A request that may act is a further question of the sign-in,
 * since some APIs read by POST. A no ends all that wait or follow.
 */
function permitBy(prompter: Prompter): Permit {
  let last: Promise<void> = Promise.resolve();
  return (request, signal) => {
    const { url, host, body, isRead } = request;
    if (isRead) return Promise.resolve();
    const method = methodText(request);
    const ask = async (): Promise<void> => {
      const choice = await prompter.pick({
        title: `The pack wants to send ${method} to ${host} during the sign-in`,
        placeholder: `Send ${method} ${url}?`,
        items: [
          { label: "Do not send", value: "no" },
          { label: "Send", ...defined({ detail: body }), value: "yes" },
        ],
        signal,
      });
      if (choice !== "yes") throw refusal(`the person did not agree to ${method} during the sign-in`);
    };
    last = last.then(ask);
    return last;
  };
}

/** The address of the pack's instructions is no link here, since the agent may have written it. */
const withoutLinks = ({ input, pick }: Prompter): Prompter => ({ input: ({ link: _, ...options }) => input(options), pick });

/** Names every host that gets what the person types, or what the provider returns for it. */
function noticeOf({ definition, entry }: Pack, scope: AuthScope, folder: string): ConsentQuestion {
  const auth = definition[`${scope}Authentication`];
  const provider = [auth?.authorizationUrl, auth?.tokenUrl].flatMap((url) => hostsOf(url));
  const servers = (definition.mcpServers ?? []).flatMap(({ endpointUrl }) => hostsOf(endpointUrl));
  const domains = auth?.credentialDomains ?? definition.networkDomains;
  const fact = (label: string, texts: readonly string[]) => (texts.length === 0 ? [] : [{ label, text: [...new Set(texts)].join("\n") }]);
  return {
    title: `Sign in for the pack ${packName(entry)}?`,
    facts: [
      ...fact("Pack", [shownPath(folder, entry)]),
      ...fact("Folder", [folder]),
      ...fact("Type", [`${auth?.type ?? ""} (${scope} authentication)`]),
      ...fact("Provider", provider),
      ...fact("MCP server", servers),
      ...fact("Token service", flowKindOf(auth?.type ?? "") === "aws-role" ? [new URL(STS_URL).host] : []),
      ...fact("API", domains),
    ],
    warnings: [
      AGENT_WARNING,
      "The hosts above get what you type, or what the provider issues for it. Cancel if you do not know one of them.",
      ...(servers.length > 0 && provider.length === 0
        ? ["The MCP server names the provider. Check the address of its page before you sign in there."]
        : []),
      "The pack may read your account's name from the API. The agent gets that name and the account's state, never a credential.",
    ],
    agree: "Sign in",
  };
}

/** Returns the host of an address; the address itself if it is relative to the account's endpoint. */
const hostsOf = (url: unknown): readonly string[] =>
  typeof url !== "string" ? [] : [URL.canParse(url) ? new URL(url).host : `${url} at the account's own endpoint`];
