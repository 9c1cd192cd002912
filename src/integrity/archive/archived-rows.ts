import type { Queryable } from '../../db/database.ts'
import type { PlayRow } from '../../plays/plays.ts'
import { type ArchivedPlay, readArchiveFile } from './archive-file.ts'
import { readArchives } from './archives.ts'

/** All plays in the archives of a merchant. */
export async function* readArchivedPlays(
  db: Queryable,
  { folder, merchantId }: { folder: string; merchantId: number },
): AsyncGenerator<PlayRow> {
  for (const archive of await readArchives(db, merchantId))
    for await (const { plays } of readArchiveFile(folder, archive))
      for (const play of plays) yield rowOf(play)
}

/** A player's archived entries and plays, as their rows were. */
export async function* readArchivedRows(
  db: Queryable,
  of: { folder: string; merchantId: number; shard: number; playerNo: number },
): AsyncGenerator<{ entry: object } | { play: object }> {
  for (const archive of await readArchives(db, of.merchantId))
    for await (const part of readArchiveFile(of.folder, archive)) {
      if (part.player_no !== of.playerNo || part.shard !== of.shard) continue
      for (const entry of part.entries) yield { entry }
      for (const play of part.plays) yield { play }
    }
}

function rowOf(play: ArchivedPlay): PlayRow {
  return {
    shard: play.shard,
    playerNo: play.player_no,
    merchantId: play.merchant_id,
    playNo: play.play_no,
    playId: play.play_id,
    playerSeed: Buffer.from(play.player_seed.slice('\\x'.length), 'hex'),
    seedKeyId: play.seed_key_id,
    wheelId: play.wheel_id,
    wheelVersion: play.wheel_version,
    drawn: play.drawn,
    segment: play.segment,
    won: play.won,
    fallbackReason: play.fallback_reason ?? null,
    gates: play.gates ?? null,
    campaignId: play.campaign_id ?? 0,
    isForced: play.forced === true,
    code: play.code ?? null,
    claimBefore: play.claim_before === undefined ? null : new Date(play.claim_before),
    createdAt: new Date(play.created_at),
  }
}
