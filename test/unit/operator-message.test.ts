import { afterEach, expect, jest, test } from '@jest/globals';
import { reportFailure, UsageError } from '../../src/cli/report-failure.js';
import { explainMissingRights } from '../../src/database/migrations/missing-rights.js';
import { explainToOperator } from '../../src/database/operator-message.js';
import { ListenError } from '../../src/http/listen-error.js';

const failed = (message: string, code: string) => Object.assign(new Error(message), { code });

test.each<[Error, string]>([
  [failed('could not extend file "base/1/2"', '53100'), 'The disk of the database is full. Free some space on it.'],
  [
    failed('invalid page in block 0 of relation "base/1/2"', 'XX001'),
    'A file of the database is damaged or missing. Restore the database from a backup.',
  ],
  [
    failed('canceling statement due to lock timeout', '55P03'),
    'Another process holds a lock on a table of the database. Try again after it has finished.',
  ],
  [
    failed('canceling statement due to statement timeout', '57014'),
    'The database canceled a statement after its time limit. Raise statement_timeout of the role in DATABASE_URL.',
  ],
  [
    failed('deadlock detected', '40P01'),
    'The command and another process each waited for a lock of the other. Run the command again.',
  ],
  [failed('division by zero', '22012'), 'The database rejected the command: division by zero (SQLSTATE 22012)'],
  [
    failed('Connection terminated unexpectedly', ''),
    'The connection to the database failed: Connection terminated unexpectedly. Try again once the database is available.',
  ],
])('%s → a sentence', (error, sentence) => {
  expect(explainToOperator(error)).toBe(sentence);
});

test('an error of another origin → no sentence', () => {
  expect(explainToOperator(new TypeError('x is not a function'))).toBeNull();
});

test('a server without the extension → how to install it', () => {
  const rights = { role: 'r', database: 'd', schema: 'public', searchPath: 'public', mayCreateTables: true };
  expect(explainMissingRights({ ...rights, extension: 'absent' })).toBe(
    'The PostgreSQL server lacks the extension pg_trgm. Install it on the server: on Debian, the package is postgresql-contrib.',
  );
  for (const extension of ['visible', 'creatable'] as const) expect(explainMissingRights({ ...rights, extension })).toBeNull();
});

test.each([
  ['EACCES', 'The user of the gateway may not listen on port 80. Set PORT to a port above 1023.'],
  ['EOTHER', 'The gateway cannot listen on HOST 127.0.0.1, PORT 80: why'],
])('a port that fails with %s → a sentence', (code, sentence) => {
  expect(new ListenError(failed('why', code), { host: '127.0.0.1', port: 80 }).message).toBe(sentence);
});

afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = undefined;
  delete process.env['LOG_LEVEL'];
});

test('an unexpected error → its first line, and its stack only with LOG_LEVEL=debug', () => {
  const written: string[] = [];
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const error = new Error('first line\nSELECT secret');
  const sentence =
    'The command failed unexpectedly: first line. Run it with LOG_LEVEL=debug to see where, and report this as a defect.\n';
  reportFailure(error);
  reportFailure({ toString: () => 'no error' });
  process.env['LOG_LEVEL'] = 'debug';
  reportFailure(error);
  expect(written).toEqual([sentence, sentence.replace('first line', 'no error'), expect.stringContaining('    at ')]);
  expect(process.exitCode).toBe(1);
  reportFailure(new UsageError('wrong usage'));
  expect(process.exitCode).toBe(2);
});
