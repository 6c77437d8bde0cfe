import { ApplicationFailure, condition, defineSignal, setHandler, sleep } from '@temporalio/workflow';

/** Workflows as an operator has them: they know nothing of Holdfast. */
export async function refundOrder(input: { order: string; amount: number }) {
  await sleep(10);
  return { refunded: input.amount, order: input.order };
}

/** Lets `waitForRelease` end. */
export const release = defineSignal<[string]>('release');

export async function waitForRelease(): Promise<string> {
  let word: string | undefined;
  setHandler(release, (said) => {
    word = said;
  });
  await condition(() => word !== undefined);
  return word ?? '';
}

export function refuse(input: { reason: string }): Promise<never> {
  return Promise.reject(
    ApplicationFailure.nonRetryable(`No refund: ${input.reason}`, 'RefundRefused', { limit: 100 }),
  );
}

export function giveBytes(): Promise<Uint8Array> {
  return Promise.resolve(new Uint8Array([0, 255, 128, 7]));
}

export function giveNothing(): Promise<void> {
  return Promise.resolve();
}

export function giveMuch(input: { characters: number }): Promise<string> {
  return Promise.resolve('x'.repeat(input.characters));
}
