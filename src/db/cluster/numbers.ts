import { type Database, type Queryable, statement } from '../database.ts'
import { pageNumberByTime } from './tables.ts'

/**
 * Makes the numbers of new rows ones that Citus can move: it never gives back a table with an identity column. Such a
 * column gets a default from a sequence, under the same name.
 */
export async function numberForCluster(tx: Queryable): Promise<void> {
  await tx.query(replaceIdentities)
  await tx.query(numberByTime)
}

/** Undoes `numberForCluster`. New numbers are above all that the machines of the cluster have given. */
export async function numberForOneMachine(tx: Queryable): Promise<void> {
  await tx.query(restoreIdentities)
  await tx.query(numberBySequence)
}

/**
 * Each machine has its own range of player numbers, by its group. A database that was distributed before has numbers in
 * that range already.
 */
export async function skipUsedNumbers(db: Database): Promise<void> {
  const used = await db.longTransaction((tx) => tx.query(readUsedNumbers))
  for (const { groupId, last } of used)
    await db.query(onWorkers, [
      `select setval('players_player_no_seq', greatest(last_value, ${last}))
       from players_player_no_seq, pg_dist_local_group
       where groupid = ${groupId}`,
    ])
}

export const replaceIdentities = statement(`
do $$
declare
  numbered record;
  last_number bigint;
  was_used boolean;
begin
  for numbered in
    select
      attrelid::regclass as relation,
      quote_ident(attname) as attribute,
      pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence,
      format_type(atttypid, null) as type
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where attidentity <> ''
    and relnamespace = current_schema()::regnamespace
    and pg_class.oid not in (select logicalrelid from pg_dist_partition)
  loop
    execute format('select last_value, is_called from %s', numbered.sequence) into last_number, was_used;
    execute format('alter table %s alter column %s drop identity', numbered.relation, numbered.attribute);
    execute format(
      'create sequence %s as %s owned by %s.%s',
      numbered.sequence, numbered.type, numbered.relation, numbered.attribute
    );
    perform setval(numbered.sequence::regclass, last_number, was_used);
    execute format(
      'alter table %s alter column %s set default nextval(%L)',
      numbered.relation, numbered.attribute, numbered.sequence
    );
  end loop;
end
$$`)

// An identity's sequence is named after its table and column. That of the pages is not.
const restoreIdentities = statement(`
do $$
declare
  numbered record;
  last_number bigint;
begin
  for numbered in
    select
      attrelid::regclass as relation,
      quote_ident(attname) as attribute,
      pg_get_serial_sequence(attrelid::regclass::text, attname) as sequence
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where relkind = 'r'
    and relnamespace = current_schema()::regnamespace
    and atthasdef
    and not attisdropped
    and to_regclass(relname || '_' || attname || '_seq')
      = pg_get_serial_sequence(attrelid::regclass::text, attname)::regclass
  loop
    execute format(
      'select greatest((select max(%s) from %s), (select last_value from %s))',
      numbered.attribute, numbered.relation, numbered.sequence
    ) into last_number;
    execute format('alter table %s alter column %s drop default', numbered.relation, numbered.attribute);
    execute format('drop sequence %s', numbered.sequence);
    execute format(
      'alter table %s alter column %s add generated always as identity (start with %s)',
      numbered.relation, numbered.attribute, last_number + 1
    );
  end loop;
end
$$`)

const numberByTime = statement(`
alter table event_pages
alter column page_no set default ${pageNumberByTime}`)

// With its type, because on a cluster the plain call is replaced by the time.
const numberBySequence = statement(`
alter table event_pages
alter column page_no set default nextval('event_page_numbers'::regclass);
select setval('event_page_numbers', greatest(max(page_no), (select last_value from event_page_numbers)))
from event_pages`)

const readUsedNumbers = statement<{ groupId: string; last: string }>(`
select (player_no >> 48)::text as "groupId", max(player_no)::text as last
from players
where player_no >= 1::bigint << 48
group by 1`)

const onWorkers = statement(`
select run_command_on_workers($1)`)
