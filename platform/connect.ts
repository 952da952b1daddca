// The spec's sign-in, step by step (auth-spec 5, product.md "Connecting"): endpoint, credentials, name, endpoint choice, sharing.
// Invariant: nothing is stored before the last answer; a cancel at any step leaves no trace.

import type { AuthenticationDefinition } from "../protocol/definition.ts";
import type { AuthScope } from "../protocol/run.ts";
import { AUTH_TYPES, isAuthTypeName } from "../spec/auth-types.ts";
import { type Account, type Accounts, fingerprint, newAccountId, packKey } from "./accounts.ts";
import type { ClientCredentials } from "./credential.ts";
import { endpointProblem, normaliseEndpoint } from "./endpoint.ts";
import { PackAuthError } from "./errors.ts";
import { signInWithBrowser } from "./flows/authorization-code.ts";
import { signInWithClientCredentials } from "./flows/client-credentials.ts";
import { configRoot, controlCharacterProblem, type Flow, type FlowContext, type SandboxSignIn, titleOf } from "./flows/flow.ts";
import { signInWithValues } from "./flows/multi-token.ts";
import { signInWithToken } from "./flows/token.ts";
import { signInWithBasic } from "./flows/web-basic.ts";
import type { PlatformHost } from "./host.ts";
import { DEFAULT_REDIRECT, type RedirectSettings, redirectUri } from "./oauth/loopback-listener.ts";
import type { Pack } from "./pack.ts";
import { SHORTEST_SECRET } from "./redact.ts";
import { execute, type RunOptions } from "./run.ts";
import { shortSecrets } from "./short-secrets.ts";

export interface ConnectOptions {
  readonly scope: AuthScope;
  readonly packName: string;
  readonly host: PlatformHost;
  readonly accounts: Accounts;
  readonly redirect?: RedirectSettings;
  readonly sandbox?: SandboxSignIn;
  /** Sign in again: this account is replaced, its label and sharing kept. */
  readonly existing?: Account;
  readonly signal?: AbortSignal;
  /** For the requests of getConnectionName and getOptions. */
  readonly run?: Partial<RunOptions>;
}

/** What is worth saying although it worked: getConnectionName threw, fewer scopes were granted, a value is too short to be masked. */
export interface Note {
  readonly message: string;
  readonly error?: unknown;
}

export interface Connected {
  readonly account: Account;
  readonly notes: readonly Note[];
}

const FLOWS: Readonly<Record<string, Flow>> = {
  token: signInWithToken,
  "multi-token": signInWithValues,
  custom: signInWithValues,
  "web-basic": signInWithBasic,
  "client-credentials": signInWithClientCredentials,
  "authorization-code": signInWithBrowser,
};

/** Connects an account; undefined where the person cancelled. Throws PackAuthError. */
export async function connect(pack: Pack, options: ConnectOptions): Promise<Connected | undefined> {
  try {
    return await signInAndSave(pack, options);
  } catch (error) {
    // Whatever was under way when the person cancelled fails because of that.
    if (options.signal?.aborted) return undefined;
    throw error;
  }
}

