import { queryOptions } from '@tanstack/react-query';
import { holdfast } from '../../api/client.ts';
import type { GetPricesResponse } from '../../api/types.ts';

/** The price of a model, in US dollars for a million tokens. */
export type Price = GetPricesResponse['own'][string];

/** The list prices, and those that the workspace has set. */
export const pricesQuery = queryOptions({
  queryKey: ['prices'],
  queryFn: ({ signal }) => holdfast.prices.get({ signal }),
});

/** Sets the price of one model. The API replaces all prices, so those of now are read first. */
export async function setPrice(model: string, price: Price): Promise<void> {
  const { own } = await holdfast.prices.get();
  await holdfast.prices.set({ prices: { ...own, [model]: price } });
}

/** Removes the price of one model. */
export async function removePrice(model: string): Promise<void> {
  const { own } = await holdfast.prices.get();
  const kept = Object.entries(own).filter(([name]) => name !== model);
  await holdfast.prices.set({ prices: Object.fromEntries(kept) });
}
