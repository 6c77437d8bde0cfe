import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ToolFailure } from 'holdfast/functions';

// Orders and payments of a shop. Replace this file by your database and your payment provider.

interface Order {
  order: string;
  item: string;
  euros: number;
  status: string;
}

const orders: Order[] = [
  { order: 'A-17', item: 'kettle', euros: 39, status: 'shipped' },
  { order: 'A-18', item: 'espresso machine', euros: 480, status: 'delivered' },
];

/** A payment to a customer. */
export interface Refund {
  key: string;
  order: string;
  euros: number;
}

/** The folder of the payments: a test has one of its own. */
const folder = () => process.env['SHOP_DATA'] ?? 'data';

/** @throws ToolFailure for an unknown order */
export function findOrder(number: string): Order {
  const found = orders.find(({ order }) => order === number);
  if (!found) throw new ToolFailure(`There is no order ${number}.`);
  return found;
}

/**
 * Pays an order back; the payment of a key is made once.
 * @throws ToolFailure for an unknown order, and when more would be paid back than the order has cost
 */
export function payBack(refund: Refund): { paid: number; item: string } {
  const { item, euros: price } = findOrder(refund.order);
  const refunds = listRefunds();
  if (!refunds.some(({ key }) => key === refund.key)) {
    const before = refunds
      .filter(({ order }) => order === refund.order)
      .reduce((sum, { euros }) => sum + euros, 0);
    if (before + refund.euros > price) {
      throw new ToolFailure(`${refund.order} has cost ${price} euros, of which ${before} were paid back.`);
    }
    mkdirSync(folder(), { recursive: true });
    writeFileSync(toFile(), JSON.stringify([...refunds, refund]));
  }
  return { paid: refund.euros, item };
}

/** All payments, oldest first. */
export function listRefunds(): Refund[] {
  try {
    return JSON.parse(readFileSync(toFile(), 'utf8')) as Refund[];
  } catch {
    return [];
  }
}

function toFile(): string {
  return path.join(folder(), 'refunds.json');
}
