/** What a service token may do. The console offers the same. */
export const scopes = ['spins', 'links', 'manage', 'events', 'prizes', 'read'] as const
export type Scope = (typeof scopes)[number]
