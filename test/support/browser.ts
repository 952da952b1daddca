// A minimal browser for tests: it follows redirects, keeps cookies, and presses a button of the sandbox's approval page.
import { request } from "node:http";

interface Page {
  readonly status: number;
  readonly location?: string;
  readonly cookies: readonly string[];
  readonly text: string;
}

/** Node may resolve `localhost` to ::1, on which no server listens. The name is therefore only in the Host header. */
function get(url: URL, jar: Map<string, string>, body?: string): Promise<Page> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: /^127\./.test(url.hostname) ? url.hostname : "127.0.0.1",
        port: url.port,
        path: url.pathname + url.search,
        method: body === undefined ? "GET" : "POST",
        headers: {
          host: url.host,
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
          ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", "content-length": Buffer.byteLength(body) }),
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            cookies: response.headers["set-cookie"] ?? [],
            text,
            ...(response.headers.location === undefined ? {} : { location: response.headers.location }),
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/**
 * Opens a page, presses approve or deny if a page asks, and returns the last page. The browser also stops at an unreachable address,
 * without opening it.
 */
export async function browse(
  start: string,
  decision: "approve" | "deny",
  isUnreachable: (url: URL) => boolean = () => false,
): Promise<Page & { readonly url: string }> {
  const jar = new Map<string, string>();
  let url = new URL(start);
  let body: string | undefined;
  for (let step = 0; step < 15; step++) {
    if (isUnreachable(url)) return { status: 0, cookies: [], text: "", url: url.href };
    const page = await get(url, jar, body);
    body = undefined;
    for (const cookie of page.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    if (page.location !== undefined) url = new URL(page.location, url);
    else if (page.text.includes('name="decision"')) body = `decision=${decision}`;
    else return { ...page, url: url.href };
  }
  throw new Error("too many steps");
}
