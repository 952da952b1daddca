import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "not-found",
  docs: `There is nothing at the address. Check the path, and the endpoint of the account if it has one: a path may repeat part of it. Some APIs also answer 404 to an account that may not see the thing.`,
  source: "RFC 9110, section 15.5.5",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      GET https://api.acme.example/v2/v2/me
      authorization: Bearer ••••

      404`,
      says: "there is nothing at GET https://api.acme.example/v2/v2/me",
    },
    { exchange: "403", silent: true },
  ],
  when({ phase, exchange, auth }) {
    if (phase !== "resource" || (exchange?.status !== 404 && exchange?.status !== 410)) return undefined;
    const endpoint =
      auth.requiresEndpointUrl || auth.endpointKey !== undefined || auth.postSetup.length > 0 ? " and the endpoint of the account" : "";
    return {
      reason: `there is nothing at ${exchange.method} ${exchange.url}`,
      advice: `Check the address${endpoint}. Some APIs also answer so if the account may not see the thing.`,
    };
  },
});
