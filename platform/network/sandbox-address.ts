// Maps a logical URL to the sandbox's address, for an account of the sandbox. Policy, trace and injection always use the logical URL; only
// the final send maps it.

/** `https://api.github.com/user?x=1` → `http://127.0.0.1:4000/api.github.com/user?x=1`. The logical port, if any, stays in the segment. */
export function sandboxAddress(logicalUrl: string, sandboxOrigin: string): string {
  const url = new URL(logicalUrl);
  return `${sandboxOrigin}/${url.host}${url.pathname}${url.search}`;
}

/** Returns a text from the sandbox with its own addresses replaced by logical ones. Without a sandbox the text is unchanged. */
export const logicalText = (text: string, sandboxOrigin: string | undefined): string =>
  sandboxOrigin === undefined ? text : text.replaceAll(`${sandboxOrigin}/`, "https://");
