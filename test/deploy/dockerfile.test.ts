import { describe, expect, test } from '@jest/globals';
import { DockerfileParser, type Label } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { readPackage, readText } from './repository.js';

const text = readText('Dockerfile');
const dockerfile = DockerfileParser.parse(text);
const keywords = (wanted: string) => dockerfile.getInstructions().filter((instruction) => instruction.getKeyword() === wanted);
const argumentsOf = (wanted: string) => keywords(wanted).map((instruction) => instruction.getArgumentsContent() ?? '');

describe('the Dockerfile', () => {
  test('has no mistakes', () => {
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  test('builds and runs on one version of Node.js and Debian, which the package supports', () => {
    const images = dockerfile.getFROMs().map((from) => from.getImage() ?? '');
    expect(new Set(images).size).toBe(1);
    const [, major] = /^node:(\d+)\.\d+\.\d+-[a-z]+-slim$/.exec(images[0] ?? '') ?? [];
    const [, least] = /^>=(\d+)\./.exec(readPackage().engines.node) ?? [];
    expect(Number(major)).toBeGreaterThanOrEqual(Number(least));
  });

  test('copies files from the repository only, and runs no scripts of dependencies', () => {
    expect(keywords('ADD')).toEqual([]);
    expect(argumentsOf('RUN').join('\n')).not.toMatch(/curl|wget|https?:/);
    const installs = argumentsOf('RUN').flatMap((command) => command.match(/npm (ci|prune)[^&]*/g) ?? []);
    expect(installs).not.toEqual([]);
    for (const install of installs) expect(install).toContain('--ignore-scripts');
  });

  test('runs without root and without a shell, and has a health check', () => {
    expect(argumentsOf('USER')).toEqual([expect.not.stringMatching(/^(root|0)\b/)]);
    const user = keywords('USER')[0]?.getRange().start.line ?? 0;
    // The user that runs the gateway owns none of its files.
    for (const copy of dockerfile.getCOPYs()) {
      expect(copy.getRange().start.line).toBeLessThan(user);
      expect(copy.getFlags().map((flag) => flag.getName())).not.toContain('chown');
    }
    expect(argumentsOf('CMD')).toEqual([expect.stringMatching(/^\[/)]);
    expect(dockerfile.getHEALTHCHECKs()).toHaveLength(1);
  });

  test('contains every file of the package but its pages, and the license', () => {
    const copied = dockerfile.getCOPYs().flatMap((copy) => copy.getArguments().map((argument) => argument.getValue()));
    const isPage = (name: string) => /\.md$|^docs$|^deploy$/.test(name);
    const files = readPackage().files.filter((name) => !name.startsWith('!') && !isPage(name));
    for (const file of [...files, 'package.json', 'LICENSE']) expect(copied).toContain(`/build/${file}`);
  });

  test('has the labels of the package, and its version unless the build names another one', () => {
    const { name, description, license, version } = readPackage();
    const labels = keywords('LABEL').flatMap((label) => (label as Label).getProperties());
    expect(Object.fromEntries(labels.map((label) => [label.getName(), label.getValue()]))).toEqual({
      'org.opencontainers.image.title': name,
      'org.opencontainers.image.description': description,
      'org.opencontainers.image.licenses': license,
      'org.opencontainers.image.version': '$VERSION',
    });
    expect(argumentsOf('ARG')).toEqual([`VERSION=${version}`]);
  });

  test('contains no secret, and only named files are sent to the builder', () => {
    const names = [...dockerfile.getARGs(), ...dockerfile.getENVs()].flatMap((instruction) =>
      (instruction.getArgumentsContent() ?? '').split(/\s+/).map((pair) => pair.split('=')[0]),
    );
    expect(names.filter((name) => /TOKEN|SECRET|PASSWORD|KEY|DATABASE_URL/.test(name ?? ''))).toEqual([]);
    const rules = readText('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(rules[0]).toBe('*');
    expect(rules).toContain('**/.env*');
    const sent = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1));
    expect(sent.filter((name) => /^(\.git|data|dist|node_modules|\*)/.test(name))).toEqual([]);
    // The files that the image takes from the stage `build` are sent, or built there.
    const taken = dockerfile.getCOPYs().flatMap((copy) => copy.getArguments().map((argument) => argument.getValue()));
    const fromBuild = taken.filter((source) => source.startsWith('/build/')).map((source) => source.split('/')[2] ?? '');
    expect(sent).toEqual(expect.arrayContaining(fromBuild.filter((name) => name !== 'dist')));
    expect(readText('.gitignore').split('\n')).toContain('.env*');
  });
});
