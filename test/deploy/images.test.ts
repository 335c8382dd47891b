import { describe, expect, test } from '@jest/globals';
import { DockerfileParser } from 'dockerfile-ast';
import { readPackage, readText } from './repository.js';

const FILES = ['deploy/compose.yaml', 'deploy/kubernetes/gateway.yaml', 'docs/deployment.md', 'docs/operations.md'];
const DOCS = FILES.filter((file) => file.endsWith('.md'));

/** The full version of each image: PostgreSQL has versions of two numbers. */
const FULL_VERSION: Readonly<Record<string, RegExp>> = {
  node: /^\d+\.\d+\.\d+-bookworm-slim$/,
  postgres: /^\d+\.\d+-bookworm$/,
  'flag-admin-gateway': /^\d+\.\d+\.\d+$/,
};

/** The version in the example of an upgrade in docs/deployment.md: the migration, the build and the rollout name it. */
const NEXT_VERSION = '0.2.0';

/** Returns the images that these files name: `FROM …`, `image: …`, `--image=…`, and the arguments of commands of Docker. */
function findImages(): string[] {
  const froms = DockerfileParser.parse(readText('Dockerfile')).getFROMs();
  const named = FILES.flatMap((file) =>
    [...readText(file).matchAll(/(?:\bimage: |--image=|gateway=)(\S+)/g)].map(([, image = '']) => image),
  );
  const commands = DOCS.flatMap(
    (file) => readText(file).match(/^docker (?:build|run|pull|image inspect) (?:.*\\\n)*.*$/gm) ?? [],
  );
  const used = commands.map((command) => {
    const known = /(?:^| )((?:node|postgres|flag-admin-gateway)(?::\S+)?)(?= node |$| \.$)/m;
    return known.exec(command.replaceAll(/ --name \S+/g, '').replaceAll(' \\\n', ''))?.[1] ?? command;
  });
  return [...froms.map((from) => from.getImage() ?? ''), ...named, ...used];
}

describe('images', () => {
  const images = findImages();

  test('of the Dockerfile, of deploy and of the pages are all found', () => {
    for (const name of Object.keys(FULL_VERSION)) expect(images).toContainEqual(expect.stringMatching(new RegExp(`^${name}:`)));
    expect(images.length).toBeGreaterThan(15);
  });

  test.each([...new Set(images)])('%s → no tag that moves', (image) => {
    const [, name = '', tag = ''] = /^(?:[\w.]+\/)?([\w-]+):([\w.-]+)(?:@sha256:…)?$/.exec(image) ?? [];
    expect(`${name}:${tag}`).toMatch(/^[\w-]+:[\w.-]+$/);
    expect(tag).toMatch(FULL_VERSION[name] ?? /^no other image$/);
  });

  test('none has a digest that was not read from an image', () => {
    for (const file of ['Dockerfile', ...FILES]) expect(readText(file)).not.toMatch(/sha256:[0-9a-f]/);
  });

  test('of the gateway have the version of the package, except in the example of an upgrade', () => {
    const versions = images.filter((image) => /(^|\/)flag-admin-gateway:/.test(image)).map((image) => image.split(':')[1]);
    const stale = versions.filter((version) => version !== readPackage().version);
    expect(stale).toEqual([NEXT_VERSION, NEXT_VERSION, NEXT_VERSION]);
  });
});
