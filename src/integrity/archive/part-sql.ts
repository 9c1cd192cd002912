/** Parts of a file, as a parameter in JSON. */
export const partsGiven = `
json_to_recordset($1::json) as part (
  shard int, player_no bigint, seal_no int, entry_from int, entry_to int, play_from int, play_to int, digest bytea,
  entries json, plays json
)`

/** The rows of a part, under the names of their tables. */
export const archivedEntries = 'json_populate_recordset(null::ledger_entries, part.entries) as ledger_entries'
export const archivedPlays = 'json_populate_recordset(null::plays, part.plays) as plays'
/** Marks of forced plays are in a table of their own; in a file, the play itself has the mark. */
export const archivedMarks =
  'json_to_recordset(part.plays) as mark (play_no int, won boolean, forced boolean)'
