import { relative, sep } from "node:path";

/** Returns the path with forward slashes. */
export const slashes = (path: string): string => (sep === "/" ? path : path.replaceAll(sep, "/"));

/** Returns the path relative to the folder, with forward slashes. */
export const shortPath = (path: string, folder: string): string => slashes(relative(folder, path)) || path;
