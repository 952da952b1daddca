// The tokens of the platform's public API, one per origin.
// Invariant: a token goes only to the origin that it was entered for. Its record exists only after a person agreed to that origin.

import { defined } from "../../base/defined.ts";
import { isRecord } from "../../base/is-record.ts";
import { DEFAULT_ORIGIN, PACK_FILE } from "../../spec/pack-file.ts";
import { readSecret } from "../accounts/client-store.ts";
import { checkedValue, valueProblem } from "../accounts/pasted-value.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost, Prompter } from "../host.ts";
import { apiOrigin, hostOf } from "./api-origin.ts";
import { openPublicApi } from "./client.ts";
import type { PublicApi } from "./public-api.ts";
import type { PublishedPack } from "./published-pack.ts";

/** A token of the environment, for continuous integration, and the origin that the environment names for it. */
interface EnvironmentToken {
  readonly token: string;
  readonly origin: string;
}

/**
 * Returns the token of PACK_AUTH_API_TOKEN, for the host of PACK_AUTH_API_HOST. Throws api-host-unapproved or credentials-missing if a
 * value cannot be used.
 */
export function environmentToken(env: NodeJS.ProcessEnv): EnvironmentToken | undefined {
  const { PACK_AUTH_API_TOKEN: token, PACK_AUTH_API_HOST: host } = env;
  if (!token) return undefined;
  return { token: checkedValue(token, "PACK_AUTH_API_TOKEN"), origin: host ? apiOrigin(host, "PACK_AUTH_API_HOST") : DEFAULT_ORIGIN };
}

type Stores = Pick<PlatformHost, "secrets" | "globalState">;

