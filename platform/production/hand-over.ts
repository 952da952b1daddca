// Sends the client ID and secret that worked here to the published pack, after the person agreed. Invariants: they go only to the origin
// for which the API token was entered; no error contains them; nothing writes them; no agent can call this.

import type { AuthScope } from "../../protocol/run.ts";
import { packKey } from "../accounts/accounts.ts";
import { hasWorkedWith } from "../accounts/client-binding.ts";
import type { ClientStore } from "../accounts/client-store.ts";
import { PackAuthError } from "../errors.ts";
import type { PublicApi } from "../public-api/public-api.ts";
import type { AcceptedWith, ClientCredentials } from "../secrets/credential.ts";
import { createRedactor } from "../secrets/redact.ts";
import { fitsMask, maskClientId } from "./drift.ts";

/** What the person agrees to, each time. */
export interface HandOverQuestion {
  readonly packId: number;
  readonly host: string;
  readonly message: string;
  readonly detail: string;
}

export interface HandOver {
  readonly entry: string;
  readonly packName: string;
  readonly scope: AuthScope;
  /** The configuration of `scope` in the source. */
  readonly auth: AcceptedWith;
  readonly accounts: Pick<ClientStore, "clientCredentials">;
  readonly api: Pick<PublicApi, "origin" | "oauthConfig" | "setOauthConfig">;
  readonly published: { readonly packId: number; readonly origin: string };
  readonly agree: (question: HandOverQuestion) => Promise<boolean>;
  /** Runs the requests, which begin after the person agreed. Their signal ends them. */
  readonly whileSending: (requests: (signal?: AbortSignal) => Promise<string>) => Promise<string>;
}

/**
 * Returns a sentence that says what the platform has now; undefined if the person did not agree. Throws credentials-missing,
 * api-host-unapproved, or the error of the API.
 */
export async function handOver(options: HandOver): Promise<string | undefined> {
  const { entry, packName, scope, auth, accounts, api, published, agree, whileSending } = options;
  const { packId, origin } = published;
  const { host } = new URL(origin);
  if (api.origin !== origin)
    throw new PackAuthError(
      "api-host-unapproved",
      `The API token belongs to ${new URL(api.origin).host}, and pack ${packId} is at ${host}.`,
      {
        hint: `Nothing was sent. Enter a token for ${host}.`,
      },
    );
  const client = acceptedClient(await accounts.clientCredentials(packKey(entry), scope), packName, auth);
  if (!(await agree(questionOf(packId, host, client)))) return undefined;
  const { clientId, clientSecret } = client;
  // An API may repeat what it got, in an error or in a field that it should mask.
  const redactor = createRedactor(clientSecret === undefined ? [] : [clientSecret]);
  let isSent = false;
  let masked: string;
  try {
    masked = await whileSending(async (signal) => {
      await api.setOauthConfig(packId, { clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }, signal);
      isSent = true;
      return (await api.oauthConfig(packId, signal)).maskedClientId;
    });
  } catch (error) {
    const sent = isSent ? "The platform took the client ID and secret, but did not say what it has now." : "";
    if (!(error instanceof PackAuthError))
      throw new PackAuthError("api-failed", sent || `It is unknown whether ${host} took the client ID and secret.`, { hint: COMPARE });
    const advice = isSent ? { hint: COMPARE } : { hint: error.hint && redactor.redact(error.hint), nextStep: error.nextStep };
    throw new PackAuthError(error.code, [redactor.redact(error.message), sent].filter(Boolean).join(" "), advice);
  }
  const fits = masked === "" ? false : fitsMask(masked, clientId);
  const shownId = redactor.redact(masked).slice(0, 100);
  if (fits === undefined) return `Pack ${packId} at ${host} has a client ID now. It shows no character of it, so compare it there.`;
  if (fits) return `Pack ${packId} at ${host} has client ID ${shownId} now, which is the one that was sent.`;
  throw new PackAuthError(
    "api-failed",
    `Pack ${packId} at ${host} has ${shownId === "" ? "no client ID" : `client ID ${shownId}`}, which is not the one that was sent.`,
    { hint: COMPARE },
  );
}

const COMPARE = "Compare the OAuth credentials on the pack's page there, and send them again if they differ.";

function acceptedClient(client: ClientCredentials | undefined, packName: string, auth: AcceptedWith): ClientCredentials {
  if (client?.registration !== undefined)
    throw new PackAuthError("credentials-missing", `The client of ${packName} was registered by a sign-in here (RFC 7591).`, {
      hint: "Nothing was sent. The platform registers a client of its own.",
    });
  if (client !== undefined && hasWorkedWith(client, auth)) return client;
  const former = client?.acceptedWith?.at(-1);
  throw new PackAuthError(
    "credentials-missing",
    client === undefined
      ? `No client ID is stored for ${packName}.`
      : former === undefined
        ? `No sign-in has used the stored client ID of ${packName} yet.`
        : `The stored client ID of ${packName} worked with ${signInOf(former)}. This source has ${signInOf(auth)}.`,
    { hint: "Nothing was sent. Connect an account with this source first, so that only a client ID and secret that work are sent." },
  );
}

const signInOf = ({ type, tokenUrl }: AcceptedWith): string => `${type} at ${tokenUrl ?? "a discovered token URL"}`;

function questionOf(packId: number, host: string, { clientId, clientSecret }: ClientCredentials): HandOverQuestion {
  const what = clientSecret === undefined ? "the client ID" : "the client ID and secret";
  return {
    packId,
    host,
    message: `Send ${what} to pack ${packId} at ${host}?`,
    detail: `Client ID ${maskClientId(clientId)}${clientSecret === undefined ? ", without a secret," : " and its secret"} worked in a sign-in here. They replace what the published pack has. Its users sign in with them from then on.`,
  };
}
