// The sign-in of the specification (auth-spec 5, product.md "Connecting"): endpoint, credentials, name, endpoint choice, sharing.
// Invariants: a cancel at any step leaves nothing stored; the finished account is saved before the person chooses who shares it.

import { defined } from "../../base/defined.ts";
import { errorMessage } from "../../base/error-message.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { AuthScope } from "../../protocol/run.ts";
import { asksProvider, configRoot } from "../../spec/auth-types.ts";
import { isScopeGranted } from "../../spec/providers.ts";
import { distinctName, SANDBOX_USER } from "../accounts/account-name.ts";
import { type Account, newAccountId, packKey } from "../accounts/accounts.ts";
import { enteredFor } from "../accounts/client-binding.ts";
import { snapshotOf } from "../accounts/configuration-snapshot.ts";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { ToolkitCredentials } from "../accounts/toolkit-credentials.ts";
import { PackAuthError } from "../errors.ts";
import { openEvidence } from "../evidence/evidence.ts";
import { type SignInRecord, signInFacts } from "../evidence/sign-in-facts.ts";
import { canonicalPath } from "../files/file-names.ts";
import type { Back } from "../host.ts";
import { endpointProblem, normaliseEndpoint } from "../network/endpoint.ts";
import { missingRefreshToken } from "../oauth/missing-refresh-token.ts";
import { DEFAULT_REDIRECT } from "../oauth/receiver.ts";
import type { TokenExchange } from "../oauth/token-request.ts";
import type { Pack } from "../process/pack.ts";
import type { RunOptions } from "../runs/run.ts";
import type { ClientCredentials, ClientMethod } from "../secrets/credential.ts";
import { SHORTEST_SECRET } from "../secrets/redact.ts";
import { shortSecrets } from "../secrets/short-secrets.ts";
import { askEndpoint, endpointNote, type Note, nameAndPlace, type Placed } from "./account-endpoint.ts";
import { asksEndpoint } from "./change-endpoint.ts";
import { flowOf, refuseUnsupported } from "./choose-flow.ts";
import type { FlowContext, SandboxSignIn } from "./flows/flow.ts";
import { BACK, orBack } from "./in-order.ts";
import type { OAuthCredentialsOptions, TypedClient } from "./oauth-credentials.ts";
import { publishedAddress } from "./published-address.ts";
import { chooseReplaced } from "./replaced-account.ts";
import { type SignInClient, signInClient } from "./sign-in-client.ts";

export interface ConnectOptions extends OAuthCredentialsOptions {
  readonly sandbox?: SandboxSignIn;
  /** Credentials that already exist (the Packs SDK's), so that no credential is asked for. */
  readonly toolkitCredentials?: ToolkitCredentials;
  /** Milliseconds that the browser gets before the provider's page is requested for an error; 5,000 by default. */
  readonly pageDelay?: number;
  /** The account to sign in again: it is replaced, and its label and sharing stay. */
  readonly existing?: Account;
  /** Scopes to request instead of the configuration's, to give an existing account more access. */
  readonly scopes?: readonly string[];
  /** Whether every workspace may use the account. By default that of the replaced account, else false; the caller asks after the save. */
  readonly shared?: boolean;
  /** Shared by the attempts of one sign-in, so that a second attempt does not ask for client ID and secret again. */
  readonly typedClient?: TypedClient;
  /** Called when the person goes back from the first prompt. Nothing of the sign-in stays then, as after a cancel. */
  readonly back?: Back;
  /** Options for the requests of getConnectionName and getOptions. */
  readonly run?: Partial<RunOptions>;
}

export type { Note } from "./account-endpoint.ts";

export interface Connected {
  readonly account: Account;
  readonly signInNotes: readonly Note[];
  /** Why the credentials are unverified; absent if the provider, the sandbox or an API response verified them. */
  readonly unchecked?: string;
  /** True if the API refused the credentials with 401. */
  readonly isRefused?: true;
  /** Why the account has the default name. */
  readonly unnamed?: string;
}

/** Connects an account. Returns undefined if the person cancels. Throws PackAuthError. */
export async function connect(pack: Pack, options: ConnectOptions): Promise<Connected | undefined> {
  const type = pack.definition[`${options.scope}Authentication`]?.type;
  const client = signInClient({ ...options, ...defined({ type }) }, packKey(pack.entry), options.typedClient);
  const providerResponses: ProviderResponses = { exchanges: [] };
  let connected: Connected | undefined;
  try {
    connected = await signInAndSave(pack, options, client, providerResponses);
  } catch (error) {
    // The error is a consequence of the cancel.
    if (options.signal?.aborted) return undefined;
    await keepFacts(pack, options, providerResponses, { error });
    // A client that the provider accepted need not be typed again because a later step failed.
    await client.save().catch(() => {});
    throw error;
  }
  return connected;
}

