// A request on its way out, with or without its credential.

/** A request on its way out: headers by lower-case name. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
