// A person's sign-in to a pack that is open.
import { defined } from "../../base/defined.ts";
import { packKey } from "../../platform/accounts/accounts.ts";
import { STS_URL } from "../../platform/aws/assume-role.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { type ConnectOptions, connect } from "../../platform/connect/connect.ts";
import type { Pack } from "../../platform/process/pack.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { flowKindOf } from "../../spec/auth-types.ts";
import { sealedClient } from "../accounts/sealed-client.ts";
import type { ConsentQuestion } from "../consent-question.ts";
import { shownPath } from "../inside.ts";
import type { Person } from "../person.ts";
import type { World } from "../world.ts";

type SignInOptions = Pick<ConnectOptions, "scope" | "existing" | "scopes" | "sandbox" | "existingCredentials">;

/** Saves the account. Returns undefined if the person cancelled. Throws PackAuthError. */
export async function signIn(pack: Pack, options: SignInOptions, world: World, person: Person) {
  const { entry, definition } = pack;
  const { scope, sandbox } = options;
  const { accounts, platform, behindProxy, allowLoopback, redirect } = await world.openStore();
  if (sandbox === undefined && (await accounts.hasSealedClient(packKey(entry), scope))) throw sealedClient(entry);
  // The person would otherwise sign in for nothing.
  await platform.secrets.assertStorable?.();
  const connected = await person.withPrompts(noticeOf(pack, scope, world.folder), ({ permit, ...prompts }) =>
    connect(pack, {
      ...options,
      packName: packName(entry),
      host: { ...platform, ...prompts },
      accounts,
      signal: world.signal,
      world: { behindProxy, allowLoopback, ...defined({ lookup: platform.lookUp, permit }) },
      // Without a workspace an account would belong to none.
      ...defined({ redirect, shared: platform.workspace === undefined || undefined }),
    }),
  );
  if (connected === undefined) return undefined;
  const state = await accounts.stateOf(connected.account, defined({ definition: definition[`${scope}Authentication`] }));
  return { ...connected, state, entry, definition };
}

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
      "The hosts above get what you type, or what the provider issues for it. Cancel if you do not know one of them.",
      ...(servers.length > 0 && provider.length === 0
        ? ["The MCP server names the provider. Check the address of its page before you sign in there."]
        : []),
    ],
    agree: "Sign in",
  };
}

/** Returns the host of an address; the address itself if it is relative to the account's endpoint. */
const hostsOf = (url: unknown): readonly string[] =>
  typeof url !== "string" ? [] : [URL.canParse(url) ? new URL(url).host : `${url} at the account's own endpoint`];
