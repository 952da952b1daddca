// The part of js-yaml that is used here; the package has no types.
declare module "js-yaml" {
  export interface Schema {
    extend(types: { readonly implicit: readonly unknown[] }): Schema;
  }
  export const CORE_SCHEMA: Schema;
  export const types: { readonly merge: unknown };
  export class YAMLException extends Error {
    readonly reason: string;
    readonly mark?: { readonly line: number };
  }
  export function load(text: string, options: { readonly schema: Schema; readonly json: boolean; readonly maxDepth: number }): unknown;
}
