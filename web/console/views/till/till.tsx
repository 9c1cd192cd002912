/** Redeem by code, typed or scanned, and what this till has settled. */
import { Alert, Group, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { PrizeAnswer, PrizesAnswer } from '../../../../src/http/answers/prizes.ts'
import { visibleText } from '../../../../src/visible-text.ts'
import { Icon } from '../../parts/icons.tsx'
import { Empty, Loaded } from '../../parts/states.tsx'
import { useRead } from '../../session.tsx'
import { formatDistance, formatTime, t } from '../../texts.ts'
import { PrizeActions } from '../prize-actions.tsx'
import { PrizeState } from '../prize-table.tsx'
import { CodeSearch } from './code-search.tsx'
import { SettledHere, useSettledHere } from './settled-here.tsx'

export function Till({ code, onSearch }: { code: string; onSearch: (code: string) => void }) {
  const [typed, setTyped] = useState(code)
  // Each Enter asks the server, also for the same code.
  const [searches, setSearches] = useState(() => Date.now())
  const field = useRef<HTMLInputElement>(null)
  const settled = useSettledHere()
  const search = (value: string) => {
    setTyped(value)
    onSearch(value.trim())
    setSearches((count) => count + 1)
    if (field.current === document.activeElement) field.current?.select()
  }
  // The next code replaces the one in the field.
  const backToField = () => {
    field.current?.focus()
    field.current?.select()
  }
  return (
    <>
      <CodeSearch ref={field} typed={typed} onType={setTyped} onSearch={search} />
      {code === '' ? null : (
        <FoundByCode
          key={searches}
          code={code}
          search={searches}
          onSettled={settled.add}
          onClosed={backToField}
        />
      )}
      <SettledHere lines={settled.lines} />
    </>
  )
}

type Settling = { onSettled: (prize: PrizeAnswer) => void; onClosed: () => void }

function FoundByCode({ code, search, ...settling }: Settling & { code: string; search: number }) {
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
                <Found
                  key={`${prize.playId} ${prize.playerId}`}
                  prize={prize}
                  isWarned={finalAtFirst?.includes(prize.playId) === true}
                  {...settling}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </div>
  )
}

function Found({ prize, isWarned, ...settling }: Settling & { prize: PrizeAnswer; isWarned: boolean }) {
  return (
    <Group justify="space-between" className="found" gap="md">
      {isFinal(prize) && isWarned ? (
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
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {t('prizes.wonBy', { player: visibleText(prize.playerId), when: formatTime(prize.wonAt) })}
        </Text>
      </div>
      <Group gap="lg">
        <PrizeState prize={prize} />
        <PrizeActions prize={prize} isWide {...settling} />
      </Group>
    </Group>
  )
}

function isFinal({ state }: PrizeAnswer): boolean {
  return state !== 'held' && state !== 'won' && state !== 'claimed'
}
