/** Collects items, and hands them over together before the browser draws next: thousands may come at once. */
export function createFrameBatch<Item>(flush: (items: Item[]) => void) {
  let items: Item[] = [];
  let frame: number | undefined;
  return {
    add: (item: Item) => {
      items.push(item);
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        const taken = items;
        items = [];
        flush(taken);
      });
    },
    /** Drops what was collected. */
    stop: () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
      frame = undefined;
      items = [];
    },
  };
}
