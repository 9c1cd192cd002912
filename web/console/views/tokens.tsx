import { Badge, Button, Group, Paper, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { TokenAnswer, TokensAnswer } from '../../../src/http/answers/tokens.ts'
import { useAction } from '../parts/action.ts'
import { CampaignName } from '../parts/campaign-of.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Empty, Loaded } from '../parts/states.tsx'
import { DataTable } from '../parts/table.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatDistance, formatTime, t } from '../texts.ts'
import { IssueToken } from './issue-token.tsx'
import { useSearchParams } from '../parts/search-params.ts'

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
      <IssueToken opened={isIssuing && may.administer} onClose={() => setIssuing(false)} />
    </Paper>
  )
}

function TokenTable({ tokens }: Pick<TokensAnswer, 'tokens'>) {
  const may = useMay()
  const [dying, setDying] = useState<TokenAnswer | null>(null)
  const revoke = useRevocation(() => setDying(null))
  const order = { live: 0, expired: 1, revoked: 2 }
  const sorted = tokens.toSorted((a, b) => order[stateOf(a)] - order[stateOf(b)])
  return (
    <>
      <DataTable
        label={t('developers.tokens')}
        items={sorted}
        keyOf={(token) => token.tokenId}
        columns={[
          { head: t('tokens.name'), cell: (token) => <Named token={token} /> },
          { head: t('tokens.scopes'), cell: (token) => <Scopes scopes={token.scopes} /> },
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
          { head: t('tokens.state'), cell: (token) => <StateBadge state={stateOf(token)} /> },
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

function useRevocation(onDone: () => void) {
  const api = useApi()
  const refresh = useRefresh()
  return useAction({
    mutationFn: (token: TokenAnswer) => api.del(`/api/v1/tokens/${encodeURIComponent(token.tokenId)}`),
    onSuccess: async () => {
      onDone()
      tellDone(t('tokens.revoked'))
      await refresh('tokens')
    },
    onError: tellProblem,
  })
}

function Named({ token }: { token: TokenAnswer }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {token.name}
      </Text>
      <Text size="xs" c="dimmed" className="mono">
        {token.tokenId}
      </Text>
      {token.campaign === null ? null : (
        <Text size="xs" c="dimmed">
          {t('tokens.campaign')}: <CampaignName campaign={token.campaign} />
        </Text>
      )}
    </div>
  )
}

function Scopes({ scopes }: Pick<TokenAnswer, 'scopes'>) {
  return (
    <Group gap={4}>
      {scopes.map((scope) => (
        <Badge key={scope} color="gray">
          {scope}
        </Badge>
      ))}
    </Group>
  )
}

type TokenState = 'live' | 'revoked' | 'expired'

function StateBadge({ state }: { state: TokenState }) {
  return (
    <Badge color={{ live: 'teal', revoked: 'red', expired: 'orange' }[state]}>
      {t(`tokens.${state}State`)}
    </Badge>
  )
}

function stateOf(token: TokenAnswer): TokenState {
  const now = new Date().toISOString()
  if (token.revokedAt !== null && token.revokedAt <= now) return 'revoked'
  return token.expiresAt !== null && token.expiresAt <= now ? 'expired' : 'live'
}
