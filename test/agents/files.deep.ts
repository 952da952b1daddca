// The lines of the tables of files.test.ts that the core leaves out.
import "./files.test.ts";
