import { Badge, Button, Group, Modal, Paper, SimpleGrid, Text, TextInput, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { WheelsAnswer, WheelSummary } from '../../../src/http/answers/wheels.ts'
import type { WheelDocument } from '../../../src/wheels/wheel-document.ts'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellProblem } from '../parts/notify.ts'
import { Empty, Loaded, PageHead } from '../parts/states.tsx'
import { useApi, useMay, useRead } from '../session.tsx'
import { formatDistance, formatTime, t } from '../texts.ts'
import { newWheel } from './editor/new-wheel.ts'
import { slugOf } from './editor/slug.ts'

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
    </Paper>
  )
}

const stateColours = { draft: 'gray', paused: 'orange', scheduled: 'blue', open: 'teal', closed: 'gray' }

/** Live only if players can play it now: it is open, and game links lead to it. */
export function WheelState({ wheel }: { wheel: Summary }) {
  const { state, opensAt, isOpenedByLinks } = wheel
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
    <Badge color={stateColours[state]} title={opensAt === null ? '' : formatTime(opensAt)}>
      {text}
    </Badge>
  )
}

export function versionText({ publishedVersion: version, state, isOpenedByLinks }: Summary): string {
  if (version === null) return t('wheels.neverPublished')
  return t(state === 'open' && isOpenedByLinks ? 'wheels.version' : 'wheels.publishedVersion', { version })
}

type Summary = Pick<WheelSummary, 'publishedVersion' | 'state' | 'opensAt' | 'isOpenedByLinks'>

function NewWheel({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const api = useApi()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: async (slug: string) => {
      const draft: WheelDocument = newWheel(name.trim())
      await api.put(`/api/v1/wheels/${slug}`, draft)
      return slug
    },
    onSuccess: (slug) => go(`/m/${api.merchant}/wheels/${slug}`),
    onError: tellProblem,
  })
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={650}>{t('wheels.new')}</Text>}>
      <Form onSubmit={() => create.mutate(slugOf(name, []))}>
        <TextInput
          label={t('wheels.name')}
          description={t('wheels.nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={80}
          data-autofocus
        />
        <Submit loading={create.isPending}>{t('wheels.create')}</Submit>
      </Form>
    </Modal>
  )
}
