/** The text to print next; `restarted` when the printed part of this answer is void. */
export interface NextText {
  restarted: boolean;
  text: string;
}

interface Chunk {
  iteration: number;
  attempt: number;
}

/** Follows the text of one turn's answers, which arrive as chunks and as messages, so that each is printed once. */
export interface TextProgress {
  delta(chunk: Chunk & { text: string }): NextText;
  reset(chunk: Chunk): NextText;
  /** Takes the stored message and returns the part of its text that was not printed yet. */
  message(message: { iteration: number; text: string }): NextText;
}

const nothing: NextText = { restarted: false, text: '' };

/** Starts with nothing printed. */
export function createTextProgress(): TextProgress {
  let current = { iteration: -1, attempt: 0, printed: '', stored: false };

  /** Moves on to the chunk's iteration and attempt; returns false when the chunk belongs to an older one. */
  function isCurrent({ iteration }: { iteration: number }): boolean {
    if (iteration > current.iteration) current = { iteration, attempt: 0, printed: '', stored: false };
    return iteration === current.iteration && !current.stored;
  }

  function startAttempt(attempt: number): boolean {
    const restarted = current.printed !== '';
    current = { ...current, attempt, printed: '' };
    return restarted;
  }

  return {
    delta: (chunk) => {
      if (!isCurrent(chunk) || chunk.attempt < current.attempt) return nothing;
      const restarted = chunk.attempt > current.attempt && startAttempt(chunk.attempt);
      current.printed += chunk.text;
      return { restarted, text: chunk.text };
    },
    reset: (chunk) => {
      if (!isCurrent(chunk) || chunk.attempt < current.attempt) return nothing;
      return { restarted: startAttempt(chunk.attempt), text: '' };
    },
    message: ({ iteration, text }) => {
      if (!isCurrent({ iteration })) return nothing;
      const { printed } = current;
      current = { ...current, stored: true };
      if (printed.trim() === text.trim()) return nothing;
      if (text.startsWith(printed)) return { restarted: false, text: text.slice(printed.length) };
      return { restarted: printed !== '', text };
    },
  };
}
