// The accounts of sign-in.test.ts that the core leaves out.
import "./sign-in.test.ts";
