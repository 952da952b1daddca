import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "credential-missing",
  docs: `The API asks for a credential, and none was sent. Add setUserAuthentication to the pack, with the type that the API's documentation names. If the pack has one, use an account, and check that the request goes to a declared domain.`,
  source: "RFC 9110, section 15.5.2",
  isGeneral: true,
  examples: [
    {
      exchange: http`
      GET https://api.acme.example/me

      401`,
      says: "no credential was sent",
    },
    {
      auth: { type: "None" },
      mcp: { isAnonymous: true },
      exchange: http`
      POST https://api.acme.example/mcp

      401`,
      says: "setUserAuthentication",
    },
    { exchange: "401", silent: true },
  ],
  when({ phase, exchange, auth, mcp }) {
    if (phase !== "resource" || exchange === undefined || exchange.credentials.length > 0) return undefined;
    if (exchange.status !== 401 && exchange.status !== 403) return undefined;
    return {
      reason:
        exchange.status === 401
          ? "no credential was sent, and the server asks for one"
          : "no credential was sent, and the server forbids the request",
      advice:
        auth.type === "None"
          ? `Add setUserAuthentication to the pack, with the type that the server's documentation names.${mcp === undefined ? "" : " For OAuth that is often AuthenticationType.OAuth2 with useDynamicClientRegistration: true."}`
          : "If the server wants the account: use one, and check that the request goes to a domain that gets the credentials.",
    };
  },
});
