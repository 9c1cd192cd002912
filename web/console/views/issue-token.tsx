import { Alert, Button, Checkbox, Modal, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { CampaignsAnswer } from '../../../src/http/answers/campaigns.ts'
import { scopes } from '../../../src/merchants/scopes.ts'
import { CopyText } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { useSearchParams } from '../parts/search-params.ts'
import { Term } from '../parts/term.tsx'
import { TextField } from '../parts/text-field.tsx'
import { useRead } from '../session.tsx'
import { t, textOf } from '../texts.ts'
import { grantLine } from './curl.ts'
import { onlyByButton } from './developers/webhook-secret.tsx'
import { useIssueToken } from './fresh-token.ts'

const lifetimes = { never: null, '30': 30, '90': 90, '365': 365 } as const

type TokenFields = { name: string; scopes: string[]; lifetime: keyof typeof lifetimes; campaign: string }

/** Issues a service token, and shows it once. */
export function IssueToken({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [params] = useSearchParams()
  const [fields, setFields] = useState<TokenFields>({
    name: '',
    scopes: ['spins', 'links'],
    lifetime: 'never',
    campaign: params.get('campaign') ?? 'main',
  })
  const campaigns = useRead<CampaignsAnswer>(['campaigns', false], '/api/v1/campaigns?limit=100', {
    enabled: opened,
  })
  const set = (change: Partial<TokenFields>) => setFields((now) => ({ ...now, ...change }))
  const issue = useIssueToken()
  const close = () => {
    onClose()
    issue.reset()
    set({ name: '' })
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
        <Form onSubmit={() => issue.mutate(orderOf(fields))}>
          <Fields fields={fields} campaigns={campaigns.data?.campaigns ?? []} set={set} />
          <Submit loading={issue.isPending} disabled={fields.scopes.length === 0}>
            {t('tokens.issue')}
          </Submit>
        </Form>
      ) : (
        <Issued token={issue.data.token} mayGrant={fields.scopes.includes('spins')} onClose={close} />
      )}
    </Modal>
  )
}

function orderOf({ name, scopes: chosen, lifetime, campaign }: TokenFields) {
  const days = lifetimes[lifetime]
  return {
    name,
    scopes: chosen,
    ...(days === null ? {} : { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() }),
    ...(campaign === 'main' ? {} : { campaign }),
  }
}

function Fields(props: {
  fields: TokenFields
  campaigns: CampaignsAnswer['campaigns']
  set: (change: Partial<TokenFields>) => void
}) {
  const { fields, campaigns, set } = props
  return (
    <>
      <TextField
        label={t('tokens.name')}
        placeholder={t('tokens.namePlaceholder')}
        value={fields.name}
        onChange={(name) => set({ name })}
        required
        lengthMax={200}
        data-autofocus
      />
      <Term name="bind">
        <Select
          label={t('tokens.campaign')}
          description={t('tokens.campaignText')}
          data={campaigns.map(({ campaign, name }) => ({ value: campaign, label: name }))}
          value={fields.campaign}
          allowDeselect={false}
          onChange={(campaign) => campaign !== null && set({ campaign })}
        />
      </Term>
      <Checkbox.Group
        label={t('tokens.scopes')}
        value={fields.scopes}
        onChange={(chosen) => set({ scopes: chosen })}
      >
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
        value={fields.lifetime}
        allowDeselect={false}
        onChange={(lifetime) => lifetime !== null && set({ lifetime })}
      />
    </>
  )
}

function Issued({ token, mayGrant, onClose }: { token: string; mayGrant: boolean; onClose: () => void }) {
  return (
    <Stack>
      <Alert color="orange" variant="light" icon={<Icon name="warning" />}>
        {t('tokens.once')}
      </Alert>
      <CopyText text={token} label={t('tokens.token')} />
      {mayGrant ? (
        <>
          <Text size="sm">{t('tokens.tryIt')}</Text>
          <CopyText text={grantLine(location.origin, token)} label={t('tokens.line')} />
        </>
      ) : null}
      <Button onClick={onClose}>{t('action.done')}</Button>
    </Stack>
  )
}
