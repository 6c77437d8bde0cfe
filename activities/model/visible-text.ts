import type { AgentVersion } from '../../src/domain/agent.ts';
import { createToolUseFilter } from '../../src/engines/models/calls-in-text/tool-use-stream.ts';
import { createAnswerGuard } from '../../src/engines/rules/answer-guard.ts';
import { createCanaryDetector } from '../../src/engines/rules/canary-detector.ts';
import { readsToolCallsInText } from './text-tool-calls.ts';

interface VisibleTextOptions {
  version: Pick<AgentVersion, 'model' | 'rules' | 'toolCallsInText'>;
  /** Receives the visible pieces, each as a function when it is read for tokens and tool calls only once it is shown. */
  push: (piece: string | (() => string)) => void;
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
  let unread = '';
  const readVisible = (): string => {
    const text = withoutCalls ? withoutCalls(unread) : unread;
    unread = '';
    const safe = guard ? guard(text) : text;
    if (safe === null) onCanary();
    shown += safe ?? '';
    return safe ?? '';
  };
  return {
    push: (delta) => {
      if (delta !== '' && unread === '') push(readVisible);
      unread += delta;
    },
    complete: (text) => {
      unread = '';
      if (text.startsWith(shown)) push(text.slice(shown.length));
    },
  };
}
