/**
 * The tables with rows of players, by `shard`. Rows of one shard are on one machine, in all of them. Of `event_pages`,
 * the partitions follow.
 */
export const shardedTables = [
  'players',
  'ledger_entries',
  'plays',
  'event_pages',
  'player_purses',
  'player_prizes',
  'player_free_spins',
  'player_weeks',
  'erased_ids',
  'free_spin_terms',
  'prize_settlements',
  'prize_holds',
  'forced_plays',
  'spin_lots',
  'carried_lots',
  'visits',
  'link_keys',
  'link_list_players',
  'visitor_entries',
  'entry_answers',
  'entry_consents',
  'mails',
  'ledger_seal_parts',
  'archived_keys',
  'archived_players',
  'archived_purses',
]

/** Small tables that are joined with those of players, and are copied to every machine. */
export const copiedTables = [
  'merchants',
  'wheels',
  'wheel_versions',
  'version_segments',
  'campaigns',
  'revoked_links',
  'ledger_seals',
]

/** Names a statement's use of a table with rows of players. */
export const usesShards = new RegExp(`\\b(${shardedTables.join('|')}|event_pages_\\w+)\\b`)

/**
 * The number of a page of events: a time. Each machine would have a sequence of its own, whose numbers would not rise
 * when a shard moves.
 */
export const pageNumberByTime = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'
