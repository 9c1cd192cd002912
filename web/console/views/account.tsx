import {
  Badge,
  Button,
  Group,
  Modal,
  Paper,
  PasswordInput,
  PinInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { encode } from 'uqr'
import { call } from '../api.ts'
import { CopyIcon } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Failure, Loaded, PageHead } from '../parts/states.tsx'
import { sessionKey, useSession } from '../session.tsx'
import { formatDistance, t } from '../texts.ts'

export function Account() {
  return (
    <>
      <PageHead title={t('account.title')} text={t('account.text')} />
      <Stack gap="lg" maw={720}>
        <Name />
        <Password />
        <SecondFactor />
        <Sessions />
      </Stack>
    </>
  )
}

function Name() {
  const { staff } = useSession()
  const client = useQueryClient()
  const [name, setName] = useState(staff.name)
  const save = useMutation({
    mutationFn: () => call('/api/v1/account', { method: 'PUT', body: { name: name.trim() } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionKey })
      tellDone(t('account.saved'))
    },
    onError: tellProblem,
  })
  return (
    <Paper component="section" aria-labelledby="account-name">
      <Title order={2} id="account-name" mb="sm">
        {t('account.profile')}
      </Title>
      <Form gap="xs" onSubmit={() => save.mutate()}>
        <Group align="flex-end">
          <TextInput
            label={t('welcome.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={100}
            style={{ flex: 1 }}
          />
          <Submit variant="default" loading={save.isPending} disabled={name.trim() === staff.name}>
            {t('action.save')}
          </Submit>
        </Group>
        <Text size="sm" c="dimmed">
          {staff.email}
        </Text>
      </Form>
    </Paper>
  )
}

function Password() {
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () => call('/api/v1/account/password', { method: 'PUT', body: { current, password } }),
    onSuccess: () => {
      setCurrent('')
      setPassword('')
      tellDone(t('account.passwordChanged'))
    },
    onError: tellProblem,
  })
  return (
    <Paper component="section" aria-labelledby="account-password">
      <Title order={2} id="account-password" mb="sm">
        {t('account.password')}
      </Title>
      <Form gap="sm" onSubmit={() => change.mutate()}>
        <CurrentPassword value={current} onChange={setCurrent} />
        <PasswordInput
          label={t('account.newPassword')}
          description={t('welcome.passwordHint')}
          autoComplete="new-password"
          required
          minLength={12}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Submit variant="default" loading={change.isPending}>
            {t('account.changePassword')}
          </Submit>
        </Group>
      </Form>
    </Paper>
  )
}

function CurrentPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordInput
      label={t('account.currentPassword')}
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function SecondFactor() {
  const { staff } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <Paper component="section" aria-labelledby="account-factor">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="account-factor">
          {t('account.factor')}
        </Title>
        <Badge color={staff.hasSecondFactor ? 'teal' : 'gray'}>
          {staff.hasSecondFactor ? t('state.on') : t('state.off')}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {t('account.factorText')}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => setOpen(true)}>
          {staff.hasSecondFactor ? t('account.factorOff') : t('account.factorOn')}
        </Button>
      </Group>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={<Text fw={650}>{t('account.factor')}</Text>}
      >
        {staff.hasSecondFactor ? (
          <RemoveFactor onDone={() => setOpen(false)} />
        ) : (
          <AddFactor onDone={() => setOpen(false)} />
        )}
      </Modal>
    </Paper>
  )
}

function AddFactor({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const proposal = useQuery({
    queryKey: ['second-factor-proposal'],
    queryFn: () =>
      call<{ secret: string; address: string }>('/api/v1/account/second-factor', { method: 'POST' }),
    staleTime: Infinity,
    gcTime: 0,
  })
  const confirm = useMutation({
    mutationFn: () =>
      call('/api/v1/account/second-factor', {
        method: 'PUT',
        body: { secret: proposal.data?.secret, code, password },
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionKey })
      tellDone(t('account.factorIsOn'))
      onDone()
    },
    onError: tellProblem,
  })
  return (
    <Loaded query={proposal}>
      {({ secret, address }) => (
        <Form onSubmit={() => confirm.mutate()}>
          <Text size="sm">{t('account.factorScan')}</Text>
          <QrCode text={address} />
          <Group gap="xs" wrap="nowrap">
            <Text className="mono wrap-anywhere" size="sm" style={{ flex: 1 }}>
              {secret.replace(/(.{4})(?=.)/g, '$1 ')}
            </Text>
            <CopyIcon text={secret} label={t('account.factorSecret')} />
          </Group>
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('signIn.code')}
            </Text>
            <PinInput
              length={6}
              type="number"
              oneTimeCode
              value={code}
              onChange={setCode}
              aria-label={t('signIn.code')}
              getInputProps={(index) => ({ 'aria-label': `${t('signIn.code')} ${index + 1}` })}
            />
          </div>
          <CurrentPassword value={password} onChange={setPassword} />
          <Submit loading={confirm.isPending} disabled={code.length < 6}>
            {t('account.factorOn')}
          </Submit>
        </Form>
      )}
    </Loaded>
  )
}

/** Always dark on white, with its margin: many phones read nothing else. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label={t('account.factorPicture')}
      style={{ alignSelf: 'center', borderRadius: 8 }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

function RemoveFactor({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const remove = useMutation({
    mutationFn: () => call('/api/v1/account/second-factor', { method: 'DELETE', body: { password } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionKey })
      tellDone(t('account.factorIsOff'))
      onDone()
    },
    onError: tellProblem,
  })
  return (
    <Form onSubmit={() => remove.mutate()}>
      <CurrentPassword value={password} onChange={setPassword} />
      <Submit color="red" loading={remove.isPending}>
        {t('account.factorOff')}
      </Submit>
    </Form>
  )
}

type StaffSession = {
  sessionId: string
  createdAt: string
  lastSeenAt: string
  address: string
  browser: string
  isThisOne: boolean
}

function Sessions() {
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: ['account', 'sessions'],
    queryFn: ({ signal }) => call<{ sessions: StaffSession[] }>('/api/v1/account/sessions', { signal }),
  })
  const end = useMutation({
    mutationFn: (sessionId: string) => call(`/api/v1/account/sessions/${sessionId}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['account', 'sessions'] })
      tellDone(t('account.sessionEnded'))
    },
  })
  return (
    <Paper component="section" aria-labelledby="account-sessions">
      <Title order={2} id="account-sessions" mb="xs">
        {t('account.sessions')}
      </Title>
      {end.error === null ? null : <Failure error={end.error} />}
      <Loaded query={sessions} rows={2}>
        {(data) => (
          <ul className="feed">
            {data.sessions.map((one) => (
              <li key={one.sessionId}>
                <div style={{ flex: 1, minWidth: 0 }}>
                  <Text size="sm" fw={600}>
                    {browserName(one.browser)}
                    {one.isThisOne ? (
                      <Badge ml="xs" color="teal">
                        {t('account.thisOne')}
                      </Badge>
                    ) : null}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t('account.sessionSeen', { address: one.address, when: formatDistance(one.lastSeenAt) })}
                  </Text>
                </div>
                {one.isThisOne ? null : (
                  <Button size="xs" variant="default" onClick={() => end.mutate(one.sessionId)}>
                    {t('account.endSession')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Paper>
  )
}

/** Enough to tell one's own browsers apart. */
function browserName(agent: string): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`))
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS X', 'Linux'].find((name) =>
    agent.includes(name),
  )
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  if (browser === undefined) return agent.slice(0, 60)
  const known = names[browser] ?? browser
  return system === undefined ? known : t('account.browserOn', { browser: known, system })
}
