import { addEntry, changeType, fieldPlace, unsuitedField } from "../configuration/observation.ts";
import { observationRule, user } from "../rule.ts";
import { quoteIn } from "../text/edit.ts";

export default observationRule({
  id: "seen-header-name",
  severity: "warning",
  docs: `The API asked for the credential in another header.

A run showed this. The API refused the request, and named the header that it reads. Set \`headerName\` to it, or use \`CustomHeaderToken\`.`,
  examples: [
    {
      bad: user`
        type: coda.AuthenticationType.CustomHeaderToken,
        «headerName»: "X-Token",`,
      evidence: { code: "header-name", names: ["X-Api-Key"] },
      change: ['"X-Token"', '"X-Api-Key"'],
    },
    {
      bad: user`«type: coda.AuthenticationType.HeaderBearerToken»,`,
      evidence: { code: "header-name", names: ["X-Api-Key"] },
      change: ["coda.AuthenticationType.HeaderBearerToken", 'coda.AuthenticationType.CustomHeaderToken,\n  headerName: "X-Api-Key"'],
      good: ["coda.AuthenticationType.HeaderBearerToken", 'coda.AuthenticationType.CustomHeaderToken,\n  headerName: "X-Token"'],
    },
    {
      bad: user`
        type: coda.AuthenticationType.MultiHeaderToken,
        «headers»: [{ name: "X-Token", description: "Token" }],`,
      evidence: { code: "header-name", names: ["X-Api-Key"] },
      change: ['"Token" }', '"Token" }, { name: "X-Api-Key", description: "X-Api-Key" }'],
    },
  ],
  reports: {
    *"header-name"(pack, auth, [header]) {
      if (header === undefined) return;
      const because = "The API refused the request, and asked for the credential in this header.";
      if (auth.type === "MultiHeaderToken")
        yield {
          place: fieldPlace(auth, "headers"),
          message: `Add ${header} to headers. ${because}`,
          fixes: () => addEntry(pack, auth, "headers", header),
        };
      else if (auth.type === "CustomHeaderToken")
        yield unsuitedField(pack, auth, "headerName", header, `Set headerName to ${header}. ${because}`);
      else
        yield {
          place: fieldPlace(auth, "type"),
          message: `Use CustomHeaderToken with headerName ${header}. ${because}`,
          fixes: () => changeType(pack, auth, "CustomHeaderToken", { headerName: quoteIn(pack, auth.config, header) }),
        };
    },
  },
});
