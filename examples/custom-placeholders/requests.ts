// The requests: the platform puts the account's values where the placeholders stand, and the pack never sees them.
import * as coda from "@codahq/packs-sdk";

export async function listTickets(context: coda.ExecutionContext): Promise<string[]> {
  const token = context.invocationToken;
  const response = await context.fetcher.fetch({
    method: "GET",
    url: `https://{{siteName-${token}}}.desk.example/v2/tickets?key={{apiKey-${token}}}`,
  });
  return response.body.tickets.map((ticket: { title: string }) => ticket.title);
}

export async function createTicket(context: coda.ExecutionContext, title: string): Promise<string> {
  const { invocationToken } = context;
  const response = await context.fetcher.fetch({
    method: "POST",
    url: `https://{{siteName-${invocationToken}}}.desk.example/v2/tickets`,
    headers: {
      "Content-Type": "application/json",
      "X-Api-Key": "{{apiKey-" + invocationToken + "}}",
    },
    body: JSON.stringify({ title, signature: `{{signature-${invocationToken}}}` }),
  });
  if (typeof response.body.id !== "string") throw new coda.UserVisibleError("The desk sent no ticket number. Look there before you try again.");
  return response.body.id;
}
