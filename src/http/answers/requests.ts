import { type Static, Type } from 'typebox'
import type { RecentRequest } from '../../reports/request-rows.ts'
import { nullable, Time } from './shapes.ts'

export const RecentRequestAnswer = Type.Object(
  {
    requestId: Type.String({ description: 'As in the header `X-Request-Id` of the answer.' }),
    at: Time,
    method: Type.String(),
    path: Type.String({ description: 'The route, without ids.' }),
    status: Type.Integer(),
    code: nullable(Type.String({ description: 'The `code` of a problem document.' })),
    detail: nullable(Type.String({ description: 'The `detail` of the problem document.' })),
    ms: Type.Number(),
    tokenId: Type.String(),
    tokenName: Type.String(),
  },
  { title: 'RecentRequest' },
)
export type RecentRequestAnswer = Static<typeof RecentRequestAnswer>

export const RecentRequestsAnswer = Type.Object({
  requests: Type.Array(RecentRequestAnswer),
  processes: Type.Integer({ description: 'How many processes this server runs.' }),
})
export type RecentRequestsAnswer = Static<typeof RecentRequestsAnswer>

export function shownRequest({
  at,
  ms,
  problem,
  order: _order,
  ...rest
}: RecentRequest): RecentRequestAnswer {
  return {
    ...rest,
    at: new Date(at).toISOString(),
    ms: Math.round(ms * 10) / 10,
    code: problem?.code ?? null,
    detail: problem?.detail ?? null,
  }
}
