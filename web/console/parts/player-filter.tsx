import { TextInput } from '@mantine/core'
import { t } from '../texts.ts'

/** Chooses a player to filter by, by the whole id. */
export function PlayerFilter({ chosen, onChange }: { chosen: string; onChange: (player: string) => void }) {
  return (
    <TextInput
      label={t('filters.player')}
      placeholder={t('filters.wholeId')}
      type="search"
      maxLength={128}
      value={chosen}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
