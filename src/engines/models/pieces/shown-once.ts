/** Shows a text that comes by two ways once: early, in front of the AI SDK, and read by it. */
export function createShownOnce(show: (text: string) => void) {
  /** How many characters were shown that the AI SDK has not read yet. */
  let ahead = 0;
  let failure: unknown;
  return {
    showEarly: (text: string): void => {
      ahead += text.length;
      try {
        show(text);
      } catch (error) {
        failure = error;
        throw error;
      }
    },
    /** Returns the error of the receiver, which the AI SDK takes for one of the model; otherwise the one that is given. */
    findCause: (error: unknown): unknown => failure ?? error,
    showRead: (text: string): void => {
      const known = Math.min(ahead, text.length);
      ahead -= known;
      if (known < text.length) show(text.slice(known));
    },
  };
}
