import { type Queryable, statement } from '../db/database.ts'
import { freeSpinsCheckedAtOnce } from '../free-spin-rule/free-spin-limits.ts'
import { type FreeSpinRule, minutesOf, periodKind } from '../free-spin-rule/free-spin-rule.ts'
import { spinsOf } from '../free-spins/decide-free-spins.ts'

type Terms = {
  shard: number
  playerNo: number
  entryNo: number
  /** Null if the entry is in an archive. */
  key: string | null
  amount: number
  expiresAt: Date | null
  streak: number | null
  /** Null if the player was erased. */
  timeZone: string | null
  /** Null if it is gone. */
  rule: FreeSpinRule | null
}

/**
 * Computes the amount and the expiry of free spins again, by the rule, the streak and the time zone at that time.
 * Entries from before these were kept are left out.
 */
export async function findWrongFreeSpins(tx: Queryable): Promise<object[]> {
  const wrong: object[] = []
  let last = { shard: -2_147_483_648, playerNo: 0, entryNo: 0 }
  for (;;) {
    const page = await tx.query(readTerms, [last.shard, last.playerNo, last.entryNo, freeSpinsCheckedAtOnce])
    wrong.push(...page.filter((entry) => !isRight(entry)))
    if (page.length < freeSpinsCheckedAtOnce) return wrong
    last = page.at(-1) as Terms
  }
}

function isRight({ key, amount, expiresAt, streak, timeZone, rule }: Terms): boolean {
  if (key === null) return true
  const [, kind, period] = /^free-\d+\.(\w+)-(\d+)$/.exec(key) ?? []
  if (rule === null || kind !== periodKind(rule)) return false
  const due = spinsOf(rule, { timeZone: timeZone ?? 'UTC', period: Number(period), streak })
  const isInZone = minutesOf(rule.every) === undefined
  const isExpiryKnown = timeZone !== null || !isInZone
  return amount === due.amount && (!isExpiryKnown || expiresAt?.getTime() === due.expiresAt.getTime())
}

const readTerms = statement<Terms>(`
select
  shard,
  player_no as "playerNo",
  entry_no as "entryNo",
  key,
  amount,
  expires_at as "expiresAt",
  streak,
  time_zone as "timeZone",
  rule
from (
  select *
  from free_spin_terms
  where (shard, player_no, entry_no) > ($1, $2, $3)
  order by shard, player_no, entry_no
  limit $4
) as terms
left join ledger_entries using (shard, player_no, entry_no)
left join free_spin_rules
  on free_spin_rules.merchant_id = ledger_entries.merchant_id
  and free_spin_rules.campaign_id = coalesce(ledger_entries.campaign_id, 0)
  and since = rule_since
order by shard, player_no, entry_no`)
