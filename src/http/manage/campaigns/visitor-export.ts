import { type TSchema, Type } from 'typebox'
import type { Context } from '../../../context.ts'
import { untilDone } from '../../../db/database.ts'
import type { CampaignKey } from '../../../entries/entry-rows.ts'
import type { EntryAnswer, EntryField } from '../../../entries/form.ts'
import { type EntryFilter, listEntries } from '../../../entries/list-entries.ts'
import { exportPageSize } from '../../../limits.ts'
import { shownVisitor, VisitorEntry } from '../../answers/entry-list.ts'
import { MaybeTime } from '../../answers/shapes.ts'

type ShownVisitor = ReturnType<typeof shownVisitor>

/** Page by page: each is a query of its own, from where the last one ended. */
export async function* visitorsOf(
  ctx: Context,
  campaign: CampaignKey,
  filter: EntryFilter,
): AsyncGenerator<ShownVisitor> {
  for (let [before, beforeId] = [filter.to, lastId]; ;) {
    const page = { before, beforeId, limit: exportPageSize, filter }
    const visitors = await untilDone(() => listEntries(ctx.db, campaign, page))
    yield* visitors.map(shownVisitor)
    const last = visitors.at(-1)
    if (last === undefined || visitors.length < exportPageSize) return
    ;[before, beforeId] = [last.enteredAt, last.id]
  }
}

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The columns of a table: one for each answer, and three for each consent. */
export function exportedVisitor(fields: readonly Pick<EntryField, 'id' | 'kind'>[]) {
  const { answers: _, consents: __, ...rest } = VisitorEntry.properties
  const others = fields.filter(({ kind }) => kind !== 'email')
  const asked = others.filter(({ kind }) => kind !== 'consent')
  const agreed = others.filter(({ kind }) => kind === 'consent')
  const moments = Type.Object({ givenAt: MaybeTime, confirmedAt: MaybeTime, withdrawnAt: MaybeTime })
  return Type.Object({
    ...rest,
    ...objectOf('answers', asked, Type.String()),
    ...objectOf('consents', agreed, moments),
  })
}

function objectOf(name: string, fields: readonly { id: string }[], one: TSchema) {
  if (fields.length === 0) return {}
  return { [name]: Type.Object(Object.fromEntries(fields.map(({ id }) => [id, one]))) }
}

/** Visitors as rows of a table. */
export async function* cellsOf(visitors: AsyncIterable<ShownVisitor>): AsyncGenerator<object> {
  for await (const { answers, consents, ...rest } of visitors)
    yield {
      ...rest,
      answers: Object.fromEntries(Object.entries(answers ?? {}).map(([id, answer]) => [id, cellOf(answer)])),
      consents: Object.fromEntries(consents.map(({ field, ...moments }) => [field, moments])),
    }
}

function cellOf(answer: EntryAnswer): string | boolean {
  if (typeof answer !== 'object') return answer
  return `${answer.year}-${String(answer.month).padStart(2, '0')}`
}
