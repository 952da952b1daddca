// The Packs SDK's functions that make a URL of another one, and what they put behind it.
export const URL_HELPERS: Readonly<Record<string, "/" | "?">> = { joinUrl: "/", withQueryParams: "?" };
