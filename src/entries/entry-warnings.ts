import type { Campaign } from '../campaigns/campaign.ts'
import type { Queryable } from '../db/database.ts'
import { readVersion } from '../wheels/wheel-versions.ts'
import type { EntrySettings } from './form.ts'

/** What a merchant should know about an entry that is nevertheless allowed. */
export async function warningsOf(
  db: Queryable,
  { campaign, entry, canSendCodes }: { campaign: Campaign; entry: EntrySettings; canSendCodes: boolean },
): Promise<{ code: string; detail: string }[]> {
  const { wheelId, wheelVersion } = campaign
  const version =
    wheelVersion === null ? undefined : await readVersion(db, { wheelId, version: wheelVersion })
  const hasCodes = version?.document.segments.some(({ prize }) => prize.pool !== undefined) === true
  return [
    ...(version === undefined
      ? [{ code: 'wheel_not_published', detail: 'Visitors see nothing until the wheel is published.' }]
      : []),
    ...(hasCodes && entry.verify === 'none'
      ? [
          {
            code: 'codes_without_proof',
            detail:
              'Prizes have codes, but no code proves the addresses: anybody can invent one and win. With `verify: none`, we also tell who types an address whether it has entered.',
          },
        ]
      : []),
    ...(entry.verify === 'code' && !canSendCodes
      ? [{ code: 'mail_missing', detail: 'There is no mail server any more, so no code reaches anybody.' }]
      : []),
  ]
}
