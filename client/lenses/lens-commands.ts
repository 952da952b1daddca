// Registers commands of lenses under names that stay valid as long as the window. The editor drops a command's argument once it requests
// lenses again, and a click on an old lens would then fail. The argument is therefore stored here under the name.
import { getOrInsert } from "../../base/get-or-insert.ts";

interface Registration {
  dispose(): void;
}

interface LensCommands extends Registration {
  /** Returns the name under which the editor finds the command with its argument. Equal arguments have equal names. */
  nameOf(command: string, argument: unknown): string;
}

/** After so many newer lenses a lens is no longer visible: names of formulas change with each typed letter. */
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
      // Moves the most recent entry to the end.
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