interface OpenApiOptions {
  /** The title of the questions, such as the name of the command. */
  readonly title: string;
  /** Replaces the stored token. */
  readonly environmentToken?: EnvironmentToken | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Returns the API of the pack's platform. Without a token for exactly this origin it asks for one; nothing is sent to another host before
 * the person agreed to the host. Returns undefined if the person cancelled.
 */
export async function openApiOf(host: PlatformHost, pack: PublishedPack, options: OpenApiOptions): Promise<PublicApi | undefined> {
  const stored = await storedApiOf(host, pack, options.environmentToken);
  if (stored !== undefined) return stored;
  if (!(await approves(host.prompter, pack.origin, options))) return undefined;
  const token = await addApiToken(host, pack.origin, options);
  return token === undefined ? undefined : openPublicApi({ origin: pack.origin, token, fetch: host.fetch });
}

/** Returns the API if there is a token for exactly this origin. Never asks. Throws api-host-unapproved for another token of the environment. */
export async function storedApiOf(
  host: Pick<PlatformHost, "secrets" | "fetch">,
  { origin }: Pick<PublishedPack, "origin">,
  ofEnvironment?: EnvironmentToken,
): Promise<PublicApi | undefined> {
  if (ofEnvironment !== undefined && ofEnvironment.origin !== origin)
    throw new PackAuthError(
      "api-host-unapproved",
      `PACK_AUTH_API_TOKEN is for ${hostOf(ofEnvironment.origin)}, and ${PACK_FILE} names ${hostOf(origin)}; nothing was sent.`,
      { nextStep: { do: "approveApiHost", host: hostOf(origin) } },
    );
  const token = ofEnvironment?.token ?? (await storedToken(host.secrets, origin));
  return token === undefined ? undefined : openPublicApi({ origin, token, fetch: host.fetch });
}

/** Asks for the token of an origin and stores it. Returns it, or undefined if the person cancelled. The caller has the person's agreement. */
export async function addApiToken(
  { prompter, secrets, globalState }: Stores & Pick<PlatformHost, "prompter">,
  origin: string,
  { title, signal }: Pick<OpenApiOptions, "title" | "signal">,
): Promise<string | undefined> {
  const host = hostOf(origin);
  const entered = await prompter.input({
    title,
    prompt: `API token of ${host}, which is sent to ${host} only. Create it in the account settings there, under API settings, with access to packs.`,
    placeholder: `API token of ${host}`,
    secret: true,
    link: { label: "Create a token", url: creationPage(origin) },
    validate: (value) => valueProblem(value),
    ...defined({ signal }),
  });
  if (entered === undefined) return undefined;
  const token = entered.trim();
  await storing("The API token could not be saved.", async () => {
    await secrets.set(keyOf(origin), JSON.stringify({ origin, token }));
    await globalState.set(ORIGINS, [...new Set([...originsIn(globalState), origin])]);
  });
  return token;
}

/** Removes the token. Returns false if there was none. */
export async function removeApiToken({ secrets, globalState }: Stores, origin: string): Promise<boolean> {
  const isStored = (await secrets.sealed?.(keyOf(origin))) !== undefined || (await readSecret(secrets, keyOf(origin))) != null;
  await storing("The API token could not be removed.", async () => {
    await secrets.delete(keyOf(origin));
    await globalState.set(
      ORIGINS,
      originsIn(globalState).filter((each) => each !== origin),
    );
  });
  return isStored;
}

/** Returns the origins that have a token. */
export async function apiTokenOrigins({ secrets, globalState }: Stores): Promise<readonly string[]> {
  const origins = [...new Set([DEFAULT_ORIGIN, ...originsIn(globalState)])];
  const stored = await Promise.all(origins.map((origin) => storedToken(secrets, origin)));
  return origins.filter((_, index) => stored[index] !== undefined);
}

const ORIGINS = "packAuth.apiOrigins";
const keyOf = (origin: string): string => `packAuth.apiToken.${origin}`;

/** A window knows the origins that it stored or read at its start; the tokens themselves are always read anew. */
function originsIn(globalState: PlatformHost["globalState"]): readonly string[] {
  const stored = globalState.get(ORIGINS);
  return Array.isArray(stored) ? stored.filter((origin): origin is string => typeof origin === "string" && URL.canParse(origin)) : [];
}

/** Throws storage-failed if there is a token that cannot be decrypted, so that nobody replaces it unknowingly. */
async function storedToken(secrets: PlatformHost["secrets"], origin: string): Promise<string | undefined> {
  const record = await readSecret(secrets, keyOf(origin));
  if (isRecord(record) && record.origin === origin && typeof record.token === "string") return record.token;
  const sealed = await secrets.sealed?.(keyOf(origin));
  if (sealed !== undefined)
    throw new PackAuthError("storage-failed", `The API token for ${hostOf(origin)} cannot be read: ${sealed.reason}.`, sealed);
  return undefined;
}

/** The page where the Packs SDK's own command sends a person for a token. */
const creationPage = (origin: string): string =>
  `${origin === DEFAULT_ORIGIN ? "https://docs.superhuman.com" : origin}/account?openDialog=CREATE_API_TOKEN&scopeType=pack#apiSettings`;

/** Returns whether the person agrees that a token goes to the origin. Only the default one needs no question. */
async function approves(prompter: Prompter, origin: string, { title, signal }: OpenApiOptions): Promise<boolean> {
  if (origin === DEFAULT_ORIGIN) return true;
  const host = hostOf(origin);
  const choice = await prompter.pick({
    title,
    placeholder: `The file ${PACK_FILE} of this workspace names ${host} in place of coda.io. May an API token go there?`,
    items: [
      { label: "No", detail: "Nothing is sent.", value: "no" },
      { label: "Yes", description: host, detail: "Only if this is your organization's own host.", value: "yes" },
    ],
    ...defined({ signal }),
  });
  return choice === "yes";
}

async function storing(failure: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    if (cause instanceof PackAuthError) throw cause;
    throw new PackAuthError("storage-failed", failure, { hint: "Check the folder's permissions and the keyring, and try again.", cause });
  }
}
