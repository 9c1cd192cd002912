import type { FieldError } from '../../../../src/refusals.ts'
import type { WheelDocument } from '../../../../src/wheel-document/wheel-document.ts'

/** The props of every editor panel. */
export type EditorProps = {
  wheel: WheelDocument
  /** `key` names the field, so that undo reverts a whole edit of it. */
  onChange: (next: WheelDocument, key: string) => void
  isReadOnly: boolean
  errors: readonly FieldError[]
}
