/** How many calls run side by side at most. */
const batchSize = 8;

/**
 * Groups neighbours that may run together, at most eight; everything else is a batch of its own
 * (spec: tools, "Executing one response"). The order is kept.
 */
export function batches<T>(calls: readonly T[], parallel: (call: T) => boolean): T[][] {
  const groups: T[][] = [];
  let open: T[] | null = null;
  for (const call of calls) {
    if (!parallel(call)) {
      groups.push([call]);
      open = null;
    } else if (open !== null && open.length < batchSize) {
      open.push(call);
    } else {
      open = [call];
      groups.push(open);
    }
  }
  return groups;
}
