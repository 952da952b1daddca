// Sends the file of a version to the address that the API named for it. The address is text from outside: the API token does not go there,
// and it is never shown whole, because it contains a signature.
import { networkProblem } from "../diagnosis/network-words.ts";
import { PackAuthError } from "../errors.ts";
import type { PlatformHost } from "../host.ts";
import { abortable, withinTime } from "../network/abortable.ts";
import { refuseNamed } from "../network/look-up.ts";
import { isReachable } from "../network/reachable-address.ts";
import type { UploadTarget } from "../public-api/public-api.ts";

/** Milliseconds for the whole file. */
const DEADLINE = 300_000;
/** Characters of an address with its signature. */
const LONGEST_ADDRESS = 16_384;

/** Resolves if the file arrived. Throws upload-rejected, request-refused or network-error; and the signal's reason if it aborted. */
export async function sendFile(
  { uploadUrl, headers }: UploadTarget,
  file: string,
  origin: string,
  host: Pick<PlatformHost, "fetch" | "lookUp">,
  signal: AbortSignal,
): Promise<void> {
  if (!isReachable(uploadUrl, origin, LONGEST_ADDRESS))
    throw new PackAuthError(
      "upload-rejected",
      `${new URL(origin).host} names an address for the file that is not https at a public host.`,
      { hint: "Nothing was sent to it. Check options.apiEndpoint in .coda-pack.json." },
    );
  const [refused] = Object.entries(headers).find(([name, value]) => !isSendable(name, value)) ?? [];
  if (refused !== undefined)
    throw new PackAuthError("upload-rejected", `${new URL(origin).host} names a header for the file that cannot be sent: ${refused}.`, {
      hint: "Nothing was sent to the upload host. Check options.apiEndpoint in .coda-pack.json.",
    });
  await refuseNamed(uploadUrl, host, signal);
  const to = new URL(uploadUrl).host;
  const within = withinTime(DEADLINE, signal);
  let response: Response;
  try {
    const init: RequestInit = { method: "PUT", headers, body: file, redirect: "manual", credentials: "omit", signal: within };
    response = await abortable(host.fetch(uploadUrl, init), within);
  } catch (error) {
    if (error instanceof PackAuthError) throw error;
    signal.throwIfAborted();
    const { sentence, nextStep } = networkProblem(within.aborted ? within.reason : error, to);
    throw new PackAuthError("network-error", sentence, { hint: "Check the network, and upload again.", nextStep });
  }
  void response.body?.cancel().catch(() => {});
  if (response.status >= 200 && response.status < 300) return;
  const isRedirect = response.status === 0 || (response.status >= 300 && response.status < 400);
  throw new PackAuthError(
    "upload-rejected",
    isRedirect ? `${to} answers the file with a redirect, which was not followed.` : `${to} answers the file with ${response.status}.`,
    { hint: "Upload again. If it stays so, the platform has a problem." },
  );
}

/** Headers that belong to the connection. One of them could make another request of the file, or lead it to another host. */
const OF_CONNECTION = /^(?:host|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie|proxy-.*)$/i;

const isSendable = (name: string, value: string): boolean =>
  /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && !OF_CONNECTION.test(name) && /^[\t\x20-\x7e]*$/.test(value);
