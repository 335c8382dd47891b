#!/usr/bin/env node
import { createProgram } from './cli/program.js';
import { reportFailure } from './cli/report-failure.js';
import { endOnOutputError } from './cli/standard-output.js';

process.stdout.on('error', endOnOutputError);

const argv = process.argv.length === 2 ? [...process.argv, 'serve'] : process.argv;
await createProgram().parseAsync(argv).catch(reportFailure);
