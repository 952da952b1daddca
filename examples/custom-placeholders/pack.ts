// Custom authentication: the values are declared here and used, by placeholders, in requests.ts.
import * as coda from "@codahq/packs-sdk";
import { createTicket, listTickets } from "./requests";

export const pack = coda.newPack();

pack.addNetworkDomain("desk.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.Custom,
  params: [
    { name: "siteName", description: "Your site: the part before .desk.example" },
    { name: "apiKey", description: "The API key from Settings → API" },
    { name: "signature", description: "The signing secret" },
  ],
});

pack.addFormula({
  name: "Tickets",
  description: "Lists open tickets.",
  parameters: [],
  resultType: coda.ValueType.Array,
  items: { type: coda.ValueType.String },
  execute: async ([], context) => listTickets(context),
});

pack.addFormula({
  name: "CreateTicket",
  description: "Creates a ticket.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "title", description: "The ticket's title." })],
  resultType: coda.ValueType.String,
  isAction: true,
  execute: async ([title], context) => createTicket(context, title),
});
