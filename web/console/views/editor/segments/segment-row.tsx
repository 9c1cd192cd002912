import { ActionIcon, Badge, Button, Collapse, Group, Text, Tooltip } from '@mantine/core'
import { type DragEvent, memo, type ReactNode } from 'react'
import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import { Icon } from '../../../parts/icons.tsx'
import { t } from '../../../texts.ts'

const segmentsMin = 2

/** These functions stay the same, so that a key typed in one segment does not draw the rows of the others. */
export type RowActions = {
  move: (from: number, to: number) => void
  remove: (index: number) => void
  toggle: (segmentId: string) => void
  drag: (index: number) => void
  dragOver: (event: DragEvent, index: number) => void
  drop: (event: DragEvent, index: number) => void
  endDrag: () => void
}

type RowProps = {
  segment: WheelSegment
  index: number
  /** The number of segments. */
  count: number
  share: string
  /** How many of this prize were given out. */
  given: number
  isFallback: boolean
  isReadOnly: boolean
  isOver: boolean
  isDragged: boolean
  actions: RowActions
  /** The form, if the segment is open. */
  children: ReactNode
}

/** A segment in the list, with its form below if it is open. */
export const SegmentRow = memo((props: RowProps) => {
  const { segment, index, isReadOnly, actions, children } = props
  const isOpen = children !== undefined
  return (
    <li
      className="segment"
      data-over={props.isOver}
      data-dragged={props.isDragged}
      onDragOver={(event) => actions.dragOver(event, index)}
      onDrop={(event) => actions.drop(event, index)}
    >
      <div className="segment-head">
        {isReadOnly ? null : <Grip {...props} />}
        <span className="swatch" style={{ background: segment.color }} aria-hidden="true" />
        <button
          type="button"
          className="segment-name"
          aria-expanded={isOpen}
          onClick={() => actions.toggle(segment.id)}
        >
          <span>
            {segment.icon === undefined ? '' : `${segment.icon} `}
            {segment.label === '' ? t('segment.number', { number: index + 1 }) : segment.label}
          </span>
          <Text component="span" size="xs" c="dimmed">
            {t(`prize.${segment.prize.kind}`)}
            {segment.stock === undefined
              ? ''
              : ` · ${t('segment.leftOf', { left: Math.max(0, segment.stock - props.given), all: segment.stock })}`}
            {props.isFallback ? (
              <Text component="span" inherit hiddenFrom="xs">
                {` · ${t('segment.fallback')}`}
              </Text>
            ) : null}
          </Text>
        </button>
        {props.isFallback ? (
          <Tooltip label={t('segment.fallbackHint')}>
            <Badge color="gray" visibleFrom="xs">
              {t('segment.fallback')}
            </Badge>
          </Tooltip>
        ) : null}
        <Text className="number nowrap" fw={650} size="sm">
          {props.share}
        </Text>
        <span style={{ transform: isOpen ? 'rotate(180deg)' : 'none' }}>
          <Icon name="chevron" size={16} />
        </span>
      </div>
      <Collapse expanded={isOpen} transitionDuration={0}>
        {isOpen ? (
          <div className="segment-body">
            {children}
            {isReadOnly ? null : <RowButtons {...props} />}
          </div>
        ) : null}
      </Collapse>
    </li>
  )
})

/** For dragging, and for the arrow keys. */
function Grip({ segment, index, actions }: RowProps) {
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

function RowButtons({ segment, index, count, isFallback, actions }: RowProps) {
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
