import { Badge, Button, Group, Paper, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { WheelsAnswer, WheelSummary } from '../../../src/http/answers/wheels.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, Loaded, PageHead } from '../parts/states.tsx'
import { useApi, useMay, useRead } from '../session.tsx'
import { t } from '../texts.ts'
import { NewWheel } from './templates/new-wheel.tsx'

export function Wheels() {
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const may = useMay()
  const [isCreating, setCreating] = useState(false)
  const create = may.edit ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
      {t('wheels.new')}
    </Button>
  ) : null
  return (
    <>
      <PageHead title={t('nav.wheels')} text={t('wheels.text')}>
        {create}
      </PageHead>
      <Loaded query={wheels}>
        {(data) =>
          data.wheels.length === 0 ? (
            <Paper>
              <Empty icon="wheel" title={t('wheels.none')} text={t('wheels.noneText')}>
                {create}
              </Empty>
            </Paper>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
              {data.wheels.map((wheel) => (
                <WheelCard key={wheel.wheel} wheel={wheel} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
      <NewWheel opened={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}

function WheelCard({ wheel }: { wheel: WheelSummary }) {
  const { merchant } = useApi()
  return (
    <Paper>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
          <span className="tile">
            <Icon name="wheel" size={22} />
          </span>
          <div style={{ minWidth: 0 }}>
            <Link className="row-link" href={`/m/${merchant}/wheels/${wheel.wheel}`}>
              {wheel.name}
            </Link>
            <Text size="xs" c="dimmed" className="mono">
              {wheel.wheel}
            </Text>
          </div>
        </Group>
        <WheelState wheel={wheel} />
      </Group>
      <Text size="sm" c="dimmed" mt="md">
        {wheel.publishedVersion === null
          ? t('wheels.neverPublished')
          : t('wheels.version', { version: wheel.publishedVersion })}
      </Text>
    </Paper>
  )
}

export function WheelState({ wheel }: { wheel: Pick<WheelSummary, 'publishedVersion' | 'pausedAt'> }) {
  if (wheel.pausedAt !== null) return <Badge color="orange">{t('wheels.paused')}</Badge>
  if (wheel.publishedVersion === null) return <Badge color="gray">{t('wheels.draft')}</Badge>
  return <Badge color="teal">{t('wheels.live')}</Badge>
}
