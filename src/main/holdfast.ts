// The program `holdfast`.
import { styleText } from 'node:util';
import { runProgram } from './run-program.ts';

// `EPIPE` means that the reader, such as `head`, has closed the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await runProgram(process.argv.slice(2), {
  environment: process.env,
  // Opened when a command reads it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  hasColours: styleText('bold', 'text', { stream: process.stdout }) !== 'text',
  setExitCode: (code) => {
    process.exitCode = code;
  },
  exit: (code) => process.exit(code),
  onInterrupt: (listener) => process.on('SIGINT', listener),
});
