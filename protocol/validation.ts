// What the Packs SDK's own upload validator says of a pack, and where its messages stand in the pack's sources.

/** A segment of a path in a pack's metadata: a member, or an item of a list with its name, if it has one. */
export type MetadataSegment = string | { readonly index: number; readonly name?: string };

/** A path in the metadata, such as `formulas`, item 0 named GetTask, `parameters`, item 1 named id, `description`. Empty for the whole. */
export type MetadataPath = readonly MetadataSegment[];

export interface ValidationMessage {
  /** The validator's own words. */
  readonly message: string;
  /** The validator's own path, such as `formulas[0].name`; absent if it names none. */
  readonly path?: string;
  readonly at: MetadataPath;
}

export type UploadValidation =
  /** The installed Packs SDK has no validator that can be called. `reason` is a whole sentence for people. */
  | { readonly isChecked: false; readonly reason: string }
  | {
      readonly isChecked: true;
      readonly toolkitVersion: string;
      /** The pack's metadata as the SDK compiles it, as JSON; the upload contains it. */
      readonly metadata: string;
      /** Empty if the upload would accept the pack. */
      readonly errors: readonly ValidationMessage[];
      /** Deprecations, which a later SDK will reject. */
      readonly warnings: readonly ValidationMessage[];
    };

/**
 * Request `packAuth/locateMetadata`: params {@link LocateMetadataParams}, result a list of the same length with `{ uri, range }` or null.
 * An item is the member in the source that the path means, else the nearest part around it.
 */
export const LOCATE_METADATA_REQUEST = "packAuth/locateMetadata";
export interface LocateMetadataParams {
  /** The URI of the file that builds the pack. */
  readonly entry: string;
  readonly paths: readonly MetadataPath[];
}
