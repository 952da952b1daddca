// What a pack is called in the editor: the folder that its entry stands in.
import { basename, dirname } from "node:path";

export const packName = (entry: string): string => basename(dirname(entry));
