// A real response as an answer of sandbox.json, masked.
import { t } from "@vscode/l10n";
import type { RequestTrace } from "../../protocol/run.ts";
import { isCut, readShown } from "../bodies/shown-body.ts";
import { PackAuthError } from "../errors.ts";
import { echoedRequest } from "../requests/echoed-address.ts";
import type { Answer } from "./answers.ts";

/** `whole`: the answer, where more of it is kept than the trace shows. Throws sandbox-failed where only its beginning is. */
export function answerOf(request: Pick<RequestTrace, "method" | "url" | "status" | "responseBody" | "size">, whole?: unknown): Answer {
  const { status = 200, responseBody: shown } = request;
  if (whole === undefined && isCut(request))
    throw new PackAuthError("sandbox-failed", t`Only the beginning of this answer is kept, so it cannot be used whole.`, {
      hint: t`Ask for fewer rows, and use the answer to that.`,
    });
  const body = whole ?? (shown === undefined ? undefined : (readShown(shown, false) ?? shown));
  return {
    request: echoedRequest(request),
    ...(status === 200 ? {} : { status }),
    ...(body === undefined || body === "" ? {} : { body }),
  };
}
