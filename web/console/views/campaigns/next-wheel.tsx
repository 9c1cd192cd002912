/** Another wheel for a campaign at a later time: what is scheduled, or why it failed, and the form. */
import { Alert, Button, Paper, Select, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { WheelsAnswer } from '../../../../src/http/answers/wheels.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { useKnownCampaigns } from '../../parts/known-campaigns.ts'
import { MomentField, scheduleProblem } from '../../parts/time-fields.tsx'
import { wheelOptions } from '../../parts/wheel-options.ts'
import { useApi, useMay, useRead } from '../../session.tsx'
import { formatInZone, t } from '../../texts.ts'
import { useCampaignChange } from './change-campaign.ts'

export function NextWheel({ campaign }: { campaign: CampaignAnswer }) {
  const may = useMay()
  const mayEdit = may.edit && campaign.archivedAt === null
  if (!mayEdit && campaign.scheduledWheel === null) return null
  return (
    <Paper component="section" aria-labelledby="campaign-next">
      <Title order={2} id="campaign-next" mb="sm">
        {t('campaign.next')}
      </Title>
      <Stack>
        <Scheduled campaign={campaign} mayEdit={mayEdit} />
        {mayEdit ? <Schedule campaign={campaign} /> : null}
      </Stack>
    </Paper>
  )
}

const pathOf = ({ campaign }: CampaignAnswer) => `/api/v1/campaigns/${campaign}/scheduled-wheel`

function Scheduled({ campaign, mayEdit }: { campaign: CampaignAnswer; mayEdit: boolean }) {
  const api = useApi()
  const scheduled = campaign.scheduledWheel
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const isFailed = scheduled !== null && scheduled.failedAt !== null
  const cancel = useCampaignChange({
    change: () => api.del(pathOf(campaign)),
    done: () => t(isFailed ? 'campaign.nextDismissed' : 'campaign.nextCancelled'),
  })
  if (scheduled === null) return null
  const wheel = wheels.data?.wheels.find((one) => one.wheel === scheduled.wheel)?.name ?? scheduled.wheel
  const time = formatInZone(scheduled.at, campaign.timeZone)
  return (
    <Alert
      color={isFailed ? 'red' : 'blue'}
      variant="light"
      icon={<Icon name={isFailed ? 'warning' : 'calendar'} />}
      title={t(isFailed ? 'campaign.nextFailed' : 'campaign.nextTitle', { wheel, time })}
    >
      {scheduled.errors.map(({ detail }) => (
        <Text key={detail} size="sm">
          {detail}
        </Text>
      ))}
      <Text size="sm">{t('scheduled.by', { who: scheduled.by.replace(/^\w+:/, '') })}</Text>
      {mayEdit ? (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {t(isFailed ? 'campaign.nextDismiss' : 'campaign.nextCancel')}
        </Button>
      ) : null}
    </Alert>
  )
}

function Schedule({ campaign }: { campaign: CampaignAnswer }) {
  const api = useApi()
  const wheels = useRead<WheelsAnswer>(['wheels'], '/api/v1/wheels')
  const [wheel, setWheel] = useState<string | null>(null)
  const [at, setAt] = useState<string>()
  const problem = scheduleProblem(at)
  const schedule = useCampaignChange({
    change: () => api.put(pathOf(campaign), { wheel, at }),
    done: () => t('campaign.nextDone'),
  })
  const isDraft = wheels.data?.wheels.find((one) => one.wheel === wheel)?.publishedVersion === null
  const others = wheelOptions(wheels.data?.wheels ?? [], useKnownCampaigns()).filter(
    ({ value }) => value !== campaign.wheel,
  )
  return (
    <Form onSubmit={() => schedule.mutate()}>
      <Text size="sm" c="dimmed">
        {t('campaign.nextText')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('campaign.nextWheel')}
          data={others}
          value={wheel}
          error={isDraft ? t('campaign.wheelIsDraft') : null}
          onChange={setWheel}
        />
        <MomentField
          label={t('campaign.nextAt')}
          zone={campaign.timeZone}
          value={at}
          error={problem}
          onChange={setAt}
        />
      </SimpleGrid>
      <Submit
        variant="default"
        disabled={wheel === null || at === undefined || problem !== null}
        loading={schedule.isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('campaign.nextSchedule')}
      </Submit>
    </Form>
  )
}
