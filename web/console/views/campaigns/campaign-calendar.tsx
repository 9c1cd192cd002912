/** The coming weeks: a row for each campaign, with a bar from its opening to its end. */
import { ActionIcon, Group, Paper, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import { Icon } from '../../parts/icons.tsx'
import { useApi } from '../../session.tsx'
import { formatDay, formatZoned, otherZone, t } from '../../texts.ts'
import './campaign-calendar.css'

const dayMs = 86_400_000
const weeksShown = 6
const span = weeksShown * 7 * dayMs

export function CampaignCalendar({ campaigns }: { campaigns: CampaignAnswer[] }) {
  const { merchant } = useApi()
  const [weeks, setWeeks] = useState(-1)
  const start = mondayOf(Date.now()) + weeks * 7 * dayMs
  const now = share(Date.now(), start)
  return (
    <Paper>
      <Group justify="space-between" mb="sm">
        <Text fw={600}>
          {formatDay(iso(start))} – {formatDay(iso(start + span - dayMs))}
        </Text>
        <Group gap="xs">
          <ActionIcon
            variant="default"
            aria-label={t('campaigns.earlier')}
            onClick={() => setWeeks(weeks - weeksShown)}
          >
            <Icon name="left" size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label={t('campaigns.later')}
            onClick={() => setWeeks(weeks + weeksShown)}
          >
            <Icon name="right" size={16} />
          </ActionIcon>
        </Group>
      </Group>
      <div className="calendar" role="list" aria-label={t('campaigns.calendar')}>
        <div className="calendar-weeks" aria-hidden="true">
          {Array.from({ length: weeksShown }, (_, week) => (
            <span key={week}>{formatDay(iso(start + week * 7 * dayMs))}</span>
          ))}
        </div>
        {campaigns.map((campaign) => {
          const from = share(momentOf(campaign.opensAt, start), start)
          const to = share(momentOf(campaign.endsAt, start + span), start)
          return (
            <div key={campaign.campaign} className="calendar-row" role="listitem">
              <Link className="row-link calendar-name" href={`/m/${merchant}/campaigns/${campaign.campaign}`}>
                {campaign.name}
              </Link>
              <VisuallyHidden>{periodOf(campaign)}</VisuallyHidden>
              <div className="calendar-line" aria-hidden="true" title={periodOf(campaign)}>
                {to > from ? (
                  <div
                    className="calendar-bar"
                    data-state={campaign.state}
                    style={{ insetInlineStart: `${from * 100}%`, width: `${(to - from) * 100}%` }}
                  />
                ) : null}
                {now > 0 && now < 1 ? (
                  <div className="calendar-now" style={{ insetInlineStart: `${now * 100}%` }} />
                ) : null}
              </div>
            </div>
          )
        })}
      </div>
    </Paper>
  )
}

/** The state and the dates of a campaign, in the zone of its wheel. */
export function periodOf({ opensAt, endsAt, state, timeZone }: CampaignAnswer): string {
  const from = opensAt === null ? t('campaigns.noStart') : formatZoned(opensAt, timeZone)
  const to = endsAt === null ? t('campaigns.noEnd') : formatZoned(endsAt, timeZone)
  return `${t(`campaign.${state}`)}: ${from} – ${to}${otherZone(timeZone)}`
}

/** The part of the shown weeks that lies before a time, from 0 to 1. */
function share(ms: number, start: number): number {
  return Math.min(1, Math.max(0, (ms - start) / span))
}

function momentOf(time: string | null, otherwise: number): number {
  return time === null ? otherwise : Date.parse(time)
}

/** The 5th of January 1970 was a Monday. */
function mondayOf(ms: number): number {
  const week = 7 * dayMs
  return Math.floor((ms - 4 * dayMs) / week) * week + 4 * dayMs
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
