// The error of a request that is not sent.
import { PackAuthError } from "../errors.ts";

/** A request that is not sent, with the reason. Pack code gets it as it is: what the pack did not write is masked by whoever makes it. */
export const refusal = (reason: string, hint?: string): PackAuthError =>
  new PackAuthError("request-refused", `Not sent: ${reason}.`, { hint });
