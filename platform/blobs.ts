// The platform's temporary blob storage: what a pack stores gets an address of the platform's file host, and whoever asks for that
// address in the same place gets it back. Nothing leaves this machine's memory.
import { randomUUID } from "node:crypto";
import type { FetchResponse } from "../protocol/pack-process.ts";

export interface StoredBlob {
  readonly url: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly name?: string;
}

export interface BlobStore {
  /** Gives the address. Throws where the storage is full. */
  store(blob: Omit<StoredBlob, "url">): string;
  get(url: string): StoredBlob | undefined;
  list(): readonly StoredBlob[];
}

/** The platform's own file host: requests to it carry no credentials. */
const HOST = "https://codahosted.io/temporary/";
const MOST_BYTES = 100 * 1024 * 1024;

export function createBlobStore(): BlobStore {
  const blobs = new Map<string, StoredBlob>();
  let bytes = 0;
  return {
    store(blob) {
      bytes += blob.bytes.byteLength;
      if (bytes > MOST_BYTES) throw new Error("The temporary blob storage of a run holds 100 MB, and it is full.");
      const url = `${HOST}${randomUUID()}${blob.name === undefined ? "" : `/${encodeURIComponent(blob.name)}`}`;
      blobs.set(url, { ...blob, url });
      return url;
    },
    get: (url) => blobs.get(url),
    list: () => [...blobs.values()],
  };
}

/** A stored blob as the answer to a request for it. */
export const blobResponse = ({ bytes, contentType }: StoredBlob, binary: boolean): FetchResponse => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    status: 200,
    headers: { "content-type": contentType, "content-length": String(bytes.byteLength) },
    body: binary ? { base64: buffer.toString("base64") } : { text: buffer.toString("utf8") },
  };
};
