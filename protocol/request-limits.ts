// How much one request may have: more than any server takes. The pack process says so to the pack, and the host refuses what comes
// nevertheless before it looks at it more closely, because that would hold up the host.
export const REQUEST_LIMITS = {
  /** Characters. */
  url: 128 * 1024,
  headers: 1_000,
  /** Characters of all names and values. */
  headerText: 128 * 1024,
  formFields: 10_000,
} as const;
