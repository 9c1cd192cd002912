/** What became of messages, newest first: without what they say. */
import { Badge, Paper, Select, SimpleGrid, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { MessagesAnswer } from '../../../../src/http/answers/messages.ts'
import { messageKinds } from '../../../../src/messages/message-texts.ts'
import { Pages, usePages } from '../../pages.tsx'
import { CampaignFilter } from '../../parts/campaign-filter.tsx'
import { PlayerFilter } from '../../parts/player-filter.tsx'
import { useKnownCampaigns } from '../../parts/known-campaigns.ts'
import { rangeOf, useSearchFields } from '../../parts/search-fields.ts'
import { Empty } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { DayRange } from '../../parts/time-fields.tsx'
import { useApi } from '../../session.tsx'
import { formatTime, t } from '../../texts.ts'
import { reasonText } from './reason-text.ts'
import { isFiltered } from '../play-filters.tsx'
import { playerPath } from '../players.tsx'

type Message = MessagesAnswer['messages'][number]
const states = ['planned', 'sending', 'sent', 'refused', 'unknown', 'dropped'] as const
const colours = {
  planned: 'gray',
  sending: 'gray',
  sent: 'teal',
  refused: 'red',
  unknown: 'orange',
  dropped: 'gray',
}
const filterNames = ['player', 'campaign', 'kind', 'state', 'from', 'to'] as const
type Chosen = Record<(typeof filterNames)[number], string>

export function MessageLog() {
  const { merchant } = useApi()
  const { fields, settled, set } = useSearchFields(filterNames)
  const { player, campaign, kind, state } = settled
  const filters = { playerId: player.trim(), campaign, kind, state, ...rangeOf(settled) }
  const messages = usePages<MessagesAnswer>(['messages'], 'messages', '/api/v1/messages', filters, {
    refetchInterval: 15_000,
  })
  const known = useKnownCampaigns()
  const nameOf = (slug: string) => known.find((one) => one.campaign === slug)?.name ?? slug
  return (
    <Paper className="card-flush" p={0}>
      <Filters chosen={fields} onChange={set} />
      <Pages query={messages} empty={<NoMessages isSearch={isFiltered(filters)} />}>
        {(items) => (
          <DataTable
            label={t('messages.log')}
            items={items}
            keyOf={({ id }) => id}
            columns={[
              {
                head: t('messages.time'),
                cell: ({ plannedAt, settledAt }) => (
                  <span className="nowrap">{formatTime(settledAt ?? plannedAt)}</span>
                ),
              },
              { head: t('messages.kind'), cell: (one) => t(`messages.kind.${one.kind}`) },
              { head: t('filters.campaign'), cell: (one) => nameOf(one.campaign) },
              {
                head: t('messages.player'),
                cell: ({ playerId }) =>
                  playerId === null ? (
                    '–'
                  ) : (
                    <Link className="row-link wrap-anywhere" href={playerPath(merchant, playerId)}>
                      {playerId}
                    </Link>
                  ),
              },
              { head: t('messages.result'), cell: (message) => <Result message={message} /> },
            ]}
          />
        )}
      </Pages>
    </Paper>
  )
}

function Result({ message: { state, reason, reply, dueAt } }: { message: Message }) {
  const why = reason === null ? '' : reasonText(reason)
  const next = state === 'planned' && dueAt !== null ? t('messages.due', { time: formatTime(dueAt) }) : ''
  const more = [why, reply === null ? '' : `(${reply})`, next].filter((text) => text !== '').join(' ')
  return (
    <>
      <Badge color={colours[state]}>{t(`messages.state.${state}`)}</Badge>
      {more === '' ? null : (
        <Text size="sm" c="dimmed">
          {more}
        </Text>
      )}
    </>
  )
}

function NoMessages({ isSearch }: { isSearch: boolean }) {
  return isSearch ? (
    <Empty icon="mail" title={t('filters.noneFound')} text={t('filters.noneFoundText')} />
  ) : (
    <Empty icon="mail" title={t('messages.none')} text={t('messages.noneText')} />
  )
}

function Filters(props: { chosen: Chosen; onChange: (name: keyof Chosen, value: string) => void }) {
  const { chosen, onChange } = props
  return (
    <SimpleGrid
      component="section"
      cols={{ base: 2, md: 3, xl: 6 }}
      spacing="sm"
      p="md"
      aria-label={t('filters.label')}
    >
      <PlayerFilter chosen={chosen.player} onChange={(player) => onChange('player', player)} />
      <CampaignFilter chosen={chosen.campaign} onChange={(campaign) => onChange('campaign', campaign)} />
      <Select
        label={t('messages.kind')}
        placeholder={t('messages.anyKind')}
        data={messageKinds.map((value) => ({ value, label: t(`messages.kind.${value}`) }))}
        value={chosen.kind === '' ? null : chosen.kind}
        onChange={(kind) => onChange('kind', kind ?? '')}
        clearable
      />
      <Select
        label={t('messages.result')}
        placeholder={t('messages.anyResult')}
        data={states.map((value) => ({ value, label: t(`messages.state.${value}`) }))}
        value={chosen.state === '' ? null : chosen.state}
        onChange={(state) => onChange('state', state ?? '')}
        clearable
      />
      <DayRange from={chosen.from} to={chosen.to} onChange={onChange} />
    </SimpleGrid>
  )
}
