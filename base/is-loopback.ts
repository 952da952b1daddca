/** Returns whether a URL's host is this machine by its name alone (RFC 6761, section 6.3), so that requests to it use no network. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
