// The program `holdfast`: the commands that call the API, and those of the administrator.
import { createProgram } from './create-program.ts';
import { addAdminCommands } from './admin.ts';
import { packageVersion } from './package-version.ts';

// `EPIPE` means that the reader, such as `head`, has closed the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const program = createProgram(packageVersion);
addAdminCommands(program);
const groups = program.commands.filter(({ commands }) => commands.length > 0);
for (const group of [program, ...groups]) group.showHelpAfterError();
await program.parseAsync();
