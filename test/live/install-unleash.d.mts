export const ADMIN_TOKEN: string;
export function installUnleash(version: string): string[];
export function environmentOf(databaseUrl: string, port: number): Record<string, string>;
