import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { unpackCollectors } from './install-debian.mjs';

/**
 * Runs the collectors that Debian has with the files of deploy/collectors: syslog-ng, rsyslog, and the scripts for rsyslog and
 * Splunk. Each reads the log of a running gateway, is stopped, and started again after new events. Then each must have every event
 * once, with its content. Needs Debian on x64 or arm64 and its packages, which it downloads.
 */
const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CONFIGURATIONS = path.join(REPOSITORY, 'deploy/collectors');
const MAIN = path.join(REPOSITORY, 'dist/main.js');
const TIMEOUT_MS = 60_000;
/** An event of this size is cut by the default limits of both collectors. */
const LARGE_DATA_BYTES = 200_000;

const folder = mkdtempSync(path.join(tmpdir(), 'gateway-collectors-'));
const { root, env: libraries } = unpackCollectors();
const env = { PATH: `${path.join(folder, 'bin')}:${process.env.PATH}`, DATA_DIR: path.join(folder, 'data') };
const inFolder = (name) => path.join(folder, name);
let failures = 0;

try {
  await main();
} finally {
  rmSync(folder, { recursive: true });
  rmSync(path.dirname(root), { recursive: true });
}
process.exitCode = failures > 0 ? 1 : 0;

async function main() {
  installCommand();
  const gateway = await startGateway();
  try {
    const collectors = [createSyslogNg(gateway.url), createRsyslog(gateway.url), createSplunk(gateway.url)];
    for (const { name, run, read } of collectors) {
      const first = (await gateway.readLog()).length;
      await run(() => read().length >= first);
      addEvents(first);
      const expected = await gateway.readLog();
      await run(() => read().length >= expected.length);
      report(name, read(), expected);
    }
  } finally {
    await stop(gateway.process);
  }
}

