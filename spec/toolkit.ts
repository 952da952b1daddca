// The package that packs are written with, as long as no setting names another.
export const DEFAULT_TOOLKIT = "@codahq/packs-sdk";
