import { auditedTextMax, wheelChangesAuditedMax } from '../limits.ts'
import { isSecretField } from '../prize-kinds/prize-kinds.ts'
import { compareWheels, type WheelChange } from './compare-wheels.ts'
import { maskCode } from './mask-wheel.ts'
import type { WheelDocument } from './wheel-document.ts'

type Told = { before: Record<string, unknown>; after: Record<string, unknown> }

/**
 * The differences between two documents of a wheel, for the audit log: a field for each, such as
 * `/segments/coffee/weight`. Codes are masked, since everyone at the merchant can read the log, and long texts such
 * as pictures are cut.
 */
export function describeChange(before: WheelDocument, after: WheelDocument): Told {
  return tellChanges(compareWheels(before, after))
}

/** The same for differences that are known already. */
export function tellChanges(changes: readonly WheelChange[]): Told {
  const told: Told = { before: {}, after: {} }
  for (const { path, before: was, after: is } of changes.slice(0, wheelChangesAuditedMax)) {
    if (was !== undefined) told.before[path] = toldValue(path, was)
    if (is !== undefined) told.after[path] = toldValue(path, is)
  }
  const more = changes.length - wheelChangesAuditedMax
  if (more > 0) told.after.moreChanges = more
  return told
}

/** A value without codes, and not too long. */
export function toldValue(path: string, value: unknown): unknown {
  if (typeof value === 'string') {
    const [, prizeField = ''] = /\/prize\/(\w+)$/.exec(path) ?? []
    if (isSecretField(prizeField)) return maskCode(value)
    return value.length <= auditedTextMax ? value : `${value.slice(0, auditedTextMax)}… (${value.length})`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, toldValue(`${path}/${name}`, one)]),
  )
}
