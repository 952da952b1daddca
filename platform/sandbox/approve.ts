// A minimal browser that signs in at the sandbox's own provider and presses Approve there.
import { defined } from "../../base/defined.ts";

const MOST_STEPS = 15;

/**
 * `start` is an address of the sandbox. Resolves at the page to which the browser would return. Rejects if an address cannot be reached.
 */
export async function approve(start: string, signal?: AbortSignal): Promise<void> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let decision: string | undefined;
  for (let step = 0; step < MOST_STEPS; step++) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(decision === undefined ? {} : { method: "POST", body: new URLSearchParams({ decision }) }),
      ...defined({ signal }),
    });
    await response.arrayBuffer();
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    decision = undefined;
    const location = response.headers.get("location");
    if (location !== null) url = new URL(location, url);
    else if (url.pathname.endsWith("/approve") && response.ok) decision = "approve";
    else return;
  }
}
