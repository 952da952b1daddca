// The name of this machine's user, for an account without another name.
import { userInfo } from "node:os";

/** Returns the user's name, or "me" if the user has none, as in many containers. */
export function systemUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return "me";
  }
}
