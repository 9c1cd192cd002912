import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { DayRange } from '../parts/time-fields.tsx'
import { t, type TextKey } from '../texts.ts'

export const filterNames = ['actor', 'action', 'subject', 'from', 'to'] as const
type ActivityFilter = Record<(typeof filterNames)[number], string>

/** The actions in the log, in the order in which people look for them. */
const actions = [
  'player.grant',
  'player.correct',
  'grants.batch',
  'link.create',
  'link.revoke',
  'link_list.create',
  'link_list.delete',
  'link_list.revoke',
  'player.block',
  'player.unblock',
  'player.revoke_links',
  'player.erase',
  'prize.claim',
  'prize.redeem',
  'prize.reverse_redemption',
  'prize.cancel',
  'wheel.create',
  'wheel.save',
  'wheel.publish',
  'wheel.promote',
  'wheel.schedule',
  'wheel.unschedule',
  'wheel.pause',
  'wheel.resume',
  'wheel.open_by_links',
  'campaign.create',
  'campaign.change',
  'campaign.promote',
  'campaign.schedule',
  'campaign.unschedule',
  'campaign.archive',
  'campaign.restore',
  'codes.upload',
  'data.export',
  'token.issue',
  'token.revoke',
  'webhook.add',
  'webhook.change',
  'webhook.pause',
  'webhook.resume',
  'webhook.rotate_secret',
  'webhook.resend',
  'webhook.delete',
  'staff.invite',
  'staff.withdraw',
  'staff.join',
  'staff.role',
  'staff.operator',
  'staff.remove',
  'staff.reset',
  'staff.new_password',
  'merchant.create',
  'merchant.set',
  'merchant.suspend',
  'merchant.resume',
  'merchant.revoke_links',
  'test_merchant.create',
  'test_merchant.reset',
  'test_merchant.remove',
  'clock.set',
] as const

export function ActivityFilters(props: {
  chosen: ActivityFilter
  onChange: (name: keyof ActivityFilter, value: string) => void
}) {
  const { chosen, onChange } = props
  const field = (name: keyof ActivityFilter) => ({
    label: t(`activity.${name}` satisfies TextKey),
    value: chosen[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange(name, event.currentTarget.value),
  })
  return (
    <SimpleGrid
      component="section"
      cols={{ base: 2, md: 5 }}
      p="md"
      spacing="sm"
      aria-label={t('activity.filters')}
    >
      <TextInput {...field('actor')} placeholder={t('activity.actorHint')} maxLength={200} type="search" />
      <Select
        label={t('activity.action')}
        placeholder={t('activity.anyAction')}
        data={actions.map((action) => ({ value: action, label: t(`action.${action}`) }))}
        value={chosen.action === '' ? null : chosen.action}
        onChange={(action) => onChange('action', action ?? '')}
        searchable
        clearable
      />
      <TextInput
        {...field('subject')}
        placeholder={t('activity.subjectHint')}
        maxLength={300}
        type="search"
      />
      <DayRange from={chosen.from} to={chosen.to} onChange={onChange} />
    </SimpleGrid>
  )
}
