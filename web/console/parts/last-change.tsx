/** Says who has changed something last, and when, so that people understand why their own change was not saved. */
import { useQuery } from '@tanstack/react-query'
import type { AuditPageAnswer } from '../../../src/http/answers/audit-log.ts'
import { useApi, useSession } from '../session.tsx'
import { formatTime, t } from '../texts.ts'

/** The last change of a campaign or of the settings, by the audit log. */
export function LastChange({ kind, subject }: { kind: 'campaign' | 'merchant'; subject: string }) {
  const api = useApi()
  const query = new URLSearchParams({ subjectKind: kind, subject, limit: '1' })
  const page = useQuery({
    queryKey: [api.merchant, 'last-change', kind, subject],
    queryFn: ({ signal }) => api.get<AuditPageAnswer>(`/api/v1/audit-log?${query}`, signal),
    gcTime: 0,
  })
  const entry = page.data?.entries[0]
  return entry === undefined ? null : (
    <ChangedBy who={`${entry.actor.kind}:${entry.actor.id}`} at={entry.at} />
  )
}

/** `who`: as in `staff:anna@example.com`. */
export function ChangedBy({ who, at }: { who: string; at: string }) {
  const { email } = useSession().staff
  const time = formatTime(at)
  return who === `staff:${email}`
    ? t('conflict.you', { time })
    : t('conflict.by', { who: who.replace(/^\w+:/, ''), time })
}
