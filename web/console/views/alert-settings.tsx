/** What the person wants to be told by e-mail, of all campaigns or of one. */
import { Alert, Anchor, Checkbox, List, Paper, Radio, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { CampaignAnswer } from '../../../src/http/answers/campaigns.ts'
import type { AlertsAnswer } from '../../../src/http/answers/staff-alerts.ts'
import { type AlertCause, alertCauses, campaignAlertCauses } from '../../../src/staff-alerts/alert-causes.ts'
import { useAction } from '../parts/action.ts'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { useKnownCampaigns } from '../parts/known-campaigns.ts'
import { isSame } from '../parts/edits.ts'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Loaded } from '../parts/states.tsx'
import { useWarnBeforeLeaving } from '../parts/unsaved.ts'
import { useApi, useMerchant, useRead } from '../session.tsx'
import { t } from '../texts.ts'

const path = '/api/v1/account/alerts'

/** For all campaigns that have no choice of their own. */
export function AlertSettings() {
  const alerts = useRead<AlertsAnswer>(['alerts'], path)
  return (
    <Paper component="section" maw={720} aria-labelledby="alerts-title">
      <Title order={2} id="alerts-title">
        {t('alerts.title')}
      </Title>
      <Loaded query={alerts}>{(data) => <ChoiceForAll alerts={data} />}</Loaded>
    </Paper>
  )
}

function ChoiceForAll({ alerts }: { alerts: AlertsAnswer }) {
  const api = useApi()
  const choice = useChoice(alerts.causes, (causes) =>
    api.put<AlertsAnswer>(path, { causes }).then(({ data }) => data),
  )
  return (
    <Form gap="md" onSubmit={choice.save}>
      <Where alerts={alerts} />
      <Causes offered={alertCauses} chosen={choice.now ?? []} onChange={choice.set} />
      <Save {...choice} />
      <OwnChoices campaigns={alerts.campaigns.map(({ campaign }) => campaign)} />
    </Form>
  )
}

/** For one campaign: as for all, or a choice of its own. */
export function CampaignAlerts({ campaign }: { campaign: CampaignAnswer }) {
  const alerts = useRead<AlertsAnswer>(['alerts'], path)
  return (
    <Paper component="section" aria-labelledby="campaign-alerts">
      <Title order={2} id="campaign-alerts">
        {t('alerts.title')}
      </Title>
      <Loaded query={alerts}>{(data) => <ChoiceForCampaign alerts={data} slug={campaign.campaign} />}</Loaded>
    </Paper>
  )
}

function ChoiceForCampaign({ alerts, slug }: { alerts: AlertsAnswer; slug: string }) {
  const api = useApi()
  const own = alerts.campaigns.find(({ campaign }) => campaign === slug)?.causes ?? null
  const choice = useChoice(own, (causes) =>
    causes === null
      ? api.del<AlertsAnswer>(`${path}/${slug}`)
      : api.put<AlertsAnswer>(`${path}/${slug}`, { causes }).then(({ data }) => data),
  )
  const ofAll = alerts.causes.filter((cause) => campaignAlertCauses.includes(cause))
  return (
    <Form gap="md" onSubmit={choice.save}>
      <Where alerts={alerts} />
      <Radio.Group
        label={t('alerts.forCampaign')}
        value={choice.now === null ? 'all' : 'own'}
        onChange={(value) => choice.set(value === 'all' ? null : (own ?? ofAll))}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('alerts.asAll')} description={namesOf(ofAll)} />
          <Radio value="own" label={t('alerts.own')} />
        </Stack>
      </Radio.Group>
      {choice.now === null ? null : (
        <Causes offered={campaignAlertCauses} chosen={choice.now} onChange={choice.set} />
      )}
      <Save {...choice} />
    </Form>
  )
}

/** Holds the person's edit until it is saved. */
function useChoice<Choice extends AlertCause[] | null>(
  saved: Choice,
  send: (choice: Choice) => Promise<AlertsAnswer>,
) {
  const client = useQueryClient()
  const { merchant } = useMerchant()
  const [edit, set] = useState<Choice | undefined>(undefined)
  const now = edit === undefined ? saved : edit
  const isChanged = !isSame(now, saved)
  useWarnBeforeLeaving(isChanged)
  const save = useAction({
    mutationFn: send,
    onSuccess: (answer) => {
      client.setQueryData([merchant, 'alerts'], answer)
      set(undefined)
      tellDone(t('account.saved'))
    },
    onError: tellProblem,
  })
  return { now, set, isChanged, isSaving: save.isPending, save: () => save.mutate(now) }
}

function Save({ isChanged, isSaving }: { isChanged: boolean; isSaving: boolean }) {
  return (
    <Submit disabled={!isChanged} loading={isSaving} style={{ alignSelf: 'flex-start' }}>
      {t('action.save')}
    </Submit>
  )
}

/** Where alerts go, or why none is sent. */
function Where({ alerts: { isMailSet, isEmailProven, email } }: { alerts: AlertsAnswer }) {
  if (isMailSet && isEmailProven)
    return (
      <Text size="sm" c="dimmed">
        {t('alerts.text', { email })}
      </Text>
    )
  return (
    <Alert color="orange" variant="light" icon={<Icon name="warning" />}>
      <Text size="sm">{isMailSet ? t('alerts.notProven', { email }) : t('alerts.noMail')}</Text>
    </Alert>
  )
}

function Causes(props: {
  offered: readonly AlertCause[]
  chosen: readonly AlertCause[]
  onChange: (causes: AlertCause[]) => void
}) {
  const { offered, chosen, onChange } = props
  return (
    <Checkbox.Group
      label={t('alerts.causes')}
      value={[...chosen]}
      onChange={(values) => onChange(offered.filter((cause) => values.includes(cause)))}
    >
      <Stack gap="sm" mt="xs">
        {offered.map((cause) => (
          <Checkbox
            key={cause}
            value={cause}
            label={t(`alerts.cause.${cause}`)}
            description={t(`alerts.when.${cause}`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function OwnChoices({ campaigns }: { campaigns: readonly string[] }) {
  const { merchant } = useMerchant()
  const known = useKnownCampaigns()
  if (campaigns.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('alerts.ownHint')}
      </Text>
    )
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('alerts.ownChoices')}
      </Text>
      <List size="sm">
        {campaigns.map((slug) => (
          <List.Item key={slug}>
            <Anchor component={Link} inherit href={`/m/${merchant}/campaigns/${slug}?tab=settings`}>
              {known.find(({ campaign }) => campaign === slug)?.name ?? slug}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </div>
  )
}

function namesOf(causes: readonly AlertCause[]): string {
  if (causes.length === 0) return t('alerts.none')
  return causes.map((cause) => t(`alerts.cause.${cause}`)).join(', ')
}
