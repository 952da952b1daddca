import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "proxy-unusable",
  docs: `The configured proxy cannot be used, so nothing was sent. In the editor check the setting \`http.proxy\`, on the command line \`HTTPS_PROXY\` and \`NO_PROXY\`.`,
  source: "RFC 9110, section 9.3.6",
  isGeneral: true,
  examples: [
    {
      network: { kind: "proxy-unusable", host: "api.acme.example", detail: "it failed" },
      says: "The proxy cannot be used, so the request to api.acme.example was not sent (it failed)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when({ network }) {
    if (network?.kind !== "proxy-unusable") return undefined;
    const { host, detail } = network;
    return {
      reason: `the proxy cannot be used, so the request to ${host} was not sent (${detail})`,
      advice: "Check the proxy: in the editor the setting http.proxy, on the command line HTTPS_PROXY and NO_PROXY.",
    };
  },
});
