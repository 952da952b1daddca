// The files of a folder that an editor works in.
import { createRequire } from "node:module";

const { below } = createRequire(import.meta.url)("./below.cjs") as {
  below(folder: string): readonly { readonly path: string; readonly isFile: boolean }[];
};

export const filesBelow = (folder: string): readonly string[] => below(folder).flatMap(({ path, isFile }) => (isFile ? [path] : []));
