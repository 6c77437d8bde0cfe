import { findModelFacts, type ModelInput } from '../../domain/known-models.ts';
import type { ModelFilePart } from '../../domain/model-part.ts';
import { findWindowStart } from '../../domain/window-start.ts';
import { findObstacle } from './file-support.ts';
import { parseModelName } from './model-name.ts';
import { hostedVendors } from './vendor-catalogue.ts';

/** Returns the kinds of files that a model takes; `declared` are those of the agent, for a model that is not in the list. */
export function findTakenInputs(model: string, declared: readonly ModelInput[] = []): readonly ModelInput[] {
  if (!hostedVendors.has(parseModelName(model).vendor)) return [];
  return findModelFacts(model)?.takes ?? declared;
}

/** Reasons why a file is not shown. */
export const deleted = 'it was deleted';
export const pushedOut = 'newer files took its place';

/**
 * Decides for each file of a model call, oldest first, whether the model gets it as it is: null, or the reason why not. The
 * oldest files go first when all together are too many or too large for the vendor.
 */
export function planFiles(
  parts: readonly ModelFilePart[],
  { model, takes }: { model: string; takes: readonly ModelInput[] },
): (string | null)[] {
  const support = hostedVendors.get(parseModelName(model).vendor)?.files;
  const reasons = parts.map(({ file }) => {
    if (!file) return deleted;
    return support ? findObstacle(file, takes, support) : 'this model takes no files';
  });
  if (!support) return reasons;
  const fitting = [...parts.keys()].filter((index) => reasons[index] === null);
  const sizes = fitting.map((index) => parts[index]?.file?.size ?? 0);
  const start = findWindowStart(sizes, { most: support.maxBytes, mostItems: support.maxFiles });
  for (const index of fitting.slice(0, start)) reasons[index] = pushedOut;
  return reasons;
}
