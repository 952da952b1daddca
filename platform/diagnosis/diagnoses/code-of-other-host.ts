import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "code-of-other-host",
  docs: `The provider sent the browser back with the address of another host, for example that of the account's data centre. The code is valid there only. Set tokenUrl to that host, or offer one pack for each data centre.`,
  source: "Zoho (accounts-server) and other providers with several data centres; RFC 9207 has iss for this",
  examples: [
    {
      phase: "code",
      auth: { type: "OAuth2" },
      signIn: {
        address: "https://accounts.acme.example/token",
        otherHost: { parameter: "accounts-server", origin: "https://accounts.acme.eu" },
      },
      exchange: http`
      POST https://accounts.acme.example/token

      200

      {"error":"invalid_code"}`,
      says: "accounts-server https://accounts.acme.eu, and tokenUrl is at accounts.acme.example",
      field: "tokenUrl",
    },
    { phase: "code", exchange: '400 {"error":"invalid_grant"}', silent: true },
  ],
  when({ phase, signIn }) {
    const { otherHost, address } = signIn ?? {};
    if (phase !== "code" || otherHost === undefined || address === undefined) return undefined;
    return {
      reason: `the provider sent the browser back with ${otherHost.parameter} ${otherHost.origin}, and tokenUrl is at ${new URL(address).host}`,
      advice: "Compare tokenUrl with that address: the account belongs there.",
      field: "tokenUrl",
    };
  },
});
