import type { Page } from 'playwright-core';

/** The times between the frames of a page while something moved, in milliseconds, ascending. */
export type Frames = number[];

/**
 * Scrolls an element to its end within some seconds as a person with a wheel does, and returns the times between the frames that
 * the browser drew meanwhile.
 */
export async function measureFrames(page: Page, selector: string, seconds: number): Promise<Frames> {
  const frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const start = performance.now();
    const frames = [];
    let last = start;
    const step = (now) => {
      frames.push(now - last);
      last = now;
      if (now - start > ${seconds * 1000}) return resolve(frames);
      element.scrollTop += 180;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
  return frames.slice(1).toSorted((one, other) => one - other);
}

/** Returns a quantile of the times between frames. */
export function quantile(frames: Frames, share: number): number {
  return frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? Number.NaN;
}
