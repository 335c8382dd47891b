import { CHECKS } from './checks.mjs';
import { conform } from './conform.mjs';
import { readReasons } from './differences.mjs';
import { parseOptions } from './options.mjs';

const tell = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @type {(findings: import('./conform.mjs').Findings) => Promise<void>} */
async function report({ sent, explained, unexplained, left }) {
  const reasons = await readReasons();
  const total = [...sent.values()].reduce((sum, count) => sum + count, 0);
  tell(`${total} requests, ${unexplained.length} unexplained differences. Requests by subject:`);
  for (const [name, count] of sent)
    tell(`  ${String(count).padStart(4)} ×  ${name}${count === 0 ? ', left out by the options' : ''}`);
  tell('Differences that docs/differences.md explains:');
  for (const [reason, count] of [...explained].sort(([a], [b]) => a.localeCompare(b)))
    tell(`  ${String(count).padStart(4)} ×  ${reason.padEnd(24)} ${reasons.get(reason)}`);
  if (left > 0) tell(`The peer could not disable ${left} of the created signup tokens.`);
  for (const found of unexplained) tell(describe(found));
}

/** @param {import('./conform.mjs').Unexplained} found */
function describe({ request: { method, path, role, headers, body }, difference }) {
  const side = (/** @type {unknown} */ value) => withoutSecrets(JSON.stringify(value) ?? 'absent').slice(0, 300);
  const sent = [
    `\n${method} ${path.slice(0, 500)}`,
    role && `as ${role}`,
    headers && JSON.stringify(headers),
    body?.toString().slice(0, 200),
  ].filter(Boolean);
  return `${withoutSecrets(sent.join(' '))}\n  ${difference.path}\n    peer     ${side(difference.peer)}\n    gateway  ${side(difference.gateway)}`;
}

/** Removes secrets, because the report can reach other people. @param {string} text */
function withoutSecrets(text) {
  return text.replaceAll(/\b[0-9a-f]{32}\b/g, '<secret>');
}

try {
  const options = parseOptions();
  if (options) {
    const interruption = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'])
      process.once(signal, () => interruption.abort(new Error('The check was interrupted.')));
    const findings = await conform(options, CHECKS, interruption.signal);
    await report(findings);
    process.exitCode = findings.unexplained.length > 0 || findings.left > 0 ? 1 : 0;
  }
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 2;
}
