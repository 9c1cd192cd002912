import { Alert, Button, Group, Paper, SimpleGrid, Space, Switch, TagsInput, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MerchantAnswer, Settings } from '../../../src/http/answers/settings.ts'
import { spinExpiryNoticeHoursMax, spinLifetimeDaysMax } from '../../../src/limits.ts'
import { Problem } from '../api.ts'
import { useAction } from '../parts/action.ts'
import { CurrencyField } from '../parts/currency-field.tsx'
import { DurationField, DurationOrNever } from '../parts/duration-field.tsx'
import { isSame, without } from '../parts/edits.ts'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { LastChange } from '../parts/last-change.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { NumberField } from '../parts/number-field.tsx'
import { Loaded } from '../parts/states.tsx'
import { useWarnBeforeLeaving } from '../parts/unsaved.ts'
import { ZoneField } from '../parts/zone-field.tsx'
import { sessionKey, useApi, useMay } from '../session.tsx'
import { formatTime, t } from '../texts.ts'

export function MerchantSettings() {
  const api = useApi()
  const loaded = useQuery({
    queryKey: [api.merchant, 'merchant'],
    queryFn: ({ signal }) => api.getTagged<MerchantAnswer>('/api/v1/merchant', signal),
    refetchOnWindowFocus: false,
  })
  const [resetCount, setResetCount] = useState(0)
  return (
    <Loaded query={loaded} rows={6}>
      {({ data, etag }) => (
        <SettingsForm
          key={resetCount}
          answer={data}
          etag={etag}
          onReset={() => setResetCount((count) => count + 1)}
        />
      )}
    </Loaded>
  )
}

/** `onReset` must mount a new form, which also clears half-typed fields. */
function SettingsForm(props: { answer: MerchantAnswer; etag: string | null; onReset: () => void }) {
  const { answer, etag, onReset } = props
  const isReadOnly = !useMay().administer
  const { now, changes, set, save, read } = useSettingsEdits(answer, etag)
  const wrongOrigin = now.embedOrigins.find((origin) => !isOrigin(origin))
  const fields: Fields = { now, set, isReadOnly }
  return (
    <Form gap="lg" maw={820} onSubmit={() => save.mutate(changes)}>
      {isConflict(save.error) ? (
        <Alert color="orange" icon={<Icon name="warning" />} title={t('settings.conflict')}>
          <Text size="sm" mb="xs">
            <LastChange kind="merchant" subject={answer.merchant} />
          </Text>
          <Button size="xs" variant="default" onClick={() => void read().then(onReset)}>
            {t('conflict.theirs')}
          </Button>
        </Alert>
      ) : null}
      <Paper component="section" aria-labelledby="merchant-title">
        <Title order={2} id="merchant-title">
          {answer.name}
        </Title>
        <Text size="sm" c="dimmed" mb="md">
          {t('settings.since', { id: answer.merchant, when: formatTime(answer.createdAt) })}
        </Text>
        <ZoneField
          label={t('field.timeZone')}
          description={t('settings.zoneHint')}
          value={now.timeZone}
          maw={360}
          disabled={isReadOnly}
          onChange={(timeZone) => set({ timeZone })}
        />
        <Space h="sm" />
        <CurrencyField
          description={t('settings.currencyHint')}
          value={now.currency}
          maw={360}
          disabled={isReadOnly}
          onChange={(currency) => set({ currency })}
        />
      </Paper>
      <Limits {...fields} />
      <Origins {...fields} wrongOrigin={wrongOrigin} />
      {isReadOnly ? null : (
        <Group justify="flex-end">
          <Submit
            loading={save.isPending}
            disabled={wrongOrigin !== undefined || Object.keys(changes).length === 0}
          >
            {t('action.save')}
          </Submit>
        </Group>
      )}
    </Form>
  )
}

const settingNames = [
  'strictPlayers',
  'grantMax',
  'dailyGrantMax',
  'supportDailyGrantMax',
  'linkLifetimeSeconds',
  'spinLifetimeDays',
  'spinExpiryNoticeHours',
  'redemptionReversalHours',
  'embedOrigins',
  'timeZone',
  'currency',
] as const satisfies (keyof Settings)[]

/** Holds only the person's edits, on top of the saved settings. So an edit made during a save survives it. */
function useSettingsEdits(answer: MerchantAnswer, etag: string | null) {
  const api = useApi()
  const client = useQueryClient()
  const [edits, setEdits] = useState<Partial<Settings>>({})
  const now: Settings = { ...answer, ...edits }
  const changes: Partial<Settings> = Object.fromEntries(
    settingNames.filter((name) => !isSame(now[name], answer[name])).map((name) => [name, now[name]]),
  )
  useWarnBeforeLeaving(Object.keys(changes).length > 0)
  const read = () => client.invalidateQueries({ queryKey: [api.merchant, 'merchant'] })
  const save = useAction({
    mutationFn: (sent: Partial<Settings>) =>
      api.patch<MerchantAnswer>('/api/v1/merchant', sent, etag === null ? {} : { 'If-Match': etag }),
    onSuccess: async (_, sent) => {
      // The session says in which currency and zone all views show amounts and times.
      await Promise.all([read(), client.invalidateQueries({ queryKey: sessionKey })])
      setEdits((before) => without(before, sent))
      tellDone(t('account.saved'))
    },
    onError: (error) => {
      if (!isConflict(error)) tellProblem(error)
    },
  })
  const set = (change: Partial<Settings>) => setEdits((before) => ({ ...before, ...change }))
  return { now, changes, set, save, read }
}

