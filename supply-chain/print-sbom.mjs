import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { listBundledPackages, listProductionPackages } from './production-packages.mjs';

/**
 * Prints the packages in the container as CycloneDX. `npm sbom --omit=dev` would omit packages that development needs too, such
 * as `graphql`. This script therefore lists all packages with npm and removes those for development only.
 */
const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const everything = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'], { encoding: 'utf8', maxBuffer: 2 ** 27 }),
);
const packages = [...listProductionPackages(), ...(await listBundledPackages())].map((one) => `${one.name}@${one.version}`);
const refs = new Set([`${name}@${version}`, ...packages]);

const bom = {
  ...everything,
  metadata: { ...everything.metadata, component: { ...everything.metadata.component, name } },
  components: everything.components.filter((component) => refs.has(component['bom-ref'])),
  dependencies: everything.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => refs.has(to)) })),
};
const known = new Set(bom.components.map((component) => component['bom-ref']));
const missing = packages.filter((ref) => !known.has(ref));
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
if (missing.length > 0) {
  process.stderr.write(`Not installed, and therefore missing in the output: ${missing.join(', ')}\n`);
  process.exitCode = 1;
}
