// Whether anybody can have a host under a domain, by the public suffix list.
import { SHARED_HOSTS } from "./shared-hosts.ts";

let hosts: ReadonlySet<string> | undefined;

/** Of the domain itself: true of `vercel.app`, false of `my-app.vercel.app`. */
export const isSharedHost = (domain: string): boolean => {
  // Made when first asked: most packs declare no such domain, and starting must not wait for it.
  hosts ??= new Set(SHARED_HOSTS.split(" "));
  return hosts.has(domain.toLowerCase());
};
