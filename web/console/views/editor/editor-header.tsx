import { ActionIcon, Badge, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { memo } from 'react'
import { Link } from 'wouter'
import type { WheelSummary } from '../../../../src/http/answers/wheels.ts'
import { Icon } from '../../parts/icons.tsx'
import { useApi } from '../../session.tsx'
import { t } from '../../texts.ts'
import { CampaignsOfWheel } from '../campaigns/campaigns-of-wheel.tsx'
import { Promote } from '../test-mode/promote.tsx'
import { versionText, WheelState } from '../wheels.tsx'
import type { Saving } from './draft/saving.ts'
import { PauseButton } from './pause-button.tsx'

/** The name and state of the wheel, and what can be done with it. */
export const EditorHeader = memo(
  (props: {
    slug: string
    name: string | undefined
    summary: WheelSummary
    saving: Saving
    /** Changes of the draft against the published version; null if there is none. */
    unpublishedCount: number | null
    isReadOnly: boolean
    canUndo: boolean
    canRedo: boolean
    /** They stay the same, so that a key does not draw the header. */
    actions: {
      undo: () => void
      redo: () => void
      changed: (summary: WheelSummary) => void
      publish: () => void
      retry: () => void
    }
  }) => {
    const { slug, name, summary, saving, isReadOnly, actions } = props
    const api = useApi()
    return (
      <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
        <div>
          <Group gap="xs">
            <Link href={`/m/${api.merchant}/wheels`} className="row-link" aria-label={t('editor.back')}>
              <Icon name="left" size={20} />
            </Link>
            <Title order={1}>{name === undefined || name === '' ? slug : name}</Title>
            <WheelState wheel={summary} />
          </Group>
          <Group gap="xs" mt={4}>
            <Text size="sm" c="dimmed">
              {versionText(summary)}
            </Text>
            <SavingMark
              {...{ saving, isReadOnly }}
              unpublishedCount={props.unpublishedCount ?? 0}
              onRetry={actions.retry}
            />
          </Group>
          <CampaignsOfWheel slug={slug} />
        </div>
        {isReadOnly ? (
          <Badge color="gray" size="lg">
            {t('editor.readOnly')}
          </Badge>
        ) : (
          <Group gap="xs">
            <StepButton name="undo" isEnabled={props.canUndo} onClick={actions.undo} />
            <StepButton name="redo" isEnabled={props.canRedo} onClick={actions.redo} />
            {summary.publishedVersion === null ? null : (
              <PauseButton slug={slug} isPaused={summary.pausedAt !== null} onChanged={actions.changed} />
            )}
            <Promote kind="wheel" slug={slug} />
            <Button onClick={actions.publish}>{t('editor.publish')}</Button>
          </Group>
        )}
      </Group>
    )
  },
)

function StepButton(props: { name: 'undo' | 'redo'; isEnabled: boolean; onClick: () => void }) {
  const label = t(`editor.${props.name}`)
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="lg"
        disabled={!props.isEnabled}
        onClick={props.onClick}
        aria-label={label}
      >
        <Icon name={props.name} />
      </ActionIcon>
    </Tooltip>
  )
}

function SavingMark({
  saving,
  unpublishedCount: count,
  isReadOnly,
  onRetry,
}: {
  saving: Saving
  unpublishedCount: number
  isReadOnly: boolean
  onRetry: () => void
}) {
  if (isReadOnly) return null
  const isBad = !['saved', 'waiting', 'saving'].includes(saving.state)
  return (
    <Text size="sm" c={isBad ? 'red' : 'dimmed'} role="status" component="div">
      · {saving.state === 'saved' && count > 0 ? t('saving.draft', { count }) : t(`saving.${saving.state}`)}
      {saving.state === 'failed' ? (
        <Button size="compact-xs" variant="subtle" ml={4} onClick={onRetry}>
          {t('action.retry')}
        </Button>
      ) : null}
    </Text>
  )
}
