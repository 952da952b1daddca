// The messages of the language server in the language of the editor that started it; in English where it names none. Imported before
// everything else: constants of other modules are messages already when they are loaded.
import { config } from "@vscode/l10n";
import { MESSAGES_VARIABLE } from "../protocol/messages.ts";

const file = process.env[MESSAGES_VARIABLE];
if (file !== undefined && file !== "") {
  try {
    config({ fsPath: file });
  } catch (error) {
    console.error(`The messages in ${file} cannot be read, so they are in English: ${String(error)}`);
  }
}
