// What is made of a model or of facts once, and goes when they go. Not in a WeakMap: that lives long, so what it holds counts as in use
// until the whole heap is looked through, and each key that an author types would leave a model behind until then.

/** By itself: an object that is written into a literal is put there by V8's slow path. */
const hidden = (value: object): PropertyDescriptor => ({ value });

/** Makes it at the first question about an object and keeps it there, unseen by who compares or copies the object. */
export function keptWith<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const name = Symbol(make.name);
  return (key) => {
    const holder = key as { readonly [name]?: { readonly made: Made } };
    const known = holder[name];
    if (known !== undefined) return known.made;
    const made = make(key);
    Object.defineProperty(key, name, hidden({ made }));
    return made;
  };
}
