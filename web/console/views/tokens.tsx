import {
  Alert,
  Badge,
  Button,
  Checkbox,
  Group,
  Modal,
  Paper,
  Select,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { useState } from 'react'
import type { CampaignsAnswer } from '../../../src/http/answers/campaigns.ts'
import type { TokenAnswer, TokensAnswer } from '../../../src/http/answers/tokens.ts'
import { scopes } from '../../../src/merchants/scopes.ts'
import { useAction } from '../parts/action.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyText } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatDistance, formatTime, t, textOf } from '../texts.ts'
import { grantLine } from './curl.ts'
import { onlyByButton } from './developers/webhook-secret.tsx'
import { useIssueToken } from './fresh-token.ts'
import { useSearchParams } from '../parts/search-params.ts'
import { TextField } from '../parts/text-field.tsx'

export function Tokens() {
  const tokens = useRead<TokensAnswer>(['tokens'], '/api/v1/tokens')
  const may = useMay()
  const [params, setParams] = useSearchParams()
  const isIssuing = params.get('new') === 'token'
  const setIssuing = (isOpen: boolean) =>
    setParams(
      (now) => {
        if (isOpen) now.set('new', 'token')
        else now.delete('new')
        return now
      },
      { replace: true },
    )
  const issue = may.administer ? (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setIssuing(true)}>
      {t('tokens.issue')}
    </Button>
  ) : null
  return (
    <Paper component="section" className="card-flush" p={0} aria-labelledby="tokens-title">
      <Group justify="space-between" p="lg" pb="sm">
        <div>
          <Title order={2} id="tokens-title">
            {t('developers.tokens')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('tokens.text')}
          </Text>
        </div>
        {issue}
      </Group>
      <Loaded query={tokens}>
        {(data) =>
          data.tokens.length === 0 ? (
            <Empty icon="key" title={t('tokens.none')} text={t('tokens.noneText')}>
              {issue}
            </Empty>
          ) : (
            <TokenTable tokens={data.tokens} />
          )
        }
      </Loaded>
      <Issue opened={isIssuing && may.administer} onClose={() => setIssuing(false)} />
    </Paper>
  )
}

function stateOf(token: TokenAnswer): 'live' | 'revoked' | 'expired' {
  const now = new Date().toISOString()
  if (token.revokedAt !== null && token.revokedAt <= now) return 'revoked'
  return token.expiresAt !== null && token.expiresAt <= now ? 'expired' : 'live'
}

function TokenTable({ tokens }: Pick<TokensAnswer, 'tokens'>) {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const [dying, setDying] = useState<TokenAnswer | null>(null)
  const revoke = useAction({
    mutationFn: (token: TokenAnswer) => api.del(`/api/v1/tokens/${encodeURIComponent(token.tokenId)}`),
    onSuccess: async () => {
      setDying(null)
      tellDone(t('tokens.revoked'))
      await refresh('tokens')
    },
    onError: tellProblem,
  })
  const order = { live: 0, expired: 1, revoked: 2 }
  const sorted = tokens.toSorted((a, b) => order[stateOf(a)] - order[stateOf(b)])
  return (
    <>
      <DataTable
        label={t('developers.tokens')}
        items={sorted}
        keyOf={(token) => token.tokenId}
        columns={[
          {
            head: t('tokens.name'),
            cell: (token) => (
              <div>
                <Text size="sm" fw={600}>
                  {token.name}
                </Text>
                <Text size="xs" c="dimmed" className="mono">
                  {token.tokenId}
                </Text>
                {token.campaign === null ? null : (
                  <Text size="xs" c="dimmed">
                    {t('tokens.campaign')}: {token.campaign}
                  </Text>
                )}
              </div>
            ),
          },
          {
            head: t('tokens.scopes'),
            cell: (token) => (
              <Group gap={4}>
                {token.scopes.map((scope) => (
                  <Badge key={scope} color="gray">
                    {scope}
                  </Badge>
                ))}
              </Group>
            ),
          },
          {
            head: t('tokens.used'),
            cell: (token) => (
              <span className="nowrap">
                {token.lastUsedAt === null ? t('time.never') : formatDistance(token.lastUsedAt)}
              </span>
            ),
          },
          {
            head: t('tokens.expires'),
            cell: (token) => (
              <span className="nowrap">
                {token.expiresAt === null ? t('time.never') : formatTime(token.expiresAt)}
              </span>
            ),
          },
          {
            head: t('tokens.state'),
            cell: (token) => {
              const state = stateOf(token)
              return (
                <Badge color={{ live: 'teal', revoked: 'red', expired: 'orange' }[state]}>
                  {t(`tokens.${state}State`)}
                </Badge>
              )
            },
          },
          {
            head: '',
            right: true,
            cell: (token) =>
              may.administer && stateOf(token) === 'live' ? (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setDying(token)}
                  aria-label={t('tokens.revokeWhat', { name: token.name })}
                >
                  {t('tokens.revoke')}
                </Button>
              ) : null,
          },
        ]}
      />
      <Confirm
        opened={dying !== null}
        title={t('tokens.revokeTitle')}
        text={t('tokens.revokeText')}
        action={t('tokens.revoke')}
        name={dying?.name ?? ''}
        isRunning={revoke.isPending}
        onConfirm={() => dying !== null && revoke.mutate(dying)}
        onClose={() => setDying(null)}
      />
    </>
  )
}

