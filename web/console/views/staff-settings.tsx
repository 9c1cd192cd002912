import {
  ActionIcon,
  Avatar,
  Badge,
  Button,
  Group,
  Menu,
  Modal,
  Paper,
  Select,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useState } from 'react'
import type {
  LinkAnswer,
  StaffAnswer,
  StaffInvitation,
  StaffMember,
} from '../../../src/http/answers/staff.ts'
import { type Role, roles } from '../../../src/staff/roles.ts'
import { useAction } from '../parts/action.ts'
import { Confirm } from '../parts/confirm.tsx'
import { CopyText } from '../parts/copy.tsx'
import { Form, Submit } from '../parts/form.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { Loaded } from '../parts/states.tsx'
import { useApi, useMay, useRead, useRefresh } from '../session.tsx'
import { formatDistance, t } from '../texts.ts'

const roleChoices = () => roles.map((role) => ({ value: role, label: t(`role.${role}`) }))

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
        <Loaded query={staff}>{(data) => <People people={data.staff} />}</Loaded>
      </Paper>
      {staff.data === undefined || staff.data.invitations.length === 0 ? null : (
        <Invitations invitations={staff.data.invitations} />
      )}
      <RolesTable />
      <Invite opened={isInviting} onClose={() => setInviting(false)} />
    </Stack>
  )
}

function People({ people }: { people: StaffMember[] }) {
  const may = useMay()
  const api = useApi()
  const refresh = useRefresh()
  const [leaving, setLeaving] = useState<StaffMember | null>(null)
  const change = useAction({
    mutationFn: ({ staffId, role }: { staffId: number; role: Role }) =>
      api.put(`/api/v1/staff/${staffId}/role`, { role }),
    onSuccess: async () => {
      await refresh('staff')
      tellDone(t('staff.roleChanged'))
    },
    onError: tellProblem,
  })
  const remove = useAction({
    mutationFn: (person: StaffMember) => api.del(`/api/v1/staff/${person.staffId}`),
    onSuccess: async () => {
      setLeaving(null)
      await refresh('staff')
      tellDone(t('staff.removed'))
    },
    onError: tellProblem,
  })
  return (
    <div className="scroll">
      <Table className="table" aria-label={t('staff.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th pl="lg">{t('staff.person')}</Table.Th>
            <Table.Th>{t('staff.role')}</Table.Th>
            <Table.Th>{t('staff.seen')}</Table.Th>
            <Table.Th>{t('account.factor')}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {people.map((person) => (
            <Table.Tr key={person.staffId}>
              <Table.Td pl="lg">
                <Group gap="sm" wrap="nowrap">
                  <Avatar size={32} radius="xl" name={person.name} color="initials" alt="" />
                  <div>
                    <Text size="sm" fw={600}>
                      {person.name} {person.isYou ? <Badge ml={4}>{t('staff.you')}</Badge> : null}
                    </Text>
                    <Text size="xs" c="dimmed">
                      {person.email}
                    </Text>
                    {person.isEmailProven ? null : (
                      <Text size="xs" c="dimmed">
                        {t('staff.unproven')}
                      </Text>
                    )}
                  </div>
                </Group>
              </Table.Td>
              <Table.Td>
                {may.administer ? (
                  <Select
                    aria-label={t('staff.roleOf', { name: person.name })}
                    data={roleChoices()}
                    value={person.role}
                    allowDeselect={false}
                    w={130}
                    size="xs"
                    onChange={(role) => role !== null && change.mutate({ staffId: person.staffId, role })}
                  />
                ) : (
                  t(`role.${person.role}`)
                )}
              </Table.Td>
              <Table.Td className="nowrap">
                {person.lastSeenAt === null ? t('time.never') : formatDistance(person.lastSeenAt)}
              </Table.Td>
              <Table.Td>
                <Badge color={person.hasSecondFactor ? 'teal' : 'gray'}>
                  {person.hasSecondFactor ? t('state.on') : t('state.off')}
                </Badge>
              </Table.Td>
              <Table.Td>
                {may.administer ? (
                  <Menu position="bottom-end" withinPortal>
                    <Menu.Target>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={t('staff.actionsFor', { name: person.name })}
                      >
                        <Icon name="chevron" size={16} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item
                        color="red"
                        leftSection={<Icon name="trash" size={16} />}
                        onClick={() => setLeaving(person)}
                      >
                        {t('staff.remove')}
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                ) : null}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Confirm
        opened={leaving !== null}
        title={t('staff.removeTitle', { name: leaving?.name ?? '' })}
        text={t('staff.removeText')}
        action={t('staff.remove')}
        isRunning={remove.isPending}
        onConfirm={() => leaving !== null && remove.mutate(leaving)}
        onClose={() => setLeaving(null)}
      />
    </div>
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
