import type { FieldError } from '../../../../src/refusals.ts'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'

/** What every panel of the editor gets. */
export type EditorProps = {
  wheel: WheelDocument
  /** `key` names the field, so that undo takes back a whole edit of it. */
  onChange: (next: WheelDocument, key: string) => void
  isReadOnly: boolean
  errors: readonly FieldError[]
}
