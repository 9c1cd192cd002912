import { Badge, Group } from '@mantine/core'
import { Link } from 'wouter'
import type { PlayAnswer, PlaysAnswer } from '../../../src/http/answers/plays.ts'
import { Pages, usePages } from '../pages.tsx'
import { CampaignOf } from '../parts/campaign-of.tsx'
import { Empty } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useApi } from '../session.tsx'
import { formatNumber, formatTime, t, textOf } from '../texts.ts'
import { isFiltered } from './play-filters.tsx'
import { playerPath } from './players.tsx'
import { visibleText } from '../../../src/visible-text.ts'

/** Plays, newest first: of one player with their numbers, or of all players with their names. */
export function PlayTable(props: {
  filters: Record<string, string | undefined>
  name: readonly unknown[]
  refetchInterval?: number
  /** For the list of one player. */
  playerId?: string
}) {
  const { merchant } = useApi()
  const plays = usePages<PlaysAnswer>(
    props.name,
    'plays',
    '/api/v1/plays',
    { playerId: props.playerId, ...props.filters },
    props.refetchInterval === undefined ? {} : { refetchInterval: props.refetchInterval },
  )
  const who = {
    head: t('plays.player'),
    cell: (play: PlayAnswer) => (
      <Link className="row-link wrap-anywhere" href={playerPath(merchant, play.playerId)}>
        {visibleText(play.playerId)}
      </Link>
    ),
  }
  const number = { head: '#', cell: (play: PlayAnswer) => formatNumber(play.playNumber) }
  return (
    <Pages
      query={plays}
      empty={
        isFiltered(props.filters) ? (
          <Empty icon="search" title={t('filters.noneFound')} text={t('filters.noneFoundText')} />
        ) : (
          <Empty icon="wheel" title={t('player.noPlays')} text={t('player.noPlaysText')} />
        )
      }
    >
      {(items) => (
        <DataTable
          label={t('players.plays')}
          items={items}
          keyOf={(play) => `${play.playId} ${play.playerId}`}
          columns={[
            props.playerId === undefined ? who : number,
            {
              head: t('ledger.when'),
              cell: (play) => <span className="nowrap">{formatTime(play.playedAt)}</span>,
            },
            { head: t('plays.outcome'), cell: (play) => <Outcome play={play} /> },
            { head: t('plays.wheel'), cell: (play) => <PlayedWheel play={play} /> },
            {
              head: t('plays.id'),
              cell: (play) => (
                <span className="mono nowrap" title={play.playId}>
                  {play.playId.slice(0, 8)}…
                </span>
              ),
            },
          ]}
        />
      )}
    </Pages>
  )
}

function PlayedWheel({ play }: { play: PlayAnswer }) {
  return (
    <div>
      <span className="nowrap">
        {t('plays.wheelVersion', { wheel: play.wheel, version: play.wheelVersion })}
      </span>
      <CampaignOf campaign={play.campaign} />
    </div>
  )
}

function Outcome({ play }: { play: PlayAnswer }) {
  return (
    <Group gap="xs" wrap="nowrap">
      {play.label}
      {play.won ? <Badge color="teal">{t('plays.won')}</Badge> : null}
      {play.fallbackReason === null ? null : (
        <Badge color="orange">{textOf(`fallback.${play.fallbackReason}`)}</Badge>
      )}
    </Group>
  )
}
