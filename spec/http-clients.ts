// Packages for HTTP requests. Installing one does not help, because the platform's runtime has no network access except the fetcher.

export const HTTP_CLIENTS: ReadonlySet<string> = new Set(
  "axios cross-fetch got isomorphic-fetch ky needle node-fetch request superagent undici".split(" "),
);
