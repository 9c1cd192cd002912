import { ActionIcon, Avatar, Badge, Group, Menu, Select, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { StaffMember } from '../../../src/http/answers/staff.ts'
import { type Role, roles } from '../../../src/staff/roles.ts'
import { useAction } from '../parts/action.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Icon } from '../parts/icons.tsx'
import { tellDone, tellProblem } from '../parts/notify.ts'
import { useApi, useMay, useRefresh } from '../session.tsx'
import { formatDistance, t } from '../texts.ts'

export const roleChoices = () => roles.map((role) => ({ value: role, label: t(`role.${role}`) }))

/** The people who work for the merchant. An owner changes their roles and removes them. */
export function StaffPeople({ people }: { people: StaffMember[] }) {
  const [leaving, setLeaving] = useState<StaffMember | null>(null)
  const remove = useRemoval(() => setLeaving(null))
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
            <PersonRow key={person.staffId} person={person} onRemove={() => setLeaving(person)} />
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

function useRemoval(onDone: () => void) {
  const api = useApi()
  const refresh = useRefresh()
  return useAction({
    mutationFn: (person: StaffMember) => api.del(`/api/v1/staff/${person.staffId}`),
    onSuccess: async () => {
      onDone()
      await refresh('staff')
      tellDone(t('staff.removed'))
    },
    onError: tellProblem,
  })
}

function PersonRow({ person, onRemove }: { person: StaffMember; onRemove: () => void }) {
  const may = useMay()
  return (
    <Table.Tr>
      <Table.Td pl="lg">
        <Person person={person} />
      </Table.Td>
      <Table.Td>{may.administer ? <RoleChoice person={person} /> : t(`role.${person.role}`)}</Table.Td>
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
              <Menu.Item color="red" leftSection={<Icon name="trash" size={16} />} onClick={onRemove}>
                {t('staff.remove')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </Table.Td>
    </Table.Tr>
  )
}

function Person({ person }: { person: StaffMember }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar size={32} radius="xl" name={person.name} color="brand" alt="" />
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
  )
}

function RoleChoice({ person }: { person: StaffMember }) {
  const api = useApi()
  const refresh = useRefresh()
  const change = useAction({
    mutationFn: (role: Role) => api.put(`/api/v1/staff/${person.staffId}/role`, { role }),
    onSuccess: async () => {
      await refresh('staff')
      tellDone(t('staff.roleChanged'))
    },
    onError: tellProblem,
  })
  return (
    <Select
      aria-label={t('staff.roleOf', { name: person.name })}
      data={roleChoices()}
      value={person.role}
      allowDeselect={false}
      w={130}
      size="xs"
      onChange={(role) => role !== null && change.mutate(role)}
    />
  )
}
