interface Request {
  id: number;
  ask: string;
  input: never;
}

/** Answers the requests of the parent process, and ends with it. */
export function serve(requests: object): void {
  const handlers = requests as Record<string, (input: never) => Promise<unknown>>;
  const answer = async ({ id, ask, input }: Request): Promise<void> => {
    try {
      process.send?.({ id, result: await handlers[ask]?.(input) });
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.stack : String(error) });
    }
  };
  process.on('message', (message) => void answer(message as Request));
  process.once('disconnect', () => process.exit());
  process.send?.({ type: 'ready' });
}
