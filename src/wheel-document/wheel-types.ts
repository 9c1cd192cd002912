import type { ScheduledJson } from '../scheduled/scheduled-changes.ts'
import type { WheelDocument } from './wheel-document.ts'

/** When a wheel is open. A campaign can narrow it. */
export type Schedule = Pick<WheelDocument, 'timeZone' | 'opensAt' | 'closesAt' | 'openDays' | 'openHours'>

export type Wheel = {
  wheelId: number
  merchantId: number
  slug: string
  draft: WheelDocument
  draftRevision: number
  /** Everyone who has saved the draft since the last publication, as `staff:anna@example.com`. */
  draftEditors: string[]
  /** Null if it was last saved by a version that did not note it. */
  draftSavedAt: Date | null
  publishedVersion: number | null
  pausedAt: Date | null
  /** The schedule of the published version; null if none is published. */
  schedule: Schedule | null
  /** Whether the merchant's game links open this wheel. */
  isOpenedByLinks: boolean
  /** The publication that is scheduled, or that failed. */
  scheduled: ScheduledJson | null
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
