import { describe, expect, test } from '@jest/globals';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { isUnwritable, lacksPrivilege } from '../../src/database/error-causes.js';
import { Prisma } from '../../src/generated/prisma/client.js';
import { toGatewayError } from '../../src/to-gateway-error.js';

type Payload = ConstructorParameters<typeof DriverAdapterError>[0];

/** Returns an error of Prisma's driver adapter in two forms: bare as in a transaction, and wrapped by Prisma. */
function bothForms(payload: Payload): [string, Error][] {
  const bare = new DriverAdapterError(payload);
  const meta = { driverAdapterError: bare };
  return [
    ['bare', bare],
    ['wrapped', new Prisma.PrismaClientKnownRequestError('Raw query failed.', { code: 'P2010', clientVersion: '7', meta })],
  ];
}

const postgres = (code: string): Payload => ({
  kind: 'postgres',
  code,
  originalCode: code,
  severity: 'ERROR',
  message: 'a message of PostgreSQL',
  detail: undefined,
  column: undefined,
  hint: undefined,
});

describe('an error of the driver adapter', () => {
  test.each<[Payload, string]>([
    [{ kind: 'ConnectionClosed' }, 'ServiceUnavailableError'],
    [{ kind: 'SocketTimeout' }, 'ServiceUnavailableError'],
    [{ kind: 'TooManyConnections', cause: 'sorry' }, 'ServiceUnavailableError'],
    [{ kind: 'DatabaseNotReachable' }, 'ServiceUnavailableError'],
    [postgres('57P01'), 'ServiceUnavailableError'],
    [postgres('42501'), 'NotSupportedHereError'],
    [postgres('42P01'), 'InternalError'],
    [{ kind: 'TableDoesNotExist', table: 'events' }, 'InternalError'],
  ])('%j → %s', (payload, name) => {
    for (const [form, error] of bothForms(payload)) expect([form, toGatewayError(error).name]).toEqual([form, name]);
  });

  test('42501 → lacksPrivilege; 25006 → isUnwritable', () => {
    for (const [, error] of bothForms(postgres('42501'))) expect(lacksPrivilege(error)).toBe(true);
    for (const [, error] of bothForms(postgres('25006'))) expect(isUnwritable(error)).toBe(true);
  });
});
