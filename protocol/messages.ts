// How the editor's language reaches what does not run in the editor's own process.

/** Environment variable of the language server: the path of a bundle of translated messages, as `l10n/bundle.l10n.json` lists them. */
export const MESSAGES_VARIABLE = "PACK_AUTH_MESSAGES";

/** The id of the element in the panel's document that contains such a bundle as JSON; without it the panel is in English. */
export const MESSAGES_ELEMENT = "messages";
