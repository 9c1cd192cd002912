/** Stays in sight while something is not saved. */
import { Alert, Group, Text } from '@mantine/core'
import { Submit } from '../../parts/form.tsx'
import { Icon } from '../../parts/icons.tsx'
import { LastChange } from '../../parts/last-change.tsx'
import { useApi } from '../../session.tsx'
import { t } from '../../texts.ts'

/** `campaign`: undefined for the texts of the merchant. */
export function Saving(props: {
  edits: { hasChanges: boolean; isSaving: boolean; isConflict: boolean }
  problemCount: number
  campaign?: string
}) {
  const { edits, problemCount, campaign } = props
  const { merchant } = useApi()
  if (!edits.hasChanges) return null
  return (
    <>
      {edits.isConflict ? (
        <Alert color="orange" icon={<Icon name="warning" />} title={t('messages.conflict')}>
          {campaign === undefined ? (
            <LastChange kind="merchant" subject={merchant} />
          ) : (
            <LastChange kind="campaign" subject={campaign} />
          )}{' '}
          {t('campaign.conflictText')}
        </Alert>
      ) : null}
      <Group className="save-bar" justify="space-between" gap="sm">
        <Text size="sm" role="status">
          {problemCount === 0 ? t('messages.unsaved') : t('messages.problems', { count: problemCount })}
        </Text>
        <Submit loading={edits.isSaving}>{t('action.save')}</Submit>
      </Group>
    </>
  )
}