async function signInAndSave(pack: Pack, options: ConnectOptions): Promise<Connected | undefined> {
  const { scope, host, accounts, sandbox } = options;
  const auth = authenticationOf(pack, scope);
  const flow = flowOf(auth, scope);
  const key = packKey(pack.entry);
  // A system account is the one account that every run of the pack uses: another one takes its place.
  const existing = options.existing ?? accounts.list(key).find((account) => scope === "system" && account.scope === "system");
  const remembered = existing?.clientMethod ?? accounts.clientMethod(key, scope);
  const context: FlowContext = {
    auth,
    scope,
    packName: options.packName,
    host,
    redirect: options.redirect ?? DEFAULT_REDIRECT,
    clientCredentials: async () => (await accounts.clientCredentials(key, scope)) ?? (await addOAuthCredentials(options, key)),
    remember: (method) => accounts.rememberClientMethod(key, scope, method),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(remembered === undefined ? {} : { remembered }),
  };
  const asksEndpoint = auth.requiresEndpointUrl === true && auth.endpointKey === undefined;
  const typed = asksEndpoint ? await askEndpoint(context) : undefined;
  if (asksEndpoint && typed === undefined) return undefined;
  const signedIn = await flow({ ...context, ...(typed === undefined ? {} : { endpoint: typed }) });
  if (signedIn === undefined || options.signal?.aborted) return undefined;

  const notes: Note[] = [...scopeNotes(signedIn.scopesRequested, signedIn.scopesGranted)];
  const short = sandbox === undefined ? shortSecrets(signedIn.credential) : [];
  if (short.length > 0)
    notes.push({ message: `Too short to be masked in results and requests (under ${SHORTEST_SECRET} characters): ${short.join(", ")}` });
  let endpoint = signedIn.endpoint ?? typed;
  const runAs = (): RunOptions => ({
    ...options.run,
    fetch: host.fetch,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    account: {
      scope,
      credential: signedIn.credential,
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(sandbox === undefined ? {} : { sandboxOrigin: sandbox.origin }),
    },
  });
  const steps = auth.postSetup.filter((step) => step.hasOptions);
  let name = await connectionName(pack, options, auth, runAs());
  for (const step of steps) {
    const chosen = await chooseEndpoint(pack, context, step, runAs());
    if (chosen === undefined) return undefined;
    endpoint = chosen;
  }
  // What the first call could not do without an endpoint is no news once the second one can.
  if (steps.length > 0) name = await connectionName(pack, options, auth, runAs());
  if (options.signal?.aborted) return undefined;
  if (name.note !== undefined) notes.push(name.note);
  const outside = typed === undefined && endpoint !== undefined ? endpointProblem(endpoint, auth.endpointDomain) : undefined;
  if (outside !== undefined) notes.push({ message: `${endpoint} works here; the platform would refuse it. ${outside}` });
  const shared = options.existing?.shared ?? (await askSharing(context));
  if (shared === undefined || options.signal?.aborted) return undefined;

  const account: Account = {
    id: existing?.id ?? newAccountId(),
    pack: key,
    scope,
    type: auth.type,
    label: name.label ?? existing?.label ?? host.userName(),
    shared,
    createdAt: host.now(),
    configuration: fingerprint(auth),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(sandbox === undefined ? {} : { sandboxOrigin: sandbox.origin }),
    ...(signedIn.scopesRequested === undefined ? {} : { scopesRequested: signedIn.scopesRequested }),
    ...(signedIn.scopesGranted === undefined ? {} : { scopesGranted: signedIn.scopesGranted }),
    ...(signedIn.clientMethod === undefined ? {} : { clientMethod: signedIn.clientMethod }),
    ...(signedIn.credential.kind === "oauth2" && signedIn.credential.expiresAt !== undefined
      ? { expiresAt: signedIn.credential.expiresAt }
      : {}),
  };
  await accounts.save(account, signedIn.credential);
  return { account, notes };
}

