import { Alert, Group, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { PrizeAnswer, PrizesAnswer } from '../../../src/http/answers/prizes.ts'
import { ExportMenu } from '../parts/export-menu.tsx'
import { Icon } from '../parts/icons.tsx'
import { useSearchFields } from '../parts/search-fields.ts'
import { Empty, Loaded, PageHead } from '../parts/states.tsx'
import { useMay, useRead } from '../session.tsx'
import { formatDistance, formatTime, t } from '../texts.ts'
import { PlayFilters, playFilterNames, queryOf } from './play-filters.tsx'
import { PrizeActions } from './prize-actions.tsx'
import { PrizeState, PrizeTable } from './prize-table.tsx'
import { visibleText } from '../../../src/visible-text.ts'

const states = ['won', 'claimed', 'redeemed', 'cancelled', 'expired'] as const

/** Redeem by code, typed or scanned, or from the list. */
export function Prizes() {
  const may = useMay()
  const { fields, settled, set } = useSearchFields(['code', 'state', ...playFilterNames])
  const { code } = fields
  // Each Enter asks the server, also for the same code.
  const [searches, setSearches] = useState(() => Date.now())
  const state = states.find((one) => one === fields.state)
  const filters = { ...queryOf(settled), state }
  return (
    <>
      <PageHead title={t('nav.prizes')} text={t('prizes.text')}>
        <ExportMenu list="prizes" filters={filters} />
      </PageHead>
      <Stack gap="lg">
        {may.serve ? (
          <Paper>
            <CodeSearch
              code={code}
              onSearch={(value) => {
                set('code', value)
                setSearches((count) => count + 1)
              }}
            />
            {code === '' ? null : <FoundByCode key={searches} code={code} search={searches} />}
          </Paper>
        ) : null}
        <Paper className="card-flush" p={0}>
          <Stack p="md" gap="md">
            <PlayFilters chosen={fields} onChange={set} />
            <SegmentedControl
              className="scrolling-control"
              aria-label={t('prizes.filter')}
              size="sm"
              value={state ?? ''}
              onChange={(value) => set('state', value)}
              data={[
                { value: '', label: t('prizes.all') },
                ...states.map((value) => ({ value, label: t(`prizeState.${value}`) })),
              ]}
            />
          </Stack>
          <PrizeTable filters={filters} name={['prizes', 'list']} refetchInterval={15_000} />
        </Paper>
      </Stack>
    </>
  )
}

function CodeSearch({ code, onSearch }: { code: string; onSearch: (code: string) => void }) {
  const [typed, setTyped] = useState(code)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(typed.trim())
  }
  return (
    <form onSubmit={submit} role="search">
      <TextInput
        label={t('prizes.byCode')}
        description={t('prizes.byCodeHint')}
        placeholder={t('prizes.codePlaceholder')}
        size="md"
        leftSection={<Icon name="search" size={18} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        // A scanner types the code and presses Enter; the next scan replaces it.
        onFocus={(event) => event.currentTarget.select()}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        classNames={{ input: 'mono' }}
      />
    </form>
  )
}

function FoundByCode({ code, search }: { code: string; search: number }) {
  const found = useRead<PrizesAnswer>(
    ['prizes', 'code', code, search],
    `/api/v1/prizes?code=${encodeURIComponent(code)}`,
    { refetchInterval: 15_000 },
  )
  // What was settled before this search, not by this till just now.
  const [finalAtFirst, setFinalAtFirst] = useState<string[] | undefined>()
  if (finalAtFirst === undefined && found.data !== undefined)
    setFinalAtFirst(found.data.prizes.filter(isFinal).map(({ playId }) => playId))
  return (
    <div aria-live="polite">
      <Loaded query={found} rows={2}>
        {(data) =>
          data.prizes.length === 0 ? (
            <Empty icon="search" title={t('prizes.noCode')} text={t('prizes.noCodeText', { code })} />
          ) : (
            <Stack gap="sm" mt="md">
              {data.prizes.map((prize) => (
                <Group
                  key={`${prize.playId} ${prize.playerId}`}
                  justify="space-between"
                  className="found"
                  gap="md"
                >
                  {isFinal(prize) && finalAtFirst?.includes(prize.playId) === true ? (
                    <Alert color="orange" w="100%" icon={<Icon name="warning" size={18} />}>
                      {t('prizes.already', {
                        state: t(`prizeState.${prize.state}`).toLowerCase(),
                        when: formatDistance(prize.settledAt ?? prize.wonAt),
                      })}
                    </Alert>
                  ) : null}
                  <div>
                    <Text fw={650} size="lg">
                      {prize.label}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {t('prizes.wonBy', {
                        player: visibleText(prize.playerId),
                        when: formatTime(prize.wonAt),
                      })}
                    </Text>
                  </div>
                  <Group gap="lg">
                    <PrizeState prize={prize} />
                    <PrizeActions prize={prize} isWide />
                  </Group>
                </Group>
              ))}
            </Stack>
          )
        }
      </Loaded>
    </div>
  )
}

function isFinal({ state }: PrizeAnswer): boolean {
  return state !== 'won' && state !== 'claimed'
}
