import type { AgentVersion } from '../../src/domain/agent.ts';
import { createToolUseFilter } from './tool-use-stream.ts';
import { createAnswerGuard } from '../../src/rules/answer-guard.ts';
import { createCanaryDetector } from '../../src/rules/canary-detector.ts';
import { readsToolCallsInText } from './text-tool-calls.ts';

interface VisibleTextOptions {
  version: Pick<AgentVersion, 'model' | 'rules' | 'toolCallsInText'>;
  /** Receives each visible piece. */
  push: (text: string) => void;
  /** Called when the text repeats a canary token. */
  onCanary: () => void;
}

interface VisibleText {
  push: (delta: string) => void;
  /** Shows the held-back rest of a finished text, as far as it is no tool call. */
  complete: (text: string) => void;
}

/** Passes on a model's text while it is written, without its tool calls and without parts of canary tokens. */
export function createVisibleText({ version, push, onCanary }: VisibleTextOptions): VisibleText {
  const detector = createCanaryDetector(version.rules.canaryTokens);
  const withoutCalls = readsToolCallsInText(version) ? createToolUseFilter() : null;
  if (!detector && !withoutCalls) return { push, complete: () => undefined };
  const guard = detector ? createAnswerGuard(detector) : null;
  let shown = '';
  const show = (text: string) => {
    shown += text;
    if (text !== '') push(text);
  };
  return {
    push: (delta) => {
      const text = withoutCalls ? withoutCalls(delta) : delta;
      const safe = guard ? guard(text) : text;
      if (safe === null) onCanary();
      else show(safe);
    },
    complete: (text) => {
      if (text.startsWith(shown)) show(text.slice(shown.length));
    },
  };
}
