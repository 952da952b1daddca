// Whether a text calls a function with the context that is named like one that looks at things: `hasSite(context)`.

/** From where a word begins, so that each is looked through once. */
const GIVES_CONTEXT =
  /\b(?=is|has|can|should|does|needs|\w*(?:ensure|assert|check|require|valid|support))\w+\((?:[^()]*,)?\s*\w*(?:context|ctx)\s*[,)]/i;

export const givesContext = (text: string): boolean => GIVES_CONTEXT.test(text);
