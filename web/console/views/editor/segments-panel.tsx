import {
  ActionIcon,
  Badge,
  Button,
  Collapse,
  Group,
  Stack,
  Text,
  Tooltip,
  VisuallyHidden,
} from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../texts.ts'
import { moved } from './change.ts'
import { newSegment } from './new-wheel.ts'
import { SegmentForm } from './segment-form.tsx'
import { shareTexts } from './shares.ts'
import type { EditorProps } from './editor-props.ts'

const segmentsMax = 24
const segmentsMin = 2

export function SegmentsPanel(props: EditorProps & { givenOf: (segmentId: string) => number }) {
  const { wheel, onChange, isReadOnly, givenOf } = props
  const shares = shareTexts(wheel.segments.map((segment) => segment.weight))
  const [open, setOpen] = useState<string | null>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')

  const move = (from: number, to: number) => {
    const segment = wheel.segments[from]
    if (segment === undefined || to < 0 || to >= wheel.segments.length || from === to) return
    onChange({ ...wheel, segments: moved(wheel.segments, from, to) }, `move ${segment.id} ${to}`)
    setAnnouncement(
      t('segment.movedTo', { label: segment.label, place: to + 1, count: wheel.segments.length }),
    )
  }
  const onGripKey = (event: KeyboardEvent, index: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(index, index + step)
  }
  const add = () => {
    const segment = newSegment(wheel.segments)
    onChange({ ...wheel, segments: [...wheel.segments, segment] }, `add ${segment.id}`)
    setOpen(segment.id)
  }
  const remove = (index: number) => {
    const segments = wheel.segments.filter((_, at) => at !== index)
    onChange({ ...wheel, segments }, `remove ${index}`)
  }

  return (
    <Stack gap="xs">
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Stack
        gap="xs"
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label={t('editor.segments')}
      >
        {wheel.segments.map((segment, index) => {
          const isOpen = open === segment.id
          const isFallback = wheel.fallback === segment.id
          return (
            <li
              key={segment.id}
              className="segment"
              data-over={over === index && dragged !== null && dragged !== index}
              data-dragged={dragged === index}
              onDragOver={(event) => {
                if (dragged === null) return
                event.preventDefault()
                setOver(index)
              }}
              onDrop={(event) => {
                event.preventDefault()
                if (dragged !== null) move(dragged, index)
                setDragged(null)
                setOver(null)
              }}
            >
              <div className="segment-head">
                {isReadOnly ? null : (
                  <Tooltip label={t('segment.gripHint')}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      className="grip"
                      draggable
                      onDragStart={(event) => {
                        event.dataTransfer.effectAllowed = 'move'
                        event.dataTransfer.setData('text/plain', segment.label)
                        setDragged(index)
                      }}
                      onDragEnd={() => {
                        setDragged(null)
                        setOver(null)
                      }}
                      onKeyDown={(event) => onGripKey(event, index)}
                      aria-label={t('segment.grip', { label: segment.label, place: index + 1 })}
                    >
                      <Icon name="grip" />
                    </ActionIcon>
                  </Tooltip>
                )}
                <span className="swatch" style={{ background: segment.color }} aria-hidden="true" />
                <button
                  type="button"
                  className="segment-name"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? null : segment.id)}
                >
                  <span>
                    {segment.icon === undefined ? '' : `${segment.icon} `}
                    {segment.label === '' ? t('segment.number', { number: index + 1 }) : segment.label}
                  </span>
                  <Text component="span" size="xs" c="dimmed">
                    {t(`prize.${segment.prize.kind}`)}
                    {segment.stock === undefined
                      ? ''
                      : ` · ${t('segment.leftOf', {
                          left: Math.max(0, segment.stock - givenOf(segment.id)),
                          all: segment.stock,
                        })}`}
                  </Text>
                </button>
                {isFallback ? (
                  <Tooltip label={t('segment.fallbackHint')}>
                    <Badge color="gray" visibleFrom="xs">
                      {t('segment.fallback')}
                    </Badge>
                  </Tooltip>
                ) : null}
                <Text className="number nowrap" fw={650} size="sm">
                  {shares[index]}
                </Text>
                <span style={{ transform: isOpen ? 'rotate(180deg)' : 'none' }}>
                  <Icon name="chevron" size={16} />
                </span>
              </div>
              <Collapse expanded={isOpen} transitionDuration={0}>
                {isOpen ? (
                  <div className="segment-body">
                    <SegmentForm {...props} index={index} segment={segment} share={shares[index] ?? ''} />
                    {isReadOnly ? null : (
                      <Group justify="space-between" mt="md">
                        <Group gap={4}>
                          <ActionIcon
                            variant="default"
                            disabled={index === 0}
                            onClick={() => move(index, index - 1)}
                            aria-label={t('segment.up', { label: segment.label })}
                          >
                            <Icon name="up" size={16} />
                          </ActionIcon>
                          <ActionIcon
                            variant="default"
                            disabled={index === wheel.segments.length - 1}
                            onClick={() => move(index, index + 1)}
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
                          disabled={wheel.segments.length <= segmentsMin || isFallback}
                          onClick={() => remove(index)}
                        >
                          {t('segment.remove')}
                        </Button>
                      </Group>
                    )}
                  </div>
                ) : null}
              </Collapse>
            </li>
          )
        })}
      </Stack>
      {isReadOnly ? null : (
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={add}
          disabled={wheel.segments.length >= segmentsMax}
        >
          {t('segment.add')}
        </Button>
      )}
    </Stack>
  )
}
