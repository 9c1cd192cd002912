import type { WheelDocument } from './wheel-document.ts'

export type Wheel = {
  wheelId: number
  merchantId: number
  slug: string
  draft: WheelDocument
  draftRevision: number
  /** Everyone who has saved the draft since the last publication, as `staff:anna@example.com`. */
  draftEditors: string[]
  publishedVersion: number | null
  pausedAt: Date | null
  createdAt: Date
}

export type WheelVersion = {
  wheelId: number
  version: number
  document: WheelDocument
  published: string
  sha256: string
  publishedAt: Date
}
