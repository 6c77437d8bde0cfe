import { createInvalidInput, type HoldfastError } from '../../../domain/errors.ts';
import { toOneLine } from '../../../domain/text.ts';

/** The error for something that cannot be imported as a skill; `place` is a path, or a field of the front matter. */
export function refuseSkill(place: string, problem: string): HoldfastError {
  return createInvalidInput([{ field: toOneLine(place, 300), message: toOneLine(problem, 500) }]);
}