/** Asks for client ID and secret and stores them; undefined where the person cancelled (auth-spec 5.5.4). */
export async function addOAuthCredentials(
  options: Pick<ConnectOptions, "scope" | "packName" | "host" | "accounts" | "redirect" | "signal">,
  key: string,
): Promise<ClientCredentials | undefined> {
  const address = redirectUri(options.redirect ?? DEFAULT_REDIRECT);
  const common = {
    title: `OAuth credentials of ${options.packName}`,
    totalSteps: 2,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  const clientId = await options.host.prompter.input({
    ...common,
    step: 1,
    prompt: `Client ID from the provider's developer settings. Register the redirect address ${address} there.`,
    placeholder: "Client ID",
    validate: (value) => (value.trim() === "" ? "Enter the client ID." : controlCharacterProblem(value.trim())),
  });
  if (clientId === undefined) return undefined;
  const clientSecret = await options.host.prompter.input({
    ...common,
    step: 2,
    prompt: "Client secret. Leave it empty for a public client.",
    placeholder: "Client secret",
    secret: true,
    validate: (value) => controlCharacterProblem(value.trim()),
  });
  if (clientSecret === undefined) return undefined;
  const credentials: ClientCredentials = {
    clientId: clientId.trim(),
    ...(clientSecret.trim() === "" ? {} : { clientSecret: clientSecret.trim() }),
  };
  await options.accounts.saveClientCredentials(key, options.scope, credentials);
  return credentials;
}

/** The configuration that is connected. Throws configuration-invalid where the pack has none. */
export function authenticationOf(pack: Pack, scope: AuthScope): AuthenticationDefinition {
  const auth = scope === "system" ? pack.definition.systemAuthentication : pack.definition.userAuthentication;
  if (auth === undefined) {
    throw new PackAuthError("configuration-invalid", `The pack has no ${scope} authentication.`, {
      hint: `Call pack.set${scope === "system" ? "System" : "User"}Authentication({…}) first.`,
    });
  }
  return auth;
}

function flowOf(auth: AuthenticationDefinition, scope: AuthScope): Flow {
  const configPath = `${configRoot(scope)}.type`;
  if (!isAuthTypeName(auth.type))
    throw new PackAuthError("type-unavailable", `${auth.type} is no authentication type that is known here.`, { configPath });
  const flow = FLOWS[AUTH_TYPES[auth.type].flow];
  if (flow !== undefined) return flow;
  throw new PackAuthError(
    "type-unavailable",
    auth.type === "None"
      ? "The pack's authentication is None: there is nothing to connect."
      : AUTH_TYPES[auth.type].flow === "aws"
        ? `${auth.type} cannot be connected here: its requests would have to be signed, which is not done yet.`
        : `${auth.type} is not available outside the platform.`,
    {
      hint: auth.type === "None" ? "Run its formulas right away." : "Upload the pack to try it.",
      configPath,
    },
  );
}

/** auth-spec 5.7: the endpoint that the user enters, checked against endpointDomain. */
async function askEndpoint(context: FlowContext): Promise<string | undefined> {
  if (context.sandbox?.endpoint !== undefined) return context.sandbox.endpoint;
  const { endpointDomain } = context.auth;
  const answer = await context.host.prompter.input({
    title: titleOf(context),
    prompt: endpointDomain === undefined ? "Your account's endpoint URL" : `Your account's endpoint URL, under ${endpointDomain}`,
    placeholder: `https://${endpointDomain === undefined ? "my-site.example" : `my-site.${endpointDomain}`}`,
    validate: (value) => endpointProblem(value, endpointDomain),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
  return answer === undefined ? undefined : normaliseEndpoint(answer);
}

/** auth-spec 5.6: empty gives the default label; a throw is told and does not lose the account. */
async function connectionName(
  pack: Pack,
  options: ConnectOptions,
  auth: AuthenticationDefinition,
  run: RunOptions,
): Promise<{ readonly label?: string; readonly note?: Note }> {
  if (!auth.hasGetConnectionName) return {};
  options.host.progress("Asking for the account's name…");
  try {
    const answer = await execute(pack, { kind: "authentication", scope: options.scope, function: { name: "getConnectionName" } }, [], run);
    return typeof answer?.value === "string" && answer.value.trim() !== "" ? { label: answer.value.trim() } : {};
  } catch (error) {
    return { note: { message: "getConnectionName failed, so the account has the default name", error } };
  }
}

/** auth-spec 5.7.5: one of the options that the pack itself lists. */
async function chooseEndpoint(
  pack: Pack,
  context: FlowContext,
  step: AuthenticationDefinition["postSetup"][number],
  run: RunOptions,
): Promise<string | undefined> {
  context.host.progress("Asking for the endpoints…");
  const configPath = `${configRoot(context.scope)}.postSetup`;
  const answer = await execute(
    pack,
    { kind: "authentication", scope: context.scope, function: { name: "getOptions", step: step.name } },
    [],
    run,
  );
  if (answer === undefined) return undefined;
  const options = optionsOf(answer.value);
  if (options.length === 0) {
    throw new PackAuthError("endpoint-invalid", `The step ${step.name} lists no endpoint.`, {
      hint: "Check what getOptions returns: strings, or objects with display and value.",
      configPath,
    });
  }
  const chosen = await context.host.prompter.pick({
    title: titleOf(context),
    placeholder: step.description || "Choose the endpoint",
    items: options.map((option) => ({
      label: option.display,
      description: option.display === option.value ? "" : option.value,
      value: option.value,
    })),
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
  if (chosen === undefined) return undefined;
  const problem = endpointProblem(chosen, undefined);
  if (problem !== undefined)
    throw new PackAuthError("endpoint-invalid", `The chosen endpoint ${chosen} cannot be used. ${problem}`, { configPath });
  return normaliseEndpoint(chosen);
}

function optionsOf(value: unknown): readonly { display: string; value: string }[] {
  const list = Array.isArray(value)
    ? value
    : Array.isArray((value as { result?: unknown } | null)?.result)
      ? (value as { result: unknown[] }).result
      : [];
  return list.flatMap((item: unknown) => {
    if (typeof item === "string") return [{ display: item, value: item }];
    const { display, value: url } = (item ?? {}) as { display?: unknown; value?: unknown };
    return typeof url === "string" ? [{ display: typeof display === "string" ? display : url, value: url }] : [];
  });
}

async function askSharing(context: FlowContext): Promise<boolean | undefined> {
  if (context.scope === "system") return false;
  const choice = await context.host.prompter.pick({
    title: titleOf(context),
    placeholder: "Where may this account be used?",
    items: [
      { label: "This workspace only", value: "workspace" },
      { label: "Every workspace", value: "all" },
    ],
    ...(context.signal === undefined ? {} : { signal: context.signal }),
  });
  return choice === undefined ? undefined : choice === "all";
}

function scopeNotes(requested: readonly string[] | undefined, granted: readonly string[] | undefined): readonly Note[] {
  if (requested === undefined || granted === undefined) return [];
  const missing = requested.filter((scope) => !granted.includes(scope));
  return missing.length === 0 ? [] : [{ message: `Not granted: ${missing.join(", ")} (asked for: ${requested.join(", ")})` }];
}
