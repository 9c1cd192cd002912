/** What a person may ask for by law: a copy of all personal data, and its erasure. */
import { ActionIcon, Group } from '@mantine/core'
import type { VisitorEntriesAnswer } from '../../../../src/http/answers/entry-list.ts'
import { download } from '../../parts/download.ts'
import { Icon } from '../../parts/icons.tsx'
import { tellProblem } from '../../parts/notify.ts'
import { useApi } from '../../session.tsx'
import { t } from '../../texts.ts'

export function DataButtons(props: { entry: VisitorEntriesAnswer['entries'][number]; onErase: () => void }) {
  const { address, playerId } = props.entry
  const api = useApi()
  const path = `/api/v1/players/${encodeURIComponent(playerId)}/personal-data`
  return (
    <Group gap={0} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t('visitors.exportWho', { address: address ?? playerId })}
        onClick={() => void download(api, path, `${playerId}.ndjson`).catch(tellProblem)}
      >
        <Icon name="import" size={16} />
      </ActionIcon>
      {address === null ? null : (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('visitors.eraseWho', { address })}
          onClick={props.onErase}
        >
          <Icon name="trash" size={16} />
        </ActionIcon>
      )}
    </Group>
  )
}
