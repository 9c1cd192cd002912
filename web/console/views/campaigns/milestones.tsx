/** Extra spins for periods in a row: a line for each length. */
import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import {
  streakLengthMax,
  streakSpinsMax,
  streakStepsMax,
} from '../../../../src/free-spin-rule/free-spin-limits.ts'
import type { FreeSpinRule } from '../../../../src/free-spin-rule/free-spin-rule.ts'
import { Icon } from '../../parts/icons.tsx'
import { NumberField } from '../../parts/number-field.tsx'
import { t } from '../../texts.ts'

type Step = FreeSpinRule['streaks'][number]

export function Milestones(props: {
  steps: Step[]
  /** Such as "days". */
  unit: string
  error: string | null
  isReadOnly: boolean
  onChange: (steps: Step[]) => void
}) {
  const { steps, unit, error, isReadOnly, onChange } = props
  const put = (at: number, change: Partial<Step>) =>
    onChange(steps.map((step, index) => (index === at ? { ...step, ...change } : step)))
  return (
    <Stack gap="sm" role="group" aria-labelledby="milestones-title">
      <div>
        <Text id="milestones-title" size="sm" fw={600}>
          {t('free.milestones')}
        </Text>
        <Text size="xs" c="dimmed">
          {t('free.milestonesText')}
        </Text>
      </div>
      {steps.map((step, index) => (
        <Milestone
          key={index}
          step={step}
          unit={unit}
          problem={orderProblem(steps, index)}
          onChange={(change) => put(index, change)}
          onRemove={isReadOnly ? undefined : () => onChange(steps.filter((_, one) => one !== index))}
        />
      ))}
      {error === null || hasOrderProblem(steps) ? null : (
        <Text size="sm" c="red">
          {error}
        </Text>
      )}
      {isReadOnly || steps.length >= streakStepsMax ? null : (
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="plus" size={14} />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...steps, nextStep(steps)])}
        >
          {t('free.addMilestone')}
        </Button>
      )}
    </Stack>
  )
}

function Milestone(props: {
  step: Step
  unit: string
  problem: string | null
  onChange: (change: Partial<Step>) => void
  onRemove: (() => void) | undefined
}) {
  const { step, unit, problem, onChange, onRemove } = props
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <NumberField
        label={t('free.row', { unit })}
        value={step.length}
        min={2}
        max={streakLengthMax}
        error={problem}
        style={{ flex: 1 }}
        maw={220}
        onChange={(length) => onChange({ length })}
      />
      <NumberField
        label={t('free.extra')}
        value={step.spins}
        min={1}
        max={streakSpinsMax}
        style={{ flex: 1 }}
        maw={220}
        onChange={(spins) => onChange({ spins })}
      />
      {onRemove === undefined ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          mt={25}
          aria-label={t('free.removeMilestone', { count: step.length })}
          onClick={onRemove}
        >
          <Icon name="trash" size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}

export function hasOrderProblem(steps: Step[]): boolean {
  return steps.some((_, index) => orderProblem(steps, index) !== null)
}

/** Each needs more periods in a row than the one before. */
function orderProblem(steps: Step[], index: number): string | null {
  const before = steps[index - 1]
  const own = steps[index]
  if (before === undefined || own === undefined || own.length > before.length) return null
  return t('free.notRising', { count: before.length })
}

/** A week after the last one. */
function nextStep(steps: Step[]): Step {
  return { length: Math.min(streakLengthMax, (steps.at(-1)?.length ?? 0) + 7), spins: 1 }
}
