// A person in a browser at a real server's own pages: follows redirects, keeps cookies, fills in the forms, and presses the button.
import { readFileSync } from "node:fs";
import { Agent, request } from "undici";

export interface LastPage {
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** What the person types into a field of that name. */
export type FillField = (field: string) => string | undefined | Promise<string | undefined>;

interface Form {
  readonly url: URL;
  readonly fields: URLSearchParams;
}

const MOST_PAGES = 20;

/** `ca`: the authority that this browser trusts. Goes on until a page has no form: where the sign-in ended, or the server's own error. */
export async function visit(start: string, ca: string, fillField: FillField): Promise<LastPage> {
  // Not by fetch: servers tell a person's browser from a script by the headers that fetch sets.
  const dispatcher = new Agent({ connect: { ca: readFileSync(ca) } });
  try {
    return await follow(start, dispatcher, fillField);
  } finally {
    await dispatcher.close();
  }
}

async function follow(start: string, dispatcher: Agent, fillField: FillField): Promise<LastPage> {
  const jars = new Map<string, Map<string, string>>();
  let url = new URL(start);
  let body: URLSearchParams | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const response = await request(url, {
      dispatcher,
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "text/html",
        "sec-fetch-mode": "navigate",
        cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(body === undefined ? {} : { body: body.toString() }),
    });
    for (const cookie of [response.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) jar.delete(name);
      else jar.set(name, value);
    }
    const text = await response.body.text();
    const { location } = response.headers;
    body = undefined;
    if (location !== undefined) {
      url = new URL(String(location), url);
      continue;
    }
    const form = await formOf(text, url, fillField);
    if (form === undefined) return { url: url.href, status: response.statusCode, text };
    ({ url, fields: body } = form);
  }
  throw new Error(`The pages of ${new URL(start).origin} do not end.`);
}

async function formOf(html: string, page: URL, fillField: FillField): Promise<Form | undefined> {
  const [, head, inside] = /<form\b([^>]*)>(.*?)<\/form>/is.exec(html) ?? [];
  if (head === undefined || inside === undefined || attribute(head, "method")?.toLowerCase() !== "post") return undefined;
  const fields = new URLSearchParams();
  for (const [, input = ""] of inside.matchAll(/<input\b([^>]*)>/gi)) {
    const name = attribute(input, "name");
    if (name === undefined) continue;
    const isHidden = attribute(input, "type") === "hidden";
    fields.append(name, (isHidden ? undefined : await fillField(name)) ?? attribute(input, "value") ?? "");
  }
  return { url: new URL(attribute(head, "action") ?? page.href, page), fields };
}

function attribute(tag: string, name: string): string | undefined {
  const [, quoted] = new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag) ?? [];
  return quoted?.replace(/&(?:#(\d+)|(amp|quot|lt|gt));/g, (_whole, code: string | undefined, named: string) =>
    code === undefined ? ({ amp: "&", quot: '"', lt: "<", gt: ">" }[named] ?? "") : String.fromCharCode(Number(code)),
  );
}
