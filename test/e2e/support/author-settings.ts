// What an author has set before a window opens.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Settings of the machine, and keys, which are the user's. */
export function authorSettings(settings: object, keys: readonly object[] = []): (dataFolder: string) => void {
  return (dataFolder) => {
    for (const name of ["User", "Machine"]) mkdirSync(join(dataFolder, name), { recursive: true });
    writeFileSync(join(dataFolder, "Machine/settings.json"), JSON.stringify(settings));
    writeFileSync(join(dataFolder, "User/keybindings.json"), JSON.stringify(keys));
  };
}
