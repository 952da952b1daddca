// What is made of a text alone, kept by the text: rules ask the same of the same few URLs and domains at every keystroke.

/** Few, since a part of a source keeps all of the source in memory. */
const MOST_KNOWN = 20;

export function keptByText<Made>(make: (text: string) => Made): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined || known.has(text)) return before as Made;
    const made = make(text);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, made);
    return made;
  };
}
