// Replaces ts-morph in bundles that use only its TypeScript, without the wrappers.
export const ts: unknown = require("@ts-morph/common/dist/typescript.js");
