/** All merchants, for operators: find, open, create and suspend one, or create a password reset link. */
import { Badge, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ListedMerchantAnswer, MerchantsAnswer } from '../../../src/http/answers/merchants.ts'
import type { LinkAnswer } from '../../../src/http/answers/staff.ts'
import { call } from '../api.ts'
import { Pages, useListPages } from '../pages.tsx'
import { useAction } from '../parts/action.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyText } from '../parts/copy.tsx'
import { CurrencyField } from '../parts/currency-field.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Empty, PageHead } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { Term } from '../parts/term.tsx'
import { ZoneField } from '../parts/zone-field.tsx'
import { hereZone } from '../parts/zoned-time.ts'
import { sessionKey } from '../session.tsx'
import { formatNumber, formatTime, t } from '../texts.ts'
import { slugOf } from './editor/draft/slug.ts'

const path = '/api/v1/operator/merchants'
const listKey = ['operator', 'merchants'] as const

export function Merchants() {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 200)
  const [isCreating, setCreating] = useState(false)
  const [suspending, setSuspending] = useState<ListedMerchantAnswer | null>(null)
  const merchants = useListPages<MerchantsAnswer>(listKey, 'merchants', path, call, { search })
  const suspend = useSuspension(() => setSuspending(null))
  return (
    <>
      <PageHead title={t('merchants.title')} text={t('merchants.text')}>
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setCreating(true)}>
          {t('merchants.new')}
        </Button>
      </PageHead>
      <Stack gap="lg">
        <Paper className="card-flush" p={0}>
          <TextInput
            m="md"
            aria-label={t('merchants.search')}
            placeholder={t('merchants.search')}
            leftSection={<Icon name="search" size={16} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={100}
          />
          <Pages
            query={merchants}
            empty={<Empty icon="shop" title={t('merchants.none')} text={t('merchants.noneText')} />}
          >
            {(items) => (
              <MerchantTable
                merchants={items}
                isRunning={suspend.isPending}
                onSuspend={setSuspending}
                onResume={({ merchant }) => suspend.mutate({ merchant, isSuspended: false })}
              />
            )}
          </Pages>
        </Paper>
        <ResetPassword />
      </Stack>
      <NewMerchant opened={isCreating} onClose={() => setCreating(false)} />
      <Confirm
        opened={suspending !== null}
        title={t('merchants.suspend')}
        text={t('merchants.suspendText', { name: suspending?.name ?? '' })}
        action={t('merchants.suspend')}
        isRunning={suspend.isPending}
        onConfirm={() =>
          suspending !== null && suspend.mutate({ merchant: suspending.merchant, isSuspended: true })
        }
        onClose={() => setSuspending(null)}
      />
    </>
  )
}

function MerchantTable(props: {
  merchants: ListedMerchantAnswer[]
  isRunning: boolean
  onSuspend: (merchant: ListedMerchantAnswer) => void
  onResume: (merchant: ListedMerchantAnswer) => void
}) {
  const { merchants, isRunning, onSuspend, onResume } = props
  return (
    <DataTable
      label={t('merchants.title')}
      items={merchants}
      keyOf={(one) => one.merchant}
      columns={[
        { head: t('merchants.merchant'), cell: (one) => <Named merchant={one} /> },
        { head: t('merchants.since'), cell: (one) => formatTime(one.createdAt) },
        { head: t('merchants.staff'), right: true, cell: (one) => formatNumber(one.staffCount) },
        { head: t('merchants.tokens'), right: true, cell: (one) => formatNumber(one.tokenCount) },
        {
          head: '',
          right: true,
          cell: (one) =>
            one.suspendedAt === null ? (
              <Button size="xs" variant="default" onClick={() => onSuspend(one)}>
                {t('merchants.suspend')}
              </Button>
            ) : (
              <Button size="xs" variant="default" loading={isRunning} onClick={() => onResume(one)}>
                {t('merchants.resume')}
              </Button>
            ),
        },
      ]}
    />
  )
}

