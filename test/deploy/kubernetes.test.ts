import { readdirSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { parseConfig } from '../../src/config.js';
import { readPackage, readText, STOPS_WITHIN_SECONDS, unknownVariables } from './repository.js';

// biome-ignore lint/suspicious/noExplicitAny: a manifest can have any shape; tests inspect it
type Manifest = any;

const folder = 'deploy/kubernetes';
const files = readdirSync(new URL(`../../${folder}`, import.meta.url));
const manifests: Manifest[] = files.flatMap((file) =>
  parseAllDocuments(readText(`${folder}/${file}`)).map((document) => document.toJS()),
);
const findOne = (kind: string): Manifest => manifests.find((manifest) => manifest.kind === kind);
const deployment = findOne('Deployment');
const pod = deployment.spec.template.spec;
const [gateway] = pod.containers;
const read = (name: string): string => gateway.env.find((variable: Manifest) => variable.name === name)?.value;

describe('deploy/kubernetes', () => {
  test.each(manifests.map((manifest) => [manifest.kind, manifest]))(
    '%s matches the schema of its API',
    async (kind, manifest) => {
      const models = await import(`kubernetes-models/${manifest.apiVersion}/${kind}`);
      expect(() => new models[kind](manifest).validate()).not.toThrow();
    },
  );

  test('runs one container, with the version of the package', () => {
    expect(pod.containers).toHaveLength(1);
    expect(gateway.image).toBe(`flag-admin-gateway:${readPackage().version}`);
  });

  test('selectors match the pod, and ports match the gateway', () => {
    const { labels } = deployment.spec.template.metadata;
    expect(labels).toMatchObject(deployment.spec.selector.matchLabels);
    expect(labels).toMatchObject(findOne('Service').spec.selector);
    expect(labels).toMatchObject(findOne('PodDisruptionBudget').spec.selector.matchLabels);
    const ports = gateway.ports.map((port: Manifest) => port.name);
    for (const { targetPort } of findOne('Service').spec.ports) expect(ports).toContain(targetPort);
    for (const probe of [gateway.startupProbe, gateway.livenessProbe, gateway.readinessProbe]) {
      expect(ports).toContain(probe.httpGet.port);
    }
  });

  test('checks liveness without the database, and readiness with it', () => {
    expect(gateway.startupProbe.httpGet.path).toBe('/livez');
    expect(gateway.livenessProbe.httpGet.path).toBe('/livez');
    expect(gateway.readinessProbe.httpGet.path).toBe('/readyz');
  });

  test('rolls out without downtime, and keeps one gateway while nodes are drained', () => {
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(findOne('PodDisruptionBudget').spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    const delay = Number(read('STOP_DELAY_MS')) / 1000;
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + STOPS_WITHIN_SECONDS);
    // Kubernetes removes a pod from the service only after its readiness probe has failed this often.
    const { periodSeconds, failureThreshold } = gateway.readinessProbe;
    expect(delay).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  test('admits connections to the HTTP port only, and from the pods to DNS, PostgreSQL and Unleash', () => {
    const { podSelector, policyTypes, ingress, egress } = findOne('NetworkPolicy').spec;
    const mirror = /^ {2}name: (flag-admin-gateway-mirror)$/m.exec(readText('docs/deployment.md'))?.[1];
    expect(podSelector.matchExpressions).toEqual([
      {
        key: 'app.kubernetes.io/name',
        operator: 'In',
        values: [deployment.spec.template.metadata.labels['app.kubernetes.io/name'], mirror],
      },
    ]);
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    const portsOf = (rules: Manifest[]) =>
      rules.flatMap(({ ports }) => ports.map((port: Manifest) => `${port.protocol} ${port.port}`));
    expect(portsOf(ingress)).toEqual(gateway.ports.map((port: Manifest) => `TCP ${port.name}`));
    expect(portsOf(egress)).toEqual(['UDP 53', 'TCP 53', 'TCP 5432', 'TCP 443']);
  });

  test('requests CPU and memory, and limits memory with room beyond the heap', () => {
    expect(gateway.resources).toMatchObject({
      requests: { cpu: expect.stringMatching(/^\d+m$/), memory: expect.stringMatching(/^\d+Mi$/) },
      limits: { memory: expect.stringMatching(/^\d+Mi$/) },
    });
    const [, heap] = /--max-old-space-size=(\d+)/.exec(read('NODE_OPTIONS')) ?? [];
    expect(Number(heap)).toBeLessThan(0.75 * Number.parseInt(gateway.resources.limits.memory, 10));
  });

  test('runs without root, without capabilities, and on a read-only file system', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
    expect(gateway.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    for (const name of ['hostNetwork', 'hostPID', 'hostIPC', 'volumes']) expect(pod).not.toHaveProperty(name);
  });

  test('sets only variables that the gateway reads, and takes secrets from a Secret', () => {
    const names: string[] = gateway.env.map((variable: Manifest) => variable.name);
    expect(unknownVariables(names)).toEqual([]);
    for (const name of ['DATABASE_URL', 'INIT_ADMIN_API_TOKENS']) {
      const variable = gateway.env.find((found: Manifest) => found.name === name);
      expect(variable).toEqual({ name, valueFrom: { secretKeyRef: { name: 'flag-admin-gateway', key: expect.any(String) } } });
    }
    const environment = Object.fromEntries(names.flatMap((name) => (read(name) === undefined ? [] : [[name, read(name)]])));
    expect(() => parseConfig(environment)).not.toThrow();
  });
});
