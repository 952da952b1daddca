// AWSAssumeRole: exchanges the author's own keys for the keys of a session in the role (AWS Security Token Service, AssumeRole). Pack code
// cannot reach this channel, and session keys stay in memory.

import { XMLParser } from "fast-xml-parser";
import { quote, quoteName } from "../../base/quote.ts";
import { networkProblem } from "../diagnosis/network-words.ts";
import { PackAuthError } from "../errors.ts";
import type { Fetch } from "../host.ts";
import { withinTime } from "../network/abortable.ts";
import { sandboxAddress } from "../network/sandbox-address.ts";
import type { Credential } from "../secrets/credential.ts";
import { type AwsKeys, signRequest } from "./sign-request.ts";

type AwsCredential = Credential & { readonly kind: "aws" };

interface AssumeRoleOptions {
  readonly fetch: Fetch;
  readonly sandboxOrigin?: string;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

/** The address that gets the keys of an account with a role. */
export const STS_URL = "https://sts.amazonaws.com/";
/** Milliseconds for one request. */
const TIME = 30_000;
/** Milliseconds before its expiry at which a session is no longer used. */
const MARGIN = 60_000;

interface Session {
  readonly keys: AwsKeys;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Sessions by the credential that created them, so that the pages of one run share a session. */
const sessions = new WeakMap<AwsCredential, Promise<Session>>();

/** Returns the keys to sign with: the account's own, or those of a session in its role. Throws token-exchange-failed. */
export async function signingKeys(credential: AwsCredential, options: AssumeRoleOptions): Promise<AwsKeys> {
  if (credential.roleArn === undefined) return credential;
  const now = options.now ?? Date.now;
  const cachedSession = await sessions.get(credential)?.catch(() => undefined);
  if (cachedSession !== undefined && cachedSession.expiresAt - MARGIN > now()) return cachedSession.keys;
  const session = assumeRole(credential, credential.roleArn, options);
  sessions.set(credential, session);
  return (await session).keys;
}

async function assumeRole(credential: AwsCredential, roleArn: string, options: AssumeRoleOptions): Promise<Session> {
  const body = new URLSearchParams({
    Action: "AssumeRole",
    Version: "2011-06-15",
    RoleArn: roleArn,
    RoleSessionName: "pack-auth",
    ...(credential.externalId ? { ExternalId: credential.externalId } : {}),
  }).toString();
  const request = { method: "POST", url: STS_URL, headers: { "content-type": "application/x-www-form-urlencoded" }, body };
  const signed = await signRequest(request, credential, { service: "sts" });
  const signal = withinTime(TIME, options.signal);
  let status: number;
  let text: string;
  try {
    const address = options.sandboxOrigin === undefined ? STS_URL : sandboxAddress(STS_URL, options.sandboxOrigin);
    const response = await options.fetch(address, { method: "POST", headers: signed.headers, body, redirect: "error", signal });
    status = response.status;
    text = (await response.text()).slice(0, 1_000_000);
  } catch (cause) {
    const { sentence, nextStep } = networkProblem(cause, "sts.amazonaws.com");
    const advice = { hint: "Check the network and try again.", nextStep, cause };
    throw new PackAuthError("token-exchange-failed", `AWS could not be asked for the role: ${sentence}`, advice);
  }
  return readSession(status, text, roleArn);
}

const parser = new XMLParser({ parseTagValue: false, processEntities: true });

/** Reads AssumeRoleResponse or ErrorResponse, as described in the API reference of STS. */
function readSession(status: number, text: string, roleArn: string): Session {
  const response = parsed(text);
  const credentials = at(response, "AssumeRoleResponse", "AssumeRoleResult", "Credentials");
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = ["AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"].map(
    (name) => {
      const value = at(credentials, name);
      return typeof value === "string" ? value : undefined;
    },
  );
  const expiresAt = Date.parse(expiration ?? "");
  if (status === 200 && accessKeyId && secretAccessKey && sessionToken && !Number.isNaN(expiresAt))
    return { keys: { accessKeyId, secretAccessKey, sessionToken }, expiresAt };
  const error = at(response, "ErrorResponse", "Error");
  const [code, message] = [at(error, "Code"), at(error, "Message")].map((value) => (typeof value === "string" ? value : undefined));
  throw new PackAuthError(
    "token-exchange-failed",
    `AWS refused the role ${roleArn}: ${[code && quoteName(code), message && quote(message)].filter(Boolean).join(": ") || `status ${status}`}.`,
    { hint: HINTS.get(code ?? "") ?? "Check the role's ARN and its trust policy.", configPath: "userAuthentication.type" },
  );
}

const HINTS: ReadonlyMap<string, string> = new Map([
  ["AccessDenied", "The role's trust policy must let the user of the access key assume it, with the external ID where it asks for one."],
  ["InvalidClientTokenId", "The access key ID is not known to AWS: sign in again with the right one."],
  ["SignatureDoesNotMatch", "The secret access key does not belong to the access key ID: sign in again."],
  ["ExpiredToken", "The keys have expired: sign in again."],
]);

function parsed(text: string): unknown {
  try {
    return parser.parse(text);
  } catch {
    return undefined;
  }
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, name) =>
      node !== null && typeof node === "object" && Object.hasOwn(node, name) ? (node as Record<string, unknown>)[name] : undefined,
    value,
  );
}
