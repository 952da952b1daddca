// The panel's messages in the editor's language. Imported before everything else: constants of other modules are messages already when
// they are loaded.
import { config } from "@vscode/l10n";
import { MESSAGES_ELEMENT } from "../../protocol/messages.ts";

const element = document.getElementById(MESSAGES_ELEMENT);
if (element !== null) config({ contents: element.textContent });
