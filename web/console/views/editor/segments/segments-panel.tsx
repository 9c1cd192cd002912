import { Button, Stack, VisuallyHidden } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { Icon } from '../../../parts/icons.tsx'
import { useSteady } from '../../../parts/steady.ts'
import { t } from '../../../texts.ts'
import { moved } from '../draft/change.ts'
import { newSegment } from '../draft/new-wheel.ts'
import { SegmentForm } from './segment-form.tsx'
import type { RowActions } from './row-props.ts'
import { SegmentRow } from './segment-row.tsx'
import { shareTexts } from './shares.ts'
import type { EditorProps } from '../editor-props.ts'

const segmentsMax = 24

export function SegmentsPanel(props: EditorProps & { givenOf: (segmentId: string) => number }) {
  const { wheel, onChange, isReadOnly, givenOf } = props
  const shares = shareTexts(wheel.segments.map((segment) => segment.weight))
  const [open, setOpen] = useState<string | null>(null)
  const { move, announcement } = useMoves(props)
  const { dragged, over, handlers } = useDragging(move)
  const add = () => {
    const segment = newSegment(wheel.segments)
    onChange({ ...wheel, segments: [...wheel.segments, segment] }, `add ${segment.id}`)
    setOpen(segment.id)
  }
  const actions = useSteady<RowActions>({
    move,
    remove: (index) =>
      onChange({ ...wheel, segments: wheel.segments.filter((_, at) => at !== index) }, `remove ${index}`),
    toggle: (id) => setOpen(open === id ? null : id),
    ...handlers,
  })

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
        {wheel.segments.map((segment, index) => (
          <SegmentRow
            key={segment.id}
            {...{ segment, index, isReadOnly, actions }}
            count={wheel.segments.length}
            share={shares[index] ?? ''}
            given={givenOf(segment.id)}
            isFallback={wheel.fallback === segment.id}
            isOver={over === index && dragged !== null && dragged !== index}
            isDragged={dragged === index}
          >
            {open === segment.id ? (
              <SegmentForm {...props} index={index} segment={segment} share={shares[index] ?? ''} />
            ) : undefined}
          </SegmentRow>
        ))}
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

/** Moves segments, and says so to screen readers. */
function useMoves({ wheel, onChange }: EditorProps) {
  const [announcement, setAnnouncement] = useState('')
  const move = (from: number, to: number) => {
    const segment = wheel.segments[from]
    if (segment === undefined || to < 0 || to >= wheel.segments.length || from === to) return
    onChange({ ...wheel, segments: moved(wheel.segments, from, to) }, `move ${segment.id} ${to}`)
    setAnnouncement(
      t('segment.movedTo', { label: segment.label, place: to + 1, count: wheel.segments.length }),
    )
  }
  return { move, announcement }
}

/** The row that is dragged, and the row that it is over. */
function useDragging(move: RowActions['move']) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const endDrag = () => {
    setDragged(null)
    setOver(null)
  }
  const handlers = {
    drag: setDragged,
    dragOver: (event: DragEvent, index: number) => {
      if (dragged === null) return
      event.preventDefault()
      setOver(index)
    },
    drop: (event: DragEvent, index: number) => {
      event.preventDefault()
      if (dragged !== null) move(dragged, index)
      endDrag()
    },
    endDrag,
  }
  return { dragged, over, handlers }
}
