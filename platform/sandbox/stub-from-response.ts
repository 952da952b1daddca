// Converts a real response to an answer of sandbox.json, masked.
import type { RequestTrace } from "../../protocol/run.ts";
import { isCut, readShown } from "../bodies/shown-body.ts";
import { PackAuthError } from "../errors.ts";
import { echoedRequest } from "../requests/echoed-address.ts";
import type { Stub } from "./stubs.ts";

/**
 * Returns the answer. `whole` is the complete response body, if more of it is kept than the trace shows. Throws sandbox-failed if only the
 * beginning is kept.
 */
export function stubFromResponse(
  request: Pick<RequestTrace, "method" | "url" | "status" | "responseBody" | "size">,
  whole?: unknown,
): Stub {
  const { status = 200, responseBody: shownBody } = request;
  if (whole === undefined && isCut(request))
    throw new PackAuthError("sandbox-failed", "Only the beginning of this answer is kept, so it cannot be used whole.", {
      hint: "Ask for fewer rows, and use the answer to that.",
    });
  const body = whole ?? (shownBody === undefined ? undefined : (readShown(shownBody, false) ?? shownBody));
  return { request: echoedRequest(request), ...(status === 200 ? {} : { status }), ...(body === undefined || body === "" ? {} : { body }) };
}
