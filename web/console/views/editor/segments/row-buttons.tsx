/** The buttons of a segment in the list. */
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { Icon } from '../../../parts/icons.tsx'
import { t } from '../../../texts.ts'
import type { RowProps } from './row-props.ts'

const segmentsMin = 2

/** For dragging, and for the arrow keys. */
export function Grip({ segment, index, actions }: RowProps) {
  return (
    <Tooltip label={t('segment.gripHint')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        className="grip"
        draggable
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', segment.label)
          actions.drag(index)
        }}
        onDragEnd={actions.endDrag}
        onKeyDown={(event) => {
          const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
          if (step === undefined) return
          event.preventDefault()
          actions.move(index, index + step)
        }}
        aria-label={t('segment.grip', { label: segment.label, place: index + 1 })}
      >
        <Icon name="grip" />
      </ActionIcon>
    </Tooltip>
  )
}

export function RowButtons({ segment, index, count, isFallback, actions }: RowProps) {
  return (
    <Group justify="space-between" mt="md">
      <Group gap={4}>
        <ActionIcon
          variant="default"
          disabled={index === 0}
          onClick={() => actions.move(index, index - 1)}
          aria-label={t('segment.up', { label: segment.label })}
        >
          <Icon name="up" size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          disabled={index === count - 1}
          onClick={() => actions.move(index, index + 1)}
          aria-label={t('segment.down', { label: segment.label })}
        >
          <Icon name="down" size={16} />
        </ActionIcon>
      </Group>
      <Button
        variant="subtle"
        color="red"
        size="xs"
        leftSection={<Icon name="trash" size={14} />}
        disabled={count <= segmentsMin || isFallback}
        onClick={() => actions.remove(index)}
      >
        {t('segment.remove')}
      </Button>
    </Group>
  )
}
