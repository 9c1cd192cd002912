import { type Queryable, statement } from '../../db/database.ts'
import { archiveReadMax } from '../../limits.ts'
import type { SealRange } from './archives.ts'
import { carriedJson } from './carried.ts'

/** The parts of the seals, each as a line of JSON with its rows, in the order in which the seals hash them. */
export async function* readLines(tx: Queryable, range: SealRange): AsyncGenerator<string> {
  await tx.query(statement(declareLines(range)))
  for (;;) {
    const rows = await tx.query(statement<{ line: string }>(`fetch ${archiveReadMax} from archive_lines`))
    for (const { line } of rows) yield line
    if (rows.length < archiveReadMax) return
  }
}

/** The rows of a table that are in the part, as an array of JSON. */
function rowsOf(table: string, { no, from, row }: { no: string; from: string; row: string }): string {
  return `
  coalesce((
    select json_agg(${row} order by ${table}.${no}_no)
    from ${from}
    where ${table}.shard = part.shard
    and ${table}.player_no = part.player_no
    and ${table}.${no}_no > ${no}_from
    and ${table}.${no}_no <= ${no}_to
  ), '[]')`
}

// Gates contain nulls, which mean something.
const playJson = `
    case
      when gates is null and forced_plays.play_no is null then json_strip_nulls(to_json(plays))
      else (
        jsonb_strip_nulls(to_jsonb(plays) - 'gates')
        || jsonb_build_object('gates', gates, 'forced', forced_plays.play_no is not null)
      )::json
    end`

// Numbers only, so they may stand in the text: a cursor takes no parameters.
function declareLines({ merchantId, lastSealNo }: SealRange): string {
  return `
set local timezone = 'UTC';
declare archive_lines no scroll cursor for
select json_build_object(
  'shard', shard,
  'player_no', player_no,
  'seal_no', seal_no,
  'entry_from', entry_from,
  'entry_to', entry_to,
  'play_from', play_from,
  'play_to', play_to,
  'digest', digest,
  'before', case when is_first then ${carriedJson('part')} end,
  'entries', ${rowsOf('ledger_entries', {
    no: 'entry',
    from: 'ledger_entries',
    row: 'json_strip_nulls(to_json(ledger_entries))',
  })},
  'plays', ${rowsOf('plays', {
    no: 'play',
    from: 'plays left join forced_plays using (shard, player_no, play_no)',
    row: playJson,
  })}
)::text as line
from (
  select
    part.shard,
    part.player_no,
    part.seal_no,
    coalesce(lag(part.entry_no) over own, carried.entry_no, 0) as entry_from,
    part.entry_no as entry_to,
    coalesce(lag(part.play_no) over own, carried.play_no, 0) as play_from,
    part.play_no as play_to,
    part.digest,
    row_number() over own = 1 as is_first
  from ledger_seal_parts as part
  left join archived_players as carried
    on carried.shard = part.shard
    and carried.player_no = part.player_no
  where part.merchant_id = ${merchantId}
  and part.seal_no <= ${lastSealNo}
  window own as (partition by part.shard, part.player_no order by part.seal_no)
) as part
order by seal_no, shard, player_no`
}
