/** The rule for free spins of a campaign, what it would give, and the streaks that it has made. */
import { Button, Checkbox, Group, Paper, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { freeSpinDefaults, type FreeSpinRule, minutesOf } from '../../../../src/free-spin-rule.ts'
import type { CampaignAnswer } from '../../../../src/http/answers/campaigns.ts'
import type { FreeSpinPreview, StreaksAnswer } from '../../../../src/http/answers/free-spins.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { NumberField } from '../../parts/number-field.tsx'
import { ClockField } from '../../parts/time-fields.tsx'
import { hereZone } from '../../parts/zoned-time.ts'
import { useApi, useMay, useRead, useRefresh } from '../../session.tsx'
import { formatZoned, t } from '../../texts.ts'

const usual: FreeSpinRule = { ...freeSpinDefaults, every: 'day', streaks: [] }
const zones = Intl.supportedValuesOf('timeZone')

export function FreeSpins({ campaign }: { campaign: CampaignAnswer }) {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const [rule, setRule] = useState(campaign.freeSpins)
  const isReadOnly = !may.edit || campaign.archivedAt !== null
  const save = useMutation({
    mutationFn: () =>
      api.patch(
        `/api/v1/campaigns/${campaign.campaign}`,
        { freeSpins: rule },
        { 'If-Match': `"${campaign.revision}"` },
      ),
    onSuccess: async () => {
      tellDone(t('campaign.saved'))
      await refresh('campaigns')
    },
    onError: tellProblem,
  })
  return (
    <Paper component="section" aria-labelledby="campaign-free">
      <Title order={2} id="campaign-free" mb="sm">
        {t('free.title')}
      </Title>
      <fieldset disabled={isReadOnly} className="plain">
        <Form onSubmit={() => save.mutate()}>
          <Checkbox
            label={t('free.on')}
            description={t('free.onText')}
            checked={rule !== null}
            disabled={isReadOnly}
            onChange={(event) => setRule(event.currentTarget.checked ? (campaign.freeSpins ?? usual) : null)}
          />
          {rule === null ? null : <RuleFields rule={rule} isReadOnly={isReadOnly} onChange={setRule} />}
          {isReadOnly || rule === campaign.freeSpins ? null : (
            <Submit loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
              {t('free.save')}
            </Submit>
          )}
        </Form>
      </fieldset>
      {rule === null ? null : <Preview campaign={campaign} rule={rule} />}
      {campaign.freeSpins === null ? null : <Streaks campaign={campaign} />}
    </Paper>
  )
}

type FieldsProps = { rule: FreeSpinRule; isReadOnly: boolean; onChange: (rule: FreeSpinRule) => void }

function RuleFields({ rule, isReadOnly, onChange }: FieldsProps) {
  const set = (change: Partial<FreeSpinRule>) => onChange({ ...rule, ...change })
  const minutes = minutesOf(rule.every)
  const choose = (label: string, names: readonly string[], value: string, pick: (name: string) => void) => (
    <Select
      label={label}
      data={names.map((name) => ({ value: name, label: t(`free.choice.${name}` as 'free.choice.day') }))}
      value={value}
      allowDeselect={false}
      disabled={isReadOnly}
      onChange={(name) => name !== null && pick(name)}
    />
  )
  const [milestone] = rule.streaks
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NumberField
        label={t('free.amount')}
        value={rule.amount}
        min={1}
        max={100}
        onChange={(amount) => set({ amount })}
      />
      {choose(
        t('free.every'),
        ['day', 'week', 'hours'],
        minutes === undefined ? rule.every : 'hours',
        (name) => set(name === 'hours' ? { every: 'PT4H', at: '00:00', zone: 'wheel' } : { every: name }),
      )}
      {minutes === undefined ? (
        <>
          <ClockField label={t('free.at')} value={rule.at} error={null} onChange={(at) => set({ at })} />
          {choose(t('free.zone'), ['wheel', 'player'], rule.zone, (zone) => set({ zone: zone as 'wheel' }))}
        </>
      ) : (
        <NumberField
          label={t('free.hours')}
          value={Math.max(1, Math.round(minutes / 60))}
          min={1}
          max={168}
          onChange={(hours) => set({ every: `PT${hours}H` })}
        />
      )}
      <NumberField
        label={t('free.bank')}
        description={t('free.bankText')}
        value={rule.bank}
        min={1}
        max={30}
        onChange={(bank) => set({ bank })}
      />
      {choose(t('free.collect'), ['visit', 'play'], rule.on, (on) => set({ on: on as 'visit' }))}
      <NumberField
        label={t('free.length')}
        description={t('free.lengthText')}
        value={milestone?.length}
        min={2}
        max={3650}
        canBeEmpty
        onChange={(length) => set({ streaks: stepsAfter(rule, { length }) })}
      />
      {milestone === undefined ? null : (
        <NumberField
          label={t('free.extra')}
          value={milestone.spins}
          min={1}
          max={1000}
          onChange={(spins) => set({ streaks: stepsAfter(rule, { spins }) })}
        />
      )}
    </SimpleGrid>
  )
}

