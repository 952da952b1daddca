// The request that is sent, with or without its credential.

/** A request to send; its header names are lower-case. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
