// Bounds of globs that strangers wrote, in settings, .gitignore or package.json: a regular expression made of `*a*a*a*b` takes years over
// a name of a few hundred characters. What lies beyond the bounds is not written by people.

export const LONGEST_GLOB = 256;
export const MOST_WILDCARDS = 4;
const LONGEST_PATH = 200;

/** A group in braces counts as a wildcard, because its alternatives multiply. */
export const isBoundedGlob = (glob: string): boolean =>
  glob.length <= LONGEST_GLOB && (glob.match(/\*+|\{/g)?.length ?? 0) <= MOST_WILDCARDS;

/** Whether a path is matched against globs at all. */
export const isBoundedPath = (path: string): boolean => path.length <= LONGEST_PATH;
