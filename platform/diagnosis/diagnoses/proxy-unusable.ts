import { networkDiagnosis } from "../network-diagnosis.ts";

export default networkDiagnosis({
  id: "proxy-unusable",
  docs: `The configured proxy cannot be used, so nothing was sent. In the editor check the setting \`http.proxy\`, on the command line \`HTTPS_PROXY\` and \`NO_PROXY\`.`,
  source: "RFC 9110, section 9.3.6",
  kind: "proxy-unusable",
  detail: "it failed",
  says: "The proxy cannot be used, so the request to api.acme.example was not sent (it failed)",
  reason: ({ host, detail }) => `the proxy cannot be used, so the request to ${host} was not sent (${detail})`,
  advice: () => "Check the proxy.",
  nextStep: { do: "checkProxy" },
});
