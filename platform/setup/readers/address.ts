// Reads the URL of an API: a request without a credential shows how it wants to be authenticated (RFC 9110, section 11.6.1).
import type { ProposedFormula } from "../../../protocol/setup.ts";
import { outcomeOfChallenges } from "../from-challenges.ts";
import { lookUpAddress } from "../look-up.ts";
import { pascalCase } from "../proposal-parts.ts";
import type { EvidenceReader } from "../reader.ts";
import { ANOTHER_WAY, unreadable } from "../unreadable.ts";

export const readAddress: EvidenceReader = async (text, context) => {
  const { url, remarks } = lookUpAddress(text);
  const response = await context.fetch(url.href, { headers: { accept: "application/json, */*;q=0.1" }, signal: context.signal });
  void response.body?.cancel().catch(() => {});
  const { host, hostname } = url;
  const { status } = response;
  const parts = { domains: [{ domain: hostname, origin: "the host of the address that you entered" }], formula: formulaFor(url), remarks };
  if (status === 401 || status === 403) return outcomeOfChallenges(response, { url, ...parts }, context);
  if (!response.ok)
    throw unreadable(
      `${host} answers ${status}, which does not say how to authenticate.`,
      `${status >= 500 ? "Try again later." : "Use the address of a request in the API's documentation."} ${ANOTHER_WAY}`,
    );
  if (/\bhtml\b/i.test(response.headers.get("content-type") ?? ""))
    throw unreadable(`${host} answers with a web page instead of an API's response.`, `Use the address of the API itself. ${ANOTHER_WAY}`);
  const remark = "This address answers without a credential. If other requests need one, use a cURL command of such a request.";
  return {
    kind: "proposal",
    proposal: {
      scope: "user",
      type: "None",
      typeOrigin: `${host} answers without a credential`,
      fields: [],
      ...parts,
      remarks: [...remarks, remark],
    },
  };
};

function formulaFor(url: URL): ProposedFormula {
  const word = url.pathname.split("/").findLast((part) => /^[a-z][a-z_-]*$/i.test(part));
  return {
    name: pascalCase(`get ${word ?? "response"}`) ?? "GetResponse",
    description: `Returns what ${url.host} answers.`,
    request: { method: "GET", url: [url.href], headers: [], origin: "the address that you entered" },
    parameters: [],
  };
}