/** Installs the command that the configurations name. */
function installCommand() {
  mkdirSync(inFolder('bin'));
  writeFileSync(inFolder('bin/flag-admin-gateway'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, { mode: 0o755 });
}

/** Starts a gateway with the sample log. */
async function startGateway() {
  const gateway = spawn(process.execPath, [MAIN, 'demo'], { env: { ...env, PORT: '0' }, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  gateway.stderr.on('data', (data) => {
    output += data;
  });
  try {
    await waitUntil('the gateway listens', () => /flaggw_\S+/.test(output));
  } catch (error) {
    await stop(gateway);
    throw error;
  }
  const [url] = /http:\/\/\S+?(?=\s)/.exec(output) ?? [];
  const [token] = /flaggw_\S+/.exec(output) ?? [];
  writeFileSync(inFolder('token'), token);
  return {
    process: gateway,
    url,
    readLog: async () => {
      const response = await fetch(`${url}/v1/events/export`, { headers: { authorization: `Bearer ${token}` } });
      return parseLines(await response.text());
    },
  };
}

/** Adds events to the log of the gateway: one with large data, and some with line breaks and other letters. */
function addEvents(highestId) {
  const texts = [
    'x'.repeat(LARGE_DATA_BYTES),
    'line\nbreak\r\n\ttab',
    'čšž 東京 🚩 \u2028',
    '%s $MESSAGE ${flag.id} \\n "quoted"',
  ];
  const lines = texts.map((text, index) =>
    JSON.stringify({
      id: highestId + index + 1,
      createdAt: new Date().toISOString(),
      type: 'feature-updated',
      createdBy: text.slice(0, 40),
      data: { text },
    }),
  );
  writeFileSync(inFolder('more.ndjson'), lines.join('\n'));
  const data = { ...env, DATA_DIR: `${env.DATA_DIR}-demo` };
  execFileSync(process.execPath, [MAIN, 'import', inFolder('more.ndjson')], { env: data, stdio: 'ignore' });
}

function createSyslogNg(url) {
  const home = createHome('syslog-ng');
  const text = readConfiguration('syslog-ng.conf', url, {
    '/var/lib/syslog-ng': home,
    '/var/log/flag-events': path.join(home, 'output'),
  });
  writeFileSync(path.join(home, 'flag-events.conf'), text);
  writeFileSync(path.join(home, 'main.conf'), `@version: 3.38\n@include "${home}/flag-events.conf"\n`);
  const modules = path.join(root, 'usr/lib/syslog-ng/3.38');
  const files = ['persist-file', 'pidfile', 'control'].map((name) => `--${name}=${path.join(home, name)}`);
  const args = ['--foreground', '--no-caps', `--module-path=${modules}`, `--cfgfile=${home}/main.conf`, ...files];
  return {
    name: 'syslog-ng 3.38',
    read: () => readLines(path.join(home, 'output')),
    run: (isDone) => runUntil(isDone, path.join(root, 'usr/sbin/syslog-ng'), args),
  };
}

/** Runs flag-feed.sh beside rsyslog, as cron would. */
function createRsyslog(url) {
  const home = createHome('rsyslog');
  const input = path.join(home, 'input');
  const output = path.join(home, 'output');
  const places = { '/var/log/flag-events.log': path.join(output, 'events.log'), '/var/log/flag-events/': `${input}/` };
  writeFileSync(path.join(home, 'flag-events.conf'), readConfiguration('rsyslog.conf', url, places));
  writeFileSync(path.join(home, 'main.conf'), `global(workDirectory="${home}")\ninclude(file="${home}/flag-events.conf")\n`);
  const modules = readdirSync(path.join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'));
  const args = [
    '-n',
    '-M',
    path.join(root, 'usr/lib', modules, 'rsyslog'),
    '-f',
    path.join(home, 'main.conf'),
    '-i',
    path.join(home, 'pid'),
  ];
  const script = () => {
    const variables = { GATEWAY_URL: url, GATEWAY_TOKEN_FILE: inFolder('token'), FLAG_FEED_STATE: home, FLAG_FEED_OUTPUT: input };
    execFileSync(path.join(CONFIGURATIONS, 'flag-feed.sh'), {
      env: { ...env, ...variables },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  return {
    name: 'rsyslog 8.2302 with flag-feed.sh',
    read: () => readLines(output),
    run: (isDone) => {
      script();
      return runUntil(isDone, path.join(root, 'usr/sbin/rsyslogd'), args);
    },
  };
}

/** Runs the script as Splunk does at each interval. Splunk itself does not run here. */
function createSplunk(url) {
  const home = createHome('splunk');
  const variables = { GATEWAY_URL: url, GATEWAY_TOKEN_FILE: inFolder('token'), FLAG_FEED_STATE: home };
  const output = path.join(home, 'output');
  return {
    name: 'the script for Splunk',
    read: () => readLines(output),
    run: async () => {
      const text = execFileSync(path.join(CONFIGURATIONS, 'splunk/bin/flag-feed.sh'), {
        env: { ...env, ...variables },
        stdio: ['ignore', 'pipe', 'inherit'],
        maxBuffer: 2 ** 28,
      });
      writeFileSync(path.join(output, 'events'), text, { flag: 'a' });
    },
  };
}

function createHome(name) {
  const home = inFolder(name);
  for (const part of ['input', 'output']) mkdirSync(path.join(home, part), { recursive: true });
  return home;
}

/** Returns a configuration with the places of this run. Each place must be in it. */
function readConfiguration(name, url, places) {
  let text = readFileSync(path.join(CONFIGURATIONS, name), 'utf8');
  const all = text.includes('https://')
    ? { ...places, 'https://gateway.example.com': url, '/run/secrets/gateway-token': inFolder('token') }
    : places;
  for (const [from, to] of Object.entries(all)) {
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}.`);
    text = text.replaceAll(from, to);
  }
  return text;
}

async function runUntil(isDone, program, args) {
  const collector = spawn(program, args, { env: { ...env, ...libraries }, stdio: ['ignore', 'inherit', 'inherit'] });
  try {
    await waitUntil(`${path.basename(program)} has read the log`, isDone);
  } finally {
    await stop(collector);
  }
}

async function waitUntil(what, isTrue) {
  const end = Date.now() + TIMEOUT_MS;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`After ${TIMEOUT_MS / 1000} s: not yet that ${what}.`);
    await delay(200);
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Returns the events that a collector has written so far. */
function readLines(place) {
  if (!existsSync(place)) return [];
  return readdirSync(place).flatMap((name) => parseLines(readFileSync(path.join(place, name), 'utf8')));
}

function parseLines(text) {
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

function report(name, events, expected) {
  const texts = new Map(events.map((event) => [event.id, JSON.stringify(event)]));
  const lost = expected.filter(({ id }) => !texts.has(id)).length;
  const wrong = expected.filter((event) => texts.has(event.id) && texts.get(event.id) !== JSON.stringify(event)).length;
  const twice = events.length - texts.size;
  process.stdout.write(`${name}: ${expected.length} events, ${lost} lost, ${wrong} different, ${twice} twice\n`);
  if (lost + wrong + twice > 0) failures += 1;
}
