/** How the parts of a campaign's page change it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { Problem } from '../../api.ts'
import { without } from '../../parts/edits.ts'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { useWarnBeforeLeaving } from '../../parts/unsaved.ts'
import { useApi, useRefresh } from '../../session.tsx'
import { t } from '../../texts.ts'

/** A change that says when it is done. The page then shows the campaign as it is. */
export function useCampaignChange<Order = void>(options: {
  change: (order: Order) => Promise<unknown>
  done: (order: Order) => string
  onDone?: (order: Order) => void
}) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: options.change,
    onSuccess: async (_, order) => {
      tellDone(options.done(order))
      await refresh('campaigns')
      options.onDone?.(order)
    },
    onError: async (error) => {
      if (!isConflict(error)) return tellProblem(error)
      // The next attempt is made on top of the other person's change.
      await refresh('campaigns')
    },
  })
}

/**
 * Edits of some settings of a campaign. Holds only what the person has changed, so that it survives another change of the
 * campaign, such as a pause.
 */
export function useCampaignEdits<Name extends keyof CampaignAnswer>(
  campaign: CampaignAnswer,
  names: readonly Name[],
) {
  type Draft = Pick<CampaignAnswer, Name>
  const api = useApi()
  const [edits, setEdits] = useState<Partial<Draft>>({})
  const draft: Draft = { ...campaign, ...edits }
  const changed = names.filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(campaign[name]))
  useWarnBeforeLeaving(changed.length > 0)
  const save = useCampaignChange<Partial<Draft>>({
    change: (sent) =>
      api.patch(`/api/v1/campaigns/${campaign.campaign}`, sent, { 'If-Match': `"${campaign.revision}"` }),
    done: () => t('campaign.saved'),
    onDone: (sent) => setEdits((now) => without(now, sent)),
  })
  return {
    draft,
    hasChanges: changed.length > 0,
    set: (change: Partial<Draft>) => setEdits((now) => ({ ...now, ...change })),
    save: () => save.mutate(Object.fromEntries(changed.map((name) => [name, draft[name]])) as Partial<Draft>),
    isSaving: save.isPending,
    isConflict: isConflict(save.error),
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Problem && error.code === 'campaign_changed'
}
