/** An amount of US dollars as decimal text. */
export const dollarPattern = /^(\d{1,9})(?:\.(\d{1,6}))?$/;

/** The condition that an amount of US dollars has to meet, for error messages. */
export const dollarMessage = 'expected US dollars with at most six decimals, such as 2.50';

/** Returns US dollars, as decimal text, in credits; null for a text that is no number of them. */
export function parseDollars(text: string): bigint | null {
  const [, whole, decimals = ''] = dollarPattern.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + decimals.padEnd(6, '0'));
}

/** Returns credits, as decimal text, in US dollars with two to six decimals: `$2.50`, `$0.000012`. */
export function toDollarText(credits: string): string {
  const digits = credits.padStart(7, '0');
  const decimals = digits.slice(-6).replace(/0{1,4}$/, '');
  return `$${digits.slice(0, -6)}.${decimals}`;
}
