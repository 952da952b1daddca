// Returns the name of a pack in the editor: the folder of its entry file.
import { basename, dirname } from "node:path";

export const packName = (entry: string): string => basename(dirname(entry));
