/** Simulates the saved draft: what it costs, what is left, and when each prize runs out. */
import { Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SimulationAnswer } from '../../../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { NumberField } from '../../../parts/number-field.tsx'
import { Empty, Loaded } from '../../../parts/states.tsx'
import { CollectUnfinished } from '../../../parts/unfinished.tsx'
import { useApi } from '../../../session.tsx'
import { t } from '../../../texts.ts'
import { ForecastView } from './forecast.tsx'

type Expectation = { days: number; spinsPerPlayer: number; playsPerDay: number }

export function SimulationPanel({ slug, wheel }: { slug: string; wheel: WheelDocument }) {
  const api = useApi()
  const [expected, setExpected] = useState<Expectation>({ days: 30, spinsPerPlayer: 3, playsPerDay: 1_000 })
  // Not at every key that is typed.
  const [order] = useDebouncedValue(expected, 300)
  const simulation = useQuery({
    queryKey: [api.merchant, 'forecast', slug, order],
    queryFn: () => api.post<SimulationAnswer>(`/api/v1/wheels/${slug}/simulation`, order),
    placeholderData: (before) => before,
    retry: false,
  })
  return (
    <Stack>
      <Paper>
        <CollectUnfinished value={isNoPartOfTheWheel}>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            {fields.map(({ name, max }) => (
              <NumberField
                key={name}
                label={t(`simulation.${name}`)}
                value={expected[name]}
                min={1}
                max={max}
                onChange={(value) => setExpected((now) => ({ ...now, [name]: value }))}
              />
            ))}
          </SimpleGrid>
        </CollectUnfinished>
        <Text size="sm" c="dimmed" mt="sm">
          {t('simulation.text')}
        </Text>
      </Paper>
      <Loaded query={simulation}>
        {({ forecast }) =>
          forecast === null ? (
            <Paper>
              <Empty icon="warning" title={t('simulation.notReady')} text={t('simulation.notReadyText')} />
            </Paper>
          ) : (
            <ForecastView forecast={forecast} wheel={wheel} />
          )
        }
      </Loaded>
    </Stack>
  )
}

const fields = [
  { name: 'playsPerDay', max: 1_000_000 },
  { name: 'days', max: 366 },
  { name: 'spinsPerPlayer', max: 1_000 },
] as const

/** Text typed here is not part of the draft, so it must not count as unsaved. */
function isNoPartOfTheWheel(): void {}
