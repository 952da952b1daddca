// The package of the Packs SDK, unless a setting names another.
export const DEFAULT_TOOLKIT = "@codahq/packs-sdk";

/** The source of a pack that has nothing yet. */
export const EMPTY_PACK = `import * as coda from "${DEFAULT_TOOLKIT}";

export const pack = coda.newPack();
`;