/** Summaries of the provider's responses during the sign-in. */
interface ProviderResponses {
  readonly exchanges: TokenExchange[];
  authorization?: SignInRecord["authorization"] & object;
}

/** Records facts about the real provider. Best effort: the sign-in does not depend on them. */
async function keepFacts(
  pack: Pack,
  { scope, sandbox, toolkitCredentials, host }: ConnectOptions,
  providerResponses: ProviderResponses,
  outcome: SignInRecord["outcome"],
): Promise<void> {
  const { definition, entry } = pack;
  const auth = definition[`${scope}Authentication`];
  if (auth === undefined || sandbox !== undefined || toolkitCredentials !== undefined) return;
  try {
    await openEvidence(host).add(signInFacts({ entry, definition, auth, scope, ...providerResponses, outcome, now: host.now() }));
  } catch (error) {
    host.log(errorMessage(error));
  }
}

/** A sign-in whose account can be saved. */
interface Attempt {
  readonly signedIn: SignedIn;
  readonly placed: Placed;
  /** True if a provider or a sandbox has just issued the credential. */
  readonly isIssued: boolean;
  readonly isRefused?: true;
  /** The pack's accounts before this one is saved. */
  readonly otherAccounts: readonly Account[];
  /** The account that this one replaces. */
  readonly replaced?: Account;
}

