import { isAuthTypeName } from "../../../spec/auth-types.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "placeholder-wrong-type",
  severity: "error",
  verdict: "fails-when-run",
  source: "auth-spec 5.4",
  docs: `A pack whose authentication is not Custom contains a placeholder \`{{name-<invocationToken>}}\`.

The platform replaces placeholders for \`Custom\` authentication only (and \`username\` and \`password\` for \`WebBasic\`). For any other type the request would contain the placeholder itself. Use the type \`Custom\`, or remove the placeholder. The platform adds the credentials of other types itself.`,
  inSharedFiles: "all-packs",
  supersedes: ["placeholder-malformed"],
  examples: [
    {
      bad: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
        formula Me {
          let response = await context.fetcher.fetch({ method: "GET", url: \`https://acme.example/?key={{«token»-\${context.invocationToken}}}\` });
          return response.body.name;
        }`,
    },
    {
      good: pack`
        pack.setUserAuthentication({ type: coda.AuthenticationType.WebBasic });
        export const body = (context) => \`{ "user": "{{username-\${context.invocationToken}}}", "password": "{{password-\${context.invocationToken}}}" }\`;`,
    },
  ],
  on: {
    *placeholder(pack, placeholder) {
      if (!pack.authsComplete) return;
      if (pack.auths.some((auth) => auth.type === undefined || !isAuthTypeName(auth.type) || auth.type === "Custom")) return;
      const basic = pack.auths.some((auth) => auth.type === "WebBasic");
      const types = [...new Set(pack.auths.map((auth) => auth.type))].join(" and ");
      // A computed name may be one of WebBasic's.
      if (basic && (placeholder.name === undefined || placeholder.name === "username" || placeholder.name === "password")) return;
      yield {
        place: placeholder.place,
        message: `${types === "" ? "Declare Custom authentication." : "Remove this placeholder, or use Custom authentication."} ${types === "" ? "The pack has none" : `The authentication is ${types}`}, and the platform replaces placeholders of Custom alone${basic ? ", and WebBasic's username and password" : ""}: this would be sent as it is.`,
      };
    },
  },
});
