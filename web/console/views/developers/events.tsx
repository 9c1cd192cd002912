import { Alert, Badge, Button, Group, Paper, Switch, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { ShownEvent } from '../../live.ts'
import { Pages } from '../../pages.tsx'
import { Icon } from '../../parts/icons.tsx'
import { Empty } from '../../parts/states.tsx'
import { t } from '../../texts.ts'
import { SampleEvent } from '../test-mode/sample-event.tsx'
import { EventDrawer } from './event-drawer.tsx'
import { EventFilters } from './event-filters.tsx'
import { type EventFilter, filterNames, useEventSearch, useFreshEvents } from './event-search.ts'
import { EventTable } from './event-table.tsx'
import { useSearchParams } from '../../parts/search-params.ts'

/** The event log, newest first, with a view of one event. */
export function Events() {
  const [params, setParams] = useSearchParams()
  const [isLive, setLive] = useState(true)
  const [reloads, setReloads] = useState(0)
  const typed = JSON.stringify(filterNames.map((name) => params.get(name) ?? ''))
  const [settled] = useDebouncedValue(typed, 300)
  const set = (name: string, value: string) =>
    setParams(
      (now) => {
        if (value === '') now.delete(name)
        else now.set(name, value)
        return now
      },
      { replace: true },
    )
  return (
    <>
      <Group justify="space-between" align="flex-end" mb="md" gap="sm">
        <Text size="sm" c="dimmed" maw={520}>
          {t('events.text')}
        </Text>
        <FindEvent onFind={(name) => set('event', name)} />
      </Group>
      <SampleEvent />
      <Paper className="card-flush" p={0}>
        <EventFilters chosen={filterOf(typed)} onChange={set} />
        <EventList
          key={`${settled} ${reloads}`}
          filter={filterOf(settled)}
          isLive={isLive}
          onLive={setLive}
          onReload={() => setReloads(reloads + 1)}
          onOpen={(seq) => set('event', String(seq))}
        />
      </Paper>
      <EventDrawer name={params.get('event')} onClose={() => set('event', '')} />
    </>
  )
}

function filterOf(text: string): EventFilter {
  const values = JSON.parse(text) as string[]
  return Object.fromEntries(filterNames.map((name, index) => [name, values[index] ?? ''])) as EventFilter
}

/** Opens an event by its id or number, as a receiver logs it. */
function FindEvent({ onFind }: { onFind: (name: string) => void }) {
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const isName = /^(evt_[\w-]+|[1-9]\d{0,14})$/.test(name.trim())
        setWrong(!isName)
        if (isName) onFind(name.trim())
      }}
    >
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          label={t('events.find')}
          placeholder="evt_… / 4711"
          value={name}
          error={isWrong ? t('events.findWrong') : null}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setWrong(false)
          }}
          maxLength={60}
        />
        <Button type="submit" variant="default" flex="none">
          {t('events.open')}
        </Button>
      </Group>
    </form>
  )
}

/** A search reads at most this many parts of the log by itself while it has found nothing. */
const emptyPagesMax = 10

function EventList(props: {
  filter: EventFilter
  isLive: boolean
  onLive: (isLive: boolean) => void
  onReload: () => void
  onOpen: (seq: number) => void
}) {
  const { filter, isLive } = props
  const search = useEventSearch(filter)
  const pages = search.data?.pages ?? []
  const canBeLive = filter.to === ''
  const { fresh, isFull, isOpen } = useFreshEvents(filter, {
    after: pages[0]?.last,
    isOn: isLive && canBeLive,
  })
  const isSearching =
    pages.length < emptyPagesMax && pages.every((page) => page.items.length === 0) && search.hasNextPage
  const { fetchNextPage, isFetching } = search
  useEffect(() => {
    if (isSearching && !isFetching) void fetchNextPage()
  }, [isSearching, isFetching, fetchNextPage])
  const tableOf = (items: ShownEvent[]) => <EventTable events={[...fresh, ...items]} onOpen={props.onOpen} />
  return (
    <>
      <Group px="md" pb="sm" justify="space-between" gap="sm">
        <Group gap="sm">
          <Switch
            label={t('events.follow')}
            checked={isLive && canBeLive}
            disabled={!canBeLive}
            onChange={(event) => props.onLive(event.currentTarget.checked)}
          />
          {isOpen ? (
            <Badge color="teal" leftSection={<span className="pulse" />}>
              {t('feed.live')}
            </Badge>
          ) : null}
        </Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="refresh" size={14} />}
          onClick={props.onReload}
        >
          {t('events.reload')}
        </Button>
      </Group>
      {isFull ? (
        <Alert variant="light" color="orange" m="md" icon={<Icon name="info" />}>
          {t('events.full', { count: fresh.length })}
        </Alert>
      ) : null}
      <Pages query={search} empty={fresh.length > 0 ? tableOf([]) : <NoEvents filter={filter} />}>
        {tableOf}
      </Pages>
    </>
  )
}

function NoEvents({ filter }: { filter: EventFilter }) {
  return filterNames.some((name) => filter[name] !== '') ? (
    <Empty icon="search" title={t('events.noneFound')} text={t('events.noneFoundText')} />
  ) : (
    <Empty icon="bolt" title={t('events.none')} text={t('events.noneText')} />
  )
}
