/** Writes a time of the clock that all processes share, so that a reader of a text finds when its parts were written. */
export function toStamp(ms: number): string {
  return `<${ms.toFixed(2)}>`;
}

/** Returns the times that are written in a text, in their order; a stamp that is cut counts nowhere. */
export function readStamps(text: string): number[] {
  return [...text.matchAll(/<(\d+\.\d\d)>/g)].map(([, ms]) => Number(ms));
}
