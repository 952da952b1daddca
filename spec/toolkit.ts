// The package of the Packs SDK, unless a setting names another.
export const DEFAULT_TOOLKIT = "@codahq/packs-sdk";
