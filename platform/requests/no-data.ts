// What a good status hides: an answer that is a web page or half of its JSON, of which a pack can only make an error of its own.
import { t } from "@vscode/l10n";
import type { RequestTrace } from "../../protocol/run.ts";
import { isWebPage } from "../oauth/token-failure.ts";
import { isCut } from "../runs/shown-body.ts";

/** What to do about an answer to the account's request that holds no data; undefined where it may hold some. */
export function noData(answer: RequestTrace): string | undefined {
  const { status = 0, responseBody = "", responseHeaders, credentials, redirectedFrom } = answer;
  if (status < 200 || status > 299) return undefined;
  const text = responseBody.trim();
  if (isWebPage(text)) {
    const isRedirected = redirectedFrom !== undefined;
    // Who asks for pages asks without an account.
    if (credentials.length === 0 && !isRedirected) return undefined;
    const what = isRedirected ? t`A redirect led to a web page, not to data.` : t`The answer is a web page, not data.`;
    return t`${what} Check the URL. If it is a page to sign in, the API did not accept the credential: sign in again. A proxy or the network may also have answered in the API's place.`;
  }
  const isJson = /[/+]json\b/i.test(responseHeaders?.["content-type"] ?? "");
  // Only its end is looked at: what is masked may no longer be JSON.
  const isHalf = isJson && !isCut(answer) && /^[{[]/.test(text) && !/[}\]]$/.test(text);
  return isHalf
    ? t`The answer ends in the middle of its JSON, so the pack got it as text. Try again. If this happens again, look for the cause at the API or at a proxy before it.`
    : undefined;
}
