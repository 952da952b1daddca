import { diagnosis } from "../diagnosis.ts";
import { descriptionOf } from "../facts.ts";
import { refusesClient } from "../oauth-facts.ts";

export default diagnosis({
  id: "client-is-public",
  docs: `The application is registered as a public client, and a client secret was sent. Leave the client secret empty, or register the application as a confidential one (a web application).`,
  source: "RFC 6749, section 2.1; Microsoft Entra, AADSTS700025",
  examples: [
    {
      phase: "code",
      exchange: '401 {"error":"invalid_client","error_description":"Client is public so no client_secret should be presented."}',
      says: "the application is registered as a public client",
    },
    { phase: "code", exchange: '401 {"error":"invalid_client"}', silent: true },
  ],
  fits: (failure) =>
    refusesClient(failure) &&
    failure.signIn?.client === "confidential" &&
    /client is public|\bpublic client\b/i.test(descriptionOf(failure)),
  cause: {
    reason: "the application is registered as a public client, and a client secret was sent",
    advice: "Leave the client secret empty, or register the application as a web application with a secret.",
    nextStep: { do: "addClient" },
    blamesClient: true,
  },
});