function isConflict(error: unknown): boolean {
  return error instanceof Problem && error.code === 'settings_changed'
}

type Fields = { now: Settings; set: (change: Partial<Settings>) => void; isReadOnly: boolean }

function Limits({ now, set, isReadOnly }: Fields) {
  return (
    <Paper component="section" aria-labelledby="limits-title">
      <Title order={2} id="limits-title">
        {t('settings.limits')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.limitsText')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <GrantLimits {...{ now, set, isReadOnly }} />
        <Lifetimes {...{ now, set, isReadOnly }} />
      </SimpleGrid>
      <Switch
        mt="md"
        label={t('settings.strictPlayers')}
        description={t('settings.strictPlayersText')}
        checked={now.strictPlayers}
        disabled={isReadOnly}
        onChange={(event) => set({ strictPlayers: event.currentTarget.checked })}
      />
    </Paper>
  )
}

function GrantLimits({ now, set, isReadOnly }: Fields) {
  return (
    <>
      <NumberField
        label={t('settings.grantMax')}
        value={now.grantMax}
        min={1}
        max={1_000_000}
        disabled={isReadOnly}
        onChange={(grantMax) => set({ grantMax })}
      />
      <NumberField
        label={t('settings.dailyGrantMax')}
        description={t('settings.dailyGrantMaxHint')}
        placeholder={t('segment.noLimit')}
        value={now.dailyGrantMax ?? undefined}
        canBeEmpty
        min={1}
        max={1_000_000_000}
        disabled={isReadOnly}
        onChange={(value) => set({ dailyGrantMax: value ?? null })}
      />
      <NumberField
        label={t('settings.supportDailyGrantMax')}
        description={t('settings.supportDailyGrantMaxHint')}
        value={now.supportDailyGrantMax}
        min={0}
        max={1_000_000}
        disabled={isReadOnly}
        onChange={(supportDailyGrantMax) => set({ supportDailyGrantMax })}
      />
    </>
  )
}

/** How long links, spins and redemptions last. */
function Lifetimes({ now, set, isReadOnly }: Fields) {
  return (
    <>
      <DurationField
        label={t('settings.linkLifetime')}
        description={t('settings.linkLifetimeHint')}
        value={now.linkLifetimeSeconds}
        minSeconds={300}
        maxSeconds={30 * 86_400}
        disabled={isReadOnly}
        onChange={(linkLifetimeSeconds) => set({ linkLifetimeSeconds })}
      />
      <DurationOrNever
        label={t('settings.spinLifetime')}
        description={t('settings.spinLifetimeHint')}
        unit="days"
        value={now.spinLifetimeDays}
        max={spinLifetimeDaysMax}
        disabled={isReadOnly}
        onChange={(spinLifetimeDays) => set({ spinLifetimeDays })}
      />
      <DurationOrNever
        label={t('settings.spinNotice')}
        description={t('settings.spinNoticeHint')}
        unit="hours"
        value={now.spinExpiryNoticeHours}
        max={spinExpiryNoticeHoursMax}
        disabled={isReadOnly}
        onChange={(spinExpiryNoticeHours) => set({ spinExpiryNoticeHours })}
      />
      <DurationOrNever
        label={t('settings.reversal')}
        description={t('settings.reversalHint')}
        unit="hours"
        value={now.redemptionReversalHours === 0 ? null : now.redemptionReversalHours}
        max={30 * 24}
        disabled={isReadOnly}
        onChange={(hours) => set({ redemptionReversalHours: hours ?? 0 })}
      />
    </>
  )
}

/** The pages that may embed the game. */
function Origins({ now, set, isReadOnly, wrongOrigin }: Fields & { wrongOrigin: string | undefined }) {
  return (
    <Paper component="section" aria-labelledby="origins-title">
      <Title order={2} id="origins-title">
        {t('settings.origins')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('settings.originsText')}
      </Text>
      <TagsInput
        aria-label={t('settings.origins')}
        placeholder="https://shop.example.com"
        value={now.embedOrigins}
        error={wrongOrigin === undefined ? null : t('settings.originWrong', { origin: wrongOrigin })}
        disabled={isReadOnly}
        onChange={(embedOrigins) => set({ embedOrigins })}
      />
    </Paper>
  )
}

/** Whether it is a scheme and a host, such as https://shop.example.com, and no more. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
