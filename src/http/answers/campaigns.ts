import { type Static, Type } from 'typebox'
import { type Campaign, campaignStates, openingOf } from '../../campaigns/campaign.ts'
import { ruleOf } from '../../free-spin-rule/free-spin-rule.ts'
import { spinLifetimeDaysMax } from '../../limits.ts'
import { slugPattern } from '../../slug.ts'
import type { Figures } from '../../reports/figures-sql.ts'
import type { StockLeft } from '../../stock/stock-left.ts'
import { MaybeTime, nullable, Time } from './shapes.ts'
import { FreeSpinRuleBody } from './free-spins.ts'
import { ScheduledWheel, shownScheduledWheel } from './scheduled.ts'
import { type Page, PageOf } from './page.ts'
import { playFigures } from './reports.ts'
import { textPattern } from './patterns.ts'
import { languagePattern } from '../../text-patterns.ts'

export const CampaignId = Type.String({
  pattern: slugPattern,
  description: 'The permanent id of a campaign.',
  examples: ['summer'],
})

const Text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: textPattern })

const Texts = Type.Record(
  Type.String({ pattern: languagePattern }),
  Type.Object(
    { name: Type.Optional(Text(80)), description: Type.Optional(Text(200)) },
    { title: 'CampaignText', additionalProperties: false },
  ),
  {
    additionalProperties: false,
    description: 'What players read about the campaign, by language (BCP 47).',
    examples: [{ de: { name: 'Sommerrad', description: 'Jeden Tag ein Preis' } }],
  },
)

/** A filter of lists, reports and exports. */
export const campaignQuery = {
  campaign: Type.Optional(
    Type.String({ pattern: slugPattern, description: 'Only this campaign, such as `main`; all by default.' }),
  ),
}

export const CampaignSettingsBody = Type.Object({
  name: { ...Text(80), examples: ['Summer sale'] },
  wheel: Type.String({ pattern: slugPattern, description: 'The id of its wheel.', examples: ['summer'] }),
  opensAt: Type.Union([Time, Type.Null()], {
    description: "Spins can be used from then on; null for no limit. Narrows the wheel's own schedule.",
  }),
  closesAt: Type.Union([Time, Type.Null()], { description: 'Until then; null for no limit.' }),
  priority: Type.Integer({
    minimum: -1000,
    maximum: 1000,
    description: 'Campaigns with a greater priority come first.',
    examples: [10],
  }),
  texts: Texts,
  spinLifetimeDays: Type.Union([Type.Integer({ minimum: 1, maximum: spinLifetimeDaysMax }), Type.Null()], {
    description:
      "Its spins expire this many days after they were granted or won; null for the merchant's setting. Counts for spins that come later. Always null for `main`.",
  }),
  freeSpins: Type.Union([FreeSpinRuleBody, Type.Null()], {
    description: 'The rule for free spins that come back; null for none.',
  }),
})

const CampaignFigures = Type.Object(
  {
    ...playFigures,
    countedUntil: Type.Union(MaybeTime.anyOf, {
      description: 'The figures cover everything up to this time.',
    }),
    stock: Type.Array(
      Type.Object({
        prizeId: Type.String(),
        label: Type.String(),
        left: Type.Integer({
          description:
            'Units that can still be won: of its stock, or codes of its pool. Of a paced prize, what was not given before today, until its run is over.',
        }),
        total: Type.Integer(),
      }),
      { description: 'The limited prizes of the wheel. Campaigns that use the same wheel share its stock.' },
    ),
  },
  { title: 'CampaignFigures', description: 'Since the beginning. Only if they were asked for.' },
)
type CampaignFigures = Static<typeof CampaignFigures>

export const CampaignAnswer = Type.Object(
  {
    campaign: Type.String(),
    ...CampaignSettingsBody.properties,
    freeSpins: nullable(Type.Required(FreeSpinRuleBody, { title: 'FreeSpinRule' })),
    name: Type.String(),
    wheel: Type.String(),
    wheelName: Type.String(),
    wheelVersion: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The published version; null for a draft.',
    }),
    timeZone: Type.String({ description: 'The time zone of the wheel, in which the dates are meant.' }),
    purse: Type.String({
      description:
        'The id of the campaign that its purse was made for: its own id, or that of the campaign whose spins it shares.',
    }),
    state: Type.Enum([...campaignStates], {
      description:
        '`draft`: the wheel is not published. `closed`: outside the hours of the wheel. `ended`: after `closesAt`.',
    }),
    nextOpensAt: Type.Union([Time, Type.Null()], {
      description: "When it opens next, by its dates and the wheel's schedule; null if it is open or over.",
    }),
    endsAt: Type.Union([Time, Type.Null()], {
      description: "When it closes for good, by its dates and the wheel's; null for never.",
    }),
    pausedAt: MaybeTime,
    archivedAt: MaybeTime,
    scheduledWheel: Type.Union(nullable(ScheduledWheel).anyOf, {
      description: 'Another wheel that it gets later, or that it could not get.',
    }),
    createdAt: Time,
    revision: Type.Integer({ description: 'Also the ETag. Send it as If-Match with a change.' }),
    figures: Type.Optional(CampaignFigures),
  },
  { title: 'Campaign' },
)
export type CampaignAnswer = Static<typeof CampaignAnswer>

export const CampaignsAnswer = PageOf('campaigns', CampaignAnswer)
export type CampaignsAnswer = Page<'campaigns', CampaignAnswer>

export function shownCampaign(campaign: Campaign, now: Date): CampaignAnswer {
  const { state, opensAt, closesAt } = openingOf(campaign, now)
  return {
    campaign: campaign.slug,
    name: campaign.name,
    wheel: campaign.wheel,
    wheelName: campaign.wheelName,
    wheelVersion: campaign.wheelVersion,
    timeZone: campaign.schedule.timeZone,
    purse: campaign.purse,
    opensAt: campaign.opensAt?.toISOString() ?? null,
    closesAt: campaign.closesAt?.toISOString() ?? null,
    priority: campaign.priority,
    texts: campaign.texts,
    spinLifetimeDays: campaign.spinLifetimeDays,
    freeSpins: campaign.freeSpins && ruleOf(campaign.freeSpins),
    state,
    nextOpensAt: opensAt?.toISOString() ?? null,
    endsAt: closesAt?.toISOString() ?? null,
    pausedAt: campaign.pausedAt?.toISOString() ?? null,
    archivedAt: campaign.archivedAt?.toISOString() ?? null,
    scheduledWheel: campaign.scheduled === null ? null : shownScheduledWheel(campaign.scheduled),
    createdAt: campaign.createdAt.toISOString(),
    revision: campaign.revision,
  }
}

export function shownFigures(
  { wheelId }: Pick<Campaign, 'wheelId'>,
  figures: Figures,
  { stock, countedUntil }: { stock: readonly StockLeft[]; countedUntil: Date | undefined },
): CampaignFigures {
  return {
    ...figures,
    countedUntil: countedUntil?.toISOString() ?? null,
    stock: stock
      .filter((prize) => prize.wheelId === wheelId)
      .map(({ prizeId, label, left, total }) => ({ prizeId, label, left, total })),
  }
}
