/** What this till has settled since the sign-in, newest first. Signing out empties it with everything else. */
import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { PrizeAnswer } from '../../../../src/http/answers/prizes.ts'
import { visibleText } from '../../../../src/visible-text.ts'
import { useMerchant } from '../../session.tsx'
import { formatClock, t } from '../../texts.ts'
import './till.css'

type Line = { prize: PrizeAnswer; at: string }

const linesMax = 10

export function useSettledHere(): { lines: Line[]; add: (prize: PrizeAnswer) => void } {
  const client = useQueryClient()
  const { merchant } = useMerchant()
  const queryKey = [merchant, 'settled-here']
  // Kept beside what was read from the server, but never read from there.
  const { data: lines } = useQuery<Line[]>({
    queryKey,
    queryFn: () => [],
    enabled: false,
    initialData: [],
    gcTime: Infinity,
  })
  const add = (prize: PrizeAnswer) =>
    client.setQueryData<Line[]>(queryKey, (known = []) =>
      [{ prize, at: new Date().toISOString() }, ...known].slice(0, linesMax),
    )
  return { lines, add }
}

export function SettledHere({ lines }: { lines: Line[] }) {
  if (lines.length === 0) return null
  return (
    <section className="till-lines" aria-labelledby="settled-here">
      <Text id="settled-here" component="h2" size="sm" fw={650}>
        {t('till.lines')}
      </Text>
      <ul>
        {lines.map(({ prize, at }) => (
          <li key={`${prize.playId} ${at}`}>
            <span className="number">{formatClock(at)}</span>
            <span>
              <b>{prize.label}</b> <span className="mono nowrap">{prize.number ?? prize.code}</span>
            </span>
            <span className="wrap-anywhere">{visibleText(prize.playerId)}</span>
            <span>{stateAfter(prize)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A redemption that was taken back leaves a claimed prize. */
function stateAfter({ state, reversedAt }: PrizeAnswer): string {
  return state === 'claimed' && reversedAt !== null ? t('till.takenBack') : t(`prizeState.${state}`)
}
