// The lines of the tables of sessions.test.ts that the core leaves out.
import "./sessions.test.ts";
