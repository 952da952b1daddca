// Commands of lenses, under names that hold as long as the window does. The editor keeps a command's argument only until it has asked
// for lenses again, and a click on one that is still drawn then finds nothing: so the argument is kept here, and the name says which.
import { getOrInsert } from "../../base/get-or-insert.ts";

interface Registration {
  dispose(): void;
}

interface LensCommands extends Registration {
  /** The name under which the editor finds the command with its argument; the same for the same ones. */
  nameOf(command: string, argument: unknown): string;
}

/** A lens that was given so many others ago is drawn no more: names of formulas change with each letter that is typed. */
const MOST = 1_000;

export function createLensCommands(register: (name: string, command: string, argument: unknown) => Registration): LensCommands {
  const commandsByKey = new Map<string, { readonly name: string; readonly registration: Registration }>();
  let count = 0;
  return {
    nameOf(command, argument) {
      const key = JSON.stringify([command, argument]);
      const entry = getOrInsert(commandsByKey, key, () => {
        const name = `packAuth.lens.${++count}`;
        return { name, registration: register(name, command, argument) };
      });
      // The one that was given last stands last.
      commandsByKey.delete(key);
      commandsByKey.set(key, entry);
      const [oldest] = commandsByKey;
      if (commandsByKey.size > MOST && oldest !== undefined) {
        commandsByKey.delete(oldest[0]);
        oldest[1].registration.dispose();
      }
      return entry.name;
    },
    dispose() {
      for (const { registration } of commandsByKey.values()) registration.dispose();
      commandsByKey.clear();
    },
  };
}
