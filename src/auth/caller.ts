import { GatewayError } from '../errors.js';

/** The rights of a token: `VIEWER` reads events, `ADMIN` also creates and reads signup tokens. */
export type Role = 'VIEWER' | 'ADMIN';

/**
 * The events that a caller may see: `all`, or only those of the listed projects. `any project` excludes only the events without a
 * project. The `FindCaller` functions (authenticate.ts) set the scope, and events/restrict.ts applies it to every read.
 */
export type ProjectScope = 'all' | 'any project' | readonly string[];

/** The sender of a request, identified by its token or its session. */
export interface Caller {
  /**
   * Identifies the caller for its budget, its place in the queue for the database, and its idempotency keys. The id names the
   * Unleash user that the token or session belongs to. Without such a user, it is the hash of the token or session. It never
   * leaves the gateway.
   */
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly userId: number | null;
  readonly role: Role;
  readonly projects: ProjectScope;
  /** Null if the token does not expire, and for a token of an Unleash server, because Unleash does not report its expiry. */
  readonly expiresAt: Date | null;
}

/**
 * Requires the ADMIN permission for all projects. A token limited to some projects must not invite a Viewer of all projects.
 * @throws GatewayError PermissionError that names the permission needed
 */
export function requireAdmin(caller: Caller): void {
  const refusal = findAdminRefusal(caller);
  if (refusal) throw refusal;
}

/** Returns the error of `requireAdmin` for a caller, or null if it has the permission. */
export function findAdminRefusal({ role, projects }: Caller): GatewayError | null {
  if (role !== 'ADMIN')
    return new GatewayError('PermissionError', 'This operation needs the ADMIN permission, which you do not have.');
  if (projects === 'all') return null;
  return new GatewayError(
    'PermissionError',
    'This operation needs the ADMIN permission for all projects, but you have it for some only.',
  );
}
