// Reads which doc's or agent's logs a person means, from an address or an ID.
import type { LogSource } from "../public-api/public-api.ts";
import type { PublishedPack } from "../public-api/published-pack.ts";

/** The host of docs after the platform's change of name. */
const DOCS_HOST = "docs.superhuman.com";

/** The last part of a doc's path is a name and `_d` with the ID; a name may contain `_d` as well. Most IDs have ten characters. */
const DOC_SEGMENT = /_d([\w-]{10})$/;

const ID = /^[\w-]{1,100}$/;

/** `text`: the doc's address, or its ID. */
export function readDoc(
  text: string,
  { origin, packId }: Pick<PublishedPack, "origin" | "packId">,
): Extract<LogSource, { readonly kind: "doc" }> | { readonly problem: string } {
  const input = text.trim();
  if (input === "") return { problem: "Enter the address of a doc that uses the pack." };
  if (!/[/.:]/.test(input)) {
    const docId = input.startsWith("_d") ? docIdOf(input) : input;
    return docId !== undefined && ID.test(docId)
      ? { kind: "doc", packId, docId }
      : { problem: "Enter the address of a doc. This is not the ID of a doc." };
  }
  const address = /^[\w.-]+\//.test(input) ? `https://${input}` : input;
  if (!URL.canParse(address)) return { problem: "Enter the whole address of a doc, as the browser shows it. This is not an address." };
  const url = new URL(address);
  const { host } = new URL(origin);
  if (url.host !== host && url.host !== DOCS_HOST)
    return { problem: `Enter the address of a doc on ${host} or ${DOCS_HOST}. This address is on ${url.host || "no host"}.` };
  const [, folder, segment = ""] = url.pathname.split("/");
  const docId = folder === "d" ? docIdOf(segment) : undefined;
  return docId === undefined
    ? { problem: `Open the doc in the browser, and copy its address. It looks like https://${host}/d/Name_dABC….` }
    : { kind: "doc", packId, docId };
}

function docIdOf(segment: string): string | undefined {
  const last = segment.lastIndexOf("_d");
  const id = DOC_SEGMENT.exec(segment)?.[1] ?? segment.slice(last + 2);
  return last >= 0 && ID.test(id) ? id : undefined;
}

/** Returns undefined if the text is not `TENANT/INSTANCE`. */
export function readAgent(text: string): LogSource | undefined {
  const [tenantId = "", agentInstanceId = "", ...rest] = text.trim().split("/");
  return ID.test(tenantId) && ID.test(agentInstanceId) && rest.length === 0 ? { kind: "agent", tenantId, agentInstanceId } : undefined;
}
