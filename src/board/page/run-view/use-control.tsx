import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ControlResultDocument } from "../../api/index.ts";
import { failureOf } from "../data/index.ts";

interface Answer {
  tone: "good" | "bad";
  text: string;
  remedy: string;
}

/**
 * Returns what a panel needs to send control requests: `isBusy` is true while one is in progress, and `notice` shows the answer to
 * the last one. A request during another one is not sent. Its button gets `aria-disabled`, because `disabled` would take the focus
 * from it.
 */
export function useControl(): {
  isBusy: boolean;
  ask: (action: () => Promise<ControlResultDocument>) => Promise<ControlResultDocument["type"] | "failed">;
  notice: JSX.Element;
} {
  const [isBusy, setBusy] = useState(false);
  const isAsking = useRef(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  return {
    isBusy,
    ask: async (action) => {
      if (isAsking.current) return "failed";
      isAsking.current = true;
      setBusy(true);
      setAnswer(null);
      try {
        const result = await action();
        setAnswer(answerOf(result));
        return result.type;
      } catch (error) {
        const { message, remedy } = failureOf(error);
        setAnswer({ tone: "bad", text: message, remedy });
        return "failed";
      } finally {
        isAsking.current = false;
        setBusy(false);
      }
    },
    notice: (
      <div role="status">
        {answer === null ? null : (
          <div class={`notice tone-${answer.tone}`}>
            <p>
              <strong>{answer.text}</strong>
            </p>
            {answer.remedy === "" ? null : <p>{answer.remedy}</p>}
          </div>
        )}
      </div>
    ),
  };
}

const REFUSALS: Record<string, string> = {
  "screen-changed": "The screen has changed, so the answer was not sent.",
};

function answerOf(result: ControlResultDocument): Answer {
  switch (result.type) {
    case "sent":
      return { tone: "good", text: "Sent.", remedy: "" };
    case "started":
      return { tone: "good", text: "Started.", remedy: "" };
    case "stopping":
      return { tone: "good", text: "The run is ending.", remedy: "" };
    case "refused":
      return { tone: "bad", text: REFUSALS[result.reason] ?? result.reason, remedy: result.remedy };
    case "no-active-run":
      return { tone: "bad", text: "This Triage Run is not running.", remedy: "It may just have settled." };
  }
}
