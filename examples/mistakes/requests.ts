import type * as coda from "@codahq/packs-sdk";

export async function search(context: coda.ExecutionContext, query: string): Promise<string> {
  const response = await context.fetcher.fetch({ method: "GET", url: `https://api.shop.example/search?q=${encodeURIComponent(query)}` });
  return JSON.stringify(response.body);
}
