import { Type } from 'typebox'
import type { WheelDocument } from '../../wheel-document/wheel-document.ts'

/** The document as a component of its own: it is large, and several answers have it. */
export const DocumentRef = Type.Unsafe<WheelDocument>(Type.Ref('WheelDocument'))