async function signInAndSave(
  pack: Pack,
  options: ConnectOptions,
  client: SignInClient,
  providerResponses: ProviderResponses,
): Promise<Connected | undefined> {
  const { scope, host, accounts, sandbox } = options;
  const auth = authenticationOf(pack, scope);
  const requestedAuth = { ...auth, ...defined({ scopes: options.scopes }) };
  const flow = flowOf(auth, scope);
  const key = packKey(pack.entry);
  // A pack has at most one system account, which every run uses, so a new one replaces it.
  const existing = options.existing ?? (await accounts.list(key)).find((account) => scope === "system" && account.scope === "system");
  // The method from the pack's last sign-in is newer than the account's.
  const remembered =
    (sandbox === undefined ? accounts.clientMethod(key, scope) : undefined) ??
    (existing !== undefined && isOfSandbox(existing) === (sandbox !== undefined) ? existing.clientMethod : undefined);
  // The client authentication method that a failed attempt found; it applies to that client only.
  let learnt: ClientMethod | undefined;
  const lastRedirect = accounts.lastRedirect(key, scope);
  const context: FlowContext = {
    auth: requestedAuth,
    scope,
    packName: options.packName,
    host,
    redirect: options.redirect ?? DEFAULT_REDIRECT,
    mcpServers: (pack.definition.mcpServers ?? []).map(({ endpointUrl }) => endpointUrl),
    domains: auth.networkDomain === undefined ? pack.definition.networkDomains : [auth.networkDomain].flat(),
    entered: [],
    published: publishedAddress(pack.entry),
    client,
    remember: (method) => {
      learnt = method;
      return accounts.rememberClientMethod(key, scope, method);
    },
    record: (exchange) => void providerResponses.exchanges.push(exchange),
    recordPage: (movedTo) => {
      providerResponses.authorization = defined({ movedTo });
    },
    ...defined({
      signal: options.signal,
      pageDelay: options.pageDelay,
      sandbox,
      remembered,
      lastRedirect,
      forcePkce: existing?.forcePkce,
    }),
  };
  const { toolkitCredentials } = options;
  const needsEndpoint = asksEndpoint(auth);
  if (needsEndpoint) refuseUnsupported(auth, scope);
  const toolkitEndpoint = toolkitCredentials?.endpoint === undefined ? undefined : normaliseEndpoint(toolkitCredentials.endpoint);
  const isUsable = toolkitEndpoint !== undefined && endpointProblem(toolkitEndpoint, auth.endpointDomain) === undefined;
  const asksFirst = needsEndpoint && !isUsable;
  let typed = isUsable ? toolkitEndpoint : undefined;
  const signIn = async (): Promise<SignedIn | undefined> => {
    for (;;) {
      if (asksFirst) typed = await askEndpoint(context, typed ?? toolkitEndpoint ?? existing?.endpoint, options.back);
      if (needsEndpoint && typed === undefined) return undefined;
      const signedIn =
        toolkitCredentials !== undefined
          ? { credential: toolkitCredentials.credential, ...defined({ scopesRequested: toolkitCredentials.scopes }) }
          : sandbox?.credential !== undefined
            ? { credential: sandbox.credential }
            : await orBack((toEndpoint) =>
                client.withAnotherTry((isSame) => {
                  const method = (isSame === false ? undefined : learnt) ?? remembered;
                  const back = isSame !== undefined ? undefined : asksFirst ? toEndpoint : options.back;
                  return flow({ ...context, ...defined({ endpoint: typed, remembered: method, back }) });
                }),
              );
      if (signedIn !== BACK) return signedIn;
    }
  };
  const attempt = async (): Promise<Attempt | undefined> => {
    const signedIn = await signIn();
    if (signedIn === undefined || options.signal?.aborted) return undefined;
    const { credential } = signedIn;
    const placed = await nameAndPlace(pack, context, signedIn.endpoint ?? typed, (endpoint) => ({
      ...options.run,
      fetch: host.fetch,
      ...defined({ signal: options.signal }),
      account: { scope, credential, ...defined({ endpoint, sandboxOrigin: sandbox?.origin }) },
    }));
    if (placed === undefined || options.signal?.aborted) return undefined;
    // A provider that has just issued a token accepted the user; the sandbox issues its own credentials.
    const isIssued = sandbox !== undefined || (toolkitCredentials === undefined && credential.kind === "oauth2");
    const { endpoint, label: connectionName } = placed;
    const isRefused = isIssued ? undefined : placed.isRefused;
    const otherAccounts = await accounts.list(key);
    const decision = await chooseReplaced(context, {
      existing,
      accounts: otherAccounts,
      user: { scope, ...defined({ endpoint, sandboxOrigin: sandbox?.origin, connectionName }) },
      isRefused: isRefused === true,
      isEntered: toolkitCredentials === undefined,
    });
    if (decision === "try again") return attempt();
    return decision === undefined
      ? undefined
      : { signedIn, placed, isIssued, otherAccounts, ...defined({ isRefused, replaced: decision.replaced }) };
  };
  const attempted = await attempt();
  if (attempted === undefined) return undefined;
  const { signedIn, placed, isIssued, isRefused, otherAccounts, replaced } = attempted;

  const signInNotes: Note[] = [...scopeNotes(signedIn, auth, scope), ...(signedIn.flowNotes ?? []).map((message) => ({ message }))];
  if (sandbox === undefined && signedIn.clientMethod === "basic-encoded")
    signInNotes.push({
      message:
        "Let the provider issue a client ID and secret without special characters. It accepts these in HTTP Basic only with percent-encoding, and the platform sends them as they are.",
    });
  const short = sandbox === undefined ? shortSecrets(signedIn.credential) : [];
  if (short.length > 0)
    signInNotes.push({
      message: `Too short to be masked in results and requests (under ${SHORTEST_SECRET} characters): ${short.join(", ")}`,
    });
  const shortLived =
    signedIn.credential.kind === "oauth2" && sandbox === undefined ? missingRefreshToken(signedIn.credential, auth, host.now()) : undefined;
  if (shortLived !== undefined) signInNotes.push({ message: shortLived });
  const { endpoint } = placed;
  if (placed.note !== undefined) signInNotes.push(placed.note);
  const outside = typed === undefined ? endpointNote(endpoint, auth) : undefined;
  if (outside !== undefined) signInNotes.push(outside);
  const shared = options.shared ?? replaced?.shared ?? false;
  const isUnnamed = placed.label === undefined && (replaced === undefined || replaced.unnamed === true);
  const label = replaced?.renamed
    ? replaced.label
    : (placed.label ??
      replaced?.label ??
      (sandbox !== undefined ? SANDBOX_USER : placed.hasFailed ? `${options.packName} account` : host.userName()));
  const former = replaced ?? (sandbox === undefined ? undefined : formerUser(otherAccounts, label, { scope, sandbox, endpoint }));
  const { credential } = signedIn;
  const unrenewable = credential.kind === "oauth2" && credential.refreshToken === undefined && asksProvider(auth.type) ? true : undefined;
  const newAccount: Account = {
    id: former?.id ?? newAccountId(),
    pack: key,
    entry: canonicalPath(pack.entry),
    scope,
    type: auth.type,
    label,
    shared,
    createdAt: replaced?.createdAt ?? host.now(),
    configuration: snapshotOf(auth),
    ...defined({
      renamed: replaced?.renamed,
      connectionName: placed.label ?? replaced?.connectionName,
      unnamed: isUnnamed || undefined,
      refused: isRefused,
      workspace: shared ? undefined : host.workspace,
      endpoint,
      sandboxOrigin: sandbox?.origin,
      scopesRequested: signedIn.scopesRequested,
      scopesGranted: signedIn.scopesGranted,
      clientMethod: signedIn.clientMethod,
      server: signedIn.server,
      forcePkce: signedIn.forcePkce,
      expiresAt: credential.kind === "oauth2" ? credential.expiresAt : undefined,
      unrenewable,
    }),
  };
  if (toolkitCredentials?.client !== undefined)
    signInNotes.push(...(await acceptClient(enteredFor(toolkitCredentials.client, auth), client)));
  await client.save();
  if (sandbox === undefined) await rememberMethod(signedIn.clientMethod, context);
  const account = await accounts.save(newAccount, credential, signedIn.client);
  await keepFacts(pack, options, providerResponses, { signedIn, account: account.id });
  return {
    account,
    signInNotes,
    ...defined({
      unchecked: isIssued ? undefined : placed.unchecked,
      isRefused,
      unnamed: isUnnamed && replaced?.renamed !== true ? placed.unnamed : undefined,
    }),
  };
}

