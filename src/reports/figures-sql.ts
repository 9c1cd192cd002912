/** The figures of plays and settlements: those of a day, of a campaign, or of both. */
export type Figures = {
  plays: number
  wins: number
  fallbacks: number
  cost: number
  claimed: number
  redeemed: number
  cancelled: number
  expired: number
  /** Redemptions that were taken back. They stay counted in `redeemed`. */
  reversed: number
  /** Prizes that staff had to check, whatever they decided. */
  held: number
  refused: number
}

const settledStates = ['claimed', 'redeemed', 'cancelled', 'expired', 'reversed', 'held', 'refused'] as const
export const figureNames = ['plays', 'wins', 'fallbacks', 'cost', ...settledStates] as const

/** Figures that are summed already, added up. */
export const addedFigures = figureNames
  .map((name) => `sum(${summed(name)})${typeOf(name)} as ${name}`)
  .join(',\n  ')

/** Sums counts into figures. Both sources have the columns of `key`. */
export function sumFigures(key: string, { plays, settlements }: { plays: string; settlements: string }) {
  return `
select
  ${key},
  ${countedFigures.map(([name, sum]) => `coalesce(${sum}, 0)${typeOf(name)} as ${name}`).join(',\n  ')}
from (
  select ${key}, plays, kind <> 'none' as is_win, drawn <> segment as is_fallback, cost, null as state, 0 as settlements
  from (${plays}) as played
  cross join lateral (
    select kind, cost
    from version_segments
    where version_segments.wheel_id = played.wheel_id
    and version_segments.version = played.wheel_version
    and version_segments.segment = played.segment
  ) as won
  union all
  select ${key}, 0, false, false, 0, state, settlements
  from (${settlements}) as settled
) as counted
group by ${key}`
}

const countedFigures: [(typeof figureNames)[number], string][] = [
  ['plays', 'sum(plays)'],
  ['wins', 'sum(plays) filter (where is_win)'],
  ['fallbacks', 'sum(plays) filter (where is_fallback)'],
  ['cost', `sum(plays * ${summed('cost')})`],
  ...settledStates.map((state): [typeof state, string] => [
    state,
    `sum(settlements) filter (where state = '${state}')`,
  ]),
]

/** Costs are decimal numbers: as binary fractions, 0.1 and 0.2 would make 0.30000000000000004. */
function summed(name: (typeof figureNames)[number]): string {
  return name === 'cost' ? 'cost::numeric' : name
}

function typeOf(name: (typeof figureNames)[number]): string {
  return name === 'cost' ? '::double precision' : '::bigint'
}
