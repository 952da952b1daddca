import { diagnosis, http } from "../diagnosis.ts";

export default diagnosis({
  id: "authentication-disabled",
  docs: `The API answered 401 to a request that disables authentication, so the account's credential was not sent. Remove disableAuthentication: true from the request if the API needs the account.`,
  source: "auth-spec 3.4; the Packs SDK's FetchRequest.disableAuthentication",
  examples: [
    {
      disablesAuthentication: true,
      exchange: http`
      GET https://api.acme.example/me

      401`,
      says: "Remove disableAuthentication: true",
    },
    {
      exchange: http`
      GET https://api.acme.example/me
      authorization: Bearer abc

      401`,
      silent: true,
    },
  ],
  fits: ({ exchange }) => exchange?.disablesAuthentication === true && exchange.status === 401,
  cause: {
    reason: "this request disables authentication, so the account's credential was not sent",
    advice: "Remove disableAuthentication: true from this request if the API needs the account.",
  },
});
