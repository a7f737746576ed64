import type { JSX } from "preact";
import type { Failure } from "../data/index.ts";

/** Renders the page of a browser that is not signed in: what happened, and how to sign in (B8). */
export function SignedOut({ failure, onRetry }: { failure: Failure; onRetry: () => void }): JSX.Element {
  return (
    <section class="signed-out card prose">
      <h1 tabIndex={-1}>This browser is not signed in</h1>
      <p>{reasonOf(failure)}</p>
      <h2>Sign in</h2>
      <ol>
        <li>
          Go to the terminal on which <code>afk-triage serve</code> runs, or start it there:
          <pre class="command">afk-triage serve</pre>
        </li>
        <li>
          Open the address that it prints. The address holds the token; the board keeps it in a cookie and
          removes it from the address bar.
        </li>
        <li>
          If others may know the token, renew it: <code>afk-triage serve --new-token</code>. Every browser
          signs in again then.
        </li>
      </ol>
      <button type="button" class="button primary" onClick={onRetry}>
        Try again
      </button>
    </section>
  );
}

function reasonOf({ code }: Failure): string {
  if (new URLSearchParams(window.location.search).has("token"))
    return "The token in this address is not the board's: it was renewed, or the address belongs to another board.";
  return code === "TOKEN_WRONG"
    ? "The board's token was renewed after this browser signed in."
    : "Its cookie for this board is missing: it never signed in here, or its cookies were cleared.";
}
