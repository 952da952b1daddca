import { TRY_LATER } from "../advice.ts";
import { diagnosis, http } from "../diagnosis.ts";
import { codeOf, statusOf } from "../facts.ts";

export default diagnosis({
  id: "server-error",
  docs: `The server has an error of its own. Try again later, and look at its status page or its log. Nothing in the configuration is to blame.`,
  source: "RFC 9110, section 15.6; RFC 6749, section 4.1.2.1, server_error",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      GET https://api.acme.example/me
      authorization: Bearer abc

      503`,
      says: "The server has an internal error",
    },
    { phase: "authorization", exchange: "error=server_error", says: "the server has an internal error" },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  fits: (failure) => codeOf(failure) === "server_error" || (statusOf(failure) ?? 0) >= 500,
  cause: { reason: "the server has an internal error", advice: TRY_LATER, isVague: true },
});
