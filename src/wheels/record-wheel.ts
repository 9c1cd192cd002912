import type { Queryable } from '../db/database.ts'
import { draftEditorsMax } from '../limits.ts'
import { actorText, type Cause, type Change, recordChanges } from '../audit-log/audit-log.ts'
import { describeChange } from '../wheel-document/describe-change.ts'
import type { Wheel, WheelVersion } from '../wheel-document/wheel-types.ts'

// The entries of the audit log about wheels.

/** One line for each publication: the differences from the previous version, and its editors. */
export async function recordPublication(
  tx: Queryable,
  wheel: Wheel,
  { earlier, version }: { earlier: WheelVersion | undefined; version: WheelVersion },
  cause: Cause | undefined,
): Promise<void> {
  const { sha256: hash, document } = version
  const change =
    earlier === undefined ? { before: {}, after: {} } : describeChange(earlier.document, document)
  const before = earlier === undefined ? undefined : { version: earlier.version, ...change.before }
  const after = { version: version.version, hash, editors: wheel.draftEditors, ...change.after }
  await recordWheel(tx, wheel, { action: 'wheel.publish', before, after }, cause)
}

/** All editors who have saved the draft since the last publication, after this save. The last one comes last. */
export function editorsOf(wheel: Wheel | undefined, cause: Cause | undefined): string[] {
  const earlier = wheel?.draftEditors ?? []
  if (cause === undefined) return earlier
  const last = actorText(cause.actor)
  return [...earlier.filter((one) => one !== last), last].slice(-draftEditorsMax)
}

/**
 * A new wheel is recorded, and a save by a program or the command line. The console saves a draft after every change;
 * the publication records the result and names all editors.
 */
export async function recordSave(
  tx: Queryable,
  { earlier, saved }: { earlier: Wheel | undefined; saved: Wheel },
  cause: Cause | undefined,
): Promise<void> {
  if (earlier === undefined) {
    await recordWheel(tx, saved, { action: 'wheel.create', after: { name: saved.draft.name } }, cause)
    return
  }
  if (cause?.actor.kind === 'staff') return
  const { before, after } = describeChange(earlier.draft, saved.draft)
  if (Object.keys({ ...before, ...after }).length > 0)
    await recordWheel(tx, saved, { action: 'wheel.save', before, after }, cause)
}

export async function recordWheel(
  tx: Queryable,
  { merchantId, slug }: Pick<Wheel, 'merchantId' | 'slug'>,
  change: Pick<Change, 'action' | 'before' | 'after'>,
  cause: Cause | undefined,
): Promise<void> {
  const subject = { kind: 'wheel', id: slug }
  if (cause !== undefined) await recordChanges(tx, [{ merchantId, subject, ...change }], cause)
}
