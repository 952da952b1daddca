// Modules for HTTP requests. None helps, because the platform's runtime has no network access except the fetcher.

export const HTTP_CLIENTS: ReadonlySet<string> = new Set(
  "axios cross-fetch got http http2 https isomorphic-fetch ky needle node-fetch node:http node:http2 node:https request superagent undici".split(
    " ",
  ),
);
