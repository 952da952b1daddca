// A real response as an answer of sandbox.json: what the run showed of it, masked.
import type { RequestTrace } from "../../protocol/run.ts";
import { PackAuthError } from "../errors.ts";
import { isWhole, readShown } from "../runs/shown-body.ts";
import type { Answer } from "./answers.ts";
import { echoedAddress } from "./echoed-address.ts";

/** Throws sandbox-failed where only the beginning of it is kept. */
export function answerOf(request: Pick<RequestTrace, "method" | "url" | "status" | "responseBody" | "size">): Answer {
  const { method, url, status = 200, responseBody: body } = request;
  const { host, path } = echoedAddress(url);
  if (body !== undefined && !isWhole(body))
    throw new PackAuthError("sandbox-failed", "Only the beginning of this answer is kept, so it cannot be used whole.", {
      hint: "Ask for fewer rows, and use the answer to that.",
    });
  return {
    request: `${method} https://${host}${path.replaceAll(/\s/g, "%20")}`,
    ...(status === 200 ? {} : { status }),
    ...(body === undefined || body === "" ? {} : { body: readShown(body) ?? body }),
  };
}
