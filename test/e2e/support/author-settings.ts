// What an author has set before a window opens.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Settings, of the machine or of the user (the editor reads each by its scope), and keys. */
export function authorSettings(settings: object, keys: readonly object[] = []): (dataFolder: string) => void {
  return (dataFolder) => {
    for (const name of ["User", "Machine"]) {
      mkdirSync(join(dataFolder, name), { recursive: true });
      writeFileSync(join(dataFolder, name, "settings.json"), JSON.stringify(settings));
    }
    writeFileSync(join(dataFolder, "User/keybindings.json"), JSON.stringify(keys));
  };
}
