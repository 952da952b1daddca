// Fields that may be left out, in one place: a field that is undefined is not the same as one that is not there.

/** Those of the fields that are not undefined. */
export const defined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: Exclude<T[K], undefined> };
