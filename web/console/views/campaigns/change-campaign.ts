/** How the parts of a campaign's page change it. */
import { useState } from 'react'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { Problem } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { type Edit, isSame, merged } from '../../parts/edits.ts'
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
  return useAction({
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

/** Edits of some settings of a campaign. */
export function useCampaignEdits<Name extends keyof CampaignAnswer>(
  campaign: CampaignAnswer,
  names: readonly Name[],
) {
  const api = useApi()
  /** Null until the server asks for it. */
  const [reason, setReason] = useState<string | null>(null)
  const edits = useEdits({
    saved: campaign,
    names,
    send: async (changes) => {
      const body = reason === null ? changes : { ...changes, reason: reason.trim() }
      try {
        return await api.patch(`/api/v1/campaigns/${campaign.campaign}`, body, {
          'If-Match': `"${campaign.revision}"`,
        })
      } catch (error) {
        if (error instanceof Problem && error.code === 'entry_reason_needed') setReason('')
        throw error
      }
    },
    onSaved: () => setReason(null),
  })
  return { ...edits, reason, setReason }
}

/**
 * Edits of what is saved. Holds only what the person has changed, so that other changes of the campaign, such as a
 * pause or a colleague's texts, are neither hidden nor undone.
 */
export function useEdits<Saved extends object, Name extends keyof Saved>(options: {
  saved: Saved
  names: readonly Name[]
  send: (changes: Partial<Pick<Saved, Name>>, draft: Pick<Saved, Name>) => Promise<unknown>
  onSaved?: () => void
}) {
  const { saved, names, send, onSaved } = options
  type Draft = Pick<Saved, Name>
  type Edits = { [Key in Name]?: Edit<Saved[Key]> }
  const [edits, setEdits] = useState<Edits>({})
  const valueOf = (name: Name) => {
    const edit: Edit<Saved[Name]> | undefined = edits[name]
    return edit === undefined ? saved[name] : merged(edit, saved[name])
  }
  const draft = Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Draft
  const changed = names.filter((name) => !isSame(draft[name], saved[name]))
  useWarnBeforeLeaving(changed.length > 0)
  const save = useCampaignChange<Partial<Draft>>({
    change: (sent) => send(sent, draft),
    done: () => t('campaign.saved'),
    onDone: (sent) => {
      setEdits((now) => withoutSaved(now, sent))
      onSaved?.()
    },
  })
  return {
    draft,
    hasChanges: changed.length > 0,
    set: (change: Partial<Draft>) => setEdits((now) => ({ ...now, ...editsOf(saved, change) })),
    save: () => save.mutate(Object.fromEntries(changed.map((name) => [name, draft[name]])) as Partial<Draft>),
    isSaving: save.isPending,
    isConflict: isConflict(save.error),
    error: save.error,
  }
}

/** The form showed everything with all edits, so a change of it holds them all. */
function editsOf(saved: object, change: object): object {
  const before = saved as Record<string, unknown>
  return Object.fromEntries(Object.entries(change).map(([name, to]) => [name, { from: before[name], to }]))
}

function withoutSaved<Edits extends Record<string, Edit<unknown> | undefined>>(
  edits: Edits,
  saved: Record<string, unknown>,
): Edits {
  const isLeft = ([name, edit]: [string, Edit<unknown> | undefined]) =>
    edit !== undefined && !(name in saved && isSame(merged(edit, saved[name]), saved[name]))
  return Object.fromEntries(Object.entries(edits).filter(isLeft)) as Edits
}

function isConflict(error: unknown): boolean {
  return error instanceof Problem && ['campaign_changed', 'settings_changed'].includes(error.code)
}
