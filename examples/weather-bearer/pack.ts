// The simplest authentication: each user pastes an API token.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("weather.example");

pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  instructionsUrl: "https://weather.example/account/tokens",
});

pack.addFormula({
  name: "Temperature",
  description: "The temperature in a city, in °C.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "city", description: "The city's name.", suggestedValue: "Lisbon" })],
  resultType: coda.ValueType.Number,
  execute: async function ([city], context) {
    const url = coda.withQueryParams("https://api.weather.example/v1/now", { city });
    const response = await context.fetcher.fetch({ method: "GET", url });
    // An answer that broke off is no temperature: without this check the user would see an empty cell.
    if (typeof response.body.celsius !== "number") throw new coda.UserVisibleError("The weather service sent no temperature. Try again.");
    return response.body.celsius;
  },
});
