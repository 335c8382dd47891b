#!/usr/bin/env node
import { createProgram } from './cli/program.js';
import { reportFailure } from './cli/report-failure.js';

// A reader such as `head` may close the pipe before the end of the output.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const hasNoArguments = process.argv.length === 2;
await createProgram()
  .parseAsync(hasNoArguments ? [...process.argv, 'serve'] : process.argv)
  .catch(reportFailure);
