// The user's home folder. Containers often run as a user that the system does not know, without HOME; Node then throws.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

/** Returns the home folder, or undefined if there is none. An empty or relative path would be a place in the working directory. */
export function homeFolder(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}
