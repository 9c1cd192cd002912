/** The entry of a campaign as it is saved, and edits of it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entrySettingNames, type EntrySettings } from '../../../../src/entries/form.ts'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { EntrySettingsAnswer } from '../../../../src/http/answers/entry-settings.ts'
import { Problem } from '../../api.ts'
import { isSame } from '../../parts/edits.ts'
import { useApi, useMerchant, useSignInOptions } from '../../session.tsx'
import { useEdits } from '../campaigns/change-campaign.ts'
import { entryProblems, usualEntry } from './entry-draft.ts'

/** Null: visitors have never been let in. */
export function useEntry(campaign: string) {
  const api = useApi()
  return useQuery({
    queryKey: [api.merchant, 'campaigns', 'entry', campaign],
    queryFn: async ({ signal }): Promise<EntrySettingsAnswer | null> => {
      try {
        return await api.get<EntrySettingsAnswer>(`/api/v1/campaigns/${campaign}/entry`, signal)
      } catch (error) {
        if (error instanceof Problem && error.code === 'entry_not_found') return null
        throw error
      }
    },
  })
}

/** Undefined until it is known. The codes of a test merchant are shown instead of mailed. */
export function useCanSendCodes(): boolean | undefined {
  const { live } = useMerchant()
  const options = useSignInOptions()
  return live ? options?.resetsByMail : true
}

export function useEntryEdits(options: {
  campaign: CampaignAnswer
  entry: EntrySettingsAnswer | null
  canSendCodes: boolean
}) {
  const { campaign, entry, canSendCodes } = options
  const api = useApi()
  const [reason, setReason] = useState('')
  const saved: EntrySettings = entry ?? usualEntry(canSendCodes)
  const needsReason = ({ terms }: Pick<EntrySettings, 'terms'>) =>
    (entry?.entries.entered ?? 0) > 0 && !isSame(terms, saved.terms)
  const edits = useEdits({
    saved,
    names: entrySettingNames,
    send: (_, draft) =>
      api.put(
        `/api/v1/campaigns/${campaign.campaign}/entry`,
        { ...draft, ...(needsReason(draft) ? { reason: reason.trim() } : {}) },
        { 'If-Match': `"${entry?.revision ?? 0}"` },
      ),
    onSaved: () => setReason(''),
  })
  const problems = entryProblems(edits.draft, campaign)
  return { ...edits, problems, reason, setReason, needsReason: needsReason(edits.draft) }
}

export type EntryEdits = ReturnType<typeof useEntryEdits>
