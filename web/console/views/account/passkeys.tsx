import { Badge, Button, Group, Modal, Paper, Text, Title } from '@mantine/core'
import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import { useState } from 'react'
import type { PasskeyAddedAnswer, PasskeyAnswer } from '../../../../src/http/answers/account.ts'
import type { PasskeyOptions } from '../../../../src/http/answers/staff.ts'
import { call } from '../../api.ts'
import { useAction } from '../../parts/action.ts'
import { Form, Submit } from '../../parts/form.tsx'
import { tellDone, tellProblem } from '../../parts/notify.ts'
import { Loaded } from '../../parts/states.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { createPasskey, hasPasskeySupport } from '../../passkeys.ts'
import { type SignInOptions, useSignInOptions } from '../../session.tsx'
import { formatDistance, t } from '../../texts.ts'
import { useRefreshMethods, useSignInMethods } from './methods.ts'
import { usePasswordAgain } from './password-again.tsx'
import { FreshCodes } from './recovery-codes.tsx'
import { browserName } from './sessions.tsx'

type Doing = { what: 'add' } | { what: 'rename' | 'remove'; passkey: PasskeyAnswer }

export function Passkeys() {
  const methods = useSignInMethods()
  const options = useSignInOptions()
  const [doing, setDoing] = useState<Doing | null>(null)
  const obstacle = options === undefined ? undefined : obstacleText(options)
  const close = () => setDoing(null)
  return (
    <Paper component="section" aria-labelledby="account-passkeys">
      <Title order={2} id="account-passkeys" mb="xs">
        {t('account.passkeys')}
      </Title>
      <Text size="sm" c="dimmed">
        {obstacle ?? t('account.passkeysText')}
      </Text>
      <Loaded query={methods} rows={1}>
        {({ passkeys }) => <PasskeyList passkeys={passkeys} onDo={setDoing} />}
      </Loaded>
      {options === undefined || obstacle !== undefined ? null : (
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={() => setDoing({ what: 'add' })}>
            {t('account.passkeyAdd')}
          </Button>
        </Group>
      )}
      <Modal
        opened={doing !== null}
        onClose={close}
        title={
          <Text fw={650}>{doing?.what === 'add' ? t('account.passkeyAdd') : t('account.passkeys')}</Text>
        }
      >
        {doing?.what === 'add' ? <AddPasskey onDone={close} /> : null}
        {doing?.what === 'rename' ? <RenamePasskey passkey={doing.passkey} onDone={close} /> : null}
        {doing?.what === 'remove' ? <RemovePasskey passkey={doing.passkey} onDone={close} /> : null}
      </Modal>
    </Paper>
  )
}

/** The reason why no passkey can be added here, or undefined. */
function obstacleText({ passkeys }: SignInOptions): string | undefined {
  if (passkeys === 'ip_address') return t('passkey.ipAddress')
  if (passkeys === 'no_https') return t('passkey.noHttps')
  return hasPasskeySupport() ? undefined : t('passkey.unsupported')
}

function PasskeyList({ passkeys, onDo }: { passkeys: PasskeyAnswer[]; onDo: (doing: Doing) => void }) {
  if (passkeys.length === 0) return null
  return (
    <ul className="feed">
      {passkeys.map((passkey) => (
        <li key={passkey.passkeyId} style={{ flexWrap: 'wrap' }}>
          <div style={{ flex: '1 1 12rem', minWidth: 0 }}>
            <Text size="sm" fw={600} className="wrap-anywhere">
              {passkey.name}
              {passkey.isSynced ? (
                <Badge ml="xs" color="gray">
                  {t('account.passkeySynced')}
                </Badge>
              ) : null}
            </Text>
            <Text size="xs" c="dimmed">
              {t('account.passkeyCreated', { when: formatDistance(passkey.createdAt) })}
              {' · '}
              {passkey.lastUsedAt === null
                ? t('account.passkeyUnused')
                : t('account.passkeyUsed', { when: formatDistance(passkey.lastUsedAt) })}
            </Text>
          </div>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              aria-label={t('account.passkeyRenameWhat', { name: passkey.name })}
              onClick={() => onDo({ what: 'rename', passkey })}
            >
              {t('account.passkeyRename')}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t('account.passkeyRemoveWhat', { name: passkey.name })}
              onClick={() => onDo({ what: 'remove', passkey })}
            >
              {t('account.passkeyRemove')}
            </Button>
          </Group>
        </li>
      ))}
    </ul>
  )
}

function AddPasskey({ onDone }: { onDone: () => void }) {
  const again = usePasswordAgain()
  const refresh = useRefreshMethods()
  const [name, setName] = useState(() => browserName(navigator.userAgent))
  const add = useAction({
    mutationFn: async () => {
      const begun = await call<Record<keyof PasskeyOptions, PublicKeyCredentialCreationOptionsJSON>>(
        '/api/v1/account/passkey-challenges',
        { method: 'POST', body: again.body },
      )
      const passkey = await createPasskey(begun.options)
      return call<PasskeyAddedAnswer>('/api/v1/account/passkeys', {
        method: 'POST',
        body: { name, passkey },
      })
    },
    onSuccess: async ({ recoveryCodes }) => {
      tellDone(t('account.passkeyAdded'))
      await refresh()
      if (recoveryCodes === null) onDone()
    },
    onError: again.onError,
  })
  const codes = add.data?.recoveryCodes
  if (codes !== undefined && codes !== null) return <FreshCodes codes={codes} onDone={onDone} />
  return (
    <Form onSubmit={() => add.mutate()}>
      <PasskeyName value={name} onChange={setName} />
      {again.field}
      <Text size="sm" c="dimmed">
        {t('account.methodsText')}
      </Text>
      <Submit loading={add.isPending}>{t('account.passkeyAdd')}</Submit>
    </Form>
  )
}

function PasskeyName({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label={t('account.passkeyName')}
      description={t('account.passkeyNameHint')}
      required
      lengthMax={100}
      autoComplete="off"
      data-autofocus
      value={value}
      onChange={onChange}
    />
  )
}

function RenamePasskey({ passkey, onDone }: { passkey: PasskeyAnswer; onDone: () => void }) {
  const refresh = useRefreshMethods()
  const [name, setName] = useState(passkey.name)
  const rename = useAction({
    mutationFn: () =>
      call(`/api/v1/account/passkeys/${passkey.passkeyId}`, { method: 'PUT', body: { name } }),
    onSuccess: async () => {
      tellDone(t('account.saved'))
      await refresh()
      onDone()
    },
    onError: tellProblem,
  })
  return (
    <Form onSubmit={() => rename.mutate()}>
      <PasskeyName value={name} onChange={setName} />
      <Submit loading={rename.isPending}>{t('action.save')}</Submit>
    </Form>
  )
}

function RemovePasskey({ passkey, onDone }: { passkey: PasskeyAnswer; onDone: () => void }) {
  const again = usePasswordAgain()
  const refresh = useRefreshMethods()
  const remove = useAction({
    mutationFn: () =>
      call(`/api/v1/account/passkeys/${passkey.passkeyId}`, { method: 'DELETE', body: again.body }),
    onSuccess: async () => {
      tellDone(t('account.passkeyRemoved'))
      await refresh()
      onDone()
    },
    onError: again.onError,
  })
  return (
    <Form onSubmit={() => remove.mutate()}>
      <Text size="sm">{t('account.passkeyRemoveText', { name: passkey.name })}</Text>
      {again.field}
      <Submit color="red" loading={remove.isPending}>
        {t('account.passkeyRemove')}
      </Submit>
    </Form>
  )
}
