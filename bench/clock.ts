/** Returns milliseconds of the monotonic clock, which all processes of one machine share. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
