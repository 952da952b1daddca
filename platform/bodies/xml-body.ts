// Parses XML into the form that packs receive, that of the `xml2js` library, which the Packs SDK's documentation names. Every element is a
// list, attributes are under `$`, text beside them is under `_`, and the root is left out. Invariant: XML that is malformed, nests too
// deeply or declares its own entities stays text.
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { getOrInsert } from "../../base/get-or-insert.ts";

const DEEPEST_XML = 200;
const TEXT = "#text";
const CDATA = "#cdata";
const ATTRIBUTES = ":@";

/** A node in document order: a member named after the element or for text, and its attributes. */
type OrderedNode = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  cdataPropName: CDATA,
  htmlEntities: true,
  maxNestedTags: DEEPEST_XML,
});

/** Returns the parsed document, or undefined if the text must stay text. */
export function parseXml(text: string): { readonly value: unknown } | undefined {
  if (text.includes("<!ENTITY")) return undefined;
  try {
    // XML 1.0, section 2.11: every line end is read as one line feed.
    const normalised = text.replace(/\r\n?/g, "\n");
    if (XMLValidator.validate(normalised) !== true) return undefined;
    const nodes = (parser.parse(normalised) as readonly OrderedNode[]).filter((node) => !(TEXT in node));
    const [root] = nodes;
    return root === undefined || nodes.length > 1 ? undefined : { value: elementOf(root) };
  } catch {
    return undefined;
  }
}

function elementOf(node: OrderedNode): unknown {
  const name = nameOf(node);
  const children = (node[name] ?? []) as readonly OrderedNode[];
  const attributes = node[ATTRIBUTES] as Readonly<Record<string, string>> | undefined;
  let text = "";
  let hasCdata = false;
  const elements = new Map<string, unknown[]>();
  for (const child of children) {
    if (TEXT in child) text += String(child[TEXT]);
    else if (CDATA in child) {
      const part = ((child[CDATA] ?? []) as readonly OrderedNode[]).map((inner) => String(inner[TEXT])).join("");
      hasCdata ||= part !== "";
      text += part;
    } else getOrInsert(elements, nameOf(child), () => []).push(elementOf(child));
  }
  const isBlank = /^\s*$/.test(text) && !hasCdata;
  if (elements.size === 0 && attributes === undefined) return text;
  const entries: [string, unknown][] = [];
  if (!isBlank) entries.push(["_", text]);
  if (attributes !== undefined) entries.push(["$", attributes]);
  // Object.fromEntries treats a name such as __proto__ as an ordinary key.
  return Object.fromEntries([...entries, ...elements]);
}

const nameOf = (node: OrderedNode): string => Object.keys(node).find((key) => key !== ATTRIBUTES) ?? "";
