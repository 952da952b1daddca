// A Windows library of one function that another library has: Wine 8 lacks bcryptprimitives.dll, without which no program made by Go or
// Rust starts. Nothing but headers and a table of exports (the PE format): the loader of the system does the rest.

/** The bytes of a library `name` whose function `exported` is `target`, written as library.function. */
export function forwardingDll(name: string, exported: string, target: string): Buffer {
  const text = (value: string): Buffer => Buffer.from(`${value}\0`, "latin1");
  const table = Buffer.alloc(40 + 4 + 4 + 2);
  const strings = [name, exported, target].map(text);
  const at = (index: number): number => SECTION + table.length + strings.slice(0, index).reduce((sum, { length }) => sum + length, 0);
  // The directory of exports: its name, its first number, how many there are, and where the three lists stand.
  table.writeUInt32LE(at(0), 12);
  table.writeUInt32LE(1, 16);
  table.writeUInt32LE(1, 20);
  table.writeUInt32LE(1, 24);
  table.writeUInt32LE(SECTION + 40, 28);
  table.writeUInt32LE(SECTION + 44, 32);
  table.writeUInt32LE(SECTION + 48, 36);
  // An address within the section of exports is the name of another library's function.
  table.writeUInt32LE(at(2), 40);
  table.writeUInt32LE(at(1), 44);
  const section = Buffer.concat([table, ...strings]);
  const file = Buffer.alloc(FILE_ALIGNMENT * 2);
  file.write("MZ", 0, "latin1");
  file.writeUInt32LE(64, 60);
  file.write("PE\0\0", 64, "latin1");
  coffHeader(file.subarray(68));
  optionalHeader(file.subarray(88), section.length);
  sectionHeader(file.subarray(88 + OPTIONAL_HEADER), section.length);
  section.copy(file, FILE_ALIGNMENT);
  return file;
}

const SECTION = 0x1000;
const FILE_ALIGNMENT = 0x200;
const OPTIONAL_HEADER = 240;

function coffHeader(header: Buffer): void {
  header.writeUInt16LE(0x8664, 0);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(OPTIONAL_HEADER, 16);
  // It can be run, knows large addresses, and is a library.
  header.writeUInt16LE(0x2022, 18);
}

function optionalHeader(header: Buffer, length: number): void {
  header.writeUInt16LE(0x20b, 0);
  header.writeBigUInt64LE(0x1_8000_0000n, 24);
  header.writeUInt32LE(SECTION, 32);
  header.writeUInt32LE(FILE_ALIGNMENT, 36);
  for (const version of [40, 48]) header.writeUInt16LE(6, version);
  header.writeUInt32LE(SECTION * 2, 56);
  header.writeUInt32LE(FILE_ALIGNMENT, 60);
  header.writeUInt16LE(3, 68);
  header.writeUInt16LE(0x160, 70);
  for (const size of [72, 80, 88, 96]) header.writeBigUInt64LE(0x10_0000n, size);
  header.writeUInt32LE(16, 108);
  header.writeUInt32LE(SECTION, 112);
  header.writeUInt32LE(length, 116);
}

function sectionHeader(header: Buffer, length: number): void {
  header.write(".edata", 0, "latin1");
  header.writeUInt32LE(length, 8);
  header.writeUInt32LE(SECTION, 12);
  header.writeUInt32LE(FILE_ALIGNMENT, 16);
  header.writeUInt32LE(FILE_ALIGNMENT, 20);
  header.writeUInt32LE(0x4000_0040, 36);
}
