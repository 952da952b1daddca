// Whether a text calls a function with the context that is named like one that looks at things: `hasSite(context)`. Every statement
// that sends a request is asked, and few do, so a cheaper look goes first.

/** What is called as what looks at things, up to its bracket. */
const LOOKS = /(?:\b(?:is|has|can|should|does|needs)|ensure|assert|check|require|valid|support)\w*\(/.source;

/** A function that is given the context, and is called as what looks at things. */
export const GIVES_CONTEXT = new RegExp(`${LOOKS}(?:[^()]*,)?\\s*\\w*(?:context|ctx)\\s*[,)]`, "i");

/**
 * A context behind the bracket of such a call, or too far from any to tell at a look: the few places that name a context are found
 * sooner than the calls.
 */
const MAY_GIVE_CONTEXT = new RegExp(`(?:context|ctx)(?=\\s*[,)])(?<=${LOOKS}[^()]{0,200}|[^()]{200})`, "i");

/** The same as {@link GIVES_CONTEXT} alone tells. */
export const givesContext = (text: string): boolean => MAY_GIVE_CONTEXT.test(text) && GIVES_CONTEXT.test(text);
