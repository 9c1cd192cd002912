import { type Queryable, statement } from '../database.ts'

/**
 * Moves tables, and gives them back the privileges that they had: Wheelhouse's role may not change the ledger. Citus
 * forgets those of the owner when it makes a table anew, also of tables with a foreign key to the moved one. It does
 * not put them on the shards of `spread` either.
 */
export async function keepGrants(
  tx: Queryable,
  move: () => Promise<unknown>,
  spread?: string,
): Promise<void> {
  const before = await tx.query(readAll)
  await move()
  const after = new Set((await tx.query(readAll)).map(({ text }) => text))
  for (const { table, text } of before) {
    const isSpread = spread !== undefined && (table === spread || table.startsWith(`${spread}_`))
    if (isSpread || !after.has(text)) await tx.query(statement(text))
  }
}

/** Shards that Citus has moved to another machine are without them. Servers may go on. */
export async function repeatGrants(tx: Queryable): Promise<void> {
  for (const { text } of await tx.query(readAll)) await tx.query(statement(text))
}

const readAll = statement<{ table: string; text: string }>(`
with own as (
  select oid, oid::regclass::text as name, relowner, relacl
  from pg_class
  where relkind in ('r', 'p')
  and relnamespace = current_schema()::regnamespace
), given as (
  select oid, grantee, string_agg(privilege_type, ', ') as privileges
  from own, aclexplode(relacl)
  group by oid, grantee
  union all
  select own.oid, grantee, privilege_type || ' (' || string_agg(quote_ident(attname), ', ') || ')'
  from own
  join pg_attribute on attrelid = own.oid,
    aclexplode(attacl)
  group by own.oid, grantee, privilege_type
)
select
  name as table,
  format('revoke all on %s from %s; ', name, relowner::regrole) || string_agg(
    format(
      'grant %s on %s to %s', privileges, name, case when grantee = 0 then 'public' else grantee::regrole::text end
    ),
    '; '
    order by grantee, privileges
  ) as text
from own
join given using (oid)
group by name, relowner`)
