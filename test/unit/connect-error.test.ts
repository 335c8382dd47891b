import { expect, test } from '@jest/globals';
import { toConnectError } from '../../src/database/connect-error.js';

const URL = 'postgresql://user:hunter2@db.example.com:6432/gateway';
const failed = (message: string, code?: string) => Object.assign(new Error(message), { code });

/** Failures that a test cannot cause on every machine. The other tests cause theirs at a server. */
test.each<[Error, RegExp]>([
  [
    failed('timeout expired'),
    /^The server at db\.example\.com:6432 does not respond\. Check the host and the port in DATABASE_URL, /,
  ],
  [failed('connect ETIMEDOUT', 'ETIMEDOUT'), /^The server at \S+ does not respond\./],
  [failed('connect EHOSTUNREACH', 'EHOSTUNREACH'), /^The server at \S+ does not respond\./],
  [failed('getaddrinfo EAI_AGAIN', 'EAI_AGAIN'), /^The host db\.example\.com is unknown\./],
  [failed('connect EACCES', 'EACCES'), /^This user may not open the socket db\.example\.com:6432\. /],
  [failed('certificate has expired', 'CERT_HAS_EXPIRED'), /^The certificate of the server at \S+ has expired\. Renew it/],
  [
    failed('unable to verify', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    /^The gateway does not trust the certificate of the server at /,
  ],
  [
    failed('write EPROTO 00:error:0A00041B:SSL routines:ssl3_read_bytes:../deps/openssl/rec_layer_s3.c', 'EPROTO'),
    /^TLS with the server at \S+ failed \(EPROTO\)\. Check the server's TLS settings, and sslcert and sslkey in DATABASE_URL\.$/,
  ],
  [failed('alert unknown ca', 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), /failed \(ERR_SSL_TLSV1_ALERT_UNKNOWN_CA\)\./],
  [
    failed('sorry, too many clients already', '53300'),
    /^The server at \S+ has no free connection\. Lower DATABASE_POOL_SIZE, or raise max_connections/,
  ],
  [failed('the database system is starting up', '57P03'), /^The server at \S+ is starting or stopping\. Try again/],
  [
    failed('no pg_hba.conf entry for host "::1", user "user", database "gateway", SSL encryption', '28000'),
    /has no rule in its pg_hba\.conf that lets the user user connect to the database gateway/,
  ],
  [
    failed('unsupported startup parameter: statement_timeout', '08P01'),
    /^The pooler at \S+ rejects the settings of a connection\. Set DATABASE_DIRECT_URL /,
  ],
  [failed('no such database: gateway', '08P01'), /^The pooler at \S+ does not know the database gateway\. /],
  [
    failed('connection is insecure (try using `sslmode=require`)', '28000'),
    /^The server at \S+ requires TLS\. Add sslmode=verify-full to DATABASE_URL /,
  ],
  [failed('etwas anderes', 'XX999'), /^The server at \S+, which DATABASE_URL names, rejects the gateway: etwas anderes$/],
  [
    new AggregateError([failed('connect ECONNREFUSED ::1:6432', 'ECONNREFUSED'), failed('other')]),
    /^Nothing listens at db\.example\.com:6432\. /,
  ],
])('%s → a sentence without the password', (cause, sentence) => {
  const error = toConnectError(cause, URL, 'DATABASE_URL');
  expect(error.message).toMatch(sentence);
  expect(error.message).not.toMatch(/hunter2|openssl/);
});
