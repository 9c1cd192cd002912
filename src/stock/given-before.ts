/**
 * What a row of `pace_runs` had given before a moment, and not got back. While a run lasts, staff learn that of whole
 * past days only: whoever knew the rest could play when a unit is free.
 */
export function givenBefore(moment: string): string {
  return `(${unitBefore('award', moment)} - ${unitBefore('return', moment)})`
}

/** The number of the last unit that was given, or came back. Read backwards from the last entry. */
export function unitBefore(kind: 'award' | 'return', moment: string): string {
  return `(
          case
            when pace_runs.${kind === 'award' ? 'awards' : 'returned'} = 0 then 0
            else coalesce((
              select unit
              from pace_entries
              where pace_entries.merchant_id = pace_runs.merchant_id
              and pace_entries.wheel_id = pace_runs.wheel_id
              and pace_entries.prize_id = pace_runs.prize_id
              and pace_entries.run = pace_runs.run
              and kind = '${kind}'
              and at < ${moment}
              order by entry_no desc
              limit 1
            ), 0)
          end
        )`
}
