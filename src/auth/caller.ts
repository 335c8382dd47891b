import { GatewayError } from '../errors.js';

/** What a token may do: `VIEWER` reads events, `ADMIN` also creates and reads signup tokens. */
export type Role = 'VIEWER' | 'ADMIN';

/**
 * Whose events a caller sees: `all` of them, those of `any project` but not those without one, or those of the projects listed.
 */
export type ProjectScope = 'all' | 'any project' | readonly string[];

/** Who sends a request, as its token tells. */
export interface Caller {
  /** Stands for the token by which the caller is known: its hash. Never leaves the gateway. */
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly userId: number | null;
  readonly role: Role;
  readonly projects: ProjectScope;
  /** Aborted once nobody waits for the answer to this request any more. */
  readonly signal?: AbortSignal;
}

/** @throws GatewayError PermissionError that names the permission needed */
export function requireRole(caller: Caller, needed: Role): void {
  if (caller.role === needed || caller.role === 'ADMIN') return;
  throw new GatewayError('PermissionError', `This needs the ${needed} permission, which your API token does not have.`);
}

/** For what concerns the whole service: a token limited to projects must not reach beyond them by inviting a Viewer of all. */
export function requireAllProjects(caller: Caller): void {
  if (caller.projects === 'all') return;
  throw new GatewayError(
    'PermissionError',
    'This needs the ADMIN permission for all projects; your API token is limited to some.',
  );
}
