/** Whether a URL's host is this machine by its name alone (RFC 6761, section 6.3): requests to it meet no network. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