const lifetimes = { never: null, '30': 30, '90': 90, '365': 365 } as const

function Issue({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(['spins', 'links'])
  const [lifetime, setLifetime] = useState<keyof typeof lifetimes>('never')
  const [params] = useSearchParams()
  const [bound, setBound] = useState(params.get('campaign') ?? 'main')
  const campaigns = useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100', {
    enabled: opened,
  })
  const issue = useIssueToken()
  const close = () => {
    onClose()
    issue.reset()
    setName('')
  }
  const submit = () => {
    const days = lifetimes[lifetime]
    const expiresAt =
      days === null ? {} : { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() }
    const campaign = bound === 'main' ? {} : { campaign: bound }
    issue.mutate({ name, scopes: chosen, ...expiresAt, ...campaign })
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      {...(issue.data === undefined ? {} : onlyByButton)}
      title={<Text fw={650}>{t('tokens.issue')}</Text>}
    >
      {issue.data === undefined ? (
        <Form onSubmit={submit}>
          <TextField
            label={t('tokens.name')}
            placeholder={t('tokens.namePlaceholder')}
            value={name}
            onChange={setName}
            required
            lengthMax={200}
            data-autofocus
          />
          <Select
            label={t('tokens.campaign')}
            description={t('tokens.campaignText')}
            data={(campaigns.data?.campaigns ?? []).map(({ campaign, name: label }) => ({
              value: campaign,
              label,
            }))}
            value={bound}
            allowDeselect={false}
            onChange={(value) => value !== null && setBound(value)}
          />
          <Checkbox.Group label={t('tokens.scopes')} value={chosen} onChange={setChosen}>
            <Stack gap="xs" mt="xs">
              {scopes.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} description={textOf(`scope.${scope}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label={t('tokens.lifetime')}
            data={(Object.keys(lifetimes) as (keyof typeof lifetimes)[]).map((value) => ({
              value,
              label: t(`tokens.lifetime.${value}`),
            }))}
            value={lifetime}
            allowDeselect={false}
            onChange={(value) => value !== null && setLifetime(value)}
          />
          <Submit loading={issue.isPending} disabled={chosen.length === 0}>
            {t('tokens.issue')}
          </Submit>
        </Form>
      ) : (
        <Stack>
          <Alert color="orange" variant="light" icon={<Icon name="warning" />}>
            {t('tokens.once')}
          </Alert>
          <CopyText text={issue.data.token} label={t('tokens.token')} />
          {chosen.includes('spins') ? (
            <>
              <Text size="sm">{t('tokens.tryIt')}</Text>
              <CopyText text={grantLine(location.origin, issue.data.token)} label={t('tokens.line')} />
            </>
          ) : null}
          <Button onClick={close}>{t('action.done')}</Button>
        </Stack>
      )}
    </Modal>
  )
}
