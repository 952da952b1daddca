// The lines of the tables of apis.test.ts that the core leaves out.
import "./apis.test.ts";
