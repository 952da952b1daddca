// Who uses this machine: a name for an account that nothing else names.
import { userInfo } from "node:os";

/** A container often runs as a user without a name. */
export function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "me";
  }
}