const isOfSandbox = ({ sandboxOrigin }: Account): boolean => sandboxOrigin !== undefined;

/**
 * Returns the account that the same user has from an earlier sandbox, to be replaced. Otherwise each start would leave one more account.
 * Labels of the current sandbox's accounts are already taken.
 */
function formerUser(
  accounts: readonly Account[],
  label: string,
  { scope, sandbox, endpoint }: { readonly scope: AuthScope; readonly sandbox: SandboxSignIn; readonly endpoint: string | undefined },
): Account | undefined {
  const isFormer = (other: Account): boolean =>
    isOfSandbox(other) && other.sandboxOrigin !== sandbox.origin && other.scope === scope && other.endpoint === endpoint;
  const free = distinctName(
    label,
    endpoint,
    accounts.filter((other) => !isFormer(other)).map((other) => other.label),
  );
  return accounts.find((other) => isFormer(other) && other.label === free);
}

/**
 * Saves the method that worked for the pack's next sign-in, which otherwise starts with the form. Best effort: the tokens are already
 * issued.
 */
async function rememberMethod(method: ClientMethod | undefined, { remember, remembered }: FlowContext): Promise<void> {
  if (method !== undefined && method !== "none" && (method !== "form" || remembered !== undefined)) await remember(method).catch(() => {});
}

/** Stores the client of a file, but never replaces the client credentials that a person stored. */
async function acceptClient(toolkitClient: ClientCredentials, client: SignInClient): Promise<readonly Note[]> {
  const stored = await client.stored();
  if (stored === undefined) await client.keep(toolkitClient);
  return stored === undefined || stored.clientId === toolkitClient.clientId
    ? []
    : [
        {
          message: `Sign in again once the token expires. The file has another client ID than the stored one (${stored.clientId}), which is unchanged.`,
        },
      ];
}

/** Returns the configuration to connect. Throws configuration-invalid if the pack has none. */
export function authenticationOf(pack: Pack, scope: AuthScope): AuthenticationDefinition {
  const auth = pack.definition[`${scope}Authentication`];
  if (auth === undefined) throw noAuthentication(scope);
  return auth;
}

export const noAuthentication = (scope: AuthScope): PackAuthError =>
  new PackAuthError(
    "configuration-invalid",
    scope === "system" ? "The pack has no system authentication." : "The pack has no user authentication.",
    { hint: `Call pack.${scope === "system" ? "setSystemAuthentication" : "setUserAuthentication"}({…}) first.` },
  );

function scopeNotes({ scopesRequested, scopesGranted }: SignedIn, auth: AuthenticationDefinition, scope: AuthScope): readonly Note[] {
  if (scopesRequested === undefined || scopesGranted === undefined) return [];
  const missing = scopesRequested.filter((name) => !isScopeGranted(name, scopesGranted));
  if (missing.length === 0) return [];
  const { scopeDelimiter = " " } = auth;
  const field = missing.length > 1 && missing.length === scopesRequested.length && scopeDelimiter !== " " ? "scopeDelimiter" : "scopes";
  const message =
    field === "scopes"
      ? `Not granted of scopes: ${missing.join(", ")} (asked for: ${scopesRequested.join(", ")}).`
      : `No scope was granted of those that scopeDelimiter joins by “${scopeDelimiter}”: ${missing.join(", ")}. The standard's delimiter is a space.`;
  return [{ message, configPath: `${configRoot(scope)}.${field}` }];
}
