// Returns the percent-decoded text, or the text itself if it is not valid percent-encoding.
export function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
