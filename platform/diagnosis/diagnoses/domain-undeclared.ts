import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "domain-undeclared",
  docs: `The pack requested a host whose domain it does not declare, so nothing was sent. Declare the domain with pack.addNetworkDomain, or correct the URL. If a redirect led there to a page where people sign in, the API did not accept the credential.`,
  source: "auth-spec 3.1",
  examples: [
    {
      run: { undeclaredHost: "api.acme.example", errorName: "Error" },
      exchange: http`
      GET https://api.acme.example/me`,
      says: "Declare the domain of api.acme.example with pack.addNetworkDomain",
    },
    { exchange: "403", silent: true },
  ],
  when({ run, exchange }) {
    const host = run?.undeclaredHost;
    if (host === undefined) return undefined;
    const remedies = [{ kind: "addNetworkDomain", host, label: "Add network domain" }] as const;
    // The URL of a redirect is not in the author's source.
    return exchange?.redirectedFrom === undefined
      ? {
          reason: `the pack does not declare the domain of ${host}`,
          advice: `Declare the domain of ${host} with pack.addNetworkDomain, or correct the URL.`,
          remedies,
        }
      : {
          reason: `a redirect led to ${host}, whose domain the pack does not declare`,
          advice: `If ${host} is where people sign in, the API did not accept the credential: sign in again. If the API answers from there, declare its domain with pack.addNetworkDomain.`,
          remedies,
        };
  },
});
