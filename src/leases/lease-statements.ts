/**
 * Parts of statements on a table with `lease_owner` and `lease_until`. $1 is the owner, $2 are the keys, $3 the
 * milliseconds.
 */
export const renewOwn = (key: string) => `
set lease_until = now() + $3 * interval '1 millisecond'
where ${key} = any($2::int[])
and lease_owner = $1
returning ${key} as key`

/** Any process can claim them at once, but those that wait for longer come first. */
export const releaseOwn = (key: string) => `
set lease_owner = null, lease_until = now()
where ${key} = any($2::int[])
and lease_owner = $1`

/** The condition that no process holds a row, also not the one that asks. */
export const isFree = (table: string) => `(${table}.lease_owner is null or ${table}.lease_until <= now())
  and ${table}.lease_owner is distinct from $1`
