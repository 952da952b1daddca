// Handles the request of protocol/editor.ts that writes a proposal into a pack.
import { WRITE_SETUP_REQUEST, type WriteSetupParams } from "../../protocol/editor.ts";
import type { SetupAnswer } from "../../protocol/written-setup.ts";
import { writeSetup } from "../agent-sources.ts";
import type { Session } from "../session.ts";

const FAILED: SetupAnswer = { problem: "The source could not be read. Save it as a file, and set up again." };

export function handleSetup(session: Session): void {
  session.connection.onRequest<SetupAnswer, void>(WRITE_SETUP_REQUEST, ({ uri, proposal, text }: WriteSetupParams) =>
    session.about("writeSetup", uri, FAILED, (path) => writeSetup(session, path, proposal, text)),
  );
}
