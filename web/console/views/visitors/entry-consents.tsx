/** What a visitor agreed to, with a button to withdraw it. Marketing mail needs a consent that a code confirmed. */
import { ActionIcon, Badge, Group, Text } from '@mantine/core'
import type { VisitorEntriesAnswer } from '../../../../src/http/answers/entry-list.ts'
import { Icon } from '../../parts/icons.tsx'
import { t } from '../../texts.ts'
import type { Withdrawn } from './withdraw-consent.tsx'

export function Consents(props: {
  entry: VisitorEntriesAnswer['entries'][number]
  /** Null for those who may not. */
  onWithdraw: ((withdrawn: Withdrawn) => void) | null
}) {
  const { entry, onWithdraw } = props
  const { consents, campaign, playerId } = entry
  const who = entry.address ?? playerId
  if (consents.length === 0) return <Text size="sm">{t('visitors.noConsent')}</Text>
  return (
    <Group gap={6}>
      {consents.map(({ field, givenAt, confirmedAt, withdrawnAt }) => {
        const state = withdrawnAt !== null ? 'withdrawn' : confirmedAt !== null ? 'confirmed' : 'given'
        return (
          <Group key={`${field} ${givenAt}`} gap={0} wrap="nowrap">
            <Badge color={state === 'confirmed' ? 'teal' : 'gray'}>
              {t(`visitors.consent.${state}`, { field })}
            </Badge>
            {onWithdraw === null || withdrawnAt !== null ? null : (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('visitors.withdrawWho', { field, who })}
                onClick={() => onWithdraw({ campaign, playerId, who, field })}
              >
                <Icon name="close" size={12} />
              </ActionIcon>
            )}
          </Group>
        )
      })}
    </Group>
  )
}
