import { Button, Group, Modal, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import type { LinkAnswer, StaffAnswer, StaffInvitation } from '../../../src/http/answers/staff.ts'
import { type Role, roles } from '../../../src/staff/roles.ts'
import { useAction } from '../parts/action.ts'
import { CopyText } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellProblem } from '../parts/notify.ts'
import { Loaded } from '../parts/states.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatDistance, t } from '../texts.ts'
import { roleChoices, StaffPeople } from './staff-people.tsx'

export function StaffSettings() {
  const staff = useRead<StaffAnswer>(['staff'], '/api/v1/staff')
  const may = useMay()
  const [isInviting, setInviting] = useState(false)
  return (
    <Stack gap="lg">
      <Paper component="section" className="card-flush" p={0} aria-labelledby="staff-title">
        <Group justify="space-between" p="lg" pb="sm">
          <div>
            <Title order={2} id="staff-title">
              {t('staff.title')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('staff.text')}
            </Text>
          </div>
          {may.administer ? (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
              {t('staff.invite')}
            </Button>
          ) : null}
        </Group>
        <Loaded query={staff}>{(data) => <StaffPeople people={data.staff} />}</Loaded>
      </Paper>
      {staff.data === undefined || staff.data.invitations.length === 0 ? null : (
        <Invitations invitations={staff.data.invitations} />
      )}
      <RolesTable />
      <Invite opened={isInviting} onClose={() => setInviting(false)} />
    </Stack>
  )
}

function Invitations({ invitations }: { invitations: StaffInvitation[] }) {
  const api = useApi()
  const may = useMay()
  const refresh = useRefresh()
  const withdraw = useAction({
    mutationFn: (id: string) => api.del(`/api/v1/staff-invitations/${id}`),
    onSuccess: () => refresh('staff'),
    onError: tellProblem,
  })
  return (
    <Paper component="section" aria-labelledby="invited-title">
      <Title order={2} id="invited-title" mb="xs">
        {t('staff.invited')}
      </Title>
      <ul className="feed">
        {invitations.map((one) => (
          <li key={one.invitationId}>
            <div style={{ flex: 1, minWidth: 0 }}>
              <Text size="sm" fw={600} truncate>
                {one.email ?? t('staff.anybody')}
              </Text>
              <Text size="xs" c="dimmed">
                {t('staff.invitedAs', {
                  role: one.role === null ? '' : t(`role.${one.role}`),
                  by: one.madeBy,
                  when: formatDistance(one.expiresAt),
                })}
              </Text>
            </div>
            {may.administer ? (
              <Button size="xs" variant="default" onClick={() => withdraw.mutate(one.invitationId)}>
                {t('staff.withdraw')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Paper>
  )
}

function Invite({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const api = useApi()
  const refresh = useRefresh()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const invite = useAction({
    mutationFn: () => api.post<LinkAnswer>('/api/v1/staff-invitations', { email: email.trim(), role }),
    onSuccess: () => refresh('staff'),
    onError: tellProblem,
  })
  const close = () => {
    onClose()
    setEmail('')
    invite.reset()
  }
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={650}>{t('staff.invite')}</Text>}>
      {invite.data === undefined ? (
        <Form onSubmit={() => invite.mutate()}>
          <TextInput
            label={t('signIn.email')}
            type="email"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label={t('staff.role')}
            description={t(`role.${role}.may`)}
            data={roleChoices()}
            value={role}
            allowDeselect={false}
            onChange={(value) => setRole(value as Role)}
          />
          <Submit loading={invite.isPending}>{t('staff.makeLink')}</Submit>
        </Form>
      ) : (
        <Stack>
          <Text size="sm">{t(invite.data.mailed ? 'staff.invitedText' : 'staff.linkText', { email })}</Text>
          {invite.data.link === null ? null : <CopyText text={invite.data.link} label={t('staff.link')} />}
          <Button onClick={close}>{t('action.done')}</Button>
        </Stack>
      )}
    </Modal>
  )
}

function RolesTable() {
  return (
    <Paper component="section" aria-labelledby="roles-title">
      <Title order={2} id="roles-title" mb="xs">
        {t('staff.roles')}
      </Title>
      <Stack gap="xs">
        {roles.map((role) => (
          <Group key={role} gap="sm" wrap="nowrap" align="baseline">
            <Text size="sm" fw={600} w={80} style={{ flex: 'none' }}>
              {t(`role.${role}`)}
            </Text>
            <Text size="sm" c="dimmed">
              {t(`role.${role}.may`)}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  )
}
