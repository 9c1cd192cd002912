import { ActionIcon, Popover, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../texts.ts'

type Explained =
  | 'weight'
  | 'fallback'
  | 'run'
  | 'pace'
  | 'pool'
  | 'purse'
  | 'ledger'
  | 'priority'
  | 'id'
  | 'slug'
  | 'token'
  | 'bind'

/** Explains a word where it is used: a button at the upper right of what is about it. */
export function Term({ name, children }: { name: Explained; children: ReactNode }) {
  return (
    <div className="term">
      {children}
      <Popover width={300} position="bottom-end" withArrow shadow="md">
        <Popover.Target>
          <ActionIcon
            className="term-button"
            variant="subtle"
            color="gray"
            size="sm"
            radius="xl"
            aria-label={t(`term.${name}`)}
          >
            ?
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown>
          <Text size="sm">{t(`term.${name}Text`)}</Text>
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}
