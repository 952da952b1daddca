// What stands for ts-morph where only its TypeScript is used: as it is, without the wrappers.
export const ts: unknown = require("@ts-morph/common/dist/typescript.js");