function Named({ merchant }: { merchant: ListedMerchantAnswer }) {
  return (
    <div>
      <Group gap="xs">
        <Link className="row-link" href={`/m/${merchant.merchant}`}>
          {merchant.name}
        </Link>
        {merchant.suspendedAt === null ? null : <Badge color="orange">{t('merchants.suspended')}</Badge>}
      </Group>
      <Text size="xs" c="dimmed" className="mono">
        {merchant.merchant}
      </Text>
    </div>
  )
}

/** Suspends or resumes a merchant. */
export function useSuspension(onDone: () => void) {
  const client = useQueryClient()
  return useAction({
    mutationFn: ({ merchant, isSuspended }: { merchant: string; isSuspended: boolean }) =>
      call(`${path}/${merchant}/suspension`, { method: isSuspended ? 'PUT' : 'DELETE' }),
    onSuccess: async (_, { isSuspended }) => {
      onDone()
      await Promise.all([
        client.invalidateQueries({ queryKey: listKey }),
        client.invalidateQueries({ queryKey: sessionKey }),
      ])
      tellDone(isSuspended ? t('merchants.isSuspended') : t('merchants.isResumed'))
    },
    onError: tellProblem,
  })
}

function NewMerchant({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const client = useQueryClient()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [ownId, setOwnId] = useState<string | null>(null)
  const [currency, setCurrency] = useState<string | null>(null)
  const [timeZone, setTimeZone] = useState(hereZone)
  const merchant = ownId ?? (name === '' ? '' : slugOf(name, []))
  const create = useAction({
    mutationFn: () => call(path, { method: 'POST', body: { merchant, name, currency, timeZone } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionKey })
      await client.invalidateQueries({ queryKey: listKey })
      go(`/m/${merchant}`)
    },
    onError: tellProblem,
  })
  return (
    <NameDialog
      opened={opened}
      title={t('merchants.new')}
      label={t('merchants.name')}
      name={name}
      lengthMax={200}
      action={t('merchants.create')}
      isRunning={create.isPending}
      onName={setName}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Term name="slug">
        <TextInput
          label={t('merchants.id')}
          description={t('merchants.idHint')}
          value={merchant}
          onChange={(event) => setOwnId(event.currentTarget.value)}
          required
          pattern="[a-z0-9][a-z0-9\-]{0,39}"
          maxLength={40}
        />
      </Term>
      <CurrencyField description={t('settings.currencyHint')} value={currency} onChange={setCurrency} />
      <ZoneField
        label={t('field.timeZone')}
        description={t('settings.zoneHint')}
        value={timeZone}
        onChange={setTimeZone}
      />
    </NameDialog>
  )
}

function ResetPassword() {
  const [email, setEmail] = useState('')
  const reset = useAction({
    mutationFn: () =>
      call<LinkAnswer>('/api/v1/staff/resets', {
        method: 'POST',
        body: { email: email.trim() },
      }),
    onError: tellProblem,
  })
  return (
    <Paper component="section" aria-labelledby="reset-title">
      <Title order={2} id="reset-title">
        {t('reset.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('reset.text')}
      </Text>
      {reset.data === undefined ? (
        <Form onSubmit={() => reset.mutate()}>
          <Group align="flex-end">
            <TextInput
              label={t('signIn.email')}
              type="email"
              required
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              style={{ flex: '1 1 220px' }}
              maw={360}
            />
            <Submit variant="default" loading={reset.isPending}>
              {t('reset.make')}
            </Submit>
          </Group>
        </Form>
      ) : (
        <Stack>
          <Text size="sm">{t(reset.data.mailed ? 'staff.mailedText' : 'staff.linkText', { email })}</Text>
          <CopyText text={reset.data.link ?? ''} label={t('reset.link')} />
          <Group>
            <Button variant="default" onClick={() => reset.reset()}>
              {t('action.done')}
            </Button>
          </Group>
        </Stack>
      )}
    </Paper>
  )
}
