// What is known of the calls that send requests from one model of a pack to the next, as long as each value resolves to the same.
import type { ContextCall } from "../model/context-facts.ts";
import type { FileFacts } from "../model/facts.ts";
import type { Value } from "../model/values.ts";
import { type KnownCall, readCall } from "./context-callers.ts";
import { type RequestUrl, writesUrl } from "./read-request.ts";

export type UrlsByCall = WeakMap<ContextCall, readonly RequestUrl[]>;

export interface KnownRequests {
  readonly read: (call: ContextCall) => KnownCall;
  /** The URLs that were read while the same helpers were called: what a request goes to hangs on what the callers of its function give. */
  urlsWith(calls: readonly KnownCall[], files: readonly FileFacts[]): UrlsByCall;
}

export function createKnownRequests(resolve: (value: Value) => Value): KnownRequests {
  const calls = new WeakMap<ContextCall, KnownCall>();
  let urls: UrlsByCall = new WeakMap();
  let helpers: readonly KnownCall[] = [];
  let isWritten = false;
  return {
    read(call) {
      const known = calls.get(call) ?? readCall(call, resolve);
      calls.set(call, known);
      return known;
    },
    urlsWith(all, files) {
      const called = all.filter(({ target }) => target !== undefined);
      const mayWrite = called.length > 0 && writesUrl(files);
      const isSame = called.length === helpers.length && called.every((call, index) => call === helpers[index]);
      if (!isSame || mayWrite !== isWritten) urls = new WeakMap();
      helpers = called;
      isWritten = mayWrite;
      return urls;
    },
  };
}
