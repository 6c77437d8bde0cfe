import { devHelp, parseDevOptions, type DevOptions } from './dev/dev-options.ts';
import { startDevelopment } from './dev/start-development.ts';

/** Ends the process when an option does not exist. */
function readOptions(): DevOptions {
  try {
    return parseDevOptions(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const { help, ...options } = readOptions();
if (help) console.log(devHelp);
else await startDevelopment(options);
