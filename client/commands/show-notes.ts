// What is worth saying although it worked, one message each.
import type { Note } from "../../platform/account-endpoint.ts";
import type { Services } from "../services.ts";
import { showWarning } from "../shown/messages.ts";

export function showNotes(services: Pick<Services, "showError">, notes: readonly Note[], entry: string): void {
  for (const note of notes) {
    if (note.error === undefined) void showWarning(note.message);
    else void services.showError(note.error, entry);
  }
}
