import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "proxy-refused",
  docs: `The proxy did not let the request through. In the editor check the setting \`http.proxy\`, on the command line \`HTTPS_PROXY\` and \`NO_PROXY\`.`,
  source: "RFC 9110, sections 9.3.6 and 15.5.8",
  kind: "proxy-refused",
  detail: "it failed",
  says: "The proxy did not let the request to api.acme.example through (it failed)",
  reason: ({ host, detail }) => `the proxy did not let the request to ${host} through (${detail})`,
  advice: () => "Check the proxy.",
  nextStep: { do: "checkProxy" },
});
