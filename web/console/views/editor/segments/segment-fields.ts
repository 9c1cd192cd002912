import type { TextInputProps } from '@mantine/core'
import type { WheelSegment } from '../../../../../src/wheel-document/wheel-document.ts'
import type { SegmentChanges } from '../draft/change.ts'

/** The props of every part of a segment's form. */
export type SegmentFields = {
  segment: WheelSegment
  isReadOnly: boolean
  set: (changes: SegmentChanges) => void
  /** The problem with a field, or null. */
  problemOf: (field: keyof WheelSegment) => string | null
}

export const countMax = 1_000_000_000
export const meaningBelow = [
  'label',
  'input',
  'description',
  'error',
] satisfies TextInputProps['inputWrapperOrder']
