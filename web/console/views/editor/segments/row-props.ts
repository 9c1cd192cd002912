import type { DragEvent, ReactNode } from 'react'
import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'

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

export type RowProps = {
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