/** The first milestone with a change; further ones stay. Without a length, it is removed. */
function stepsAfter(
  { streaks: [first, ...others] }: FreeSpinRule,
  change: { length?: number | undefined } | { spins: number },
): FreeSpinRule['streaks'] {
  if ('length' in change && change.length === undefined) return others
  return [{ length: 7, spins: 1, ...first, ...change } as FreeSpinRule['streaks'][number], ...others]
}

function Preview({ campaign, rule }: { campaign: CampaignAnswer; rule: FreeSpinRule }) {
  const api = useApi()
  const [timeZone, setTimeZone] = useState(hereZone)
  const preview = useMutation({
    mutationFn: () =>
      api.post<FreeSpinPreview>(`/api/v1/campaigns/${campaign.campaign}/free-spin-preview`, {
        freeSpins: rule,
        timeZone,
      }),
    onError: tellProblem,
  })
  return (
    <Stack mt="md" gap="xs">
      <Group align="end">
        <Select
          label={t('free.previewZone')}
          data={zones}
          value={timeZone}
          searchable
          allowDeselect={false}
          onChange={(zone) => zone !== null && setTimeZone(zone)}
        />
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate()}>
          {t('free.preview')}
        </Button>
      </Group>
      {preview.data === undefined ? null : <PreviewTable preview={preview.data} zone={timeZone} />}
    </Stack>
  )
}

function PreviewTable({ preview: { spins }, zone }: { preview: FreeSpinPreview; zone: string }) {
  if (spins.length === 0) return <Text size="sm">{t('free.previewNone')}</Text>
  return (
    <Table aria-label={t('free.preview')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('free.from', { zone })}</Table.Th>
          <Table.Th>{t('campaigns.spins')}</Table.Th>
          <Table.Th>{t('free.until')}</Table.Th>
          <Table.Th>{t('free.streak')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {spins.map((one) => (
          <Table.Tr key={one.at}>
            <Table.Td>{formatZoned(one.at, zone)}</Table.Td>
            <Table.Td>{one.spins}</Table.Td>
            <Table.Td>{formatZoned(one.expiresAt, zone)}</Table.Td>
            <Table.Td>{one.streak}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function Streaks({ campaign: { campaign } }: { campaign: CampaignAnswer }) {
  const { data } = useRead<StreaksAnswer>(
    ['campaigns', 'streaks', campaign],
    `/api/v1/campaigns/${campaign}/streaks`,
  )
  if (data === undefined || data.streaks.length === 0) return null
  const players = data.streaks.reduce((sum, one) => sum + one.players, 0)
  const longest = data.streaks.at(-1)?.streak ?? 0
  return (
    <Text size="sm" mt="md">
      {t('free.streaks', { players, longest })}
    </Text>
  )
}
