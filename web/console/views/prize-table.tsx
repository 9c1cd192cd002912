/** The prizes that were won, with their state. */
import { Badge, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { PrizeAnswer, PrizesAnswer } from '../../../src/http/answers/prizes.ts'
import { Pages, usePages } from '../pages.tsx'
import { CampaignOf } from '../parts/campaign-of.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useApi } from '../session.tsx'
import { formatDistance, formatTime, t, textOf } from '../texts.ts'
import { isFiltered } from './play-filters.tsx'
import { playerPath } from './players.tsx'
import { PrizeActions } from './prize-actions.tsx'
import { visibleText } from '../../../src/visible-text.ts'

const stateColours = {
  held: 'orange',
  won: 'brand',
  claimed: 'blue',
  redeemed: 'teal',
  cancelled: 'gray',
  expired: 'orange',
  refused: 'gray',
}

export function PrizeTable(props: {
  filters: Record<string, string | undefined>
  name: readonly unknown[]
  refetchInterval?: number
  /** For the list of one player. */
  playerId?: string
}) {
  const { merchant } = useApi()
  const prizes = usePages<PrizesAnswer>(
    props.name,
    'prizes',
    '/api/v1/prizes',
    { playerId: props.playerId, ...props.filters },
    props.refetchInterval === undefined ? {} : { refetchInterval: props.refetchInterval },
  )
  return (
    <Pages
      query={prizes}
      empty={
        isFiltered(props.filters) ? (
          <Empty icon="search" title={t('filters.noneFound')} text={t('filters.noneFoundText')} />
        ) : (
          <Empty icon="prizes" title={t('prizes.none')} text={t('prizes.noneText')} />
        )
      }
    >
      {(items) => (
        <DataTable
          label={t('nav.prizes')}
          items={items}
          keyOf={(prize) => `${prize.playId} ${prize.playerId}`}
          columns={[
            {
              head: t('prizes.prize'),
              cell: (prize) => (
                <div>
                  <Text size="sm" fw={600}>
                    {prize.label}
                  </Text>
                  <CampaignOf campaign={prize.campaign} />
                </div>
              ),
            },
            { head: t('prizes.number'), cell: (prize) => <Shown text={prize.number} /> },
            { head: t('prizes.code'), cell: (prize) => <Shown text={prize.code} /> },
            {
              head: t('prizes.player'),
              cell: (prize) => (
                <Link className="row-link wrap-anywhere" href={playerPath(merchant, prize.playerId)}>
                  {visibleText(prize.playerId)}
                </Link>
              ),
            },
            {
              head: t('prizes.won'),
              cell: (prize) => (
                <span className="nowrap" title={formatTime(prize.wonAt)}>
                  {formatDistance(prize.wonAt)}
                </span>
              ),
            },
            { head: t('prizes.state'), cell: (prize) => <PrizeState prize={prize} /> },
            { head: '', right: true, cell: (prize) => <PrizeActions prize={prize} /> },
          ]}
        />
      )}
    </Pages>
  )
}

/** What the player shows at the till. */
function Shown({ text }: { text: string | null }) {
  return (
    <Text size="xs" className="mono" component="span">
      {text ?? '–'}
    </Text>
  )
}

export function PrizeState({ prize }: { prize: PrizeAnswer }) {
  return (
    <div>
      <Badge color={stateColours[prize.state]}>{textOf(`prizeState.${prize.state}`)}</Badge>
      {prize.claimBefore !== null && prize.state === 'won' ? (
        <Text size="xs" c="dimmed" className="nowrap" mt={2}>
          <span title={formatTime(prize.claimBefore)}>
            {t('prizes.claimBefore', { when: formatDistance(prize.claimBefore) })}
          </span>
        </Text>
      ) : null}
      {prize.heldUntil === null || prize.heldBecause === null ? null : (
        <Text size="xs" c="dimmed" mt={2} title={formatTime(prize.heldUntil)}>
          {t(`check.because.${prize.heldBecause}`)},{' '}
          {t('check.until', { when: formatDistance(prize.heldUntil) })}
        </Text>
      )}
      {prize.state === 'refused' && prize.reason !== null ? (
        <Text size="xs" c="dimmed" mt={2}>
          {textOf(`check.reason.${prize.reason}`)}
        </Text>
      ) : null}
      {prize.settledBy === null ? null : (
        <Text size="xs" c="dimmed" mt={2}>
          {prize.settledBy.replace(/^\w+:/, '')}
          {prize.settledAt === null ? '' : `, ${formatTime(prize.settledAt)}`}
        </Text>
      )}
      {prize.reversedAt === null ? null : (
        <Text size="xs" c="dimmed" mt={2} title={formatTime(prize.reversedAt)}>
          {t('prizes.reversed', { when: formatDistance(prize.reversedAt) })}
        </Text>
      )}
    </div>
  )
}
