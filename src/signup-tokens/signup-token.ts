/** A person or service account that signed up with a token (spec 2.5). */
export interface User {
  readonly id: number;
  readonly name: string | null;
  readonly username: string | null;
  readonly email: string | null;
  readonly imageUrl: string | null;
  readonly loginAttempts: number | null;
  readonly rootRole: number | null;
  readonly seenAt: Date | null;
  readonly createdAt: Date | null;
  readonly isService: boolean;
  readonly permissions: readonly string[];
  readonly scimId: string | null;
}

/** A role (spec 2.6). */
export interface Role {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
}

/** A public signup token as it is stored (spec 2.4). */
export interface SignupToken {
  readonly secret: string;
  readonly url: string | null;
  readonly name: string;
  /** The stored setting. An enabled token may have expired, see `isUsable`. */
  readonly enabled: boolean;
  readonly expiresAt: Date;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly users: readonly User[];
  readonly role: Role;
  /** The time of the first response, if this is the response to a retry. */
  readonly respondedAt?: Date;
}

/** Whether users can sign up with the token (spec 3). An expired token is never usable. */
export function isUsable({ enabled, expiresAt }: SignupToken, now: Date): boolean {
  return enabled && expiresAt > now;
}
