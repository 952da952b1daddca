import { diagnosis } from "../diagnosis.ts";

export default diagnosis({
  id: "proxy-refused",
  docs: `The proxy did not let the request through. In the editor check the setting \`http.proxy\`, on the command line \`HTTPS_PROXY\` and \`NO_PROXY\`.`,
  source: "RFC 9110, sections 9.3.6 and 15.5.8",
  isGeneral: true,
  examples: [
    {
      network: { kind: "proxy-refused", host: "api.acme.example", detail: "it failed" },
      says: "The proxy did not let the request to api.acme.example through (it failed)",
    },
    { network: { kind: "connection-refused", host: "api.acme.example", detail: "" }, silent: true },
  ],
  when({ network }) {
    if (network?.kind !== "proxy-refused") return undefined;
    const { host, detail } = network;
    return {
      reason: `the proxy did not let the request to ${host} through (${detail})`,
      advice: "Check the proxy: in the editor the setting http.proxy, on the command line HTTPS_PROXY and NO_PROXY.",
    };
  },
});
