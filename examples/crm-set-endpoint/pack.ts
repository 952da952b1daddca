// One account that reaches several endpoints: after signing in, the user picks one (SetEndpoint), and relative URLs go there.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("crm.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://login.crm.example/oauth/authorize",
  tokenUrl: "https://login.crm.example/oauth/token",
  scopes: ["contacts"],
  postSetup: [
    {
      type: coda.PostSetupType.SetEndpoint,
      name: "SelectSite",
      description: "Choose the site to connect to",
      getOptions: async function (context) {
        const response = await context.fetcher.fetch({ method: "GET", url: "https://api.crm.example/sites" });
        return response.body.sites.map((site: { name: string; url: string }) => ({ display: site.name, value: site.url }));
      },
    },
  ],
  getConnectionName: async function (context) {
    // It runs twice: before and after the site is chosen.
    if (!context.endpoint) {
      return "CRM";
    }
    const response = await context.fetcher.fetch({ method: "GET", url: "/api/me" });
    return `${response.body.name} (${response.body.site})`;
  },
});

pack.addFormula({
  name: "Contact",
  description: "Gets a contact's e-mail address.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "name", description: "The contact's name.", suggestedValue: "Bob" })],
  resultType: coda.ValueType.String,
  execute: async function ([name], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: `/api/contacts/${encodeURIComponent(name)}` });
    if (typeof response.body.email !== "string") throw new coda.UserVisibleError(`The CRM sent no e-mail address of ${name}. Try again.`);
    return response.body.email;
  },
});
