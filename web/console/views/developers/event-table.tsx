import { Anchor, Text } from '@mantine/core'
import { Link } from 'wouter'
import type { ShownEvent } from '../../live.ts'
import { DataTable } from '../../parts/table.tsx'
import { useApi } from '../../session.tsx'
import { formatMoment, formatNumber, t } from '../../texts.ts'
import { playerPath } from '../players.tsx'
import { visibleText } from '../../../../src/visible-text.ts'

export function EventTable(props: { events: ShownEvent[]; onOpen: (seq: number) => void }) {
  return (
    <DataTable
      label={t('developers.events')}
      items={props.events}
      keyOf={(event) => event.seq}
      columns={[
        {
          head: t('webhooks.event'),
          cell: (event) => (
            <Anchor
              component="button"
              type="button"
              className="mono"
              fw={600}
              onClick={() => props.onOpen(event.seq)}
              aria-label={t('events.show', { type: event.type, seq: event.seq })}
            >
              {event.type}
            </Anchor>
          ),
        },
        { head: t('events.about'), cell: (event) => <About event={event} /> },
        {
          head: t('ledger.when'),
          cell: (event) => <span className="nowrap">{formatMoment(event.at)}</span>,
        },
        {
          head: t('events.number'),
          right: true,
          cell: (event) => (
            <Text size="sm" c="dimmed" component="span">
              {formatNumber(event.seq)}
            </Text>
          ),
        },
      ]}
    />
  )
}

const factNames = ['amount', 'label', 'reason', 'wheel', 'name', 'url', 'limit']

/** The player, if there is one, and the facts that tell events of a type apart. */
function About({ event: { data } }: { event: ShownEvent }) {
  const { merchant } = useApi()
  const { playerId } = data
  const facts = Object.entries(data).filter(
    ([field, value]) => factNames.includes(field) && (typeof value === 'string' || typeof value === 'number'),
  )
  return (
    <div className="wide-cell wrap-anywhere">
      {typeof playerId === 'string' ? (
        <Anchor component={Link} href={playerPath(merchant, playerId)} size="sm" fw={600} c="inherit">
          {visibleText(playerId)}
        </Anchor>
      ) : null}
      {facts.length === 0 ? null : (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {facts.map(([field, value]) => `${field}: ${String(value)}`).join(' · ')}
        </Text>
      )}
    </div>
  )
}
