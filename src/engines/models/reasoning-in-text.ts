const opening = '<think>';
const closing = '</think>';

/** Takes the reasoning out of a text that arrives in pieces. */
export interface ReasoningInText {
  /** Takes a piece, and returns what can be shown of the answer. */
  push: (piece: string) => string;
  /** Returns the rest of the answer. `isWhole` is false for an answer that was cut off. */
  end: (isWhole: boolean) => string;
  /** Returns the reasoning so far. */
  getReasoning: () => string;
}

/**
 * Creates a reader of an answer whose model writes its reasoning in front of it, between `<think>` and `</think>`. Tags further
 * back are text: an answer may be about them. With `isOpen` the answer begins inside of the reasoning, since the server has
 * put the opening tag into the prompt.
 */
export function createReasoningInText(isOpen = false): ReasoningInText {
  let place: 'before' | 'inside' | 'behind' | 'answer' = 'before';
  let held = '';
  let reasoning = '';

  function enter(): void {
    const begun = held.trimStart();
    if (begun.startsWith(opening)) held = begun.slice(opening.length);
    else if (opening.startsWith(begun)) return;
    place = isOpen || begun.startsWith(opening) ? 'inside' : 'answer';
  }

  function think(): void {
    const end = held.indexOf(closing);
    const taken = end < 0 ? held.length - countBegun(held) : end;
    reasoning += held.slice(0, taken);
    held = held.slice(taken);
    if (end < 0) return;
    held = held.slice(closing.length);
    place = 'behind';
  }

  return {
    push: (piece) => {
      held += piece;
      if (place === 'before') enter();
      if (place === 'inside') think();
      if (place === 'behind') held = held.trimStart();
      if (place === 'behind' && held !== '') place = 'answer';
      if (place !== 'answer') return '';
      const shown = held;
      held = '';
      return shown;
    },
    end: (isWhole) => {
      const rest = held;
      held = '';
      if (place === 'before') return rest;
      if (place !== 'inside') return '';
      const thought = reasoning + rest;
      // A model that has not reasoned writes its answer where the reasoning would be.
      reasoning = isOpen && isWhole ? '' : thought;
      return isOpen && isWhole ? thought : '';
    },
    getReasoning: () => reasoning.trim(),
  };
}

/** Returns how many characters at the end of a text may be the beginning of the closing tag. */
function countBegun(text: string): number {
  for (let count = Math.min(closing.length - 1, text.length); count > 0; count -= 1) {
    if (text.endsWith(closing.slice(0, count))) return count;
  }
  return 0;
}
