import { Anchor, Badge, Group, Paper, Text, Title } from '@mantine/core'
import { useRef } from 'react'
import { Link } from 'wouter'
import type { PlayAnswer, PlaysAnswer } from '../../../../src/http/answers/plays.ts'
import { Empty, Loaded } from '../../parts/states.tsx'
import { useLiveEvents } from '../../live.ts'
import { useApi, useRead } from '../../session.tsx'
import { formatDistance, t } from '../../texts.ts'
import { playerPath } from '../players.tsx'
import { visibleText } from '../../../../src/visible-text.ts'

/** The newest plays, live. */
export function LiveFeed() {
  const { merchant } = useApi()
  const refetch = useRef<() => void>(undefined)
  const isLive = useLiveEvents({ types: 'play.completed' }, () => refetch.current?.())
  const plays = useRead<PlaysAnswer>(['plays', 'newest'], '/api/v1/plays?limit=8', {
    // The stream announces every play. Polling covers a stream that died silently.
    refetchInterval: isLive ? 120_000 : 15_000,
  })
  refetch.current = () => void plays.refetch({ cancelRefetch: false })
  const known = useRef<Set<string> | null>(null)
  const isNew = (play: PlayAnswer) => known.current !== null && !known.current.has(play.playId)
  const shown = plays.data?.plays.map((play) => ({ ...play, isNew: isNew(play) }))
  if (plays.data !== undefined) known.current = new Set(plays.data.plays.map((play) => play.playId))
  return (
    <Paper component="section" aria-labelledby="feed-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="feed-title">
          {t('feed.title')}
        </Title>
        <Badge color={isLive ? 'teal' : 'gray'} leftSection={<span className="pulse" />}>
          {isLive ? t('feed.live') : t('feed.soon')}
        </Badge>
      </Group>
      <Loaded query={plays}>
        {() =>
          shown === undefined || shown.length === 0 ? (
            <Empty icon="wheel" title={t('player.noPlays')} text={t('feed.none')} />
          ) : (
            <ul className="feed">
              {shown.map((play) => (
                <li key={`${play.playId} ${play.playerId}`} data-new={play.isNew}>
                  <Text size="sm" style={{ flex: 1, minWidth: 0 }} truncate>
                    <Anchor component={Link} href={playerPath(merchant, play.playerId)} fw={600} c="inherit">
                      {visibleText(play.playerId)}
                    </Anchor>{' '}
                    <Text component="span" size="sm" c="dimmed">
                      {play.label}
                    </Text>
                  </Text>
                  {play.won ? <Badge color="orange">{t('plays.won')}</Badge> : null}
                  <Text size="xs" c="dimmed" className="nowrap">
                    {formatDistance(play.playedAt)}
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Paper>
  )
}
