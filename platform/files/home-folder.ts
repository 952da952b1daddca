// The user's home. A container often runs as a user that the system does not know, without HOME: Node throws then.
import { homedir } from "node:os";
import { isAbsolute } from "node:path";

/** Undefined where there is none; what is empty or relative would be a place in the working directory. */
export function homeFolder(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : undefined;
  } catch {
    return undefined;
  }
}
