// The platform's temporary blob storage: a stored blob gets an address of the platform's file host, and a request for that address returns
// it. The blobs stay in this machine's memory.

import { randomUUID } from "node:crypto";
import { defined } from "../../base/defined.ts";
import type { FetchResponse } from "../../protocol/pack-process.ts";
import { parseBody } from "../bodies/response-body.ts";

interface StoredBlob {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly name?: string;
}

interface BlobStore {
  /** Returns the blob's address. Throws if the storage is full. */
  store(blob: StoredBlob): string;
  get(url: string): StoredBlob | undefined;
}

/** The platform's own file host: requests to it carry no credentials. */
const HOST = "https://codahosted.io/temporary/";
const MOST_BYTES = 100 * 1024 * 1024;
/** Characters of a file name, and of a content type. */
const LONGEST_NAME = 255;
/** Bytes that each entry counts in addition to its content, so that empty blobs fill the storage too. */
const RECORD = 4 * 1024;

export function createBlobStore(): BlobStore {
  const blobs = new Map<string, StoredBlob>();
  let bytes = 0;
  return {
    store(blob) {
      const name = blob.name?.toWellFormed().slice(0, LONGEST_NAME);
      const url = `${HOST}${randomUUID()}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
      if (blob.contentType.length > LONGEST_NAME) throw new Error(`A content type has at most ${LONGEST_NAME} characters.`);
      const size = blob.bytes.byteLength + RECORD;
      if (bytes + size > MOST_BYTES) throw new Error("The temporary blob storage of the run is full. It has room for 100 MB.");
      bytes += size;
      blobs.set(url, { bytes: blob.bytes, contentType: blob.contentType, ...defined({ name }) });
      return url;
    },
    get: (url) => blobs.get(url),
  };
}

/** Returns a stored blob as the response to a request for it. */
export const blobResponse = ({ bytes, contentType }: StoredBlob, binary: boolean): FetchResponse => ({
  status: 200,
  headers: { "content-type": contentType, "content-length": String(bytes.byteLength) },
  body: parseBody(bytes, contentType, { binary }),
});
