// Where a logical URL is really sent when an account belongs to the sandbox. Policy, trace and injection always see the logical
// URL; only the last send goes through here.

/** `https://api.github.com/user?x=1` → `http://127.0.0.1:4000/api.github.com/user?x=1`. The logical port, if any, stays in the segment. */
export function sandboxAddress(logicalUrl: string, sandboxOrigin: string): string {
  const url = new URL(logicalUrl);
  return `${sandboxOrigin}/${url.host}${url.pathname}${url.search}`;
}

/** What came from the sandbox, where it did, with its own addresses as the logical ones. */
export const logicalText = (text: string, sandboxOrigin: string | undefined): string =>
  sandboxOrigin === undefined ? text : text.replaceAll(`${sandboxOrigin}/`, "https://");
