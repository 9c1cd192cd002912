import { type Static, Type } from 'typebox'
import { alertCauses, campaignAlertCauses } from '../../staff-alerts/alert-causes.ts'
import type { AlertChoice } from '../../staff-alerts/alert-choices.ts'

const causesOf = (names: readonly (typeof alertCauses)[number][], description: string) =>
  Type.Array(Type.Enum([...names]), { maxItems: names.length, uniqueItems: true, description })

export const AlertsBody = Type.Object({ causes: causesOf(alertCauses, 'What to be told; none for nothing.') })
export const CampaignAlertsBody = Type.Object({
  causes: causesOf(
    campaignAlertCauses,
    'What to be told about this campaign, instead of the choice for all.',
  ),
})

export const AlertsAnswer = Type.Object(
  {
    isMailSet: Type.Boolean({
      description: 'Whether the server can send mail. Without it, nothing is told.',
    }),
    email: Type.String({ description: 'Where alerts go.' }),
    isEmailProven: Type.Boolean({
      description: 'Whether you have used a link that was sent to this address. Until then, nothing is told.',
    }),
    causes: causesOf(alertCauses, 'What you are told about all campaigns without a choice of their own.'),
    campaigns: Type.Array(Type.Object({ campaign: Type.String(), causes: causesOf(alertCauses, '') }), {
      description: 'Campaigns with a choice of their own.',
    }),
  },
  { title: 'Alerts' },
)
export type AlertsAnswer = Static<typeof AlertsAnswer>

export function shownAlerts(
  { email, emailProvenAt }: { email: string; emailProvenAt: Date | null },
  choices: readonly AlertChoice[],
  isMailSet: boolean,
): AlertsAnswer {
  return {
    isMailSet,
    email,
    isEmailProven: emailProvenAt !== null,
    causes: choices.find(({ campaign }) => campaign === null)?.causes ?? [],
    campaigns: choices.flatMap(({ campaign, causes }) => (campaign === null ? [] : [{ campaign, causes }])),
  }
}
