// The size limits of one request, which exceed those of any server. The pack process reports them to the pack. The host also refuses larger
// requests before it reads them, because they would block the host.
export const REQUEST_LIMITS = {
  /** Characters. */
  url: 128 * 1024,
  headers: 1_000,
  /** Characters of all names and values together. */
  headerText: 128 * 1024,
  formFields: 10_000,
} as const;
