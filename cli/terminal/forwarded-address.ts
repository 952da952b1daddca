// Ports in the terminal of an editor that runs in a browser, on another machine: the browser reaches them only through the editor.
import { isLoopback } from "../../base/is-loopback.ts";

/**
 * Returns the address under which the browser reaches an address of this machine, as VSCODE_PROXY_URI says it (`https://host/proxy/{{port}}/`).
 * Returns any other address unchanged.
 */
export function forwardedAddress(address: string, { VSCODE_PROXY_URI: template }: NodeJS.ProcessEnv): string {
  const { hostname, port, pathname, search } = new URL(address);
  if (!isForwarded({ VSCODE_PROXY_URI: template }) || !isLoopback(hostname)) return address;
  return `${template?.replace("{{port}}", port).replace(/\/$/, "")}${pathname}${search}`;
}

/** Returns whether the editor of this terminal forwards ports to a browser. */
export const isForwarded = ({ VSCODE_PROXY_URI: template = "" }: NodeJS.ProcessEnv): boolean =>
  template.includes("{{port}}") && URL.canParse(template.replace("{{port}}", "1"));
