import { Anchor, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'wouter'
import type { ShownEvent } from '../../live.ts'
import { CopyText } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/states.tsx'
import { useApi, useRead } from '../../session.tsx'
import { formatMoment, t } from '../../texts.ts'
import { playerPath } from '../players.tsx'
import { EventDeliveries } from './event-deliveries.tsx'
import { visibleJson, visibleText } from '../../../../src/visible-text.ts'

/** One event, by its id or number: its payload, what it is about, and how it was delivered. */
export function EventDrawer({ name, onClose }: { name: string | null; onClose: () => void }) {
  return (
    <Drawer
      opened={name !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={<Text fw={650}>{t('events.one')}</Text>}
    >
      {name === null ? null : <OneEvent key={name} name={name} />}
    </Drawer>
  )
}

function OneEvent({ name }: { name: string }) {
  const event = useRead<ShownEvent>(['event', name], `/api/v1/events/${encodeURIComponent(name)}`, {
    staleTime: 60_000,
  })
  return (
    <Loaded query={event}>
      {(found) => (
        <Stack>
          <div>
            <Title order={2} className="mono wrap-anywhere">
              {found.type}
            </Title>
            <Text size="sm" c="dimmed">
              {t('events.facts', { seq: found.seq, time: formatMoment(found.at) })}
            </Text>
          </div>
          <Links event={found} />
          <CopyText text={visibleJson(found, 2)} label={t('events.payload')} />
          <EventDeliveries event={found} />
        </Stack>
      )}
    </Loaded>
  )
}

/** What the event is about, where the console has a page for it. */
function Links({ event: { data } }: { event: ShownEvent }) {
  const { merchant } = useApi()
  const { playerId, playId, prizeId, wheel } = data
  const links: [text: string, href: string][] = []
  if (typeof playerId === 'string') {
    const path = playerPath(merchant, playerId)
    links.push([t('events.toPlayer', { player: visibleText(playerId) }), path])
    if (typeof playId === 'string' && typeof prizeId === 'string')
      links.push([t('events.toPrize'), `${path}?tab=wins`])
    else if (typeof playId === 'string') links.push([t('events.toPlays'), `${path}?tab=plays`])
  }
  if (typeof wheel === 'string')
    links.push([t('events.toWheel', { wheel }), `/m/${merchant}/wheels/${encodeURIComponent(wheel)}`])
  if (typeof data.webhookId === 'string')
    links.push([t('developers.webhooks'), `/m/${merchant}/developers?tab=webhooks`])
  if (typeof data.tokenId === 'string') links.push([t('developers.tokens'), `/m/${merchant}/developers`])
  if (links.length === 0) return null
  return (
    <Group gap="md">
      {links.map(([text, href]) => (
        <Anchor key={href} component={Link} href={href} size="sm" className="wrap-anywhere">
          {text}
        </Anchor>
      ))}
    </Group>
  )
}
