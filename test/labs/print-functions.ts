import { HoldfastError } from '../../src/domain/errors.ts';
import { loadFunctions } from '../../src/engines/functions/load-functions.ts';

/** The printed result of {@link loadFunctions}: the names of functions, or code and message of an error. */
export interface PrintedFunctions {
  names?: string[];
  code?: string;
  message?: string;
}

function toPrinted(error: unknown): PrintedFunctions {
  return error instanceof HoldfastError ? error.toInfo() : { message: String(error) };
}

if (import.meta.main) {
  const printed = await loadFunctions(process.argv[2]).then(
    (loaded): PrintedFunctions => ({ names: loaded.map(({ definition }) => definition.name) }),
    toPrinted,
  );
  process.stdout.write(JSON.stringify(printed));
}
