// The messages of this bundle in the editor's language. Imported before everything else: constants of other modules are messages already
// when they are loaded.
import { config } from "@vscode/l10n";
import { l10n } from "vscode";

config({ contents: l10n.bundle ?? {} });
