// Packages for requests of one's own. The platform's runtime has no network but the fetcher, so to install one of them does not help.

export const HTTP_CLIENTS: ReadonlySet<string> = new Set(
  "axios cross-fetch got isomorphic-fetch ky needle node-fetch request superagent undici".split(" "),
);
