// The pack that the guide's pictures are taken of: something of everything that the panel shows.

export const CITIES_PACK = `// Cities, as an API of our own tells of them.
import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();

pack.addNetworkDomain("cities.example");

pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });

const CitySchema = coda.makeObjectSchema({
  properties: {
    name: { type: coda.ValueType.String },
    rent: { type: coda.ValueType.Number, codaType: coda.ValueHintType.Currency, currencyCode: "EUR" },
    growth: { type: coda.ValueType.Number, codaType: coda.ValueHintType.Percent },
    founded: { type: coda.ValueType.String, codaType: coda.ValueHintType.Date },
    page: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
  },
  displayProperty: "name",
});

pack.addFormula({
  name: "Cities",
  description: "The cities of a country.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "country",
      description: "Where they are.",
      suggestedValue: "Portugal",
      autocomplete: async (context, search) => {
        const response = await context.fetcher.fetch({ method: "GET", url: "https://api.cities.example/countries" });
        return coda.simpleAutocomplete(search, response.body);
      },
    }),
    coda.makeParameter({ type: coda.ParameterType.Date, name: "until", description: "Founded before this day.", optional: true }),
    coda.makeParameter({ type: coda.ParameterType.DateArray, name: "visited", description: "Visited between these days.", optional: true }),
  ],
  resultType: coda.ValueType.Array,
  items: CitySchema,
  execute: async function ([country], context) {
    console.log("Looking for the cities of", country);
    const { fetcher } = context;
    const cities = await fetcher.fetch({ method: "GET", url: coda.withQueryParams("https://api.cities.example/v1/cities", { country }) });
    await Promise.all([
      fetcher.fetch({ method: "GET", url: "https://api.cities.example/v1/flags/pt" }),
      fetcher.fetch({ method: "GET", url: "https://cdn.maps.example/pt.png" }).catch(() => undefined),
      fetcher.fetch({ method: "GET", url: "https://api.cities.example/v1/visits" }).catch(() => undefined),
    ]);
    return cities.body;
  },
});

function readAge(city: { founded?: string }): number {
  if (city.founded === undefined) throw new Error("Nobody knows when this city was founded.");
  return new Date().getFullYear() - Number(city.founded.slice(0, 4));
}

pack.addFormula({
  name: "Age",
  description: "How old a city is.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "city", description: "Its name.", suggestedValue: "Atlantis" })],
  resultType: coda.ValueType.Number,
  execute: async function ([city], context) {
    const response = await context.fetcher.fetch({ method: "GET", url: "https://api.cities.example/v1/city/" + city });
    const age = readAge(response.body);
    return age;
  },
});
`;

export const CITIES_STUBS = {
  answers: [
    { request: "GET https://api.cities.example/countries", body: ["Poland", "Portugal", "Peru"] },
    { request: "GET https://api.cities.example/v1/visits", status: 403, body: { error: "Not in your plan." } },
    { request: "GET https://api.cities.example/v1/city/Atlantis", body: { name: "Atlantis" } },
    { request: "GET https://api.cities.example/v1/city/Porto", body: { name: "Porto", founded: "1123-01-01" } },
    {
      request: "GET https://api.cities.example/v1/cities",
      body: [
        { name: "Lisbon", rent: 1450, growth: 0.051, founded: "1147-10-25", page: "https://cities.example/lisbon" },
        { name: "Porto", rent: 1120, growth: 0.023, founded: "1123-01-01", page: "https://cities.example/porto" },
        { name: "Évora", rent: 760, growth: -0.004, founded: "1166-01-01", page: "https://cities.example/evora" },
        { name: "Braga", rent: 840, growth: 0.031, founded: "1070-01-01", page: "https://cities.example/braga" },
      ],
    },
  ],
};
