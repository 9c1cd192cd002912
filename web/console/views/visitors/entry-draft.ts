/** What the console suggests for an entry, and what is still wrong with one. */
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { FieldError } from '../../../../src/http/answers/shapes.ts'
import { checkEntry } from '../../../../src/entries/check-entry.ts'
import type { EntryField, EntrySettings, Labels } from '../../../../src/entries/form.ts'
import { t } from '../../texts.ts'
import usualLabels from './usual-labels.json' with { type: 'json' }

type EntryFieldKind = EntryField['kind']

export const addedKinds = ['name', 'phone', 'birth', 'choice', 'text', 'consent'] as const

/** A new entry: only the address is asked. */
export function usualEntry(canSendCodes: boolean): EntrySettings {
  return {
    isOpen: false,
    spins: 1,
    entriesMax: null,
    verify: canSendCodes ? 'code' : 'none',
    challenge: 'suspicious',
    refusesDisposable: false,
    answersDays: 90,
    consentYears: 3,
    fields: [{ id: 'email', kind: 'email', labels: usualLabels.email, isRequired: true, when: 'entry' }],
    terms: {
      organiser: '',
      postalAddress: '',
      whoMayEnter: '',
      limitPerPerson: '',
      howToClaim: '',
      privacyAddress: '',
      texts: {},
      address: null,
    },
  }
}

/** Another field of the form. A consent is for marketing first, and so never required. */
export function newField(kind: EntryFieldKind, fields: readonly EntryField[]): EntryField {
  const usual: Partial<Record<string, Labels>> = usualLabels
  return {
    id: freeId(kind, fields),
    kind,
    labels: usual[kind] ?? {},
    isRequired: false,
    when: 'entry',
    ...(kind === 'choice' ? { options: [newOption([]), newOption([{ id: 'option' }])] } : {}),
    ...(kind === 'consent' ? { purpose: 'marketing' as const } : {}),
  }
}

export function newOption(options: readonly { id: string }[]): { id: string; labels: Labels } {
  return { id: freeId('option', options), labels: {} }
}

/** Ids stand in exports and events, so they begin with the kind: `choice`, `choice_2`. */
function freeId(kind: string, taken: readonly { id: string }[]): string {
  const isTaken = (id: string) => taken.some((one) => one.id === id)
  for (let number = 1; ; number++) {
    const id = number === 1 ? kind : `${kind}_${number}`
    if (!isTaken(id)) return id
  }
}

/** The labels with another text in one language. An empty text removes the language. */
export function withLabel(labels: Labels, language: string, text: string): Labels {
  if (text !== '') return { ...labels, [language]: text }
  return Object.fromEntries(Object.entries(labels).filter(([one]) => one !== language))
}

/** What the server would refuse, in words for the field where it is wrong. */
export function entryProblems(draft: EntrySettings, campaign: CampaignAnswer): FieldError[] {
  const closesAt = campaign.endsAt === null ? null : new Date(campaign.endsAt)
  const address = draft.terms.address === null || /^https:\/\/\S+$/.test(draft.terms.address)
  return [
    ...checkEntry(draft, { closesAt }).map(({ pointer }) => ({ pointer, detail: wordsAt(pointer) })),
    ...draft.fields.flatMap((field, at) =>
      (field.options ?? []).flatMap((option, index) =>
        Object.keys(option.labels).length > 0
          ? []
          : [{ pointer: `/fields/${at}/options/${index}`, detail: t('visitors.optionMissing') }],
      ),
    ),
    ...(address ? [] : [{ pointer: '/terms/address', detail: t('visitors.addressWrong') }]),
  ]
}

function wordsAt(pointer: string): string {
  if (pointer === '/isOpen') return t('visitors.endMissing')
  if (pointer === '/terms/texts') return t('visitors.termsMissing')
  if (pointer.startsWith('/terms/')) return t('visitors.missing')
  return t(pointer.endsWith('/options') ? 'visitors.optionsMissing' : 'visitors.labelMissing')
}
