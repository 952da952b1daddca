// What is required in the middle of an expression has no name of its own.

/** Before a module, in the place of a name: no name has a blank. */
export const REQUIRED = "require ";
