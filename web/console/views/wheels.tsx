import { Badge, Button, Group, Paper, SimpleGrid, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { WheelsAnswer, WheelSummary } from '../../../src/http/answers/wheels.ts'
import { Icon } from '../parts/icons.tsx'
import { Empty, Loaded, PageHead } from '../parts/states.tsx'
import { useApi, useMay, useRead } from '../session.tsx'
import { formatDistance, formatInZone, t } from '../texts.ts'
import { CampaignsOfWheel } from './campaigns/campaigns-of-wheel.tsx'
import { languageNames } from './editor/texts/language-name.ts'
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
        {versionText(wheel)}
      </Text>
      <CampaignsOfWheel slug={wheel.wheel} />
      <Scheduled wheel={wheel} />
      <Outdated wheel={wheel} />
    </Paper>
  )
}

function Scheduled({ wheel: { scheduledPublication: scheduled } }: { wheel: WheelSummary }) {
  if (scheduled === null) return null
  const { at, timeZone, failedAt } = scheduled
  const time = formatInZone(at, timeZone)
  return (
    <Text size="sm" {...(failedAt === null ? {} : { c: 'red' })}>
      {t(failedAt === null ? 'scheduled.title' : 'scheduled.failed', { time })}
    </Text>
  )
}

function Outdated({ wheel: { wheel, outdatedTranslations: languages } }: { wheel: WheelSummary }) {
  const { merchant } = useApi()
  if (languages.length === 0) return null
  return (
    <Text size="sm" mt={4}>
      <Link className="outdated" href={`/m/${merchant}/wheels/${wheel}?tab=texts`}>
        {t('wheels.outdated', { languages: languageNames(languages) })}
      </Link>
    </Text>
  )
}

const stateColours = { draft: 'gray', paused: 'orange', scheduled: 'blue', open: 'teal', closed: 'gray' }

/** Live only if players can play it now: it is open, and game links lead to it. */
export function WheelState({ wheel }: { wheel: Summary }) {
  const { state, opensAt, timeZone, isOpenedByLinks } = wheel
  if (state === 'open' && !isOpenedByLinks)
    return (
      <Tooltip label={t('wheels.notLinkedText')} multiline maw={260}>
        <Badge color="gray">{t('wheels.notLinked')}</Badge>
      </Tooltip>
    )
  const text =
    state === 'scheduled' && opensAt !== null
      ? t('wheels.opens', { when: formatDistance(opensAt) })
      : t(`wheels.state.${state}`)
  return (
    <Badge color={stateColours[state]} title={opensAt === null ? '' : formatInZone(opensAt, timeZone)}>
      {text}
    </Badge>
  )
}

export function versionText({ publishedVersion: version, state, isOpenedByLinks }: Summary): string {
  if (version === null) return t('wheels.neverPublished')
  return t(state === 'open' && isOpenedByLinks ? 'wheels.version' : 'wheels.publishedVersion', { version })
}

type Summary = Pick<WheelSummary, 'publishedVersion' | 'state' | 'opensAt' | 'timeZone' | 'isOpenedByLinks'>
