// The Packs SDK's functions that extend a URL, and the separator that each puts behind it.
export const URL_HELPERS: Readonly<Record<string, "/" | "?">> = { joinUrl: "/", withQueryParams: "?" };
